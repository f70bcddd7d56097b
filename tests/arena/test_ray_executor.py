"""The same match on a Ray of this machine's own, and a worker of it killed half-way."""

import os
import signal
import time
from pathlib import Path

import pytest

from playout import UsageError
from playout.arena.executors import LocalExecutor
from playout.arena.match import Match, MatchSettings, play_matches
from playout.arena.store import Store
from playout.arena.task import GameTask
from playout.protocols.process import process_tree
from tests.packages import needed

from .test_executors import BAD, CONDUCT, LINE, TIME

needed("ray")

from playout.arena.ray_executor import RayExecutor  # noqa: E402

# What Ray itself warns of is not ours to mend.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SETTINGS = MatchSettings("tic-tac-toe", ("random", "greedy"), openings="random:plies=1")


@pytest.fixture(scope="module")
def cluster():
    with RayExecutor(None, concurrency=2) as executor:
        yield executor


def play(executor, observe=None):
    match = Match(SETTINGS, games=200)
    with Store(None) as store:
        play_matches([match], store, executor, observe)
        return match, [game.record.moves for game in store.games()]


def actor_processes():
    """The actors among this process's descendants."""
    names = {pid: command_line(pid) for pid in process_tree(os.getpid())}
    return [pid for pid, name in names.items() if name.startswith("ray::_GameActor")]


def command_line(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def test_a_killed_worker_changes_nothing(cluster):
    """200 games; after 100, the process of an actor is killed while games go on."""
    finished, killed = 0, []

    def kill_one(*_):
        nonlocal finished
        finished += 1
        if finished == 100:
            killed.append(actor_processes()[0])
            os.kill(killed[0], signal.SIGKILL)

    on_ray, moves = play(cluster, kill_one)
    with LocalExecutor(2) as local:
        here, same = play(local)
    assert len(killed) == 1
    assert on_ray.tally == here.tally
    assert moves == same
    assert on_ray.forfeits == []


def test_bad_players_lose_there_too(cluster):
    for name, reason in (("vanishes", "crash"), ("hang", "hang")):
        players = f"{BAD}:{name}", f"{BAD}:good"
        cluster.submit(
            GameTask("", 0, LINE, players, (0, 1), time=TIME, conduct=CONDUCT)
        )
        ((_, record),) = cluster.wait(60)
        assert (record.reason, record.forfeit) == (reason, 0)


def test_players_that_cannot_be_started_are_refused(cluster):
    with pytest.raises(UsageError, match="unknown player 'nobody'"):
        cluster.prepare([GameTask("", 0, LINE, ("nobody", "random"), (0, 1))])


def test_without_games_it_waits_all_the_same(cluster):
    """Where other processes play what is left of a match."""
    started = time.monotonic()
    assert cluster.wait(0.2) == []
    assert time.monotonic() - started >= 0.2


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_no_cluster_at_an_address(address):
    with pytest.raises(UsageError, match=f"no Ray at {address}: .* refused"):
        RayExecutor(address)


def test_more_games_than_processors(cluster, monkeypatch):
    monkeypatch.setattr(cluster._ray, "shutdown", lambda: None)
    with pytest.raises(UsageError, match="the cluster has 2 processors, not 3"):
        cluster._expect_processors(3)

"""Watched workers: whatever a player does, it loses its game and the match goes on.

Also of `arena/worker.py` and `arena/task.py`.
"""

import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from playout import UsageError
from playout.arena import executors
from playout.arena.clock import TimeControl
from playout.arena.executors import LocalExecutor
from playout.arena.match import Match, MatchSettings, play_matches
from playout.arena.session import Conduct
from playout.arena.store import Store
from playout.arena.task import GameTask

from ..ui.support import LINE

BAD = Path(__file__).parent / "bad_players.py"
#: Short, for the tests' sake; long enough for a loaded machine.
TIME = TimeControl(seconds=0.2)
CONDUCT = Conduct(tolerance=0.1, grace=0.4, patience=30.0)


def bad(name):
    return f"{BAD}:{name}"


def task(*players, number=0, time=TIME, conduct=CONDUCT):
    return GameTask("", number, LINE, players, (0, 1), time=time, conduct=conduct)


def play(*tasks, concurrency=1):
    with LocalExecutor(concurrency) as executor:
        waiting, finished = list(tasks), []
        while waiting or executor.room < concurrency:
            while waiting and executor.room:
                executor.submit(waiting.pop(0))
            finished += executor.wait(30)
        return [record for _, record in sorted(finished, key=lambda f: f[0].number)]


@pytest.fixture(scope="module")
def executor():
    with LocalExecutor() as shared:
        yield shared


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [
        ("crash", "crash", "ZeroDivisionError: a bad day"),
        ("leaves", "crash", "SystemExit: 3"),
        ("vanishes", "crash", "ended by exit code 7: last words"),
        ("segfault", "crash", "ended by signal SIGSEGV: Fatal Python error"),
        ("killed", "crash", "ended by signal SIGKILL"),
        ("hang", "hang", "no answer after"),
        ("busy", "hang", "no answer after"),
        ("flood", "hang", "xxx"),
        ("late", "time", "answered after 0.4"),
        ("garbage", "garbage", "the middle"),
        ("nothing", "garbage", "None is not a Decision"),
        ("illegal", "garbage", "1000000 is not a move"),
        ("impossible", "garbage", "-1 is not a move"),
        ("taken", "illegal move", "is not legal here"),
        ("half", "garbage", "holds a half of a character"),
        ("mumbles", "crash", r"a half \ud800"),
        ("memory", "memory", ""),
    ],
)
def test_every_bad_player_loses(executor, name, reason, detail):
    """The worker that survives, or its successor, plays the next game."""
    executor.submit(task(bad(name), bad("good")))
    ((_, record),) = executor.wait(30)
    assert (record.reason, record.forfeit) == (reason, 0), record.detail
    assert detail in record.detail
    assert record.returns == (-1.0, 1.0)
    assert record.players == (bad(name), bad("good"))
    executor.submit(task(bad("good"), bad("good")))
    ((_, record),) = executor.wait(30)
    assert record.reason == "rules"


def test_the_seat_that_thinks_is_the_one_that_loses(executor):
    executor.submit(task(bad("good"), bad("hang")))
    ((_, record),) = executor.wait(30)
    assert (record.reason, record.forfeit) == ("hang", 1)
    assert record.moves == ("a1",)
    assert record.returns == (1.0, -1.0)


def test_without_a_time_limit_patience_ends(executor):
    conduct = Conduct(patience=0.8)
    executor.submit(task(bad("hang"), bad("good"), time=TimeControl(), conduct=conduct))
    ((_, record),) = executor.wait(30)
    assert record.reason == "hang"


def test_a_failed_player_is_made_anew(executor):
    """It fails in its first game only; the same process is asked for the second."""
    for reason in ("crash", "rules"):
        executor.submit(task(bad("good"), bad("slow_starter")))
        ((_, record),) = executor.wait(30)
        assert record.reason == reason


def test_games_at_once(tmp_path):
    """The players of two games wait for each other, so both games must run at once."""
    player = tmp_path / "meets.py"
    player.write_text(MEETS)
    tasks = [task(f"{player}:meets", bad("good"), number=n) for n in range(2)]
    patient = [replace(each, time=TimeControl()) for each in tasks]
    assert [record.reason for record in play(*patient, concurrency=2)] == 2 * ["rules"]


MEETS = """
import os, time
from pathlib import Path

def meets(game):
    here = Path(__file__).parent
    def choose(position):
        (here / f"{os.getpid()}.here").touch()
        while len(list(here.glob("*.here"))) < 2:
            time.sleep(0.01)
        return position.legal_actions()[0]
    return choose
"""


def test_processes_end_with_the_executor(tmp_path):
    """Even a process that a player started in a session of its own."""
    player = tmp_path / "starts.py"
    player.write_text(STARTS)
    with LocalExecutor() as executor:
        executor.submit(task(f"{player}:starts", bad("good"), time=TimeControl()))
        pids = tmp_path / "pids"
        wait_until(lambda: pids.exists() and pids.read_text().count("\n") == 2)
        family = [int(line) for line in pids.read_text().split()]
        assert all(map(runs, family))
    wait_until(lambda: not any(map(runs, family)))


STARTS = """
import os, subprocess, time
from pathlib import Path

def starts(game):
    def choose(position):
        for new_session in (False, True):
            child = subprocess.Popen(["sleep", "100"], start_new_session=new_session)
            with open(Path(__file__).parent / "pids", "a") as file:
                file.write(f"{child.pid}\\n")
        time.sleep(100)
    return choose
"""


def test_what_outlives_a_worker_is_ended(tmp_path):
    """It is in a session of its own, and the player has killed its parent."""
    player = tmp_path / "leaves.py"
    player.write_text(LEAVES)
    with LocalExecutor() as executor:
        executor.submit(task(f"{player}:leaves", bad("good"), time=TimeControl()))
        ((_, record),) = executor.wait(30)
        assert record.reason == "crash"
        pid = int((tmp_path / "pid").read_text())
        wait_until(lambda: not runs(pid))


LEAVES = """
import os, signal, subprocess
from pathlib import Path

def leaves(game):
    def choose(position):
        child = subprocess.Popen(["sleep", "100"], start_new_session=True)
        (Path(__file__).parent / "pid").write_text(str(child.pid))
        os.kill(os.getpid(), signal.SIGKILL)
    return choose
"""


def runs(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_until(condition, seconds=20):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_worker_lost_between_games_is_nobodys_fault():
    with LocalExecutor() as executor:
        executor.prepare([task(bad("good"), bad("good"))])
        (worker,) = executor._workers
        os.kill(worker._process.pid, signal.SIGKILL)
        time.sleep(0.1)
        executor.submit(task(bad("good"), bad("good")))
        finished = []
        while not finished:
            finished = executor.wait(30)
        assert finished[0][1].reason == "rules"


# -- players that cannot even begin ----------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "unknown player 'nobody'"),
        ("human", "human"),
        (f"{BAD}:nobody", "has no 'nobody'"),
        (f"{BAD}:unready", "unready cannot be started: .*OSError: no such engine"),
        (f"{BAD}:unmade", r"unmade: .*bad_players\.py, line \d+: KeyError: 'x'"),
    ],
)
def test_players_that_cannot_be_started_are_refused_before_the_match(spec, message):
    with LocalExecutor() as executor, pytest.raises(UsageError, match=message):
        executor.prepare([task("random", spec)])


def test_a_file_that_ends_the_process_is_refused(tmp_path):
    file = tmp_path / "ends.py"
    file.write_text("import os; os._exit(9)")
    message = "cannot be started: crash: ended by exit code 9"
    with LocalExecutor() as executor, pytest.raises(UsageError, match=message):
        executor.prepare([task("random", f"{file}:x")])


def test_an_engine_that_comes_up_only_once_forfeits_and_the_rest_goes_on(tmp_path):
    """The engine starts once, before the match; the games of others are played."""
    flag, engine = tmp_path / "flag", tmp_path / "engine.py"
    engine.write_text(ONCE.format(flag=flag))
    broken = f"exec:ugi:{sys.executable} -S -E {engine}"
    matches = [
        Match(MatchSettings(LINE, pair, TIME, CONDUCT), games=2)
        for pair in (("random", broken), ("random", bad("good")))
    ]
    with Store(None) as store, LocalExecutor() as executor:
        play_matches(matches, store, executor)
    lost, whole = matches
    assert [forfeit.player for forfeit in lost.forfeits] == 2 * [broken]
    for forfeit in lost.forfeits:
        assert forfeit.reason == "crash"
        assert forfeit.detail.endswith("exit code 1; its stderr ends: not today")
    assert whole.forfeits == []
    assert whole.counted == 2


ONCE = """
import os, sys
if os.path.exists("{flag}"):
    sys.exit("not today")
open("{flag}", "w").close()
input()
print("ugiok", flush=True)
"""


def test_who_starts_slowly_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(executors, "NOTICE_SECONDS", 0.1)
    said = []
    with LocalExecutor(say=said.append) as executor:
        executor.prepare([task("random", bad("slow_to_make"))])
    assert said == [f"Waiting for random and {bad('slow_to_make')} to start ..."]


def test_games_that_end_while_others_are_prepared_are_not_lost():
    with LocalExecutor(2) as executor:
        executor.submit(task(bad("good"), bad("good"), number=7))
        executor.prepare([task("random", bad("slow_to_make"))])
        executor.prepare([task("random", bad("slow_to_make"), number=1)])
        finished = executor.wait(30)
    assert [each.number for each, _ in finished] == [7]


def test_concurrency_is_positive():
    with pytest.raises(UsageError, match="concurrency must be at least 1"):
        LocalExecutor(0)


# -- a whole match ---------------------------------------------------------------------


def test_a_match_against_a_bad_player_goes_to_its_end():
    settings = MatchSettings(LINE, (bad("good"), bad("vanishes")), TIME, CONDUCT)
    match = Match(settings, games=6)
    with Store(None) as store, LocalExecutor(2) as executor:
        play_matches([match], store, executor)
    assert match.tally.wins == 6
    assert [forfeit.game for forfeit in match.forfeits] == [1, 2, 3, 4, 5, 6]
    assert {forfeit.player for forfeit in match.forfeits} == {bad("vanishes")}
    assert "last words" in match.forfeits[0].detail

"""`kill -9` at any moment: every finished game is kept, none is played twice."""

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from random import Random

import pytest

from playout.arena.match import Match
from playout.arena.store import Store
from playout.arena.task import Table
from playout.ui.cli.match_options import make_settings

pytestmark = pytest.mark.skipif(
    not hasattr(os, "killpg") or not Path("/proc").exists(), reason="needs Linux"
)

KILLS, AT_ONCE = 50, 5
GAMES = 100_000  # more than there is time for
COMMAND = ["match", "tic-tac-toe", "random", "greedy", "--openings", "random:plies=1"]

#: Has imported everything, and forks a command line whenever it is told to.
NURSERY = """
import os, signal, sys
import playout.arena.executors, playout.arena.match, playout.arena.store
import playout.arena.report, playout.games.mnk
from playout.ui.cli.main import cli

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    log, *arguments = line.rstrip("\\n").split("\\t")
    if pid := os.fork():
        print(pid, flush=True)
        continue
    os.setsid()
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    cli(arguments)
"""


class Nursery:
    """Starts `playout` quickly, again and again."""

    def __init__(self, mark):
        self.process = subprocess.Popen(
            [sys.executable, "-c", NURSERY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PLAYOUT_TEST_MARK": mark},
        )

    def start(self, log, arguments):
        self.process.stdin.write("\t".join([str(log), *arguments]) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self):
        self.process.communicate(timeout=30)


def reported(log):
    """The games that a command line said were finished."""
    text = log.read_text() if log.exists() else ""
    return {int(n) - 1 for n in re.findall(r"^game (\d+): .*\)$", text, re.MULTILINE)}


def wait(seconds, condition=lambda: False):
    until = time.monotonic() + seconds
    while time.monotonic() < until and not condition():
        time.sleep(0.005)


def kept(path):
    with Store(path) as store:
        return {game.number: game.record for game in store.games()}


def survivors(mark):
    """Processes that still run with a mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            pass
    return found


def test_fifty_kills(tmp_path):
    """Five processes at a time play one match into one file, and are killed at random.

    Half of the times the kills begin while they start, else after the first game.
    """
    path, mark, random = tmp_path / "games.db", uuid.uuid4().hex, Random(1)
    nursery = Nursery(mark)
    command = [*COMMAND, "--games", str(GAMES), "--save", str(path), "-v"]
    logs = []
    for turn in range(KILLS // AT_ONCE):
        new = [tmp_path / f"{turn}-{n}.log" for n in range(AT_ONCE)]
        logs += new
        pids = [nursery.start(log, command) for log in new]
        if turn % 2:
            wait(60, lambda: any(map(reported, new)))  # noqa: B023
        for pid in pids:
            wait(random.uniform(0, 0.4))
            os.killpg(pid, signal.SIGKILL)
    nursery.close()
    games = kept(path)
    said = [reported(log) for log in logs]
    assert set().union(*said) <= set(games)  # every finished game is kept
    assert sum(map(len, said)) == len(set().union(*said))  # none is played twice
    assert len(games) > KILLS // 2
    wait(20, lambda: not survivors(mark))
    assert survivors(mark) == []
    check_the_rest(path, games, tmp_path)


def check_the_rest(path, games, tmp_path):
    """The same command goes on, and ends where an undisturbed match does."""
    total = max(games) + 5
    match = Match(
        make_settings(*COMMAND[1:2], ("random", "greedy"), openings="random:plies=1"),
        total,
    )
    with Table() as table:
        records = [table.play(match.task(number)) for number in range(total)]
    command = [sys.executable, "-m", "playout", *COMMAND, "--games", str(total)]
    done = subprocess.run(
        [*command, "--save", path, "-v"], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    (tmp_path / "last.log").write_text(done.stderr)
    assert reported(tmp_path / "last.log") == set(range(total)) - set(games)
    played = kept(path)
    assert sorted(played) == list(range(total))
    for number, record in enumerate(records):
        assert played[number].moves == record.moves
        assert played[number].returns == record.returns

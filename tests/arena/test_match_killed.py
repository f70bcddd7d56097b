"""`kill -9` at any moment: every finished game is kept, none is played twice.

Nor does anything live on that belonged to the match.
"""

import os
import shlex
import signal
import subprocess
import sys
import uuid
from pathlib import Path
from random import Random

import pytest

from playout.arena.match import Match
from playout.arena.task import GameRunner
from playout.protocols.guard import TAG
from playout.protocols.process_tags import kill_tagged, tagged_environment
from playout.ui.cli.match_options import make_settings

from ..forks import ForkServer
from .killing import kept, reported, survivors, wait

pytestmark = pytest.mark.skipif(
    not hasattr(os, "killpg") or not Path("/proc").exists(), reason="needs Linux"
)

KILLS, AT_ONCE = 50, 5
GAMES = 100_000  # more than there is time for
COMMAND = ["match", "tic-tac-toe", "random", "greedy", "--openings", "random:plies=1"]


def test_fifty_kills(tmp_path):
    """Five processes at a time play one match into one file, and are killed at random.

    Half of the times the kills begin while they start, else after some games.
    """
    path, tag, random = tmp_path / "games.db", uuid.uuid4().hex, Random(1)
    server = ForkServer(PLAYOUT_TEST_MARK=tag)
    command = [*COMMAND, "--games", str(GAMES), "--save", str(path), "-v"]
    logs = []
    for turn in range(KILLS // AT_ONCE):
        new = [tmp_path / f"{turn}-{n}.log" for n in range(AT_ONCE)]
        logs += new
        pids = [server.start(command, log) for log in new]
        if turn % 2:
            wait(120, lambda: sum(map(len, map(reported, new))) >= AT_ONCE)  # noqa: B023
        for pid in pids:
            wait(random.uniform(0, 0.4))
            os.killpg(pid, signal.SIGKILL)
    server.close()
    games = kept(path)
    said = [reported(log) for log in logs]
    assert set().union(*said) <= set(games)  # every finished game is kept
    assert sum(map(len, said)) == len(set().union(*said))  # none is played twice
    assert len(games) >= KILLS // 2
    wait(20, lambda: not survivors(tag))
    assert survivors(tag) == []
    check_the_rest(path, games, tmp_path)


def check_the_rest(path, games, tmp_path):
    """The same command goes on, and ends where an undisturbed match does."""
    total = max(games) + 5
    match = Match(
        make_settings(*COMMAND[1:2], ("random", "greedy"), openings="random:plies=1"),
        total,
    )
    with GameRunner() as runner:
        records = [runner.play(match.task(number)) for number in range(total)]
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


#: Says nothing, and leaves a daemon that no longer is below it in any way.
DAEMON = """
import os, signal, sys, time
from pathlib import Path

if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    file = Path(sys.argv[1])
    file.with_suffix(".new").write_text(str(os.getpid()))
    file.with_suffix(".new").rename(file)
time.sleep(300)
"""


def leaves_a_daemon(command, file):
    """Start a command whose engine starts a daemon; the process, the daemon's pid."""
    engine = f"exec:jsonl:{sys.executable} -S -E -c {shlex.quote(DAEMON)} {file}"
    process = subprocess.Popen(
        [sys.executable, "-m", "playout", *command, engine],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait(60, file.exists)
    return process, int(file.read_text())


def is_there(pid):
    try:
        return (
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        )
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=str)
def test_a_daemon_of_an_engine_ends_with_the_command(tmp_path, number):
    """Tried in a match, whose workers start the daemon, and in a single game."""
    match, first = leaves_a_daemon(["match", "tic-tac-toe", "random"], tmp_path / "1")
    game, second = leaves_a_daemon(["play", "tic-tac-toe", "random"], tmp_path / "2")
    for process, pid in ((match, first), (game, second)):
        assert is_there(pid)
        process.send_signal(number)
        assert process.wait(60) == -number
        wait(60, lambda: not is_there(pid))  # noqa: B023
        assert not is_there(pid)
        assert process is game or is_there(second)


@pytest.mark.parametrize("end", ["", "; os._exit(1)", "; os.kill(os.getpid(), 9)"])
def test_the_guard_ends_what_is_left(end):
    """However a process ends, its descendants end; those of other processes stay."""
    tag = f"{TAG}={uuid.uuid4().hex}"
    stays = subprocess.Popen(["sleep", "300"], env=tagged_environment(os.environ, tag))
    code = (
        "import os, subprocess; from playout.protocols.guard import guarded; "
        "other = {'stdout': subprocess.DEVNULL, 'start_new_session': True}; "
        "sleep = subprocess.Popen(['sleep', '300'], env=guarded(os.environ), **other); "
        "print(sleep.pid, flush=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + end], capture_output=True, text=True
    )
    assert done.stderr == ""
    left = int(done.stdout)
    wait(60, lambda: not is_there(left))
    assert not is_there(left)
    assert is_there(stays.pid)
    kill_tagged(tag)
    assert stays.wait(60) == -signal.SIGKILL

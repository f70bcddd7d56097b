"""What only a process of its own shows: start-up, signals, pipes, terminals."""

import codecs
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from types import SimpleNamespace

import pytest

from playout.ui.cli.failure import report_unraisable
from tests.packages import needed
from tests.ui.support import LINE, output_of

PLAYOUT = [sys.executable, "-m", "playout"]
SECONDS = 120
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"

#: The command line beside a package that imports nothing.
BARE = """
import importlib.util, sys, types
spec = importlib.util.find_spec("playout")
package = types.ModuleType("playout")
package.__path__ = spec.submodule_search_locations
sys.modules["playout"] = package
from playout.ui.cli.main import cli
try:
    cli(sys.argv[1:])
finally:
    print(sorted({"numba", "rich"} & set(sys.modules)), file=sys.stderr)
"""


def process(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*PLAYOUT, *arguments],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        **options,
    )


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["play", "--help"], ["dance"], ["play", "--faster"]],
)
def test_nothing_heavy_is_loaded_to_answer_this(arguments):
    done = subprocess.run(
        [sys.executable, "-c", BARE, *arguments], capture_output=True, text=True
    )
    assert done.stderr.splitlines()[-1] == "[]"


def test_rich_is_not_loaded_for_programs():
    code = BARE.replace('"numba", ', "")
    arguments = ["analyze", LINE, "--simulations", "10", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True
    )
    assert done.stderr.splitlines()[-1] == "[]"


#: The program, which ends where it would begin with what takes long.
COLLECTING = """
import gc, sys
from unittest import mock
from playout.__main__ import main

def tell(*_, **__):
    print("collects garbage:", gc.isenabled(), file=sys.stderr)
    raise KeyboardInterrupt

with mock.patch(sys.argv.pop(1), tell):
    main()
"""


@pytest.mark.parametrize(
    ("begins", "arguments"),
    [
        ("playout.ui.web.server.serve", ["serve", "--port", "0"]),
        ("playout.arena.match.play_matches", ["match", LINE, "random", "random"]),
        ("playout.learning.trainer.Training.run", ["train", LINE, "--out", "here"]),
    ],
)
def test_what_takes_long_collects_garbage(begins, arguments, tmp_path):
    if arguments[0] == "train":
        for package in ("torch", "onnx", "onnxruntime"):
            needed(package)
    done = subprocess.run(
        [sys.executable, "-c", COLLECTING, begins, *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert "collects garbage: True" in done.stderr


def test_module_and_error():
    done = process("analyze", "chess")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("playout: error: unknown game 'chess'")
    assert done.stderr.count("\n") == 1


def test_moves_from_a_pipe_and_bytes_that_are_no_text():
    command = [*PLAYOUT, "play", LINE, "--simulations", "50"]
    done = subprocess.run(
        command, input=b"\xff\xfe\nquit\n", capture_output=True, timeout=SECONDS
    )
    assert done.returncode == 0
    assert b"Goodbye." in done.stdout


def test_closed_stdout_is_an_error():
    """Otherwise the output would be lost without a message."""
    command = f"{sys.executable} -m playout games >&-"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 2
    assert done.stderr.startswith("playout: error: standard output is closed")


def test_closed_stdin_ends_politely():
    done = process("play", LINE, "--simulations", "50", preexec_fn=lambda: os.close(0))
    assert done.returncode == 0, done.stderr
    assert "wins." in done.stdout


def test_a_reader_that_leaves_early():
    command = " ".join([*PLAYOUT, "games"])
    done = subprocess.run(
        f"{command} | true; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 141)
    assert done.stderr == ""


def test_a_full_disk():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PLAYOUT, "--version"], stdout=full, stderr=subprocess.PIPE, text=True
        )
        unheard = subprocess.run([*PLAYOUT, "dance"], stderr=full)
    assert done.returncode == 2
    assert "standard output: No space left" in done.stderr
    assert done.stderr.count("\n") == 1
    assert unheard.returncode == 2


def test_moves_from_a_file_that_begins_with_a_mark():
    """Some editors write U+FEFF before the first line."""
    played = process("play", LINE, "human", "human", "--plain", input="\ufeffb1\n")
    assert "is not a move" not in played.stdout
    assert "(or type help)" not in played.stdout
    assert played.returncode == 0


def test_a_terminal_that_knows_only_ascii():
    done = process(
        "analyze",
        LINE,
        "--simulations",
        "50",
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr


def test_bars_and_frames_are_drawn_otherwise_where_the_output_lacks_them():
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    shown = process("analyze", LINE, "--simulations", "50", env=environment).stdout
    assert "%  ##" in shown
    assert "?" not in shown


def test_interrupt_gives_the_best_so_far():
    output_of("analyze", "connect-four", "--simulations", "1")  # compiled now
    running = subprocess.Popen(
        [*PLAYOUT, "analyze", "connect-four", "--seconds", "600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with running:
        time.sleep(1)
        deadline = time.monotonic() + SECONDS
        while _cpu_seconds(running.pid) < 2.5 and time.monotonic() < deadline:
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        shown, errors = running.communicate(timeout=SECONDS)
    assert ", interrupted" in shown
    assert running.returncode == 0, errors


def _cpu_seconds(pid: int) -> float:
    """Processor time of a process, by which it is known to be searching."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Terminal:
    """A program in a terminal of its own, 80 columns wide."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", **variables}
        self.process = subprocess.Popen(
            [*PLAYOUT, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.shown = ""
        self.decode = codecs.getincrementaldecoder("utf-8")().decode

    def expect(self, text: str) -> str:
        """Wait for a text; returns all that was shown."""
        deadline = time.monotonic() + SECONDS
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.shown += self.decode(os.read(self.master, 65536))
                except OSError:  # the program has ended
                    break
        assert text in self.shown, self.shown
        return self.shown

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def close(self) -> int:
        code = self.process.wait(SECONDS)
        os.close(self.master)
        return code


needs_terminal = pytest.mark.skipif(sys.platform != "linux", reason="needs a Linux pty")


@needs_terminal
@pytest.mark.parametrize("arguments", [("perft", LINE, "2"), ("check", LINE)])
def test_ctrl_c_while_compiling_gives_the_terminal_back(tmp_path, arguments):
    """These compile on another thread; Ctrl-C ends the main thread alone."""
    terminal = Terminal(*arguments, PLAYOUT_CACHE_DIR=str(tmp_path))
    before = termios.tcgetattr(terminal.master)
    terminal.expect("Compiling")
    assert termios.tcgetattr(terminal.master) != before  # nothing typed is shown
    terminal.process.send_signal(signal.SIGINT)
    terminal.expect(SHOW_CURSOR)
    assert terminal.process.wait(20) == 130
    assert termios.tcgetattr(terminal.master) == before
    assert terminal.shown.rindex(SHOW_CURSOR) > terminal.shown.rindex(HIDE_CURSOR)


def _report_and_go_on(error):
    try:
        report_unraisable(error)
    except KeyboardInterrupt:
        pytest.fail("raised in the hook, where it is lost once more")
    time.sleep(1)


def test_ctrl_c_that_cannot_be_raised_is_not_lost_nor_shown(capsys):
    lost = SimpleNamespace(exc_value=KeyboardInterrupt(), object=None)
    with pytest.raises(KeyboardInterrupt):
        _report_and_go_on(lost)
    assert capsys.readouterr() == ("", "")


@needs_terminal
def test_a_game_in_a_terminal():
    terminal = Terminal(
        "play", "--plain", LINE, "--first", "--seconds", "0.5", "--preset", "fachada"
    )
    terminal.expect("Your move (X): ")
    terminal.type("b1\n")
    shown = terminal.expect("O plays")
    assert "thinking:" in shown
    assert "\x1b[36m" in shown  # colour
    terminal.type("\x04")  # Ctrl-D
    terminal.expect("Goodbye.")
    assert terminal.close() == 0


@needs_terminal
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_puts_the_terminal_back_as_it_was(number):
    terminal = Terminal("play", LINE, "--first")
    terminal.expect("\x1b[?1049h")  # the other screen
    terminal.expect("Your move")
    terminal.process.send_signal(number)
    shown = terminal.expect("\x1b[?1049l")
    assert "\x1b[?1000l" in shown  # no mouse any more
    assert terminal.close() == 128 + number


@needs_terminal
def test_no_color():
    terminal = Terminal(
        "play", "--plain", LINE, "--first", "--simulations", "50", NO_COLOR="1"
    )
    terminal.expect("Your move (X): ")
    terminal.type("a1\nquit\n")
    assert "\x1b[36m" not in terminal.expect("Goodbye.")
    assert terminal.close() == 0


@needs_terminal
def test_ctrl_c_at_the_prompt():
    terminal = Terminal("play", "--plain", LINE, "--first", "--simulations", "50")
    terminal.expect("Your move (X): ")
    for _ in range(SECONDS):  # a signal just before the read begins would not end it
        time.sleep(0.5)
        if terminal.process.poll() is not None:
            break
        terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    assert "Traceback" not in terminal.shown


@needs_terminal
def test_the_table_in_a_terminal():
    terminal = Terminal("analyze", "connect-four", "--seconds", "1", "--moves", "4")
    shown = terminal.expect("stopped by seconds")
    assert "[X]" in shown
    assert " of 1 s" in shown
    assert terminal.close() == 0

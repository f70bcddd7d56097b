"""When `playout play` takes the whole screen, and that it does so in a terminal."""

import fcntl
import os
import select
import shutil
import signal
import struct
import termios
import time

import pytest
from rich.console import Console

from playout.ui.cli import screen
from playout.ui.common.size import MOST_COLUMNS, bound_size
from tests.ui.support import LINE, error_of, output_of

from .test_main_process import Terminal, needs_terminal


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(screen, "is_terminal", lambda stream: True)
    monkeypatch.setenv("TERM", "xterm")
    return monkeypatch


def test_in_a_terminal(terminal):
    assert screen.fills_screen(plain=False, clock=None)


def test_not_where_plain_lines_are_wanted_or_all_there_is(terminal):
    assert not screen.fills_screen(plain=True, clock=None)
    terminal.setenv("TERM", "dumb")
    assert not screen.fills_screen(plain=False, clock=None)


def test_not_in_a_pipe():
    assert not screen.fills_screen(plain=False, clock=None)


def test_clocks_need_the_screen():
    assert "need the whole screen" in error_of("play", LINE, "--time", "60+1")


@pytest.mark.parametrize(
    ("clock", "limited"), [((), True), (("--time", "60+1"), False)]
)
def test_programs_that_are_watched_are_quick_unless_they_have_clocks(
    terminal, clock, limited
):
    asked = []
    terminal.setattr(screen, "play_on_screen", lambda *given: asked.append(given[3]))
    output_of("play", LINE, "--watch", *clock)
    assert [each.limited for each in asked] == [limited]


@needs_terminal
def test_a_terminal_that_is_gone_ends_the_game():
    """Its window was closed, and no signal came."""
    terminal = Terminal("play", LINE, "human", "human")
    terminal.expect("Your move (X)")
    os.close(terminal.master)
    assert terminal.process.wait(20) is not None


@needs_terminal
def test_ctrl_z_goes_to_the_shell_and_the_whole_board_comes_back():
    terminal = Terminal("play", "tic-tac-toe", "human", "human")
    terminal.expect("Your move (X)")
    terminal.type("mb2\r")
    terminal.expect("Your move (O)")
    terminal.type("\x1a")
    status, deadline = 0, time.monotonic() + 20
    while not status and time.monotonic() < deadline:
        _, status = os.waitpid(terminal.process.pid, os.WUNTRACED | os.WNOHANG)
        time.sleep(0.05)
    assert os.WIFSTOPPED(status)
    while select.select([terminal.master], [], [], 0.2)[0]:
        os.read(terminal.master, 65536)
    terminal.shown = ""
    terminal.process.send_signal(signal.SIGCONT)
    terminal.expect("╳")  # the stone: nothing of it has changed meanwhile
    terminal.type("q")
    terminal.expect("Moves: b2")
    assert terminal.close() == 0


@pytest.mark.parametrize(
    ("said", "left"),
    [("132", "132"), ("1000000000", str(MOST_COLUMNS)), ("9" * 40, str(MOST_COLUMNS))]
    + [(text, None) for text in ("", "0", "-5", "²", "80.0")],
)
def test_columns_of_the_environment_are_a_size_or_none(said, left, monkeypatch):
    monkeypatch.setenv("COLUMNS", said)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((80, 24)))
    bound_size()
    assert os.environ.get("COLUMNS") == left
    assert Console().width == int(left or 80)


def test_a_terminal_may_not_say_more_than_is_drawn(monkeypatch):
    monkeypatch.setenv("COLUMNS", "")
    monkeypatch.setenv("LINES", "50")
    size = os.terminal_size((65535, 65535))
    monkeypatch.setattr("os.get_terminal_size", lambda _: size)
    bound_size()
    assert shutil.get_terminal_size() == (MOST_COLUMNS, 50)


@needs_terminal
@pytest.mark.parametrize("told", ["1000000000", ""], ids=["environment", "terminal"])
def test_a_terminal_that_says_it_is_huge(told):
    """Every cell takes memory; a huge screen would block even signals."""
    terminal = Terminal("play", LINE, "human", "human", COLUMNS=told, LINES=told)
    size = struct.pack("HHHH", 65535, 65535, 0, 0)
    fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, size)
    terminal.expect("Your move (X)")
    terminal.process.terminate()
    terminal.expect("\x1b[?1049l")
    assert terminal.close() == 128 + signal.SIGTERM


@needs_terminal
def test_a_game_on_the_whole_screen():
    terminal = Terminal("play", LINE, "human", "human")
    size = struct.pack("HHHH", 24, 80, 0, 0)
    fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, size)
    terminal.expect("Your move (X)")
    terminal.type("\r")
    terminal.expect("Your move (O)")
    terminal.type("q")
    shown = terminal.expect("Moves: b1")
    assert "\x1b[?1049l" in shown  # the screen that was there before is back
    assert terminal.close() == 0


#: Rules as an object, which hang while there is a file beside them.
STUCK = """
from pathlib import Path
from playout.core import watchdog
watchdog.PATIENCE_SECONDS = 1.0
HANGS = Path(__file__).with_name("hangs")
class Stuck:
    def __init__(self, played=()):
        self.played = played
    def get_legal_actions(self):
        return [0, 1]
    def is_game_over(self):
        return len(self.played) > 20
    def game_result(self):
        return 1 - 2 * (sum(self.played) % 2)
    def move(self, action):
        while HANGS.exists():
            pass
        return type(self)((*self.played, action))
"""


def stuck(folder, *players):
    """A terminal with a game of these rules, which do not hang yet."""
    (folder / "rules.py").write_text(STUCK)
    game = f"{folder / 'rules.py'}:Stuck:reward=first"
    terminal = Terminal("play", game, *players, "--seconds", "60")
    size = struct.pack("HHHH", 24, 80, 0, 0)
    fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, size)
    return terminal


def held(folder):
    """The same, once a person's move hangs, and the message of that is shown.

    Such a move is played on the thread that draws and takes the keys.
    """
    terminal = stuck(folder, "human", "human")
    terminal.expect("Your move")
    (folder / "hangs").touch()
    terminal.type("\r")
    terminal.expect("q leaves. Still running Stuck.move, ")
    return terminal


@needs_terminal
@pytest.mark.parametrize("leave", ["q", "\x03", signal.SIGTERM], ids=repr)
def test_rules_that_hold_the_screen_are_named_and_it_can_be_left(tmp_path, leave):
    terminal = held(tmp_path)
    if isinstance(leave, str):
        terminal.type(leave)
    else:
        terminal.process.send_signal(leave)
    terminal.expect("\x1b[?1049l")  # the screen that was there before is back
    assert terminal.close() == 130


@needs_terminal
def test_a_screen_that_the_rules_have_let_go_is_drawn_anew(tmp_path):
    terminal = held(tmp_path)
    terminal.shown = ""
    (tmp_path / "hangs").unlink()
    terminal.expect("Your move")
    terminal.expect("Analysis")  # the keys, over which the message was written
    terminal.type("q")
    terminal.expect("Moves: 0")
    assert terminal.close() == 0


@needs_terminal
def test_a_screen_is_left_while_a_program_hangs_in_the_rules(tmp_path):
    """They are asked one question at a time, so nor could the board be printed."""
    terminal = stuck(tmp_path, "mcts", "mcts")
    terminal.expect("is thinking ...")
    (tmp_path / "hangs").touch()
    terminal.expect("Still running Stuck.move, ")
    terminal.type("q")
    terminal.expect(": the last position is not shown")
    assert terminal.close() == 0

"""Ctrl-C while a player thinks, and keys that are typed while no one asks.

Also of `ui/cli/thinking.py`.
"""

import signal

import pytest

from tests.ui.support import LINE, output_of

from .test_main_process import Terminal, needs_terminal

pytestmark = needs_terminal
LONG = ("--seconds", "100")
FEW = ("--simulations", "50")


@pytest.fixture(autouse=True, scope="module")
def compiled():
    output_of("play", "connect-four", "--watch", "--simulations", "5")


def interrupt(terminal: Terminal) -> None:
    terminal.process.send_signal(signal.SIGINT)


def test_the_first_interrupt_has_the_search_move_and_the_second_leaves():
    arguments = ("connect-four", "mcts:book=no", "--second", *LONG)
    terminal = Terminal("play", "--plain", *arguments)
    terminal.expect("thinking: ")
    interrupt(terminal)
    shown = terminal.expect("Your move (O): ")
    assert "X plays " in shown
    assert ", interrupted" in shown
    assert "Ctrl-C again to leave" in shown
    terminal.shown = ""
    terminal.type("4\n")
    terminal.expect("thinking: ")
    interrupt(terminal)  # the first since the last answer: it only hurries the search
    terminal.expect("X plays ")
    terminal.expect("Your move (O): ")
    terminal.type("quit\n")
    assert terminal.close() == 0


@pytest.mark.parametrize("player", ["mcts:seconds=100", "alphabeta:depth=100"])
def test_who_watches_leaves_with_the_second(player):
    terminal = Terminal("play", "--plain", "connect-four", player, "--watch", *LONG)
    terminal.expect("thinking: ")
    interrupt(terminal)
    terminal.expect(" plays ")
    terminal.shown = ""
    terminal.expect("thinking: ")
    interrupt(terminal)
    assert terminal.close() == 130


#: A player that says when it is asked.
SLOW = """
import time

def choose(position):
    print("asked now", flush=True)
    time.sleep(1000)

def make_player(game):
    return choose
"""


def test_a_player_that_cannot_hurry_is_left_at_the_second(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    spec = f"{tmp_path / 'slow.py'}:make_player"
    terminal = Terminal("play", "--plain", LINE, spec, "--second")
    terminal.expect("You are O.")
    terminal.expect("asked now")
    interrupt(terminal)
    terminal.expect("Ctrl-C again to leave")
    assert terminal.process.poll() is None
    interrupt(terminal)
    assert terminal.close() == 130


def test_keys_typed_while_compiling_tear_no_line_and_are_not_lost(tmp_path):
    terminal = Terminal(
        "play", "--plain", LINE, "--first", *FEW, PLAYOUT_CACHE_DIR=str(tmp_path)
    )
    terminal.expect("Compiling")
    terminal.type("zzz\n")
    shown = terminal.expect("Your move (X): ")
    assert "zzz" not in shown[: shown.index("Your move (X): ")]
    terminal.expect("(or type help)")
    terminal.type("quit\n")
    terminal.expect("Goodbye.")
    assert terminal.close() == 0


def test_what_is_typed_at_the_prompt_is_shown_again():
    """The settings of the keyboard are restored."""
    terminal = Terminal("play", "--plain", LINE, "--first", *FEW)
    terminal.expect("Your move (X): ")
    terminal.type("a1\n")
    terminal.expect("Your move (X): a1")
    terminal.expect("O plays")
    terminal.type("\x04")
    terminal.expect("Goodbye.")
    assert terminal.close() == 0


def test_the_colour_is_asked_where_none_is_given():
    terminal = Terminal("play", "--plain", "gomoku:size=5", "--interpreted", *FEW)
    terminal.expect("Who are you: 1 Black, 2 White [1]: ")
    terminal.type("green\n")
    terminal.expect("Please answer 1 to 2, or a name.")
    terminal.type("w\n")
    terminal.expect("You are White, O.")
    terminal.expect("Black plays C3")
    terminal.type("quit\n")
    assert terminal.close() == 0


def test_the_end_of_input_is_no_interrupt_there_either():
    terminal = Terminal("play", "--plain", "gomoku:size=5", "--interpreted", *FEW)
    terminal.expect("Who are you: ")
    terminal.type("\x04")
    terminal.expect("Goodbye.")
    assert terminal.close() == 0

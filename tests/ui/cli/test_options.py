"""Numbers on the command line have limits: none takes all memory, or all time."""

import json
import re

import click
import pytest

from playout.ui.cli.main import cli
from tests.ui.support import HEAP, error_of, output_of

MATCH = ["match", "tic-tac-toe", "random", "random"]
TUNE = ["tune", "tic-tac-toe", "c_uct=0.5..1"]
LADDER = ["levels", "calibrate", "tic-tac-toe"]
HUGE = "1000000000000000000000"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*MATCH, "--games", HUGE], f"games={HUGE} is more than 10,000,000"),
        ([*MATCH, "--concurrency", "100000000"], "concurrency=100000000 is more than"),
        ([*MATCH, "--seconds", "1e300"], "more than 10000000 seconds for a move"),
        ([*MATCH, "--openings", f"random:plies={10**12}"], "is more than 9"),
        ([*MATCH, "--openings", f"random:plies={HUGE}"], "expected random:plies=N"),
        ([*TUNE, "--games", HUGE], f"--games={HUGE} is more than 10,000,000"),
        ([*TUNE, "--per-trial", "100000000"], "games of a trial=100000000 is more"),
        ([*TUNE[:2], "trees=1..1000000"], "trees=1000000 is more than 1,024"),
        ([*LADDER, "--levels", HUGE], f"levels={HUGE} is more than 100"),
        ([*LADDER, "--games", HUGE], f"games={HUGE} is more than 10,000,000"),
        ([*LADDER, "--most", HUGE], "most must be a whole number from 50 to 4,294,967"),
        (["check", "tic-tac-toe", "--games", HUGE], "--games must be a whole number"),
        (["bench", "tic-tac-toe", "--simulations", HUGE], "--simulations must be"),
        (["analyze", "tic-tac-toe", "--seconds", "1e300"], "seconds=1e+300 is more"),
        (["solve", "tic-tac-toe", "--seconds", "1e300"], "seconds=1e+300 is more"),
        (["analyze", "tic-tac-toe", "--threads", HUGE], "threads must be at most 1024"),
        (["play", "tic-tac-toe", "mcts:trees=100000000"], "is more than 1,024"),
        (["perft", "tic-tac-toe", HUGE], "DEPTH must be 0 to 9"),
    ],
)
def test_too_much_is_refused(arguments, message):
    assert message in error_of(*arguments)


#: Options that mean the same wherever they are.
SAME = ("seconds", "simulations", "clock", "executor", "moves", "position", "preset")
SAME += ("concurrency", "save", "vary", "openings", "interpreted")


def options_of(command):
    """All options of a command and of those below it."""
    yield from (each for each in command.params if isinstance(each, click.Option))
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from options_of(command.get_command(context, name))


@pytest.mark.parametrize("name", SAME)
def test_the_same_options_are_told_in_the_same_words(name):
    """A command may add a sentence of its own."""
    found = [each for each in options_of(cli) if each.name == name]
    assert len({each.metavar for each in found}) == 1
    assert len({re.split(r"\.( |$)", each.help)[0] for each in found}) == 1
    assert len(found) > 1


def test_pictures_are_asked_for_in_the_same_words():
    found = [each for each in options_of(cli) if each.name == "plot"]
    assert len(found) >= 6
    assert {each.metavar for each in found} == {"FILE"}
    assert all(each.help.startswith("Draw ") for each in found)
    assert all(each.help.endswith(", as PNG or SVG.") for each in found)


#: Rules that print, as many do while somebody looks for a mistake in them.
CHATTY = f"""
print("loaded")
{HEAP}

class Chatty(Heap):
    def move(self, taken):
        print("moved", taken)
        return super().move(taken)
"""


@pytest.mark.parametrize(
    "command",
    [
        ["analyze", "chatty.py:Chatty", "--simulations", "20"],
        ["solve", "chatty.py:Chatty"],
        ["check", "chatty.py:Chatty", "--laws", "--games", "2"],
        ["levels", "show", "chatty.py:Chatty"],
    ],
)
def test_what_rules_print_does_not_tear_the_json(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chatty.py").write_text(CHATTY)
    assert json.loads(output_of(*command, "--json"))

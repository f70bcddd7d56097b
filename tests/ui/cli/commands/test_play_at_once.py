"""Who plays, or analyzes, need not wait for a compile; scripts and measurements do."""

import pytest

from playout import make_game
from playout.arena.table import Table
from playout.core.jit.native import observed
from playout.players.mcts import MCTSPlayer
from playout.search.running.forest import Forest
from playout.ui.cli.terminal import show_compiling
from tests.ui.support import LINE, output_of

FEW = ("--simulations", "20")


@pytest.fixture
def begun(monkeypatch):
    """The searches that could have begun before they were compiled."""
    found = []

    def begin(forest):
        found.append(forest)
        return False

    monkeypatch.setattr(Forest, "begin", begin)
    return found


def test_a_person_does_not_wait(begun):
    output_of("play", LINE, *FEW, "--second", typed="1\n")
    assert len(begun) == 1


@pytest.mark.parametrize("option", [("--seed", "1"), ("--watch",)])
def test_who_wants_the_same_again_or_only_watches_waits(begun, option):
    output_of("play", LINE, *FEW, *option)
    assert begun == []


def test_analyze_begins_at_once(begun):
    output_of("analyze", LINE, *FEW)
    assert len(begun) == 1


@pytest.mark.parametrize("option", [("--seed", "1"), ("--json",)])
def test_programs_wait(begun, option):
    output_of("analyze", LINE, *FEW, *option)
    assert begun == []


@pytest.mark.parametrize("at_once", [False, True])
def test_a_table_says_whether_its_programs_wait(begun, at_once):
    table = Table(make_game(LINE), ["mcts", "human"], at_once=at_once)
    table.prepare()
    assert isinstance(table.session.players[0], MCTSPlayer)
    assert len(begun) == at_once


def test_people_are_told_once(capsys):
    with show_compiling():
        for _ in range(2):
            with observed("Nim in the background"):
                pass
    assert capsys.readouterr().err == (
        "Compiling Nim's rules in the background: the first moves are searched more "
        "slowly\n"
    )

"""What is shown while a search thinks."""

import io

from rich.console import Console, Group

from playout import MCTS, Limit, Position, TicTacToe
from playout.ui.cli.live import LiveLine, LiveTable


def shown(drawn, width=80):
    out = io.StringIO()
    Console(file=out, width=width).print(Group(drawn))
    return out.getvalue()


def result(moves="", simulations=300):
    position = Position.from_moves(TicTacToe(), moves.split())
    return MCTS(TicTacToe(), seed=1).search(position, Limit(simulations=simulations))


def test_the_table_shows_the_moves_and_how_far_it_is():
    found = result()
    lines = shown(LiveTable(Limit(simulations=1000)).draw(found)).splitlines()
    assert lines[0].split() == ["move", "win", "rate", "+-", "visits", "share"]
    assert [line.split()[0] for line in lines[1:10]] == [a.move for a in found.actions]
    assert "300 of 1,000 simulations" in lines[-2]
    assert lines[-1].startswith(f"line: {found.move} ")


def test_the_table_shows_what_is_proven():
    said = shown(LiveTable(None).draw(result("a1 a2 b1 b2")))
    assert " win\n" in said.replace(" \n", "\n")


def test_the_line():
    found = result()
    said = shown(LiveLine(None).draw(found), width=100)
    assert said.startswith(f"thinking: {found.move} ({found.win_rate:.1%})")
    assert len(shown(LiveLine(None).draw(found), width=30).splitlines()) == 1

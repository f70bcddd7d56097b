"""Othello: counts, passes, and OpenSpiel's rules beside it."""

import pytest

from playout import Position, PositionError, UsageError, check_game
from playout.games.more.othello import PASS, Othello
from tests.games.more.lockstep import count, play_in_lockstep

GAME = Othello()


def test_laws() -> None:
    assert check_game(GAME, games=2).longest > 50


def test_sequences() -> None:
    """The counts are those of Edax and others."""
    assert count(GAME, 5) == [1, 4, 12, 56, 244, 1396]


def test_lockstep() -> None:
    play_in_lockstep(GAME, "othello")


def test_who_cannot_move_passes() -> None:
    position = Position(GAME, "......../" * 7 + "OX...... O")
    assert position.to_text().endswith("OX...... O")
    assert position.legal_actions() == [GAME.parse_action("c8")]
    position = Position(GAME, "......../" * 7 + ".OX..... X")
    assert position.legal_actions() == [GAME.parse_action("a8")]
    position = Position(GAME, "......../" * 7 + "OX...... X")
    assert position.legal_actions() == [PASS]
    assert [GAME.action_cells(PASS), GAME.action_cells(11)] == [(), ((1, 3),)]
    position.play("pass")
    assert not position.is_terminal
    position.play("c8")
    assert position.is_terminal
    assert [position.returns(player) for player in (0, 1)] == [-1.0, 1.0]


def test_lines_end_at_the_edge() -> None:
    """White's stones at the end of one row and the start of the next are no line."""
    text = "......XO/OX....../" + "......../" * 5 + "........ X"
    assert Position(GAME, text).legal_actions() == [PASS]


def test_equal_stones_are_a_draw() -> None:
    position = Position(GAME, "XXXXXXXX/" * 4 + "OOOOOOOO/" * 3 + "OOOOOOOO X")
    assert position.is_terminal
    assert position.returns(0) == 0.0


def test_bad_moves_and_positions_say_what_is_accepted() -> None:
    with pytest.raises(UsageError, match="cells are a1 to h8, or pass"):
        Position(GAME).play("i1")
    with pytest.raises(PositionError, match="expected 8 rows of 8 cells"):
        Position(GAME, "XO X")

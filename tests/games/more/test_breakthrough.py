"""Breakthrough: steps, captures, the end, and OpenSpiel's rules beside it."""

import pytest

from playout import Position, PositionError, UsageError, check_game
from playout.games.more.breakthrough import Breakthrough
from tests.games.more.lockstep import count, play_in_lockstep

GAME = Breakthrough(rows=6, columns=5)


def test_laws() -> None:
    assert check_game(GAME, games=3).longest > 10


def number_of(position: Position, action: int) -> int:
    """OpenSpiel's first player moves away from row 0; captures have a bit."""
    cell, step = divmod(action, 6)
    others = int(position.array["pieces"][0, 1 - position.current_player])
    takes = others >> GAME.target(action) & 1
    return (cell * 6 + (step - 3 if step >= 3 else step + 3)) * 2 + takes


def test_lockstep() -> None:
    play_in_lockstep(GAME, "breakthrough(rows=6,columns=5)", number_of)


def test_sequences() -> None:
    """The pieces in the middle have three moves, the outer ones two."""
    assert count(GAME, 2) == [1, 13, 13 * 13]
    first = Position(Breakthrough()).legal_actions()
    assert len(first) == 22


def test_pieces_are_taken_diagonally_only() -> None:
    position = Position(GAME, "...../...../.BBB./..W../...../..... W")
    legal = [GAME.action_name(action) for action in position.legal_actions()]
    assert legal == ["c3b4", "c3d4"]
    assert position.play("c3xb4").to_text() == "...../...../.WBB./...../...../..... B"
    assert GAME.action_cells(GAME.parse_action("c3b4")) == ((3, 2), (2, 1))


def test_nobody_steps_around_the_edge() -> None:
    position = Position(GAME, "...../...../.B.../W...W/...../..... W")
    legal = [GAME.action_name(action) for action in position.legal_actions()]
    assert legal == ["a3a4", "a3b4", "e3d4", "e3e4"]


def test_the_last_row_wins_and_is_urgent() -> None:
    position = Position(GAME, "B..../..W../...../...../...../....B W")
    assert position.is_terminal  # Black is there
    position = Position(GAME, "B..../..W../...../....B/W..../..... W")
    urgent = position.game.urgent_actions(position.state, position._buffer)
    names = [GAME.action_name(int(action)) for action in position._buffer[:urgent]]
    assert names == ["c5b6", "c5c6", "c5d6"]
    assert position.play("c5b6").returns(0) == 1.0


def test_who_has_no_pieces_has_lost() -> None:
    position = Position(GAME, "...../...../.B.../W..../...../..... W").play("a3b4")
    assert [position.returns(player) for player in (0, 1)] == [1.0, -1.0]


def test_bad_moves_and_positions_say_what_is_accepted() -> None:
    for text in ("a2", "a2a4", "a2a2", "a2d3", "pass"):
        with pytest.raises(UsageError, match="from one cell to another, as in a2b3"):
            Position(GAME).play(text)
    with pytest.raises(PositionError, match="both have won"):
        Position(GAME, "W..../...../...../...../...../....B W")
    with pytest.raises(PositionError, match="W is to move and has won"):
        Position(GAME, "W..../...../...../....B/...../..... W")
    with pytest.raises(UsageError, match="rows must be 4 to 8, not 9"):
        Breakthrough(rows=9)
    with pytest.raises(UsageError, match="columns must be 2 to 8, not 1"):
        Breakthrough(columns=1)

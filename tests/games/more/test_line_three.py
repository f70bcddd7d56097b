"""Three in a row for three: lines, turns and returns."""

import pytest

from playout import Position, PositionError, check_game
from playout.games.more.line_three import LineThree
from playout.games.positions.counting import perft


def test_laws() -> None:
    assert check_game(LineThree(), games=5).longest > 6
    assert check_game(LineThree(3, 5, 4), games=5, compiled=False).games == 5


def test_sequences() -> None:
    """Nobody has three stones before the seventh; then lines end some games."""
    assert [perft(LineThree(3, 3, 3), depth) for depth in range(7)] == [
        1,
        9,
        72,
        504,
        3024,
        15120,
        60480,
    ]
    lines, games_a_line = 8, 3 * 2 * 6 * 5 * 4 * 3  # X's order, then O's and Z's cells
    assert perft(LineThree(3, 3, 3), 8) == 2 * (60480 * 3 - lines * games_a_line)


def test_the_first_line_wins_and_both_others_lose() -> None:
    position = Position.from_moves(
        LineThree(), ["a1", "a2", "d4", "b1", "b2", "d3", "c1"]
    )
    assert position.is_terminal
    assert [position.returns(player) for player in range(3)] == [1.0, -1.0, -1.0]


def test_a_full_board_is_a_draw() -> None:
    position = Position(LineThree(3, 3, 3), "XOZ/ZXO/OZ. X")
    assert not position.is_terminal
    drawn = Position(LineThree(3, 3, 3), "XOZ/XZO/OXZ X")
    assert drawn.is_terminal
    assert [drawn.returns(player) for player in range(3)] == [0.0, 0.0, 0.0]


def test_a_win_is_urgent_a_block_is_not() -> None:
    position = Position.from_moves(LineThree(), ["a1", "a4", "c4", "b1", "b4", "d2"])
    buffer = position._buffer
    count = position.game.urgent_actions(position.state, buffer)
    assert [position.game.action_name(a) for a in buffer[:count].tolist()] == ["c1"]
    position.play("d4")  # X does not win; O cannot, Z need not block
    assert position.game.urgent_actions(position.state, buffer) == 0


def test_two_lines_are_no_position() -> None:
    with pytest.raises(PositionError, match="2 players have a line"):
        Position(LineThree(3, 3, 3), "XXX/OOO/ZZ. Z")

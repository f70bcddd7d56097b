"""Which move a person means who points at a cell."""

import pytest

from playout import Position, make_game
from playout.games.cells import moves_by_cell

from ..toys import Nim


@pytest.mark.parametrize(
    "spec", ["tic-tac-toe", "connect-four", "ultimate-tic-tac-toe", "gomoku:size=7"]
)
def test_every_move_has_a_cell_and_every_cell_is_empty(spec):
    position = Position(make_game(spec))
    position.play(position.legal_actions()[3])
    cells = moves_by_cell(position)
    assert set(cells.values()) == set(position.legal_actions())
    board = position.game.board(position.state)
    assert {board.cells[row][column] for row, column in cells} == {"."}


def test_a_full_column_cannot_be_played():
    position = Position.from_moves(make_game("connect-four"), ["4"] * 6)
    cells = moves_by_cell(position)
    assert not [cell for cell in cells if cell[1] == 3]
    assert len(cells) == 36


def test_games_whose_moves_are_no_cells_have_none():
    for game in (Nim(), make_game("pig"), make_game("2048")):
        assert moves_by_cell(Position(game)) == {}


def test_nothing_can_be_played_at_the_end():
    position = Position.from_moves(make_game("mnk:m=1,k=2"), ["b1", "a1", "c1"])
    assert moves_by_cell(position) == {}

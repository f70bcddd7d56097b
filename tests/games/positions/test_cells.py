"""Which move a person means who points at a cell."""

import pytest

from playout import ConnectFour, Position, make_game
from playout.games.positions.cells import routes_of
from tests.toys import Nim


def moves_by_cell(position):
    """The moves of one cell each, by that cell."""
    board = position.game.board(position.state)
    routes = routes_of(position, board)
    assert all(len(found) == 1 for found in (*routes.moves, *routes.moves.values()))
    return {route[0]: action for route, (action,) in routes.moves.items()}


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


@pytest.mark.parametrize(("rows", "columns"), [(6, 7), (4, 4), (3, 12), (12, 2)])
def test_every_empty_cell_of_a_column_with_a_forbidden_one(rows, columns):
    """In whole games, with the forbidden cell at every height of the column."""
    for at, other in [(0, 0), (1, 1), (rows - 2, 1), (rows - 1, columns - 1)]:
        game = ConnectFour(rows, columns, forbidden=(at, other))
        position = Position(game)
        while not position.is_terminal:
            grid = game.board(position.state).cells
            legal = position.legal_actions()
            assert moves_by_cell(position) == {
                (row, column): column
                for row in range(rows)
                for column in legal
                if grid[row][column] == "."
            }
            ply = len(position.actions)
            position.play(other if other in legal else legal[ply % len(legal)])
        assert moves_by_cell(position) == {}


def test_games_whose_moves_are_no_cells_have_none():
    for game in (Nim(), make_game("pig"), make_game("2048")):
        assert moves_by_cell(Position(game)) == {}


def test_nothing_can_be_played_at_the_end():
    position = Position.from_moves(make_game("mnk:m=1,k=2"), ["b1", "a1", "c1"])
    assert moves_by_cell(position) == {}

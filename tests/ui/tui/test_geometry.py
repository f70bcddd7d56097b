"""Where cells stand: every point belongs to the cell that is drawn there."""

import pytest

from playout import Position, make_game
from playout.ui.tui.geometry import Geometry


def board(spec):
    return make_game(spec).board(Position(make_game(spec)).state)


@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four", "gomoku"])
@pytest.mark.parametrize("space", [(46, 20), (120, 60), (10, 5)])
def test_points_and_cells(spec, space):
    geometry = Geometry.fit(board(spec), *space)
    width, height = geometry.size
    for row in range(geometry.rows):
        for column in range(geometry.columns):
            x, y = geometry.x(column), geometry.y(row)
            last = x + geometry.cell_width - 1, y + geometry.cell_height - 1
            assert geometry.cell_at(x, y) == geometry.cell_at(*last) == (row, column)
            assert last[0] < width
            assert last[1] < height


def test_lines_between_blocks_are_no_cells():
    geometry = Geometry.fit(board("ultimate-tic-tac-toe"), 46, 20)
    cells = {geometry.cell_at(x, y) for x in range(29) for y in range(11)}
    assert len(cells) == 82
    assert geometry.cell_at(geometry.x(3) - 1, 0) is None
    assert geometry.cell_at(0, geometry.y(3) - 1) is None


def test_cells_are_as_large_as_fits():
    tic_tac_toe = board("tic-tac-toe")
    assert Geometry.fit(tic_tac_toe, 46, 20).cell_height == 3
    assert Geometry.fit(tic_tac_toe, 46, 8).cell_height == 1
    assert Geometry.fit(board("gomoku:size=20"), 46, 21).cell_width == 2

"""What Connect Four's players know.

Also `games/connect_four/lines.py` and `games/connect_four/value.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from playout.games.connect_four.lines import (
    completing,
    forbidden_of,
    under,
    whole,
    without_gaps,
)
from playout.games.connect_four.rules import ConnectFour
from playout.games.connect_four.threats import own_in_the_end
from playout.games.positions.position import Position
from tests.games.connect_four.boards import judge_of
from tests.games.connect_four.test_exact import draw_many

#: O stops the line that X has on the ground; above, one of X's waits in column 1.
WAITING = "......./......./......./......./.XXX.../.OOXO.. O"


def urgent(position):
    buffer = np.zeros(position.game.num_actions(), dtype=np.int32)
    with np.errstate(over="ignore"):
        count = position.game.urgent_actions(position.state, buffer)
    return buffer[:count].tolist()


@pytest.mark.parametrize(
    "board",
    [
        {"rows": 4, "columns": 4, "forbidden": (2, 1)},
        {"rows": 4, "columns": 5, "line": 3, "forbidden": (3, 2)},
    ],
    ids=str,
)
def test_leaving_moves_out_changes_no_value(board):
    game = ConnectFour(**board)
    worth = judge_of(game)
    narrowed = 0
    for position in draw_many(game, 5, 7, 12, 200):
        kept = urgent(position)
        if not kept:
            continue
        narrowed += 1
        value, mover, best = worth(position), position.current_player, -1
        for action in kept:
            position.play(action)
            over = position.is_terminal
            after = position.returns(mover) if over else -worth(position)
            position.undo()
            best = max(best, after)
        assert best == value, position.to_text()
    assert narrowed > 30


def test_nobody_plays_under_a_line():
    position = Position(ConnectFour(), WAITING).play("5")
    assert position.current_player == 0
    position.play("7")
    assert urgent(position) == [1, 2, 3, 4, 5, 6]
    said = position.game.why_urgent(position.state, 3)
    assert said == "does not play under a line, as 1 would"


def test_a_line_is_stopped():
    position = Position(ConnectFour(), WAITING)
    assert urgent(position) == [4]
    assert position.game.why_urgent(position.state, 4) == "stops a line"
    with np.errstate(over="ignore"):
        priors = [position.game.prior(position.state, action) for action in range(7)]
    assert max(priors) == priors[4]


def cells(game, bits):
    """Row and column, from the top left, of the bits of a board without gaps."""
    return {
        (game.rows - 1 - row, column)
        for column in range(game.columns)
        for row in range(game.rows)
        if int(bits) >> column * game.height + row & 1
    }


@pytest.mark.parametrize("forbidden", [(-1, -1), (2, 1), (0, 3), (3, 0)], ids=str)
@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (5, 5), (9, 12)])
def test_whose_a_cell_is_in_the_end(rows, columns, forbidden):
    """Compared with filling all other columns first, then this one."""
    game = ConnectFour(rows, columns, forbidden=forbidden)
    blocked = {forbidden}
    board = {(y, x) for y in range(rows) for x in range(columns)} - blocked
    first = set()
    for column in range(columns):
        last = sorted((cell for cell in board if cell[1] == column), reverse=True)
        turns = enumerate(last, start=len(board) - len(last))
        first |= {cell for turn, cell in turns if turn % 2 == 0}
    assert cells(game, own_in_the_end(game, 0)) - blocked == first
    assert cells(game, own_in_the_end(game, 1)) - blocked == board - first


def test_cells_that_complete_a_line():
    """Every cell is tried, on a board of each width in words."""
    for board in ({"line": 3}, {"rows": 9, "columns": 9}, {"rows": 12, "columns": 12}):
        game = ConnectFour(**board)
        position = draw_many(game, 2, 12, 20, 1)[0]
        stones = without_gaps(game, position.state.stones[0])
        empty = whole(game) & ~without_gaps(game, position.state.occupied)
        state = position.state
        found = {
            (game.rows - 1 - row, column)
            for column in range(game.columns)
            for row in range(game.rows)
            if int(empty) >> column * game.height + row & 1
            and game.wins(state, 0, column, row)
        }
        assert cells(game, completing(game, stones) & empty) == found


def test_what_lies_under_a_cell():
    game = ConnectFour(4, 4, forbidden=(1, 2))
    blocked = forbidden_of(game)
    assert cells(game, blocked) == {(1, 2)}
    top, other = 1 << 2 * game.height + 3, 1 << 3 * game.height + 1
    assert cells(game, under(top | other, blocked)) == {(2, 2), (3, 3), (1, 2)}


def test_a_threat_that_is_one_in_the_end_is_worth_more():
    """Of X's, on an odd row from below (and not an even one) of the usual board."""
    texts = {
        "odd": "......./......./......./.XXX.../.OOXO../.OXOX.. O",
        "even": "......./......./......./......./.XXX.../.OOXO.. O",
    }
    value = {}
    for name, text in texts.items():
        position = Position(ConnectFour(), text)
        value[name] = ConnectFour().evaluate(position.state, 0)
        assert value[name] == -ConnectFour().evaluate(position.state, 1)
    assert value["odd"] > value["even"]

"""SameGame: the rules against an oracle that works on columns as lists."""

import random

import numpy as np
import pytest

from playout import (
    MCTS,
    Limit,
    NormalizedUCT,
    Position,
    PositionError,
    Uniform,
    UsageError,
    Weighted,
    check_game,
)
from playout.games.more.samegame import SameGame
from playout.games.positions.cells import routes_of
from playout.search.defaults import defaults
from playout.search.selection.spuct import SPUCT
from playout.ui.common.picking import Picking

SMALL = SameGame(rows=4, columns=5, colors=2)


def test_laws():
    check_game(SMALL, games=10)
    check_game(SameGame(rows=6, columns=4, colors=3), games=3, compiled=False)


def groups(columns):
    """All groups of two or more, as sets of (column, row)."""
    left = {(x, y) for x, column in enumerate(columns) for y in range(len(column))}
    found = []
    while left:
        group, waiting = set(), [left.pop()]
        while waiting:
            x, y = waiting.pop()
            group.add((x, y))
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if cell in left and columns[cell[0]][cell[1]] == columns[x][y]:
                    left.remove(cell)
                    waiting.append(cell)
        found.append(group)
    return [group for group in found if len(group) > 1]


def columns_of(position):
    rows = position.to_text().split()[0].split("/")[::-1]
    columns = ["".join(row[x] for row in rows) for x in range(len(rows[0]))]
    return [column.rstrip(".") for column in columns if column.strip(".")]


@pytest.mark.parametrize("instance", range(10))
def test_games_go_as_the_oracles(instance):
    game = SameGame(rows=5, columns=6, colors=3, instance=instance)
    position, rng, points = Position(game), random.Random(instance), 0
    columns = columns_of(position)
    while True:
        open_ones = {min(x * 5 + y for x, y in g): g for g in groups(columns)}
        assert position.legal_actions() == sorted(open_ones)
        if not open_ones:
            break
        action = rng.choice(sorted(open_ones))
        taken = open_ones[action]
        columns = [
            "".join(c for y, c in enumerate(column) if (x, y) not in taken)
            for x, column in enumerate(columns)
        ]
        columns = [column for column in columns if column]
        points += (len(taken) - 2) ** 2 + (0 if columns else 1000)
        position.play(action)
        assert columns_of(position) == columns
    tiles = "".join(columns)
    rest = sum((tiles.count(color) - 2) ** 2 for color in set(tiles))
    assert position.returns(0) == points - rest


def test_an_empty_board_brings_a_thousand():
    position = Position(SameGame(rows=2, columns=2, colors=2), "RR/RR 0")
    assert position.play("a1").returns(0) == 4 + 1000
    assert position.is_terminal


def test_boards_differ_and_stay():
    boards = {Position(SameGame(instance=n)).to_text() for n in range(5)}
    assert len(boards) == 5
    assert Position(SameGame()).to_text().startswith(FIRST_ROW)


#: Boards are named by their numbers: they must never change.
FIRST_ROW = "RGBGRBGBGGYPYBY"


@pytest.mark.parametrize("text", ["RR/RR", "RG/.. 0", ".R/.R 0", "RZ/RR 0", "RR 0"])
def test_what_is_no_board_is_refused(text):
    with pytest.raises(PositionError):
        Position(SameGame(rows=2, columns=2, colors=2), text)


@pytest.mark.parametrize("points", ["", "-", "--5", "x", "1.5"])
def test_points_that_are_no_number_are_named(points):
    with pytest.raises(PositionError, match="the points must follow the board"):
        Position(SameGame(rows=2, columns=2, colors=2), f"RG/GG {points}")


@pytest.mark.parametrize("move", ["z1", "a0", "a16", "", "1a", "a"])
def test_what_is_no_cell_is_refused(move):
    with pytest.raises(UsageError, match="is not a move"):
        Position(SameGame()).play(move)


def test_sizes_have_bounds():
    for wrong in ({"rows": 1}, {"columns": 27}, {"colors": 9}, {"instance": -1}):
        with pytest.raises(UsageError):
            SameGame(**wrong)


def test_a_click_on_any_tile_takes_its_group():
    position = Position(SMALL)
    board = SMALL.board(position.state)
    picking = Picking(routes_of(position, board))
    columns = columns_of(position)
    for group in groups(columns):
        cells = {SMALL.cell(column * SMALL.rows + row) for column, row in group}
        (action,) = {picking.click(cell) for cell in cells}
        assert SMALL.cell(action) in cells
    alone = set(board.places) - set(board.stands_for) - board.playable
    assert not any(picking.can_click(cell) for cell in alone)


def test_tiles_are_counted_and_the_most_frequent_colour_has_the_low_prior():
    game = SameGame(rows=5, columns=6, colors=3, instance=4)
    position, rng = Position(game), random.Random(1)
    while not position.is_terminal:
        state = position.state
        counts = np.bincount(state.cells, minlength=4)[1:]
        assert state.tiles[1:].tolist() == counts.tolist()
        for action in position.legal_actions():
            is_most = state.cells[action] == 1 + counts.argmax()
            assert (game.prior(state, action) < 1) == is_most
        position.play(rng.choice(position.legal_actions()))


def test_the_default_search_uses_it():
    policies = defaults(SameGame())
    assert policies["rollout"] == Weighted()
    assert policies["selection"] == SPUCT()
    found = [
        MCTS(SameGame(instance=instance), seed=1, **given)
        .search(limit=Limit(simulations=300))
        .best_return
        for given in ({}, {"rollout": Uniform(), "selection": NormalizedUCT()})
        for instance in (1, 2, 3)
    ]
    assert sum(found[:3]) > 1.3 * sum(found[3:])

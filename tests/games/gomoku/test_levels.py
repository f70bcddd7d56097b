"""What a stone would make on each cell, against a program that looks cell by cell.

Also of `games/gomoku/layout.py`, `games/gomoku/prior.py` and `games/gomoku/value.py`.
"""

import math
import random

import numpy as np
import pytest

from playout import Gomoku, Position
from playout.games.gomoku.levels import LEVELS, level_at, row_levels
from playout.games.gomoku.lines import EDGE
from playout.games.gomoku.value import OTHER, OWN, TEMPO

Grid = list[str]
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def made_in_line(grid: Grid, cell: tuple[int, int], step: tuple[int, int], mark: str):
    """Most stones in a window of five around a cell, and in an open one of six."""

    def at(distance: int) -> str:
        row, column = (cell[i] + distance * step[i] for i in (0, 1))
        inside = 0 <= row < len(grid) and 0 <= column < len(grid[0])
        return grid[row][column] if inside else "#"

    most = most_open = 0
    for k in range(5):
        window = [at(j) for j in range(-k, 5 - k) if j != 0]
        if set(window) <= {mark, "."}:
            most = max(most, window.count(mark))
    for k in range(1, 5):
        inner = [at(j) for j in range(1 - k, 5 - k) if j != 0]
        if at(-k) == at(5 - k) == "." and set(inner) <= {mark, "."}:
            most_open = max(most_open, inner.count(mark))
    return most, most_open


def expected_level(grid: Grid, cell: tuple[int, int], mark: str) -> str:
    """The name of the level of an empty cell."""
    lines = [made_in_line(grid, cell, step, mark) for step in DIRECTIONS]
    fours = sum(most == 3 for most, _ in lines)
    threes = sum(most < 3 and inside >= 2 for most, inside in lines)
    closed = any(most == 2 and inside < 2 for most, inside in lines)
    twos = sum(most < 2 and inside == 1 for most, inside in lines)
    more = closed or twos > 0
    names = (
        (any(most == 4 for most, _ in lines), "a five"),
        (any(inside == 3 for _, inside in lines) or fours > 1,
         "an open four, or two fours"),
        (fours and threes, "a four and an open three"),
        (threes > 1, "two open threes"),
        (fours and more, "a four and a closed three or an open two"),
        (fours, "a four"),
        (threes and more, "an open three and a closed one or an open two"),
        (threes, "an open three"),
        (closed and twos, "a closed three and an open two"),
        (closed, "a closed three"),
        (twos > 1, "two open twos"),
        (twos, "an open two"),
        (any(most > 0 for most, _ in lines), "a closed two"),
        (True, "nothing"),
    )  # fmt: skip
    return next(name for holds, name in names if holds)


def crowded(game: Gomoku, seed: int, stones: int) -> Position:
    """A position whose stones lie close together."""
    rng, position = random.Random(seed), Position(game)
    while len(position.actions) < stones and not position.is_terminal:
        near = [(game.height // 2 + rng.randint(-3, 3)) * game.width
                + game.width // 2 + rng.randint(-3, 3) for _ in range(50)]  # fmt: skip
        free = [cell for cell in near if cell in position.legal_actions()]
        position.play(free[0] if free else position.legal_actions()[0])
    return position


def grid_of(position: Position) -> Grid:
    with np.errstate(over="ignore"):
        text = position.game.state_to_text(position.state)
    return text.split()[0].split("/")


def level(position: Position, row: int, column: int, player: int) -> int:
    game = position.game
    assert isinstance(game, Gomoku)
    with np.errstate(over="ignore"):
        words = row_levels(game, position.state, row + EDGE)
        return int(level_at(words, np.uint64(column + game.lane * player)))


@pytest.mark.parametrize(
    ("rows", "columns", "stones"), [(7, 7, 20), (8, 17, 30), (15, 15, 45)]
)
def test_levels_are_found_right(rows: int, columns: int, stones: int) -> None:
    position = crowded(Gomoku(rows=rows, columns=columns), stones, stones)
    grid, seen = grid_of(position), set()
    for row in range(rows):
        for column in range(columns):
            for player in (0, 1):
                found = LEVELS[level(position, row, column, player)]
                if grid[row][column] == ".":
                    expected = expected_level(grid, (row, column), "XO"[player])
                else:
                    expected = "nothing"
                assert found == expected, (row, column, player)
                seen.add(found)
    assert len(seen) > 6


def test_the_value_is_the_sum_over_all_cells() -> None:
    position = crowded(Gomoku(size=9), 3, 15)
    mover, odds = position.current_player, TEMPO
    for row in range(9):
        for column in range(9):
            own = level(position, row, column, mover)
            other = level(position, row, column, 1 - mover)
            odds += OWN[own - 1] if own else 0.0
            odds += OTHER[other - 1] if other else 0.0
    with np.errstate(over="ignore"):
        found = position.game.evaluate(position.state, mover)
    assert found == pytest.approx(math.tanh(odds / 2))


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ("", {"h8"}),
        ("h8 a1 h9 a2 h10 a15 h11 c15", {"h12", "h7"}),  # five
        ("h8 a1 h9 a2 h10 c15", {"h7", "h11"}),  # an open four
        ("a1 h8 a5 h9 o15 h10", {"h7", "h11"}),  # the other's
    ],
)
def test_the_likeliest_move_makes_or_prevents_most(moves: str, best: set[str]) -> None:
    position = Position.from_moves(Gomoku(), moves.split())
    game = position.game
    with np.errstate(over="ignore"):
        weights = {a: game.prior(position.state, a) for a in position.legal_actions()}
    likeliest = max(weights, key=lambda action: weights[action])
    assert game.action_name(likeliest).lower() in best

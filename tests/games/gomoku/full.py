"""Crowded positions of Gomoku, their value by full search, and wins by fours."""

from __future__ import annotations

import random

import numpy as np

from playout.core.errors import PositionError
from playout.core.jit.native import kernel
from playout.games.gomoku.rules import Gomoku
from playout.games.positions.position import Position
from tests.oracles.gomoku_oracle import Oracle


@kernel
def value_of(game, states, moves, frames):
    """The value of `states[0]`, which is not terminal, for who moves there.

    Every move is tried, until one wins. `frames` holds how many moves there are, how
    many were tried, and the best value so far.
    """
    depth = 0
    frames[0, 0] = game.legal_actions(states[0], moves[0])
    frames[0, 1], frames[0, 2] = 0, -1
    while True:
        count, tried, best = frames[depth, 0], frames[depth, 1], frames[depth, 2]
        if tried < count and best < 1:
            mover = game.current_player(states[depth])
            frames[depth, 1] += 1
            depth += 1
            states[depth] = states[depth - 1]
            game.apply(states[depth], moves[depth - 1, tried])
            frames[depth, 0] = game.legal_actions(states[depth], moves[depth])
            frames[depth, 1], frames[depth, 2] = 0, -1
            if frames[depth, 0] == 0:
                frames[depth, 2] = int(game.returns(states[depth], 1 - mover))
        elif depth == 0:
            return best
        else:
            depth -= 1
            frames[depth, 2] = max(frames[depth, 2], -best)


def crowded_position(game: Gomoku, rng: random.Random, empty: int) -> Position | None:
    """A board with so many empty cells, full of rows; None if the game is over."""
    cells = game.num_actions()
    order = rng.sample(range(cells), cells)
    marks = ["."] * cells
    for index, cell in enumerate(order[: cells - empty]):
        marks[cell] = "XO"[index % 2]
    for _ in range(cells):  # exchange stones, so that few lines are cut off
        _gather(game, marks, rng)
    mover = "XO"[(cells - empty) % 2]
    rows = ["".join(marks[i : i + game.width]) for i in range(0, cells, game.width)]
    try:
        position = Position(game, f"{'/'.join(rows)} {mover}")
    except PositionError:
        return None
    return None if position.is_terminal else position


def _gather(game: Gomoku, marks: list[str], rng: random.Random) -> None:
    """Exchange two unlike stones where both then have more of their own beside them."""
    one, other = rng.sample(range(len(marks)), 2)
    if "." in (marks[one], marks[other]) or marks[one] == marks[other]:
        return
    before = _alike(game, marks, one) + _alike(game, marks, other)
    marks[one], marks[other] = marks[other], marks[one]
    if _alike(game, marks, one) + _alike(game, marks, other) < before:
        marks[one], marks[other] = marks[other], marks[one]


def _alike(game: Gomoku, marks: list[str], cell: int) -> int:
    y, x = divmod(cell, game.width)
    near = [
        (y + dy) * game.width + x + dx
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
        if 0 <= y + dy < game.height and 0 <= x + dx < game.width
    ]
    return sum(marks[i] == marks[cell] for i in near)


def wins_by_fours(oracle: Oracle) -> bool:
    """Whether who moves wins by fours alone: slow, and obviously right."""
    me, you = oracle.mover, "XO"["XO".index(oracle.mover) - 1]
    legal = oracle.legal()
    if any(oracle.winning(cell, me) for cell in legal):
        return True
    theirs = [cell for cell in oracle.empties() if oracle.winning(cell, you)]
    if len(theirs) > 1:
        return False
    for four in theirs or legal:
        if four in legal and _wins_after(oracle, four, me):
            return True
    return False


def _wins_after(oracle: Oracle, four: int, me: str) -> bool:
    after = _copy(oracle)
    after.play(four)
    fives = [cell for cell in after.empties() if after.winning(cell, me)]
    replies = after.legal()
    if not fives or not replies:
        return False
    if len(fives) > 1 or fives[0] not in replies:
        return True
    after.play(fives[0])
    return bool(after.legal()) and wins_by_fours(after)


def _copy(oracle: Oracle) -> Oracle:
    rows = [list(row) for row in oracle.grid]
    return Oracle(oracle.size, oracle.rule, rows, oracle.mover)


def frames_for(game: Gomoku, plies: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Room for `value_of`: states, moves, frames."""
    states = np.zeros(plies + 1, dtype=game.state_dtype())
    moves = np.zeros((plies + 1, game.num_actions()), dtype=np.int32)
    return states, moves, np.zeros((plies + 1, 3), dtype=np.int64)

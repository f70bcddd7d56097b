"""How promising a move of ultimate tic-tac-toe looks: a stone, and where it sends.

The logarithm of a move's weight is a sum. A stone changes both players' chances in its
board, and the opponent's next stone changes those in the board where it sends; each
change counts by what the board is worth to whom it concerns, in lines of boards. The
constants were fitted to the visits of searches: `benchmarks/strength/ultimate_fit.py`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..contract.game import State
from .cells import HAS_LINE, LINES, cells_of
from .chances import TERNARY
from .value import ANY, MINE, THEIRS, open_board_chance

__all__ = ["move_weight"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Weights(NamedTuple):
    """Summands of the logarithm of a weight."""

    wins: float  # the board
    blocks: float  # a line of the opponent's in it
    gain: float  # by what one's own chance grows there
    deny: float  # by what the opponent's falls
    give: float  # by what the opponent's grows where it is sent
    lose: float  # by what one's own falls there
    frees: float  # the opponent may play anywhere


#: Of all variants: those fitted to `first-board` lost against them.
WEIGHTS = Weights(0.74, 0.75, 2.41, 7.84, -8.72, -6.34, -2.11)

#: How likely an open board is to be won, in `WORTH`, whose numbers stand for 1/64.
REST, UNIT = 0.4, 64.0


def _worth() -> NDArray[np.uint8]:
    """`[3**9 * 9]` what a board is worth to a player: chances of the lines through it.

    At `9 * n + board`; `n` is the number of the boards that are won, as `chances`
    numbers the stones of one.
    """
    digit = np.arange(3**9)[:, None] // 3 ** np.arange(9) % 3
    chance = np.choose(digit, (REST, 1.0, 0.0))
    worth = np.zeros((3**9, 9))
    for line in LINES:
        boards = [board for board in range(9) if line >> board & 1]
        for board in boards:
            first, second = (other for other in boards if other != board)
            worth[:, board] += chance[:, first] * chance[:, second]
    return np.minimum(np.rint(UNIT * worth), 255).astype(np.uint8).ravel()


WORTH = _worth()


def move_weight(game: Any, state: State, action: int) -> float:
    """The weight of a move: its prior is its share of the sum over all moves."""
    return math.exp(log_weight(game, state, action, WEIGHTS))


def log_weight(game: Any, state: State, action: int, weights: Weights) -> float:
    """The logarithm of a move's weight."""
    board = action // 9
    cell = action - 9 * board
    me = state.player
    own = np.int64(state.stones[me, board])
    other = np.int64(state.stones[1 - me, board])
    after = own | 1 << cell
    taken = np.int64(state.boards[0]) | np.int64(state.boards[1])
    wins = taken >> board & 1 == 0 and bool(HAS_LINE[after])
    total = 0.0
    if taken >> board & 1 == 0:
        total = stone_weight(game, state, board, cell, weights)
    cells = cells_of(state.open[0], state.open[1], cell)
    if cell == board:
        if wins:
            taken |= 1 << board
            if game.variant != "play-on":
                cells = _ZERO
        cells &= ~(_ONE << np.uint64(cell))
        own = after
    else:
        own = np.int64(state.stones[me, cell])
        other = np.int64(state.stones[1 - me, cell])
    if cells == _ZERO:
        return total + weights.frees
    if taken >> cell & 1:
        return total
    grows = open_board_chance(game, other, own, MINE) - open_board_chance(
        game, other, own, ANY
    )
    falls = open_board_chance(game, own, other, ANY) - open_board_chance(
        game, own, other, THEIRS
    )
    total += weights.give * worth(game, state, 1 - me, cell) * grows
    return total + weights.lose * worth(game, state, me, cell) * falls


def stone_weight(
    game: Any, state: State, board: int, cell: int, weights: Weights
) -> float:
    """What a stone is good for in a board that nobody has won."""
    me = state.player
    own = np.int64(state.stones[me, board])
    other = np.int64(state.stones[1 - me, board])
    after = own | 1 << cell
    total, mine, theirs = 0.0, 1.0, 0.0
    if HAS_LINE[after]:
        total += weights.wins
    else:
        mine = open_board_chance(game, after, other, ANY)
        theirs = open_board_chance(game, other, after, ANY)
    if HAS_LINE[other | 1 << cell]:
        total += weights.blocks
    gain = mine - open_board_chance(game, own, other, ANY)
    deny = open_board_chance(game, other, own, ANY) - theirs
    total += weights.gain * worth(game, state, me, board) * gain
    return total + weights.deny * worth(game, state, 1 - me, board) * deny


def worth(game: Any, state: State, player: int, board: int) -> float:
    """What winning a board is worth to a player; 1 where it wins the game."""
    if game.variant == "first-board":
        return 1.0
    own, other = TERNARY[state.boards[player]], TERNARY[state.boards[1 - player]]
    return WORTH[9 * (own + 2 * other) + board] / UNIT

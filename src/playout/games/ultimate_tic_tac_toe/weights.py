"""How promising a move of ultimate tic-tac-toe looks: a stone, and where it sends.

The logarithm of a move's weight is a sum. A stone changes both players' chances in its
board, and the opponent's next stone changes those in the board where it sends; each
change counts by what the board is worth to whom it concerns, in lines of boards. The
constants were fitted to the visits of searches: `benchmarks/strength/ultimate_fit.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.jit.exponential import exponential, exponentials
from ..contract.game import Actions, State
from .cells import HAS_LINE, LINES, cells_of
from .chances import POWERS, SWAPPED, TERNARY
from .value import ANY, CHANCES, FIRST_CHANCES

__all__ = ["move_weight", "move_weights"]

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
    digit = np.arange(3**9)[:, None] // POWERS % 3
    chance = np.choose(digit, (REST, 1.0, 0.0))
    worth = np.zeros((3**9, 9))
    for line in LINES:
        boards = [board for board in range(9) if line >> board & 1]
        for board in boards:
            first, second = (other for other in boards if other != board)
            worth[:, board] += chance[:, first] * chance[:, second]
    return np.minimum(np.rint(UNIT * worth), 255).astype(np.uint8).ravel()


WORTH = _worth()


def _both(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """`[2 * 3**9]` both sides' chances in every board, beside each other."""
    anywhere = chances[ANY : ANY + 3**9]
    return np.stack([anywhere, anywhere[SWAPPED]], axis=1).ravel()


def _changes(chances: NDArray[np.float32]) -> NDArray[np.float64]:
    """`[2 * 3**9]` what being sent to a board changes, beside each other.

    By how much the chance of who is sent there grows, whose stones are the other's, and
    that of one's own stones falls.
    """
    anywhere, mine, theirs = chances.astype(float).reshape(3, -1)
    return np.stack([(mine - anywhere)[SWAPPED], anywhere - theirs], axis=1).ravel()


BOTH, FIRST_BOTH = _both(CHANCES), _both(FIRST_CHANCES)
CHANGES, FIRST_CHANGES = _changes(CHANCES), _changes(FIRST_CHANCES)


def move_weight(game: Any, state: State, action: int) -> float:
    """The weight of a move: its prior is its share of the sum over all moves."""
    return exponential(log_weight(game, state, action, WEIGHTS))


def move_weights(
    game: Any, state: State, actions: Actions, count: int, out: NDArray[np.float64]
) -> None:
    """Write the weights of the first `count` moves; each board is looked at once."""
    board: Any = np.int64(actions[0]) // 9
    local = look_at(game, state, board, WEIGHTS)
    for index in range(count):
        action: Any = np.int64(actions[index])
        if action // 9 != board:
            board = action // 9
            local = look_at(game, state, board, WEIGHTS)
        out[index] = weight_in(game, state, local, action, WEIGHTS)
    exponentials(out, count)


def log_weight(game: Any, state: State, action: int, weights: Weights) -> float:
    """The logarithm of a move's weight."""
    local = look_at(game, state, action // 9, weights)
    return weight_in(game, state, local, action, weights)


class LocalBoard(NamedTuple):
    """A local board where a stone may be put, for all stones that may be."""

    won: Any  # the mask of all boards that somebody has won
    taken: bool  # whether this is one of them
    own: Any  # stones of the player to move
    other: Any  # the other's stones
    number: Any  # of the board, as `chances` numbers it
    mine: float  # the player's chance to win it
    theirs: float  # the other's
    gain: float  # what a growth of the player's chance counts
    deny: float  # what a fall of the other's counts


def look_at(game: Any, state: State, board: int, weights: Weights) -> LocalBoard:
    """A local board, as the player to move sees it."""
    me = state.player
    own, other = state.stones[me, board], state.stones[1 - me, board]
    number = TERNARY[own] + 2 * TERNARY[other]
    won = np.int64(state.boards[0]) | np.int64(state.boards[1])
    return LocalBoard(
        won,
        won >> board & 1 != 0,
        np.int64(own),
        np.int64(other),
        number,
        chance_at(game, number, 0),
        chance_at(game, number, 1),
        weights.gain * worth(game, state, me, board),
        weights.deny * worth(game, state, 1 - me, board),
    )


def weight_in(
    game: Any, state: State, local: LocalBoard, action: int, weights: Weights
) -> float:
    """The logarithm of a move's weight, in the board that was looked at.

    The cell is empty: of another one there is no number with a stone more.
    """
    board = action // 9
    cell = action - 9 * board
    me = state.player
    wins = not local.taken and bool(HAS_LINE[local.own | 1 << cell])
    total = 0.0
    if not local.taken:
        total = stone_weight(game, local, cell, wins, weights)
    won, cells = local.won, cells_of(state.open[0], state.open[1], cell)
    if cell == board:
        if wins:
            won |= 1 << board
            if game.variant != "play-on":
                cells = _ZERO
        cells &= ~(_ONE << np.uint64(cell))
        number = local.number + POWERS[cell]
    else:
        own, other = state.stones[me, cell], state.stones[1 - me, cell]
        number = TERNARY[own] + 2 * TERNARY[other]
    if cells == _ZERO:
        return total + weights.frees
    if won >> cell & 1:
        return total
    grows, falls = change_at(game, number, 0), change_at(game, number, 1)
    total += weights.give * worth(game, state, 1 - me, cell) * grows
    return total + weights.lose * worth(game, state, me, cell) * falls


def stone_weight(
    game: Any, local: LocalBoard, cell: int, wins: bool, weights: Weights
) -> float:
    """What a stone is good for in a board that nobody has won."""
    total, mine, theirs = 0.0, 1.0, 0.0
    if wins:
        total += weights.wins
    else:
        after = local.number + POWERS[cell]
        mine, theirs = chance_at(game, after, 0), chance_at(game, after, 1)
    if HAS_LINE[local.other | 1 << cell]:
        total += weights.blocks
    total += local.gain * (mine - local.mine)
    return total + local.deny * (local.theirs - theirs)


def chance_at(game: Any, number: Any, side: int) -> float:
    """A chance to win the board of a number: of its own stones, or of the other's."""
    if game.variant == "first-board":
        return float(FIRST_BOTH[2 * number + side])
    return float(BOTH[2 * number + side])


def change_at(game: Any, number: Any, side: int) -> float:
    """What the opponent's next stone changes in the board of a number.

    By how much its own chance grows there, side 0, or the player's falls, side 1.
    """
    if game.variant == "first-board":
        return float(FIRST_CHANGES[2 * number + side])
    return float(CHANGES[2 * number + side])


def worth(game: Any, state: State, player: int, board: int) -> float:
    """What winning a board is worth to a player; 1 where it wins the game."""
    if game.variant == "first-board":
        return 1.0
    own, other = TERNARY[state.boards[player]], TERNARY[state.boards[1 - player]]
    return WORTH[9 * (own + 2 * other) + board] / UNIT

"""What a position of ultimate tic-tac-toe is worth at a glance.

Each side has a chance to win each local board: the table `CHANCES`. Three boards in a
row are worth the product of their chances, which is 0 where a side can no longer win
one of them. All constants were fitted to the results of games that the search played
against itself: `benchmarks/strength/ultimate_fit.py`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..contract.game import State
from .cells import cells_of
from .chances import FIRST_LINE, TERNARY
from .threats import outlook

__all__ = ["ANY", "MINE", "THEIRS", "judge", "open_board_chance"]

_ZERO = np.uint64(0)
_BOARDS = 3**9


class Shifts(NamedTuple):
    """What is added to the log-odds of `FIRST_LINE` for those of winning a board."""

    any: float  # where nobody is sent now
    mine: float  # where the player to move is sent, for its own chance to win it
    theirs: float  # where the player to move is sent, for the other's chance


class Constants(NamedTuple):
    """The lead x of the player to move is their sum, worth x / sqrt(1 + x²)."""

    turn: float  # always
    free: float  # where it may play in any board
    line: float  # times the chances of all lines, one's own less the other's
    board: float  # times those of all boards


#: Where a row of `CHANCES` begins: by who is sent to the board, as in `Shifts`.
ANY, MINE, THEIRS = 0, _BOARDS, 2 * _BOARDS


def chances(shifts: Shifts) -> NDArray[np.float32]:
    """`[3 * 3**9]` the chance to win a board, by `Shifts` and the board's number."""
    with np.errstate(divide="ignore"):
        odds = np.log(FIRST_LINE) - np.log1p(-FIRST_LINE)
    rows = [1 / (1 + np.exp(-(odds + shift))) for shift in shifts]
    return np.concatenate(rows).astype(np.float32)


#: Of games that a line of boards wins. In `count` boards count besides.
SHIFTS = Shifts(any=-1.139, mine=-0.478, theirs=-1.809)
CHANCES = chances(SHIFTS)
CLASSIC = Constants(turn=-0.035, free=0.351, line=2.657, board=0.0)
COUNT = Constants(turn=-0.065, free=0.506, line=2.521, board=0.339)
PLAY_ON = Constants(turn=-0.005, free=0.368, line=1.774, board=0.0)
#: Of games that the first board wins.
FIRST_SHIFTS = Shifts(any=-0.621, mine=-0.487, theirs=-1.155)
FIRST_CHANCES = chances(FIRST_SHIFTS)
FIRST_BOARD = Constants(turn=0.016, free=0.016, line=0.0, board=1.008)


def judge(game: Any, state: State, player: int) -> float:
    """The value for a player: an end that two plies show, or a guess in (-1, 1).

    Where nobody can make a line any more it is 0.
    """
    sight = float(outlook(game, state))
    if sight == 0.0:
        lead = lead_of_mover(game, state)
        sight = lead / math.sqrt(1.0 + lead * lead)
    return sight if player == state.player else -sight


def lead_of_mover(game: Any, state: State) -> float:
    """By how much the player to move leads."""
    constants = constants_of(game)
    me = state.player
    target: Any = np.int64(state.target)
    lead = constants.turn
    if target < 0 or cells_of(state.open[0], state.open[1], target) == _ZERO:
        target = np.int64(-1)
        lead += constants.free
    mine, my_lines = prospects(game, state, me, target, MINE)
    theirs, their_lines = prospects(game, state, 1 - me, target, THEIRS)
    if constants.board == 0.0:
        lead += constants.line * (my_lines - their_lines)
        return float(lead) if my_lines + their_lines > 0.0 else 0.0
    lead += constants.board * (mine - theirs)
    return float(lead + constants.line * (my_lines - their_lines))


def constants_of(game: Any) -> Constants:
    """Those of the variant."""
    if game.variant == "first-board":
        return FIRST_BOARD
    if game.variant == "count":
        return COUNT
    return PLAY_ON if game.variant == "play-on" else CLASSIC


def prospects(
    game: Any, state: State, player: int, target: Any, row: int
) -> tuple[float, float]:
    """The sums of a player's chances: of all boards, and of all lines of boards.

    Args:
        game: the rules.
        state: the position.
        player: whose chances.
        target: the board where the player to move has to play, or -1.
        row: of `CHANCES` for that board.
    """
    a = chance(game, state, player, 0, row if target == 0 else ANY)
    b = chance(game, state, player, 1, row if target == 1 else ANY)
    c = chance(game, state, player, 2, row if target == 2 else ANY)
    d = chance(game, state, player, 3, row if target == 3 else ANY)
    e = chance(game, state, player, 4, row if target == 4 else ANY)
    f = chance(game, state, player, 5, row if target == 5 else ANY)
    g = chance(game, state, player, 6, row if target == 6 else ANY)
    h = chance(game, state, player, 7, row if target == 7 else ANY)
    i = chance(game, state, player, 8, row if target == 8 else ANY)
    across = a * b * c + d * e * f + g * h * i
    down = a * d * g + b * e * h + c * f * i
    return a + b + c + d + e + f + g + h + i, across + down + e * (a * i + c * g)


def chance(game: Any, state: State, player: int, board: Any, row: int) -> float:
    """A player's chance to win a local board: 1 or 0 where it is won."""
    if np.int64(state.boards[player]) >> board & 1:
        return 1.0
    if np.int64(state.boards[1 - player]) >> board & 1:
        return 0.0
    own, other = state.stones[player, board], state.stones[1 - player, board]
    return open_board_chance(game, own, other, row)


def open_board_chance(game: Any, own: Any, other: Any, row: int) -> float:
    """A player's chance to win a local board that nobody has won, by its stones."""
    place = row + TERNARY[own] + 2 * TERNARY[other]
    if game.variant == "first-board":
        return float(FIRST_CHANCES[place])
    return float(CHANCES[place])

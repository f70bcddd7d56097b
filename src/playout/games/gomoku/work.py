"""What Gomoku's exact searches work with: room, keys of positions, a table of answers.

A search plays on the state that it was given and takes every stone back.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ...core.jit.bits import lowest, popcount
from ...core.jit.hashing import mix
from ..contract.game import State
from .lines import EDGE
from .windows import ROWS, WORDS

__all__ = [
    "DEPTH", "FOURS", "LAST", "LENGTH", "LEVELS", "NODES", "THREATS", "WIDTH", "Work",
    "count_of", "first_of", "key_of", "new_work", "place", "player_cells",
    "recall", "remember", "stone_key",
]  # fmt: skip

#: Fours in a row, fours to choose from at each, and moves in a row of a search of
#: threats. Beyond them a search knows nothing.
DEPTH, WIDTH, LEVELS = 64, 64, 48
#: Cells of the largest board.
CELLS = 484

#: What `Work.numbers` holds: how many positions may still be looked at; how many cells
#: are in `Work.line`, and which of them is the attacker's last move.
NODES, LENGTH, LAST = range(3)

#: Kinds of answers in the table: of fours, and of threats.
FOURS, THREATS = 1, 3

_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)
#: An entry is the key's upper bits, and these for the answer: whether there is one, a
#: number below 64 and an action, one more than it or 0 for none.
_ANSWER, _THERE, _NUMBER = np.uint64(0xFFFF), np.uint64(0x8000), np.uint64(9)
_ACTION = np.uint64(0x1FF)


#: The room of one search: what `windows` finds; `numbers`, see `NODES`; by depth in a
#: search of fours, `fours` to play, the cells that the opponent must take then as
#: `replies`, how many there are and were tried as `counts`, and the positions' `keys`;
#: `line`, a win by fours, moves and replies in turn, and after the last move the cells
#: where it makes a five; by level in a search of threats `moves`, `frames` (see
#: `forcing`) and `level_keys`.
def _room(word: str) -> np.dtype[Any]:
    return np.dtype(
        (
            np.record,  # fields are attributes in Python, too
            [
                ("board", word, (WORDS, ROWS)),
                ("numbers", "i8", (3,)),
                ("keys", "u8", (DEPTH,)),
                ("level_keys", "u8", (LEVELS,)),
                ("counts", "i8", (DEPTH, 2)),
                ("frames", "i8", (LEVELS, 6)),
                ("line", "i2", (2 * DEPTH + WIDTH,)),
                ("fours", "i2", (DEPTH, WIDTH)),
                ("replies", "i2", (DEPTH, WIDTH)),
                ("moves", "i2", (LEVELS, CELLS)),
            ],
        )
    )


#: By how many bits a row of the board has, as in `state.rows`.
_WORK_32, _WORK_64 = _room("u4"), _room("u8")

#: A row of one of these.
Work: TypeAlias = Any


def new_work(game: Any, nodes: int) -> Work:
    """Room for searches of one position that look at so many positions at most."""
    if game.lane == 16:
        work = np.empty(1, _WORK_32)[0]
    else:
        work = np.empty(1, _WORK_64)[0]
    work.board[:] = 0
    work.numbers[NODES] = nodes
    return work


# -- cells -----------------------------------------------------------------------------


def place(game: Any, state: State, player: int, cell: int) -> None:
    """Place a stone, or take it away."""
    game.toggle(state, np.uint64(cell), np.uint64(game.lane) * np.uint64(player))


def player_cells(game: Any, board: Any, index: int, row: int, player: int) -> Any:
    """A player's cells in a row of a board of words, from bit 0 up."""
    word = np.uint64(board[index, row])
    return word >> np.uint64(game.lane * player) & game.row_bits


def first_of(game: Any, board: Any, index: int, player: int) -> int:
    """The first of a player's cells in a board of words; -1 if none."""
    for row in range(EDGE, EDGE + game.height):
        bits = player_cells(game, board, index, row, player)
        if bits != _ZERO:
            return int((row - EDGE) * game.width + lowest(bits))
    return -1


def count_of(game: Any, board: Any, index: int, player: int) -> int:
    """How many of a player's cells are in a board of words."""
    count = 0
    for row in range(EDGE, EDGE + game.height):
        count += popcount(player_cells(game, board, index, row, player))
    return count


# -- keys and answers ------------------------------------------------------------------


def stone_key(player: int, cell: int) -> Any:
    """The bits that a stone turns over in a position's key (Zobrist hashing)."""
    return mix(np.uint64(2 * cell + player + 1) << np.uint64(20))


def key_of(game: Any, state: State) -> Any:
    """A key of the stones on the board."""
    key = _ZERO
    for row in range(EDGE, EDGE + game.height):
        for player in range(2):
            bits = np.uint64(state.rows[row]) >> np.uint64(game.lane * player)
            bits &= game.row_bits
            while bits != _ZERO:
                cell = (row - EDGE) * game.width + lowest(bits)
                bits &= bits - _ONE
                key ^= stone_key(player, cell)
    return key


def remember(table: Any, key: Any, kind: int, number: int, action: int) -> None:
    """Write an answer: a number from 0 to 63, and an action or -1."""
    if len(table) == 0:
        return
    key ^= mix(np.uint64(kind))
    answer = _THERE | np.uint64(number) << _NUMBER | np.uint64(action + 1)
    table[key & np.uint64(len(table) - 1)] = key & ~_ANSWER | answer


def recall(table: Any, key: Any, kind: int) -> Any:
    """The number and the action found before; -1 and -1 if nothing is known."""
    if len(table) == 0:
        return -1, -1
    key ^= mix(np.uint64(kind))
    entry = table[key & np.uint64(len(table) - 1)]
    if (entry ^ key) & ~_ANSWER != _ZERO or entry & _THERE == _ZERO:
        return -1, -1
    number = int(entry >> _NUMBER & np.uint64(63))
    return number, int(entry & _ACTION) - 1

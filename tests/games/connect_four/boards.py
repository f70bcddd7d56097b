"""The boards and the known counts that Connect Four is tried with, and its kernels."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.connect_four.rules import ConnectFour
from playout.games.positions.position import Position

DATA = Path(__file__).parents[2] / "data"
KNOWN = json.loads((DATA / "connect_four.json").read_text(encoding="utf-8"))

#: One word of bits and several; short and long lines; the forbidden cell at the bottom,
#: inside, and at the top.
BOARDS = [
    {},
    {"rows": 4, "columns": 4, "forbidden": (2, 1)},
    {"rows": 4, "columns": 4, "forbidden": (3, 0)},
    {"rows": 4, "columns": 4, "forbidden": (0, 3)},
    {"rows": 9, "columns": 12, "forbidden": (4, 3)},
    {"rows": 5, "columns": 5, "line": 3},
    {"rows": 9, "columns": 9, "line": 5, "forbidden": (8, 8)},
    {"rows": 12, "columns": 12},
    {"rows": 7, "columns": 8},
    {"rows": 6, "columns": 9, "forbidden": (0, 8)},
    {"rows": 5, "columns": 10, "line": 3},
    {"rows": 4, "columns": 12},
]

#: Those of one word; all but the last have a rollout of their own.
NARROW = [board for board in BOARDS if ConnectFour(**board).words == 1]

board_sizes = pytest.mark.parametrize(
    "board", BOARDS, ids=lambda board: ",".join(f"{k}={v}" for k, v in board.items())
)


def sized(known, forbidden=(-1, -1), **more):
    return ConnectFour(known["rows"], known["columns"], forbidden=forbidden, **more)


@kernel
def step_natively(game, states, actions, action):
    """Apply an action unless it is negative; the number of urgent actions."""
    if action >= 0:
        game.apply(states[0], action)
    return 0 if game.is_terminal(states[0]) else game.urgent_actions(states[0], actions)


@kernel
def count_games(game, states, buffers, counts, tried):
    """How many games there are to their ends, over a stack of states."""
    ended = 0
    level = 0
    counts[0] = game.legal_actions(states[0], buffers[0])
    tried[0] = 0
    while level >= 0:
        if tried[level] == counts[level]:
            level -= 1
            continue
        action = buffers[level, tried[level]]
        tried[level] += 1
        states[level + 1] = states[level]
        game.apply(states[level + 1], action)
        if game.is_terminal(states[level + 1]):
            ended += 1
        else:
            level += 1
            counts[level] = game.legal_actions(states[level], buffers[level])
            tried[level] = 0
    return ended


@kernel
def try_all(game, states, buffers, counts, best):
    """What the position `states[0]` is worth to who is to move, by all its lines."""
    level = 0
    counts[0] = game.legal_actions(states[0], buffers[0])
    best[0] = -1
    while True:
        if counts[level] == 0 or best[level] == 1:
            if level == 0:
                return best[0]
            value = -best[level]
            level -= 1
        else:
            counts[level] -= 1
            states[level + 1] = states[level]
            mover = states[level].player
            game.apply(states[level + 1], buffers[level, counts[level]])
            if not game.is_terminal(states[level + 1]):
                level += 1
                counts[level] = game.legal_actions(states[level], buffers[level])
                best[level] = -1
                continue
            value = int(game.returns(states[level + 1], mover))
        best[level] = max(best[level], value)


@cache
def judge_of(game):
    """A function that tells what a position is worth to who is to move: 1, 0 or -1."""
    plies = game.max_game_length() + 1
    states = np.zeros(plies, dtype=game.state_dtype())
    buffers = np.zeros((plies, game.num_actions()), dtype=np.int32)
    counts = np.zeros((2, plies), dtype=np.int64)
    arguments = game, Rows(states), buffers, counts[0], counts[1]
    states[0] = Position(game).array[0]
    native = try_all.compile(*arguments)

    def worth(position):
        states[0] = position.array[0]
        return int(native(*arguments))

    return worth

"""Random games of Gomoku, a dozen moves at a time.

Stones are placed in blocks. Only after a block a line of five or more is looked for; if
there is one, the block's stones are taken back and played again one by one. So the
games are those of the generic rollout, but some random numbers may be unused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.rng import draw_from
from ..contract.game import Actions, State
from .lines import EDGE, has_line, wins

__all__ = ["block_rollout"]

_ONE = np.uint64(1)

#: Stones that are placed before a line is looked for: whole random numbers.
_BLOCK = 12


def block_rollout(game: Any, state: State, actions: Actions, rng: Any) -> int:
    """Play uniformly random moves to the end; returns how many. Not for renju."""
    left = game.legal_actions(state, actions)
    if left == 0:  # who has won stays so
        return 0
    plies = 0
    while left > 0:
        block = min(_BLOCK, left)
        _scatter(game, state, actions, left, block, rng)
        left -= block
        if has_line(state, EDGE, game.height):
            plies += _replay(game, state, actions, left, block)
            if state.winner >= 0:
                return plies
        else:
            plies += block
            state.player ^= block & 1
    game.finish(state, -1)
    return plies


def _scatter(
    game: Any, state: State, actions: Actions, left: int, plies: int, rng: Any
) -> None:
    """Place stones on random cells out of the first `left` of the buffer.

    The cells drawn are moved to the end of those `left`, the first one last.
    """
    half = np.uint64(game.lane)
    shift = np.uint64(state.player) * half
    other = shift ^ half
    size, end = np.uint64(left), np.uint64(left - plies)
    while size > end:
        bits = rng.next()
        for k in range(game.draws):  # an even number
            if size <= end:
                break
            drawn, bits = draw_from(bits, size)
            place = np.uint64(drawn)  # an unsigned index is not tested for its sign
            size -= _ONE
            cell = actions[place]
            actions[place] = actions[size]
            actions[size] = cell
            game.toggle(state, np.uint64(cell), other if k & 1 else shift)


def _gather(game: Any, state: State, actions: Actions, left: int, plies: int) -> None:
    """Take the stones of a block away again."""
    shift = np.uint64(state.player) * np.uint64(game.lane)
    for k in range(plies):
        game.toggle(state, np.uint64(actions[left - 1 - k]), shift)
        shift = np.uint64(game.lane) - shift


def _replay(game: Any, state: State, actions: Actions, left: int, plies: int) -> int:
    """Play a block's moves one by one, as far as the first that wins."""
    _gather(game, state, actions, left + plies, plies)
    player = state.player
    for k in range(plies):
        cell = np.uint64(actions[left + plies - 1 - k])
        game.toggle(state, cell, np.uint64(game.lane) * np.uint64(player))
        state.player = 1 - player
        if wins(game, state, player, cell):
            game.finish(state, player)
            return k + 1
        player = 1 - player
    return plies

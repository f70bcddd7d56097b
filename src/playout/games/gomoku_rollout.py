"""Random games of Gomoku, sixteen moves at a time.

Stones are placed without looking; only when a line of five or more has appeared are
those of the last block played again one by one. The results are distributed as those
of the plain rollout; they come from other random numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.rng import mix
from .game import Actions, State
from .gomoku_lines import EDGE, has_line, wins

__all__ = ["block_rollout"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_32 = np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)

#: Stones that are placed before a line is looked for.
_BLOCK = 16


def block_rollout(game: Any, state: State, actions: Actions, rng: Any) -> int:
    """Play uniformly random moves to the end; returns how many. Not for renju."""
    left = game.legal_actions(state, actions)
    plies = 0
    while left > 0:
        block = min(_BLOCK, left)
        while not _scatter(game, state, actions, left, block, rng):
            _gather(game, state, actions, left, block)
        left -= block
        if has_line(game, state, EDGE, -(-game.size // 8) * 8):
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
) -> bool:
    """Place stones on random cells out of the first `left` of the buffer.

    The cells drawn are moved to the end of those `left`, the first one last. False
    where a draw has to be rejected, to be uniform: the block is then drawn anew as a
    whole, which happens about once in a million times.
    """
    size, last = np.uint64(left), np.uint64(left - plies)
    half = np.uint64(game.lane)
    shift = np.uint64(state.player) * half
    before = seed = rng.state[0]
    is_rare = False
    while size > last:
        seed += _GOLDEN
        bits = mix(seed)  # for two draws
        is_rare |= _put(game, state, actions, bits >> _32, size, shift)
        size -= _ONE
        if size > last:
            is_rare |= _put(game, state, actions, bits & _LOW_32, size, shift ^ half)
            size -= _ONE
    rng.state[0] = seed
    return not is_rare or _is_uniform(before, left, plies)


def _put(
    game: Any, state: State, actions: Actions, bits: Any, size: Any, shift: Any
) -> Any:
    """Place a stone on one of the first `size` cells, by 32 random bits.

    Returns whether these bits may be some that are to be rejected.
    """
    product = bits * size
    drawn, end = product >> _32, size - _ONE
    cell = actions[drawn]
    actions[drawn] = actions[end]
    actions[end] = cell
    game.turn(state, np.uint64(cell), shift)
    return (product & _LOW_32) < size


def _is_uniform(seed: Any, left: int, plies: int) -> bool:
    """Whether none of a block's draws is to be rejected (Lemire; see `core.rng`).

    Looked at where the low half of one is less than its size, as the remainder is.
    """
    bits = _ZERO
    for k in range(plies):
        size = np.uint64(left - k)
        if k % 2 == 0:
            seed += _GOLDEN
            bits = mix(seed)
        drawn = bits >> _32 if k % 2 == 0 else bits & _LOW_32
        if (drawn * size & _LOW_32) < (_LOW_32 - size + _ONE) % size:
            return False
    return True


def _gather(game: Any, state: State, actions: Actions, left: int, plies: int) -> None:
    """Take the stones of a block away again."""
    shift = np.uint64(state.player) * np.uint64(game.lane)
    for k in range(plies):
        game.turn(state, np.uint64(actions[left - 1 - k]), shift)
        shift = np.uint64(game.lane) - shift


def _replay(game: Any, state: State, actions: Actions, left: int, plies: int) -> int:
    """Play a block's moves one by one, as far as the first that wins."""
    _gather(game, state, actions, left + plies, plies)
    player = state.player
    for k in range(plies):
        cell = np.uint64(actions[left + plies - 1 - k])
        game.turn(state, cell, np.uint64(game.lane) * np.uint64(player))
        state.player = 1 - player
        if wins(game, state, player, cell):
            game.finish(state, player)
            return k + 1
        player = 1 - player
    return plies

"""Stones on a Go board: chains, their liberties, captures, ko, and the score.

The board is one array of points with a border around it. A row is as long as the board
is wide and one point more, which is the border for the row's end and for the next
row's beginning. On 3 x 3 (# is the border):

     0  1  2  3     #  #  #  #
     4  5  6  7     .  .  .  #
     8  9 10 11     .  .  .  #
    12 13 14 15     .  .  .  #
    16 17 18 19     #  #  #  #

A chain is named by the lowest of its points. Liberties are counted once for every stone
that they lie beside ("pseudo-liberties"): what matters is whether there are none, and
so a stone that is put or taken changes its four neighbours only. Chains are found,
joined and taken from the board by looking at all points, many at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.game import State

__all__ = ["BORDER", "FREE", "can_play", "is_eye", "lead_of_black", "put_stone"]

#: What lies on a point, besides the player whose stone it is.
FREE, BORDER = -1, 2

_ZERO = np.uint64(0)


def put_stone(game: Any, state: State, point: int, player: int) -> int:
    """Put a stone, take what has no liberties; returns how many stones were taken."""
    state.color[point] = player
    key = game.keys[player, point]
    state.hash = state.hash ^ key
    state.chain[point] = point
    state.chain_keys[point] = key
    free = 0
    for step in game.steps:
        color = state.color[point + step]
        if color == FREE:
            free += 1
        elif color != BORDER:
            state.liberties[state.chain[point + step]] -= 1
    state.liberties[point] = free
    for step in game.steps:
        if state.color[point + step] == player:
            _join(state, state.chain[point + step], state.chain[point])
    taken = 0
    for step in game.steps:
        if state.color[point + step] == 1 - player:
            chain = state.chain[point + step]
            if state.liberties[chain] == 0:
                taken += _take(game, state, chain)
    return taken


def _join(state: State, one: int, other: int) -> None:
    """Make two chains one, under the lower name."""
    if one == other:
        return
    low, high = min(one, other), max(one, other)
    chain = state.chain
    for point in range(len(chain)):
        chain[point] = low if chain[point] == high else chain[point]
    state.liberties[low] += state.liberties[high]
    state.liberties[high] = 0
    state.chain_keys[low] ^= state.chain_keys[high]
    state.chain_keys[high] = _ZERO


def _take(game: Any, state: State, chain: int) -> int:
    """Take a chain from the board."""
    state.hash = state.hash ^ state.chain_keys[chain]
    taken = 0
    for point in range(chain, len(state.chain)):
        if state.chain[point] == chain:
            state.chain[point] = 0
            state.color[point] = FREE
            state.vacated[point] = 1
            taken += 1
            for step in game.steps:
                if state.color[point + step] in (0, 1):
                    state.liberties[state.chain[point + step]] += 1
    state.liberties[chain] = 0
    state.chain_keys[chain] = _ZERO
    return taken


def can_play(game: Any, state: State, point: int, player: int) -> bool:
    """Whether a stone may be put on a free point: no suicide, no position again."""
    free = False
    for step in game.steps:
        free = free or state.color[point + step] == FREE
    if free and state.vacated[point] == 0:
        return True
    breathes, hash = _after(game, state, point, player)
    return (free or breathes) and (
        state.vacated[point] == 0 or not _was_before(state, hash)
    )


def _after(game: Any, state: State, point: int, player: int) -> tuple[bool, Any]:
    """Whether a stone would have liberties by its chain or by taking; the new hash.

    If the point is a chain's only liberty, the chain has one pseudo-liberty for each of
    its stones beside the point.
    """
    hash = state.hash ^ game.keys[player, point]
    breathes = False
    for index in range(4):
        place = point + game.steps[index]
        color = state.color[place]
        if color in (FREE, BORDER):
            continue
        chain = state.chain[place]
        here, first = 0, True
        for other in range(4):
            beside = point + game.steps[other]
            if state.color[beside] == color and state.chain[beside] == chain:
                here += 1
                first = first and other >= index
        last = state.liberties[chain] == here
        if color == player:
            breathes = breathes or not last
        elif last:
            breathes = True
            if first:
                hash = hash ^ state.chain_keys[chain]
    return breathes, hash


def _was_before(state: State, hash: Any) -> bool:
    """Whether stones lay like this after any move before.

    Called only for points from which a stone was taken: a stone on any other point
    makes a position that has not occurred before.
    """
    for index in range(state.count + 1):
        if state.past[index] == hash:
            return True
    return False


def is_eye(game: Any, state: State, point: int, player: int) -> bool:
    """Whether a free point looks like an eye: of its corners one may be the other's.

    At the edge none may.
    """
    for step in game.steps:
        if state.color[point + step] not in (player, BORDER):
            return False
    others, border = 0, 0
    for step in game.corners:
        color = state.color[point + step]
        others += 1 if color == 1 - player else 0
        border += 1 if color == BORDER else 0
    return others == 0 if border > 0 else others <= 1


def lead_of_black(game: Any, state: State) -> int:
    """Black's stones and the free points that only Black reaches, less White's.

    The column `chain` notes who reaches a free point, and is cleared in the end: 1 is
    Black, 2 White, 3 both.
    """
    chain, color = state.chain, state.color
    changed = True
    while changed:
        changed = False
        for way in range(2):
            for index in range(len(game.points)):
                number = index if way == 0 else len(game.points) - 1 - index
                point = game.points[number]
                if color[point] == FREE:
                    reached = chain[point]
                    for step in game.steps:
                        beside = color[point + step]
                        if beside == FREE:
                            reached |= chain[point + step]
                        elif beside != BORDER:
                            reached |= 1 << beside
                    changed = changed or reached != chain[point]
                    chain[point] = reached
    lead = 0
    for point in game.points:
        if color[point] == FREE:
            lead += (chain[point] == 1) * 1 - (chain[point] == 2) * 1
            chain[point] = 0
        else:
            lead += 1 if color[point] == 0 else -1
    return lead

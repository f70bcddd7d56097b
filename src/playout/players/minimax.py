"""Depth-first minimax with a stack instead of recursion, compiled for any game.

The value of a state is the best value of its successors for the player to move there;
a successor's value counts with the opposite sign where the opponent moves (negamax),
and with the same where a player moves again. Alpha-beta pruning, a table of states
already seen and the history heuristic leave out what cannot matter:

    Knuth and Moore, "An Analysis of Alpha-Beta Pruning", Artificial Intelligence 6,
    1975; Schaeffer, "The History Heuristic and Alpha-Beta Search Enhancements in
    Practice", IEEE PAMI 11, 1989.

Because the stack is data, a search can pause at any node and be resumed: so Python
looks at the clock, and Ctrl-C works.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.jit.compiled import Compiled, static
from ..core.jit.hashing import mix
from ..core.jit.native import kernel
from ..core.jit.rows import Rows
from ..games.contract.game import Game, has_own
from ..games.contract.units import bounds_of

__all__ = ["COMPLETE", "Minimax", "make_minimax", "run"]

#: The stack: one level per action from the root; values are for the player to move.
LEVEL_DTYPE = np.dtype(
    [
        ("key", "u8"),  # of the state
        ("alpha", "f8"),  # below it, values do not matter
        ("beta", "f8"),  # above it, values do not matter
        ("best", "f8"),  # of the actions tried so far
        ("best_action", "i4"),  # -1 while none was tried
        ("hint", "i4"),  # the action that the table advises, or -1
        ("count", "i4"),  # actions in the buffer
        ("tried", "i4"),
        ("depth", "i4"),  # actions still to look ahead
        ("mover", "i4"),
        ("complete", "i1"),  # no line below met the horizon
        ("best_complete", "i1"),  # none below the best action did
    ],
    align=True,
)

#: The table; a value is exact, or a bound where the search was cut.
ENTRY_DTYPE = np.dtype(
    [
        ("key", "u8"),
        ("value", "f8"),
        ("action", "i4"),
        ("depth", "i2"),
        ("bound", "i1"),
    ],
    align=True,
)
NO_ENTRY, EXACT, AT_LEAST, AT_MOST = 0, 1, 2, 3

#: The depth of a value that no horizon has touched.
COMPLETE = 32_000
INFO_DTYPE = np.dtype([("ply", "i8"), ("nodes", "i8"), ("salt", "u8")])


@dataclass(frozen=True)
class Minimax(Compiled):
    """A game and what a search of it works in.

    Attributes:
        states: `[L]` rows of the game's dtype, the root's first.
        memory: `[L * S]` uint8, the same bytes, for hashing.
        levels: `[L]` rows of `LEVEL_DTYPE`.
        actions: `[L * A]` int32, the actions of each level.
        table: `[T]` rows of `ENTRY_DTYPE`, T a power of two.
        history: `[P * A]` int64, how useful each action was to each player.
        info: one row: the level worked at, -1 at the end; the nodes seen; and what the
            keys of this search are mixed with, so that the table's other entries are
            not found.
        largest: no return is larger, in the game's own units.
        unknown: what a state counts that is not looked into, where the game has no
            `evaluate`: 0, or the return nearest to it.
        plain: without pruning, table and restriction to urgent actions.
        urgent: try only the game's `urgent_actions` where there are any.
        evaluates: the game has `evaluate(state, player)`, asked at the horizon.
        hashes: the game has `hash(state)`, 64 bits.
    """

    game: Game
    states: Rows
    memory: NDArray[np.uint8]
    levels: Rows
    actions: NDArray[np.int32]
    table: Rows
    history: NDArray[np.int64]
    info: Rows
    largest: float
    unknown: float
    plain: bool
    urgent: bool
    evaluates: bool = static(False)
    hashes: bool = static(False)


def make_minimax(
    game: Game, levels: int, table_bits: int, plain: bool, urgent: bool
) -> Minimax:
    """A search with room for so many levels and 2^table_bits entries."""
    states = np.zeros(levels, dtype=game.state_dtype())
    num_actions = max(1, game.num_actions())
    low, high = bounds_of(game)
    return Minimax(
        game,
        Rows(states),
        states.view(np.uint8),
        Rows(np.zeros(levels, dtype=LEVEL_DTYPE)),
        np.zeros(levels * num_actions, dtype=np.int32),
        Rows(np.zeros(1 << table_bits, dtype=ENTRY_DTYPE)),
        np.zeros(game.num_players() * num_actions, dtype=np.int64),
        Rows(np.zeros(1, dtype=INFO_DTYPE)),
        high,
        max(low, min(high, 0.0)),
        plain,
        urgent,
        evaluates=has_own(game, "evaluate"),
        hashes=has_own(game, "hash"),
    )


@kernel
def run(search: Any, until: int) -> None:
    """Go on until so many nodes were seen, or all is done. Modified in place."""
    info = search.info[0]
    while info.ply >= 0 and info.nodes < until:
        step(search, info.ply)


def step(search: Any, ply: int) -> None:
    """Try the next action at this level, or leave it."""
    level = search.levels[ply]
    if level.tried == level.count or is_cut(search, level):
        leave(search, ply)
        return
    action = next_action(search, ply)
    level.tried += 1
    search.states[ply + 1] = search.states[ply]
    search.game.apply(search.states[ply + 1], action)
    search.info[0].nodes += 1
    enter(search, ply + 1)


def is_cut(search: Any, level: Any) -> bool:
    """Whether the other actions at this level can be cut off."""
    best = level.best
    return not search.plain and (best >= level.beta or best >= search.largest)


def enter(search: Any, ply: int) -> None:
    """Take the value of a state that has just been reached, or open its level."""
    game = search.game
    state = search.states[ply]
    parent = search.levels[ply - 1]
    if game.is_terminal(state):
        take(search, ply - 1, game.returns(state, parent.mover), True)
    elif parent.depth <= 1:
        take(search, ply - 1, horizon_value(search, state, parent.mover), False)
    else:
        open_level(search, ply)
        if search.plain or not probe(search, ply):
            level = search.levels[ply]
            level.count = list_actions(search, state, part(search.actions, search, ply))
            search.info[0].ply = ply


def part(array: Any, search: Any, index: int) -> Any:
    """A level's or player's part of an array of one entry per action."""
    size = len(search.actions) // len(search.levels)
    return array[index * size : (index + 1) * size]


def horizon_value(search: Any, state: Any, player: int) -> float:
    """What a state that is not looked into is worth for a player."""
    if search.evaluates:
        return float(search.game.evaluate(state, player))
    return float(search.unknown)


def open_level(search: Any, ply: int) -> None:
    """The window of a new level: its parent's, negated if the mover changes."""
    parent = search.levels[ply - 1]
    level = search.levels[ply]
    level.mover = search.game.current_player(search.states[ply])
    alpha = max(parent.alpha, parent.best)
    if level.mover == parent.mover:
        level.alpha = alpha
        level.beta = parent.beta
    else:
        level.alpha = -parent.beta
        level.beta = -alpha
    level.depth = parent.depth - 1
    clear_level(level)


def clear_level(level: Any) -> None:
    """Nothing has been tried yet."""
    level.best = -math.inf
    level.best_action = -1
    level.hint = -1
    level.tried = 0
    level.complete = 1
    level.best_complete = 0


def list_actions(search: Any, state: Any, actions: Any) -> int:
    """Fill the buffer with the actions to try; returns how many."""
    if search.urgent and not search.plain:
        count = search.game.urgent_actions(state, actions)
        if count > 0:
            return count
    return search.game.legal_actions(state, actions)


def next_action(search: Any, ply: int) -> int:
    """The most promising action not yet tried, moved to its place in the buffer.

    That is the table's, then the one that was useful most often elsewhere. The root's
    stand in the order in which they are to be tried, as do all of a plain search.
    """
    level = search.levels[ply]
    actions = part(search.actions, search, ply)
    if ply == 0 or search.plain:
        return actions[level.tried]
    history = part(search.history, search, level.mover)
    chosen, most = level.tried, -1
    for index in range(level.tried, level.count):
        action = actions[index]
        if action == level.hint:
            chosen = index
            break
        if history[action] > most:
            chosen, most = index, history[action]
    action = actions[chosen]
    actions[chosen] = actions[level.tried]
    actions[level.tried] = action
    return action


def take(search: Any, ply: int, value: float, complete: bool) -> None:
    """Record the value, for the mover, of the action that was tried last."""
    level = search.levels[ply]
    if not complete:
        level.complete = 0
    if value > level.best:
        level.best = value
        level.best_action = part(search.actions, search, ply)[level.tried - 1]
        level.best_complete = 1 if complete else 0


def leave(search: Any, ply: int) -> None:
    """Pass a finished level's value to its parent."""
    level = search.levels[ply]
    cut = is_cut(search, level)
    complete = level.best_complete if cut else level.complete
    level.complete = complete
    search.info[0].ply = ply - 1
    if ply == 0:
        return
    if cut:
        history = part(search.history, search, level.mover)
        history[level.best_action] += level.depth * level.depth
    if not search.plain:
        store(search, level)
    hand_up(search, ply, level.best, complete != 0)


def hand_up(search: Any, ply: int, value: float, complete: bool) -> None:
    """Pass a level's value to its parent, from the parent's view."""
    same = search.levels[ply].mover == search.levels[ply - 1].mover
    take(search, ply - 1, value if same else -value, complete)


# -- the table of states seen ----------------------------------------------------------


def probe(search: Any, ply: int) -> bool:
    """Whether the table settles a state; if not, it may advise an action."""
    level = search.levels[ply]
    level.key = state_key(search, ply)
    entry = search.table[level.key & np.uint64(len(search.table) - 1)]
    if entry.bound == NO_ENTRY or entry.key != level.key:
        return False
    level.hint = entry.action
    if entry.depth < level.depth:
        return False
    settled = (
        entry.bound == EXACT
        or (entry.bound == AT_LEAST and entry.value >= level.beta)
        or (entry.bound == AT_MOST and entry.value <= level.alpha)
    )
    if settled:
        hand_up(search, ply, entry.value, entry.depth == COMPLETE)
    return settled


def store(search: Any, level: Any) -> None:
    """Write a finished level into the table, over whatever was there."""
    entry = search.table[level.key & np.uint64(len(search.table) - 1)]
    entry.key = level.key
    entry.value = level.best
    entry.action = level.best_action
    entry.depth = COMPLETE if level.complete else level.depth
    if level.best >= level.beta:
        entry.bound = AT_LEAST
    elif level.best <= level.alpha:
        entry.bound = AT_MOST
    else:
        entry.bound = EXACT


_EIGHT = np.uint64(8)


def state_key(search: Any, ply: int) -> Any:
    """64 bits that stand for a state: the game's own hash, or one of its bytes."""
    salt = search.info[0].salt
    if search.hashes:
        return np.uint64(search.game.hash(search.states[ply])) ^ salt
    size = len(search.memory) // len(search.states)
    key, word = salt, np.uint64(0)
    for index in range(size):
        word = word << _EIGHT | np.uint64(search.memory[ply * size + index])
        if index & 7 == 7:
            key = mix(key ^ word)
            word = np.uint64(0)
    return mix(key ^ word)

"""`settle_by_search`: a `settle` for any game of two, by its rules alone.

    class MyGame(Game):
        settle = settle_by_search

Alpha-beta that deepens: two actions ahead, then four, and so on, until the state is
settled or enough positions were looked at. A state's value is kept as two bounds, which
are always true: beyond the horizon nothing is known, and no estimate is used.

    Knuth and Moore, "An Analysis of Alpha-Beta Pruning", Artificial Intelligence 6,
    1975; Berliner, "The B* Tree Search Algorithm", Artificial Intelligence 12, 1979,
    for values that are intervals; Schaeffer, "The History Heuristic and Alpha-Beta
    Search Enhancements in Practice", IEEE PAMI 11, 1989, for the order of actions.

The table's first words hold the states of the line that is looked at. The rest are
entries of two words: the state's `hash`, and what is known of it (`pack`). What was
proven in one call is found by the next, which so goes on.

Functions are given the arrays one by one: with all of them in a named tuple it was 2.5
times as slow (see docs/decisions.md).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.carve import rows_in, words_for
from .words import UNSETTLED, State

__all__ = ["settle_by_search"]

#: How many actions it looks ahead at most, and how many more at a time.
MOST_AHEAD, STEP = 64, 2
#: The columns of a level: bounds for its mover, the window that matters, actions in
#: the buffer and tried, actions still to look ahead, who moves, the action to try
#: first and the best one, or -1.
LOWER, UPPER, ALPHA, BETA, COUNT, TRIED, AHEAD, MOVER, HINT, BEST = range(10)


def settle_by_search(
    game: Any, state: State, nodes: int, table: NDArray[np.uint64]
) -> tuple[int, int, int]:
    """The outcome of a state, an action that reaches it, and 0; see `Game.settle`."""
    levels = min(MOST_AHEAD, game.max_game_length()) + 1
    first = words_for(state, levels)
    entries = table[first:]
    if len(entries) < 4:
        return UNSETTLED, -1, 0
    rows = rows_in(table, 0, levels, state)
    rows[0] = state
    numbers = np.zeros((levels, 10), dtype=np.int64)
    keys = np.zeros(levels, dtype=np.uint64)
    size = game.num_actions()
    actions = np.empty(levels * size, dtype=np.int32)
    history = np.zeros((2, size), dtype=np.int64)
    lower, upper, best, depth = -1, 1, -1, 0
    used = 0
    place = find(entries, np.uint64(game.hash(state)))
    if place >= 0:
        lower, upper, depth, best = unpack(entries[place + 1])
    while lower < upper and used < nodes and depth < levels - 1:
        depth = min(depth + STEP, levels - 1)
        used += look_ahead(
            game, rows, numbers, keys, actions, history, entries, depth, nodes - used
        )
        level = numbers[0]
        if level[LOWER] > lower:
            lower, best = level[LOWER], level[BEST]
        upper = min(upper, level[UPPER])
    return outcome_of(lower, upper), int(best) if lower >= 0 else -1, 0


def outcome_of(lower: int, upper: int) -> int:
    """Two bounds as an outcome.

    >>> from playout.games.contract.words import SETTLED_WIN, UNSETTLED
    >>> outcome_of(1, 1) == SETTLED_WIN, outcome_of(-1, 1) == UNSETTLED
    (True, True)
    """
    return int((lower + 1) | (1 - upper) << 2)


def look_ahead(
    game: Any,
    rows: Any,
    numbers: Any,
    keys: Any,
    actions: Any,
    history: Any,
    entries: Any,
    ahead: int,
    nodes: int,
) -> int:
    """Search the first state some actions ahead; returns the positions looked at.

    What it has found stands in the first level, also where `nodes` were not enough.
    """
    size = game.num_actions()
    open_level(game, rows, numbers, keys, actions, entries, 0, -1, 1, ahead)
    ply, used = 0, 0
    while True:
        level = numbers[ply]
        if level[LOWER] >= level[BETA] or level[TRIED] == level[COUNT]:
            leave(numbers[ply], keys[ply], history, entries)
            if ply == 0:
                return used
            lower, upper = level[LOWER], level[UPPER]
            ply -= 1
            take(numbers[ply], actions, ply * size, lower, upper, level[MOVER])
            continue
        if used >= nodes:
            numbers[0, UPPER] = 1
            return used
        action = next_action(level, history, actions[ply * size : (ply + 1) * size])
        rows[ply + 1] = rows[ply]
        state = rows[ply + 1]
        game.apply(state, action)
        used += 1
        mover = level[MOVER]
        if game.is_terminal(state):
            lower, upper = ends_at(game, state, mover)
            take(level, actions, ply * size, lower, upper, mover)
        elif level[AHEAD] <= 1:
            take(level, actions, ply * size, -1, 1, mover)
        else:
            alpha, beta = max(level[ALPHA], level[LOWER]), level[BETA]
            if game.current_player(state) != mover:
                alpha, beta = -beta, -alpha
            known = open_level(
                game,
                rows,
                numbers,
                keys,
                actions,
                entries,
                ply + 1,
                alpha,
                beta,
                level[AHEAD] - 1,
            )
            below = numbers[ply + 1]
            if known:
                take(
                    level, actions, ply * size, below[LOWER], below[UPPER], below[MOVER]
                )
            else:
                ply += 1


def open_level(
    game: Any,
    rows: Any,
    numbers: Any,
    keys: Any,
    actions: Any,
    entries: Any,
    ply: int,
    alpha: int,
    beta: int,
    ahead: int,
) -> bool:
    """Begin a level; whether the table says enough of its state."""
    state, level, size = rows[ply], numbers[ply], game.num_actions()
    level[ALPHA], level[BETA], level[AHEAD] = alpha, beta, ahead
    level[MOVER] = game.current_player(state)
    level[HINT] = level[BEST] = -1
    keys[ply] = np.uint64(game.hash(state))
    place = find(entries, keys[ply])
    if place >= 0:
        lower, upper, depth, hint = unpack(entries[place + 1])
        level[HINT] = hint
        if ply > 0 and (
            lower >= beta or upper <= alpha or lower == upper or depth >= ahead
        ):
            level[LOWER], level[UPPER] = lower, upper
            return True
    level[LOWER] = level[UPPER] = -1
    level[TRIED] = 0
    buffer = actions[ply * size : (ply + 1) * size]
    level[COUNT] = game.urgent_actions(state, buffer)
    if level[COUNT] == 0:
        level[COUNT] = game.legal_actions(state, buffer)
    return False


def next_action(level: Any, history: Any, actions: Any) -> int:
    """The most promising action that was not tried; it is moved to its place."""
    tried, mover = level[TRIED], level[MOVER]
    chosen, most = tried, np.int64(-1)
    for index in range(tried, level[COUNT]):
        action = actions[index]
        if action == level[HINT]:
            chosen = index
            break
        if history[mover, action] > most:
            chosen, most = index, history[mover, action]
    action = actions[chosen]
    actions[chosen] = actions[tried]
    actions[tried] = action
    level[TRIED] = tried + 1
    return int(action)


def take(
    level: Any, actions: Any, first: int, lower: int, upper: int, mover: int
) -> None:
    """Take over what the action that was tried last is worth to `mover`."""
    if mover != level[MOVER]:
        lower, upper = -upper, -lower
    if lower > level[LOWER]:
        level[LOWER] = lower
        level[BEST] = actions[first + level[TRIED] - 1]
    level[UPPER] = max(level[UPPER], upper)


def ends_at(game: Any, state: State, player: int) -> tuple[int, int]:
    """The bounds of a finished game: what lies between draw and win is not exact."""
    value, other = game.returns(state, player), game.returns(state, 1 - player)
    if value == other:
        return 0, 0
    if value > other:
        return (1, 1) if value >= game.highest_return else (0, 1)
    return (-1, -1) if other >= game.highest_return else (-1, 0)


def leave(level: Any, key: Any, history: Any, entries: Any) -> None:
    """Keep what a level has found in the table, and which action was good."""
    if level[TRIED] < level[COUNT]:
        level[UPPER] = 1
    lower, upper = level[LOWER], level[UPPER]
    if lower >= level[BETA] and level[BEST] >= 0:
        history[level[MOVER], level[BEST]] += level[AHEAD] * level[AHEAD]
    resolved = lower >= level[BETA] or upper <= level[ALPHA]
    depth = 0 if resolved and lower < upper else level[AHEAD]
    place = find(entries, key)
    if place >= 0:
        before, above, deep, _ = unpack(entries[place + 1])
        lower, upper = max(lower, before), min(upper, above)
        depth = max(depth, deep)
    else:
        place = place_for(entries, key)
    entries[place] = key
    best = level[BEST] if level[BEST] >= 0 else level[HINT]
    entries[place + 1] = pack(lower, upper, depth, best)


# -- the table -------------------------------------------------------------------------


def home_of(entries: Any, key: Any) -> int:
    """The first of the two entries where a state may be found."""
    pairs = np.uint64(len(entries) // 4)
    return 4 * int(np.int64(key % pairs))


def find(entries: Any, key: Any) -> int:
    """Where the entry of a state begins; -1 if there is none."""
    home = home_of(entries, key)
    for place in range(home, home + 4, 2):
        if entries[place] == key and entries[place + 1] != np.uint64(0):
            return place
    return -1


def place_for(entries: Any, key: Any) -> int:
    """Where a new entry goes: over the one that knows less."""
    home = home_of(entries, key)
    first, second = entries[home + 1], entries[home + 3]
    return home if priority(first) < priority(second) else home + 2


def priority(entry: Any) -> int:
    """Which of two entries stays: the deeper one, and any that settles its state."""
    if entry == np.uint64(0):
        return -1
    lower, upper, depth, _ = unpack(entry)
    return int(depth + (0 if lower < upper else 16))


def pack(lower: int, upper: int, depth: int, action: int) -> Any:
    """What is known of a state in a word, which is never 0.

    >>> tuple(int(part) for part in unpack(pack(-1, 0, 12, 7)))
    (-1, 0, 12, 7)
    """
    bits = 1 | (lower + 1) << 1 | (upper + 1) << 3 | depth << 5 | (action + 1) << 16
    return np.uint64(bits)


def unpack(entry: Any) -> tuple[int, int, int, int]:
    """The bounds, the actions looked ahead and the best action of an entry."""
    bits = np.int64(entry)
    lower, upper = int(bits >> 1 & 3) - 1, int(bits >> 3 & 3) - 1
    return lower, upper, int(bits >> 5 & 2047), int(bits >> 16) - 1

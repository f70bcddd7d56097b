"""What nested rollout policy adaptation runs; see `nrpa`.

The levels are a stack instead of a recursion, so that a search can pause after any
playout and be resumed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.jit.compiled import Compiled, static
from ...core.jit.hashing import mix, row_hash
from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ...core.rng import Rng, make_rng
from ...games.contract.game import Game, State

__all__ = ["Adaptation", "make_adaptation", "play_levels"]

ROOT, CURRENT = 0, 1
#: What a `prior` counts at least: even an action of weight 0 can be drawn.
LEAST_PRIOR = 1e-9

INFO_DTYPE = np.dtype(
    [
        ("level", "i8"),  # how many levels there are
        ("iterations", "i8"),
        ("alpha", "f8"),
        ("bias", "f8"),
        ("lowest", "f8"),  # return seen
        ("highest", "f8"),
        ("stamp", "i8"),  # of the adaptation under way
        ("num_touched", "i8"),
    ]
)


@dataclass(frozen=True)
class Adaptation(Compiled):
    """A search by levels. Level 0 is the playout, the last row the best of all runs.

    Attributes:
        game: the rules.
        states: `[2]` rows: at the root, and now.
        actions: `[A]` int32, the buffer for legal actions.
        chances: `[A]` float64, to work in.
        codes: `[A]` int64, to work in: where the weights of legal actions are.
        weights: `[(levels + 1) * W]` float64: logarithms; those of level l at l * W.
        lines: `[(levels + 2) * L]` int32: the best game of each level.
        lengths: `[levels + 2]` int64, of those.
        bests: `[levels + 2]` float64, their returns; -inf while there is none.
        rounds: `[levels + 2]` int64: how often each has called the one below.
        stamps: `[W]` int64: the last adaptation that shifted a weight.
        touched: `[W]` int64: the weights that the present one has shifted.
        counts: `[A]` int64: playouts by their first action.
        sums: `[A]` float64: of their returns.
        info: `[1]` row.
        rng: random numbers.
        context: what a weight depends on besides the action; see `nrpa`.
        informed: whether the game's `prior` counts.
    """

    game: Game
    states: Rows
    actions: NDArray[np.int32]
    chances: NDArray[np.float64]
    codes: NDArray[np.int64]
    weights: NDArray[np.float64]
    lines: NDArray[np.int32]
    lengths: NDArray[np.int64]
    bests: NDArray[np.float64]
    rounds: NDArray[np.int64]
    stamps: NDArray[np.int64]
    touched: NDArray[np.int64]
    counts: NDArray[np.int64]
    sums: NDArray[np.float64]
    info: Rows
    rng: Rng
    context: str = static("last")
    informed: bool = static(False)

    interpreted_methods = frozenset({"best_line", "forget", "shorten"})

    def forget(self) -> None:
        """Begin anew."""
        self.weights[:] = 0.0
        self.bests[:] = -math.inf
        self.lengths[:] = self.rounds[:] = self.counts[:] = 0
        self.sums[:] = 0.0
        self.info.array["lowest"], self.info.array["highest"] = math.inf, -math.inf

    def best_line(self) -> list[int]:
        """The best game of all runs."""
        first = len(self.lines) - self.width()
        return self.lines[first : first + int(self.lengths[-1])].tolist()

    def shorten(self, played: int) -> None:
        """Go on from a later position of the best game; a new run begins there."""
        line, best = self.best_line()[played:], float(self.bests[-1])
        seen = self.info.array[["lowest", "highest"]].copy()
        self.forget()
        self.info.array[["lowest", "highest"]] = seen
        first = len(self.lines) - self.width()
        self.lines[first : first + len(line)] = line
        self.lengths[-1], self.bests[-1] = len(line), best

    def width(self) -> int:
        """How long a game can be."""
        return len(self.lines) // len(self.bests)

    def size(self) -> int:
        """How many weights a level has, a power of two."""
        return len(self.weights) // (len(self.bests) - 1)

    def code(self, state: State, before: int, action: int) -> int:
        """Where an action's weight is, in a state reached by the action `before`."""
        if self.context == "none":
            key = np.uint64(action)
        elif self.context == "last":
            key = np.uint64((before + 1) * (len(self.actions) + 1) + action)
        else:
            key = row_hash(state) ^ np.uint64(action)
        return int(mix(key) & np.uint64(self.size() - 1))


def make_adaptation(
    game: Game,
    level: int,
    iterations: int,
    alpha: float,
    context: str,
    bias: float,
    table_bits: int,
    seed: int,
) -> Adaptation:
    """A search from no position yet."""
    size = max(1, game.num_actions())
    info = np.zeros(1, INFO_DTYPE)
    info["level"], info["iterations"] = level, iterations
    info["alpha"], info["bias"] = alpha, bias
    search = Adaptation(
        game,
        Rows(np.zeros(2, dtype=game.state_dtype())),
        np.zeros(size, dtype=np.int32),
        np.zeros(size),
        np.zeros(size, dtype=np.int64),
        np.zeros((level + 1) << table_bits),
        np.zeros((level + 2) * (game.max_game_length() + 1), dtype=np.int32),
        np.zeros(level + 2, dtype=np.int64),
        np.zeros(level + 2),
        np.zeros(level + 2, dtype=np.int64),
        np.zeros(1 << table_bits, dtype=np.int64),
        np.zeros(1 << table_bits, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros(size),
        Rows(info),
        make_rng(seed),
        context,
        bias > 0,
    )
    search.forget()
    with np.errstate(over="ignore"):
        game.initial_state(search.states[ROOT])
    return search


# -- compiled --------------------------------------------------------------------------


@kernel
def play_levels(search: Adaptation, playouts: int) -> None:
    """Go on for so many playouts. Modified in place."""
    for _ in range(playouts):
        play_out(search)
        pass_up(search)


def play_out(search: Adaptation) -> None:
    """One game by the weights of level 1; it is level 0's best."""
    game, state = search.game, search.states[CURRENT]
    search.states[CURRENT] = search.states[ROOT]
    limit = min(search.width(), game.max_game_length())
    before, plies = -1, 0
    while plies < limit and not game.is_terminal(state):
        count = weigh(search, state, before, 1)
        left = search.rng.uniform() * search.chances[count - 1]
        chosen = 0
        while chosen < count - 1 and search.chances[chosen] <= left:
            chosen += 1
        before = int(search.actions[chosen])
        search.lines[plies] = before
        game.apply(state, before)
        plies += 1
    search.lengths[0] = plies
    search.bests[0] = -math.inf
    if game.is_terminal(state):
        value = game.returns(state, 0)
        first = search.lines[0]
        search.bests[0] = value
        search.counts[first] += 1
        search.sums[first] += value
        info = search.info[0]
        info.lowest = min(info.lowest, value)
        info.highest = max(info.highest, value)


def weigh(search: Adaptation, state: State, before: int, level: int) -> int:
    """List the legal actions; `chances` gets the sums of their weights up to each."""
    count, size = search.game.legal_actions(state, search.actions), search.size()
    top = -math.inf
    for index in range(count):
        code = search.code(state, before, int(search.actions[index]))
        search.codes[index] = code
        top = max(top, search.weights[level * size + code])
    total = 0.0
    for index in range(count):
        weight = search.weights[level * size + search.codes[index]]
        chance = math.exp(weight - top)
        if search.informed:
            prior = search.game.prior(state, int(search.actions[index]))
            chance *= max(prior, LEAST_PRIOR) ** search.info[0].bias
        total += chance
        search.chances[index] = total
    return count


def pass_up(search: Adaptation) -> None:
    """Give the best game to the level above, and upwards from levels that are done."""
    info = search.info[0]
    level, going_on = 1, True
    while going_on:
        take_over(search, level - 1, level)
        search.rounds[level] += 1
        if search.bests[level] > -math.inf:
            adapt(search, level)
        going_on = search.rounds[level] >= info.iterations
        if going_on and level == info.level:
            begin(search, level, -1)
            going_on = False
        elif going_on:
            level += 1
    for lower in range(level - 1, 0, -1):
        begin(search, lower, lower + 1)
    if search.bests[0] > search.bests[info.level + 1]:
        take_over(search, 0, info.level + 1)


def take_over(search: Adaptation, source: int, target: int) -> None:
    """Make a game the best of a level, if it is no worse than its own."""
    if search.bests[source] < search.bests[target]:
        return
    width = search.width()
    search.bests[target] = search.bests[source]
    search.lengths[target] = search.lengths[source]
    for ply in range(search.lengths[source]):
        search.lines[target * width + ply] = search.lines[source * width + ply]


def begin(search: Adaptation, level: int, above: int) -> None:
    """Begin a call of a level, with the weights of the one above; equal ones for -1."""
    size = search.size()
    search.rounds[level] = 0
    search.bests[level] = -math.inf
    for code in range(size):
        weight = 0.0 if above < 0 else search.weights[above * size + code]
        search.weights[level * size + code] = weight


def adapt(search: Adaptation, level: int) -> None:
    """Shift a level's weights towards its best game.

    All shifts follow from the weights before, so they are gathered first.
    """
    info, width, size = search.info[0], search.width(), search.size()
    state = search.states[CURRENT]
    search.states[CURRENT] = search.states[ROOT]
    info.num_touched = 0
    info.stamp += 1
    before = -1
    for ply in range(search.lengths[level]):
        action = int(search.lines[level * width + ply])
        count = weigh(search, state, before, level)
        sum_before = 0.0
        for index in range(count):
            share = (search.chances[index] - sum_before) / search.chances[count - 1]
            sum_before = search.chances[index]
            played = 1.0 if search.actions[index] == action else 0.0
            touch(search, search.codes[index], info.alpha * (played - share))
        before = action
        search.game.apply(state, action)
    for index in range(info.num_touched):
        code = search.touched[index]
        search.weights[level * size + code] += search.weights[code]


def touch(search: Adaptation, code: int, shift: float) -> None:
    """Add to the shift of a weight; shifts are kept in the weights' row of level 0."""
    info = search.info[0]
    if search.stamps[code] != info.stamp:
        search.stamps[code] = info.stamp
        search.touched[info.num_touched] = code
        info.num_touched += 1
        search.weights[code] = 0.0
    search.weights[code] += shift

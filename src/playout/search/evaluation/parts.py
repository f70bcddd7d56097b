"""Networks that see a state in parts, and look each of them up in a table.

The game says of what kind each part is (`observe_parts`): each local board of ultimate
tic-tac-toe, say, is one of some 39,000. The network has learnt a row of a few numbers
for every kind; the rows of all parts, side by side, go into dense layers. So whatever
can be said of a part by itself costs a look into memory, however involved it is.

Such a network judges states; of actions the game's own priors tell. One with a policy
head says besides by what these are to be multiplied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.errors import UsageError
from ...core.jit.atomics import apart
from ...core.jit.compiled import Compiled
from ...core.jit.exponential import exponentials
from ...core.jit.floats import LANES, add_rows
from ...games.contract.game import Actions, Game, State
from ...games.contract.parts import expect_parts
from .dense import FACTS, DenseLayers, LayerWork, packed, widths
from .layers import (
    LARGEST,
    PARTS,
    POLICY,
    SKIPPING,
    Layer,
    read_layer,
    read_layers,
    read_numbers,
)
from .planes import below

__all__ = ["PartsNetwork", "PartsPolicyNetwork"]


#: How many rows of a layer a thread keeps for all parts, and at most and at least for
#: each, powers of 2. Every part has its own, as the rows of all are needed at once.
KEPT, MOST_OF_A_PART, LEAST_OF_A_PART = 16384, 1024, 16
#: The kind of a row that is not filled yet.
NO_KIND = np.iinfo(np.int64).min
#: Spreads kinds over these rows: an odd number with its ones far apart.
SPREAD = 0x9E3779B1


@dataclass(frozen=True)
class PartsWork(LayerWork):
    """What such a network works in.

    A part adds the same to the first layer wherever it is found, and what has been
    added up for it is kept: between two states that are judged few parts change.

    Attributes:
        parts: `[parts]` int32, what the game's `observe_parts` writes.
        slots: `[parts]` int32, where in `kept` what each part adds is.
        ones: `[parts]` float32, a 1 for each.
        order: `[parts * K]` int32, 0, 1, 2 and so on: the inputs of the first layer.
        keys: `[rows]` int64, of which kind a row of `kept` is, or `NO_KIND`.
        kept: `[(1 + rows) * length]` float32, the first layer's biases, then rows of
            what parts add: as many for each part.
    """

    parts: NDArray[np.int32]
    slots: NDArray[np.int32]
    ones: NDArray[np.float32]
    order: NDArray[np.int32]
    keys: NDArray[np.int64]
    kept: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PartsNetwork(DenseLayers):
    """A network that sees a state in parts, made by `of`.

    Attributes:
        table: float32, a row for each kind of part.
        width: how long a row is.
        biases: float32, of the first layer, which has zeros for them in `numbers`.
    """

    table: NDArray[np.float32]
    width: int
    biases: NDArray[np.float32]

    has_priors: ClassVar[bool] = False

    @staticmethod
    def of(arrays: Mapping[str, Any], game: Game) -> PartsNetwork:
        """The network of arrays with names: `parts` and those of dense layers.

        With those of a policy it is a `PartsPolicyNetwork`.

        Raises:
            UsageError: they make no network, or none for this game.
        """
        count, kinds = expect_parts(game)
        table = read_numbers(arrays, PARTS)
        if table.ndim != 2 or len(table) != kinds or table.size == 0:
            raise UsageError(
                f"{PARTS} is of shape {list(table.shape)}; here it must be "
                f"[{kinds}, K]: a row of K numbers for each kind of part"
            )
        width = table.shape[1]
        *layers, value = read_layers(arrays, count * width, widths(game), None)
        biases, kind = layers[0].biases, PartsNetwork
        if {*POLICY, *SKIPPING} & arrays.keys():
            layers += policy_layers(layers, arrays, game)
            kind = PartsPolicyNetwork
        expect_finite(table, layers)
        layers[0] = without_biases(layers[0])
        return kind(*packed(layers, value, game), table.reshape(-1), width, biases)

    def check(self, game: Game) -> None:
        sizes = [self.width * number for number in expect_parts(game)]
        if sizes != [self.layers[1], len(self.table)]:
            raise UsageError("the network sees other parts than this game has")

    def tables(self, game: Game) -> Compiled:
        return PartsWork(*self.buffers(game))

    def buffers(self, game: Game) -> list[NDArray[Any]]:
        """The fields of `PartsWork`."""
        count = game.parts_shape()[0]
        found = [
            *self.room(),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
            np.ones(count, np.float32),
            np.arange(self.layers[1], dtype=np.int32),
            *room_for_kept(count, int(self.layers[3]), self.biases),
        ]
        return [apart(each) for each in found]

    # -- compiled ----------------------------------------------------------------------

    def judge(self, game: Game, state: State, tables: PartsWork) -> None:
        self.add_first(game, state, tables)
        self.judge_sums(tables)

    def add_first(self, game: Game, state: State, tables: PartsWork) -> None:
        """Add up the first layer."""
        game.observe_parts(state, tables.parts)
        rows = len(tables.keys) // len(tables.parts)
        for part in range(len(tables.parts)):
            kind: Any = np.int64(tables.parts[part])
            tables.slots[part] = part * rows + ((kind * SPREAD >> 16) & (rows - 1))
        keys, kept, width = tables.keys, tables.kept, self.layers[3]
        self.add_parts(0, tables.sums, keys, kept, tables, 0, width)

    def add_parts(
        self,
        place: int,
        out: NDArray[Any],
        keys: NDArray[Any],
        kept: NDArray[Any],
        tables: PartsWork,
        begin: int,
        end: int,
    ) -> None:
        """Add up what all parts add to these columns of a layer.

        What is not kept of a part is found, and kept, for all columns.
        """
        width, parts = self.layers[place + 3], len(tables.parts)
        for part in range(parts):
            kind: Any = np.int64(tables.parts[part])
            slot = tables.slots[part]
            if keys[slot] != kind:
                keys[slot] = kind
                row = kept[(1 + slot) * width : (2 + slot) * width]
                self.add_part(place, row, part, kind, tables)
        add_rows(out, kept, 0, width, tables.slots, tables.ones, parts, begin, end)

    def add_part(
        self, place: int, row: NDArray[Any], part: int, kind: int, tables: PartsWork
    ) -> None:
        """Add up what a part of a kind adds to a layer."""
        length, size = self.width, self.layers[place + 3]
        # Rules may break law 16.
        first = min(max(0, kind), len(self.table) // length - 1) * length
        indices = tables.order[part * length : (part + 1) * length]
        factors = self.table[first : first + length]
        begin = self.layers[place]
        add_rows(row, self.numbers, begin, size, indices, factors, length, 0, size)


@dataclass(frozen=True)
class PartsPolicyWork(PartsWork):
    """The same, and what the policy head works in.

    Attributes:
        policy_keys: `[rows]` int64, as `keys`, of `policy_kept`.
        policy_kept: float32, as `kept`, of what parts add to the logits.
        from_parts: `[length]` float32, by action: what all parts add to its logit.
        logits: `[length]` float32, by action: what the hidden layers say; of legal
            ones with what the parts add.
        actions: `[A]` int32, the legal actions.
        own: `[A]` float64, by place in `actions`: the game's own priors.
        odds: `[A]` float64, by place there: what they are multiplied by.
        priors: `[A]` float64, by action.
    """

    policy_keys: NDArray[np.int64]
    policy_kept: NDArray[np.float32]
    from_parts: NDArray[np.float32]
    logits: NDArray[np.float32]
    actions: NDArray[np.int32]
    own: NDArray[np.float64]
    odds: NDArray[np.float64]
    priors: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PartsPolicyNetwork(PartsNetwork):
    """One with a policy head, which sees all parts and all hidden layers.

    An action's prior is the game's own, times e to the power of what the head says. Of
    the last two layers the first says what the rows of parts add to it.
    """

    has_priors: ClassVar[bool] = True

    def check(self, game: Game) -> None:
        super().check(game)
        self.check_actions(game)

    def tables(self, game: Game) -> Compiled:
        width, actions = int(self.layers[-1]), max(1, game.num_actions())
        nothing = np.zeros(0, np.float32)
        found = [
            *room_for_kept(game.parts_shape()[0], width, nothing),
            np.zeros(width, np.float32),
            np.zeros(width, np.float32),
            np.zeros(actions, np.int32),
            np.zeros(actions),
            np.zeros(actions),
            np.zeros(actions),
        ]
        return PartsPolicyWork(*self.buffers(game), *map(apart, found))

    # -- compiled ----------------------------------------------------------------------

    def num_layers(self) -> int:
        return len(self.layers) // FACTS - 2

    def weigh(self, game: Game, state: State, tables: PartsPolicyWork) -> None:
        legal = game.legal_actions(state, tables.actions)
        place = len(self.layers) - 2 * FACTS
        begin, end = columns_of(tables.actions, legal, self.layers[place + 3])
        keys, kept = tables.policy_keys, tables.policy_kept
        self.add_parts(place, tables.from_parts, keys, kept, tables, begin, end)
        last = len(self.layers) - FACTS
        self.add(last, tables.logits, tables.hidden, 0, begin, end)
        self.join(game, state, tables, legal)

    def join(
        self, game: Game, state: State, tables: PartsPolicyWork, count: int
    ) -> None:
        """Write the priors of the first `count` actions, which are all legal ones."""
        actions, logits = tables.actions, tables.logits
        game.priors(state, actions, count, tables.own)
        top, odds = np.float32(-np.inf), tables.odds
        for index in range(count):
            action = actions[index]
            logits[action] += tables.from_parts[action]
            top = max(top, logits[action])
        for index in range(count):
            odds[index] = below(logits[actions[index]], top)
        exponentials(odds, count)
        for index in range(count):
            tables.priors[actions[index]] = tables.own[index] * odds[index]

    def prior(self, tables: PartsPolicyWork, action: int) -> float:
        return tables.priors[action]


def columns_of(actions: Actions, count: int, width: int) -> tuple[int, int]:
    """The columns from the first of some actions to the last, in blocks of `LANES`.

    All lie in a row of this width, also where rules write actions that there are not.

    >>> [columns_of(each, len(each), 96) for each in ([5, 40, 33], [63], [999])]
    [(0, 48), (48, 64), (992, 96)]
    """
    least = most = int(actions[0])
    for index in range(1, count):
        least, most = min(least, actions[index]), max(most, actions[index])
    begin, end = least // LANES * LANES, (most // LANES + 1) * LANES
    return max(0, begin), min(end, width)


def policy_layers(
    hidden: list[Layer], arrays: Mapping[str, Any], game: Game
) -> list[Layer]:
    """The two layers of a policy head: what sees the parts, and what sees the hidden.

    Args:
        hidden: the hidden layers.
        arrays: `ws` [inputs, actions], `wp` [all hidden numbers, actions] and `bp`.
        game: whose actions they are.

    Raises:
        UsageError: an array is missing, or has another shape.
    """
    actions = max(1, game.num_actions())
    numbers = sum(len(each.biases) for each in hidden)
    head = read_layer(arrays, POLICY, numbers, [actions])
    parts = read_layer(arrays, SKIPPING, len(hidden[0].weights), [actions])
    return [without_biases(parts), head]


def without_biases(layer: Layer) -> Layer:
    """The layer with biases of 0, which are added once, whatever the parts."""
    return Layer(layer.weights, np.zeros_like(layer.biases))


def room_for_kept(
    count: int, length: int, biases: NDArray[np.float32]
) -> list[NDArray[Any]]:
    """The keys and the rows that are kept of a layer, for so many parts.

    >>> [len(room_for_kept(parts, 32, [])[0]) for parts in (1, 9, 225, 400)]
    [1024, 9216, 14400, 12800]
    """
    each = MOST_OF_A_PART
    while each > LEAST_OF_A_PART and each * count > KEPT:
        each //= 2
    kept = np.zeros((1 + count * each, length), np.float32)
    kept[0, : len(biases)] = biases
    return [np.full(count * each, NO_KIND), kept.reshape(-1)]


def expect_finite(table: NDArray[np.float32], layers: list[Layer]) -> None:
    """Complain about numbers whose sums might be infinite.

    Raises:
        UsageError: says that they are too large.
    """
    inputs = len(layers[0].weights)
    for layer in layers:
        if len(layer.weights) == inputs:
            most = float(np.abs(layer.weights).max()) * float(np.abs(table).max())
            if most * inputs > LARGEST:
                raise UsageError(f"{PARTS} and what it is multiplied by are too large")

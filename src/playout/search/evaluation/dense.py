"""Dense networks that run inside the search: a few layers of numbers from a file.

What goes in is what the game's `observe` writes. Each hidden layer is
`clip(W x + b, 0, 1)`, the clipped ReLU of NNUE (Nasu, "Efficiently Updatable Neural-
Network-based Evaluation Functions for Computer Shogi", 2018). Two heads follow the last
one: the value of the player to move, or of each player, by tanh, and a logit for every
action.

Most inputs are 0, as most cells of a plane are. The first layer therefore takes a list
of those that are not, and adds up their rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import UsageError, counted
from ...core.jit.atomics import apart
from ...core.jit.compiled import Compiled
from ...core.jit.floats import (
    LANES,
    SUMS,
    add_layer,
    add_rows,
    clip,
    dot,
    rounded,
)
from ...games.contract.game import Game, State
from .judgement import value_shapes
from .layers import Layer, read_layers
from .native import NativeEvaluator
from .planes import beside, expect_planes, in_units, priors_of, range_of

__all__ = ["DenseLayers", "DenseNetwork"]

_Numbers = NDArray[np.float32]
Packed = tuple[_Numbers, NDArray[np.int64], _Numbers, _Numbers, float, float]

#: Of each layer in `DenseNetwork.layers`: where it begins, its inputs, its outputs, and
#: the length of its rows.
FACTS = 4


@dataclass(frozen=True)
class LayerWork(Compiled):
    """What layers are added up in.

    Attributes:
        sums: float32, what a hidden layer adds up.
        values: `[1 or players]` float64, what the value head says.
        hidden: float32, the hidden layers side by side, and behind them room for what
            the last one is filled up with.
    """

    sums: NDArray[np.float32]
    values: NDArray[np.float64]
    hidden: NDArray[np.float32]


@dataclass(frozen=True)
class DenseWork(LayerWork):
    """What a dense network works in.

    Attributes:
        planes: float32, what the game's `observe` writes.
        indices: int32, which of them are not 0.
        factors: float32, those.
        logits: float32, what the policy head adds up.
        top: `[1]` the highest logit.
    """

    planes: NDArray[np.float32]
    indices: NDArray[np.int32]
    factors: NDArray[np.float32]
    logits: NDArray[np.float32]
    top: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class DenseLayers(NativeEvaluator):
    """Hidden layers and a value head, whatever goes into the first.

    Attributes:
        numbers: float32, of all layers: the biases, then a row for each input. Rows are
            filled up with zeros to a multiple of `LANES`, and there are rows of zeros
            to a multiple of `SUMS`.
        layers: int64, `FACTS` of each layer, the hidden ones first.
        value_weights: float32, of the value head: a row for each value, of a weight for
            each number of the last hidden layer, filled up as the rows above.
        value_biases: `[1 or players]` float32.
        low: what a value of -1 is in the game's own units.
        high: what a value of 1 is.
    """

    numbers: NDArray[np.float32]
    layers: NDArray[np.int64]
    value_weights: NDArray[np.float32]
    value_biases: NDArray[np.float32]
    low: float
    high: float

    interpreted_methods = NativeEvaluator.interpreted_methods | {"of", "room"}

    def room(self) -> list[NDArray[Any]]:
        """The fields of `LayerWork`."""
        widest = int(self.layers.reshape(-1, FACTS)[: self.num_layers(), 3].max())
        return [
            np.zeros(widest, np.float32),
            np.zeros(len(self.value_biases)),
            np.zeros(self.num_hidden() + widest, np.float32),
        ]

    def check_actions(self, game: Game) -> None:
        """Complain about a game with more or fewer actions than the policy head has.

        Raises:
            UsageError: says both numbers.
        """
        given, wanted = int(self.layers[-2]), max(1, game.num_actions())
        if given != wanted:
            raise UsageError(
                f"the network knows {counted(given, 'action')}, and this game has "
                f"{wanted}"
            )

    # -- compiled ----------------------------------------------------------------------

    def num_layers(self) -> int:
        """How many hidden layers there are."""
        return len(self.layers) // FACTS

    def judge_sums(self, tables: LayerWork) -> None:
        """Go on from the sums of the first layer to the values."""
        sums, hidden, layers = tables.sums, tables.hidden, self.layers
        before, end = 0, FACTS * self.num_layers()
        for place in range(FACTS, end, FACTS):
            clip(sums, hidden, before, layers[place - 1])
            self.add(place, sums, hidden, before, 0, layers[place + 3])
            before += layers[place + 1]
        width = layers[end - 1]
        clip(sums, hidden, before, width)
        weights, biases = self.value_weights, self.value_biases
        for value in range(len(biases)):
            found = dot(hidden, before, weights, value * width, width)
            tables.values[value] = np.float64(biases[value]) + found

    def add(
        self,
        place: int,
        out: NDArray[np.float32],
        inputs: NDArray[np.float32],
        first: int,
        begin: int,
        end: int,
    ) -> None:
        """Add up some columns of a layer, of the inputs from the first one on."""
        numbers, row, width = self.numbers, self.layers[place], self.layers[place + 3]
        count = self.layers[place + 1]
        add_layer(out, numbers, row, width, inputs, first, count, begin, end)

    def num_hidden(self) -> int:
        """How many numbers the hidden layers have."""
        total = 0
        for layer in range(self.num_layers()):
            total += self.layers[FACTS * layer + 2]
        return total

    def value(self, game: Game, state: State, tables: LayerWork, player: int) -> float:
        single = len(self.value_biases) == 1
        found = math.tanh(tables.values[0 if single else player])
        if single and game.num_players() == 2:
            if game.current_player(state) != player:
                found = -found
        return (self.low + self.high) / 2.0 + found * ((self.high - self.low) / 2.0)


@dataclass(frozen=True, eq=False)
class DenseNetwork(DenseLayers):
    """A dense network, made by `of`; its last layer is the policy's head.

    It is an evaluator in Python, too: called with planes, it gives values and priors.
    """

    @classmethod
    def of(cls, arrays: Mapping[str, Any], game: Game) -> DenseNetwork:
        """The network of arrays with names (see `layers`), for a game.

        Raises:
            UsageError: they make no network, or none for this game.
        """
        inputs = math.prod(expect_planes(game))
        actions = max(1, game.num_actions())
        *hidden, value, policy = read_layers(arrays, inputs, widths(game), actions)
        return cls(*packed([*hidden, policy], value, game))

    def check(self, game: Game) -> None:
        expect_planes(game, int(self.layers[1]))
        self.check_actions(game)

    def tables(self, game: Game) -> Compiled:
        inputs, logits = self.layers[1], self.layers[-1]
        found = [
            *self.room(),
            np.zeros(inputs, np.float32),
            np.zeros(inputs, np.int32),
            np.zeros(inputs, np.float32),
            np.zeros(logits, np.float32),
            np.zeros(1, np.float32),
        ]
        return DenseWork(*map(apart, found))

    def __call__(
        self, planes: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """Values and priors of a batch of planes, by NumPy."""
        inputs = planes.reshape(len(planes), -1)
        *hidden, policy = self._matrices()
        for weights, biases in hidden:
            inputs = np.clip(inputs @ weights + biases, 0.0, 1.0)
        head = self.value_weights.reshape(len(self.value_biases), -1)
        found = inputs @ head[:, : inputs.shape[1]].T + self.value_biases
        values = np.tanh(found.astype(float))
        logits = inputs @ policy[0] + policy[1]
        return in_units(values, (self.low, self.high)), priors_of(logits)

    def _matrices(self) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Weights and biases of each layer but the value head."""
        found = []
        for first, inputs, outputs, padded in self.layers.reshape(-1, FACTS).tolist():
            end = first + (1 + inputs) * padded
            rows = self.numbers[first:end].reshape(1 + inputs, padded)[:, :outputs]
            found.append((rows[1:], rows[0]))
        return found

    # -- compiled ----------------------------------------------------------------------

    def num_layers(self) -> int:
        return len(self.layers) // FACTS - 1

    def judge(self, game: Game, state: State, tables: DenseWork) -> None:
        planes = tables.planes
        planes[:] = 0.0
        game.observe(state, planes.reshape(game.observation_shape()))
        indices, factors, width = tables.indices, tables.factors, self.layers[3]
        count = list_active(planes, len(planes), indices, factors)
        numbers, out = self.numbers, tables.sums
        add_rows(out, numbers, 0, width, indices, factors, count, 0, width)
        self.judge_sums(tables)

    def weigh(self, game: Game, state: State, tables: DenseWork) -> None:
        place = len(self.layers) - FACTS
        last = self.num_hidden() - self.layers[place + 1]
        self.add(place, tables.logits, tables.hidden, last, 0, self.layers[place + 3])
        top = tables.logits[0]
        for action in range(1, self.layers[place + 2]):
            top = max(top, tables.logits[action])
        tables.top[0] = top

    def prior(self, tables: DenseWork, action: int) -> float:
        return float(np.float32(beside(tables.logits[action], tables.top[0])))


def widths(game: Game) -> list[int]:
    """How many values a network of a game may give."""
    return sorted({shape[-1] if shape[1:] else 1 for shape in value_shapes(2, game)})


def packed(given: list[Layer], value: Layer, game: Game) -> Packed:
    """The fields of `DenseLayers`, from layers and the value head."""
    low, high = range_of(game)
    parts, facts, first = [], [], 0
    for weights, biases in given:
        outputs = len(biases)
        inputs, padded = rounded(len(weights), SUMS), rounded(outputs, LANES)
        rows = np.zeros((1 + inputs, padded), np.float32)
        rows[0, :outputs], rows[1 : 1 + len(weights), :outputs] = biases, weights
        parts.append(rows.reshape(-1))
        facts += [first, len(weights), outputs, padded]
        first += rows.size
    inputs, outputs = value.weights.shape
    head = np.zeros((outputs, rounded(inputs, LANES)), np.float32)
    head[:, :inputs] = value.weights.T
    numbers, layers = np.concatenate(parts), np.array(facts, np.int64)
    return numbers, layers, head.reshape(-1), value.biases, low, high


def list_active(
    numbers: NDArray[np.float32],
    count: int,
    indices: NDArray[np.int32],
    factors: NDArray[np.float32],
) -> int:
    """List those of the first `count` numbers that are not 0; returns how many.

    Every one is written, and only those that are not 0 are counted: a branch that
    nobody can foresee costs more.
    """
    active = 0
    for index in range(count):
        number = numbers[index]
        indices[active] = index
        factors[active] = number
        active += 1 if number != np.float32(0.0) else 0
    return active

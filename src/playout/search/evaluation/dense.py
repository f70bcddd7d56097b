"""Dense networks that run inside the search: a few layers of numbers from a file.

What goes in is what the game's `observe` writes. Each hidden layer is
`clip(W x + b, 0, 1)`, the clipped ReLU of NNUE (Nasu, "Efficiently Updatable Neural-
Network-based Evaluation Functions for Computer Shogi", 2018). Two heads follow the last
one: the value of the player to move, or of each player, by tanh, and a logit for every
action.

Most inputs are 0, as most cells of a plane are, and so are many numbers between layers.
Every layer therefore takes a list of those that are not, and adds up their rows.
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
from ...core.jit.floats import LANES, add_rows
from ...games.contract.game import Game, State
from .judgement import value_shapes
from .layers import Layer, read_layers
from .native import NativeEvaluator
from .planes import beside, expect_planes, in_units, priors_of, range_of

__all__ = ["DenseLayers", "DenseNetwork"]

#: Of each layer in `DenseNetwork.layers`: where it begins, its inputs, its outputs, and
#: the length of its rows.
FACTS = 4


@dataclass(frozen=True)
class LayerWork(Compiled):
    """What layers are added up in.

    Attributes:
        indices: int32, the inputs of a layer that are not 0.
        factors: float32, these inputs.
        sums: float32, what a hidden layer, or the value head, adds up.
    """

    indices: NDArray[np.int32]
    factors: NDArray[np.float32]
    sums: NDArray[np.float32]


@dataclass(frozen=True)
class DenseWork(LayerWork):
    """What a dense network works in.

    Attributes:
        planes: float32, what the game's `observe` writes.
        count: `[1]` how many inputs the heads have.
        logits: float32, what the policy head adds up.
        top: `[1]` the highest logit.
    """

    planes: NDArray[np.float32]
    count: NDArray[np.int64]
    logits: NDArray[np.float32]
    top: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class DenseLayers(NativeEvaluator):
    """Hidden layers and a value head, whatever goes into the first.

    Attributes:
        numbers: float32, of all layers: the biases, then a row for each input. Rows are
            filled up with zeros to a multiple of `LANES`.
        layers: int64, `FACTS` of each layer, the hidden ones first.
        low: what a value of -1 is in the game's own units.
        high: what a value of 1 is.
    """

    numbers: NDArray[np.float32]
    layers: NDArray[np.int64]
    low: float
    high: float

    interpreted_methods = NativeEvaluator.interpreted_methods | {"of"}

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

    def value_place(self) -> int:
        """Where the value head stands in `layers`."""
        return len(self.layers) - FACTS

    def judge_inputs(self, tables: LayerWork, begin: int, count: int) -> int:
        """Add up all layers from one on to the value head, from the list of its inputs.

        Returns how many inputs the heads have, listed in `tables`.
        """
        last = self.value_place()
        for place in range(begin, last, FACTS):
            self.add(place, tables.sums, tables, count)
            count = self.list_hidden(place, tables)
        self.add(last, tables.sums, tables, count)
        return count

    def list_hidden(self, place: int, tables: LayerWork) -> int:
        """List what is not 0 of a layer that has been added up; returns how many."""
        outputs = self.layers[place + 2]
        clip(tables.sums, outputs)
        return list_active(tables.sums, outputs, tables.indices, tables.factors)

    def add(
        self, place: int, out: NDArray[np.float32], tables: LayerWork, count: int
    ) -> None:
        """Add up a layer, of the inputs in the list."""
        first, width = self.layers[place], self.layers[place + 3]
        indices, factors = tables.indices, tables.factors
        add_rows(out, self.numbers, first, width, indices, factors, count, 0, width)

    def value(self, game: Game, state: State, tables: LayerWork, player: int) -> float:
        single = self.layers[self.value_place() + 2] == 1
        found = math.tanh(np.float64(tables.sums[0 if single else player]))
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
        return cls(*packed(read_layers(arrays, inputs, widths(game), actions), game))

    def check(self, game: Game) -> None:
        expect_planes(game, int(self.layers[1]))
        self.check_actions(game)

    def tables(self, game: Game) -> Compiled:
        facts = self.layers.reshape(-1, FACTS)
        widest = int(facts[:, 1].max())
        return DenseWork(
            apart(np.zeros(widest, np.int32)),
            apart(np.zeros(widest, np.float32)),
            apart(np.zeros(facts[:-1, 3].max(), np.float32)),
            apart(np.zeros(facts[0, 1], np.float32)),
            apart(np.zeros(1, np.int64)),
            apart(np.zeros(facts[-1, 3], np.float32)),
            apart(np.zeros(1, np.float32)),
        )

    def __call__(
        self, planes: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """Values and priors of a batch of planes, by NumPy."""
        inputs = planes.reshape(len(planes), -1)
        *hidden, value, policy = self._matrices()
        for weights, biases in hidden:
            inputs = np.clip(inputs @ weights + biases, 0.0, 1.0)
        values = np.tanh((inputs @ value[0] + value[1]).astype(float))
        logits = inputs @ policy[0] + policy[1]
        return in_units(values, (self.low, self.high)), priors_of(logits)

    def _matrices(self) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Weights and biases of each layer."""
        found = []
        for first, inputs, outputs, padded in self.layers.reshape(-1, FACTS).tolist():
            end = first + (1 + inputs) * padded
            rows = self.numbers[first:end].reshape(1 + inputs, padded)[:, :outputs]
            found.append((rows[1:], rows[0]))
        return found

    # -- compiled ----------------------------------------------------------------------

    def value_place(self) -> int:
        return len(self.layers) - 2 * FACTS

    def judge(self, game: Game, state: State, tables: DenseWork) -> None:
        planes = tables.planes
        planes[:] = 0.0
        game.observe(state, planes.reshape(game.observation_shape()))
        count = list_active(planes, len(planes), tables.indices, tables.factors)
        tables.count[0] = self.judge_inputs(tables, 0, count)

    def weigh(self, game: Game, state: State, tables: DenseWork) -> None:
        place = len(self.layers) - FACTS
        self.add(place, tables.logits, tables, tables.count[0])
        top = tables.logits[0]
        for action in range(1, self.layers[place + 2]):
            top = max(top, tables.logits[action])
        tables.top[0] = top

    def prior(self, tables: DenseWork, action: int) -> float:
        return float(np.float32(beside(tables.logits[action], tables.top[0])))


def widths(game: Game) -> list[int]:
    """How many values a network of a game may give."""
    return sorted({shape[-1] if shape[1:] else 1 for shape in value_shapes(2, game)})


def packed(
    given: list[Layer], game: Game
) -> tuple[NDArray[np.float32], NDArray[np.int64], float, float]:
    """The fields of `DenseLayers`, from layers."""
    low, high = range_of(game)
    parts, facts, first = [], [], 0
    for weights, biases in given:
        outputs = len(biases)
        padded = -(-outputs // LANES) * LANES
        rows = np.zeros((1 + len(weights), padded), np.float32)
        rows[0, :outputs], rows[1:, :outputs] = biases, weights
        parts.append(rows.reshape(-1))
        facts += [first, len(weights), outputs, padded]
        first += rows.size
    return np.concatenate(parts), np.array(facts, np.int64), low, high


def clip(numbers: NDArray[np.float32], count: int) -> None:
    """Have the first `count` numbers lie from 0 to 1."""
    for index in range(count):
        numbers[index] = min(max(numbers[index], np.float32(0.0)), np.float32(1.0))


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

"""Networks that see a state in parts, and look each of them up in a table.

The game says of what kind each part is (`observe_parts`): each local board of ultimate
tic-tac-toe, say, is one of some 39,000. The network has learnt a row of a few numbers
for every kind; the rows of all parts, side by side, go into dense layers. So whatever
can be said of a part by itself costs a look into memory, however involved it is.

Such a network judges states; of actions the game's own priors tell.
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
from ...core.jit.floats import add_rows
from ...games.contract.game import Game, State, has_own
from .dense import FACTS, DenseLayers, LayerWork, clip, list_active, packed, widths
from .layers import PARTS, read_layers, read_numbers

__all__ = ["PartsNetwork", "expect_parts"]


#: How many rows of the first layer a thread keeps, a power of 2.
KEPT = 4096
#: Spreads parts and kinds over these rows: an odd number with its ones far apart.
SPREAD = 0x9E3779B1


@dataclass(frozen=True)
class PartsWork(LayerWork):
    """What such a network works in.

    A part adds the same to the first layer wherever it is found, and what has been
    added up for it is kept: between two states that are judged few parts change.

    Attributes:
        parts: int32, what the game's `observe_parts` writes.
        slots: int32, where in `kept` what each part adds is.
        ones: float32, a 1 for each part.
        keys: int64, which part of which kind a row of `kept` is of; -1 for none.
        kept: float32, the first layer's biases, then rows of what parts add.
    """

    parts: NDArray[np.int32]
    slots: NDArray[np.int32]
    ones: NDArray[np.float32]
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

    @classmethod
    def of(cls, arrays: Mapping[str, Any], game: Game) -> PartsNetwork:
        """The network of arrays with names: `parts` and those of dense layers.

        Raises:
            UsageError: they make no network, or none for this game.
        """
        count, kinds = expect_parts(game)
        table = read_numbers(arrays, PARTS)
        if table.ndim != 2 or len(table) != kinds or table.size == 0:
            raise UsageError(
                f"{PARTS} is of shape {list(table.shape)}; here it must have {kinds} "
                "rows, one for each kind of part"
            )
        width = table.shape[1]
        layers = read_layers(arrays, count * width, widths(game), None)
        numbers, facts, low, high = packed(layers, game)
        biases = numbers[: facts[3]].copy()
        numbers[: facts[3]] = 0.0
        return cls(numbers, facts, low, high, table.reshape(-1), width, biases)

    def check(self, game: Game) -> None:
        sizes = [self.width * number for number in expect_parts(game)]
        if sizes != [self.layers[1], len(self.table)]:
            raise UsageError("the network sees other parts than this game has")

    def tables(self, game: Game) -> Compiled:
        facts, count = self.layers.reshape(-1, FACTS), game.parts_shape()[0]
        widest, first = int(facts[1:, 1].max()), int(facts[0, 3])
        kept = np.zeros((1 + KEPT, first), np.float32)
        kept[0] = self.biases
        return PartsWork(
            apart(np.zeros(max(widest, self.width), np.int32)),
            apart(np.zeros(max(widest, self.width), np.float32)),
            apart(np.zeros(facts[:, 3].max(), np.float32)),
            apart(np.zeros(count, np.int32)),
            apart(np.zeros(count, np.int32)),
            apart(np.ones(count, np.float32)),
            apart(np.full(KEPT, -1)),
            apart(kept.reshape(-1)),
        )

    # -- compiled ----------------------------------------------------------------------

    def judge(self, game: Game, state: State, tables: PartsWork) -> None:
        game.observe_parts(state, tables.parts)
        for part in range(len(tables.parts)):
            kind: Any = np.int64(tables.parts[part])
            tables.slots[part] = self.find(tables, part, kind)
        outputs, size, parts = self.layers[2], self.layers[3], len(tables.parts)
        add_rows(tables.sums, tables.kept, 0, size, tables.slots, tables.ones, parts)
        clip(tables.sums, outputs)
        count = list_active(tables.sums, outputs, tables.indices, tables.factors)
        self.judge_inputs(tables, FACTS, count)

    def find(self, tables: PartsWork, part: int, kind: int) -> int:
        """Where what a part adds is kept; it is added up where it is not."""
        key = kind * len(tables.parts) + part
        slot = (key * SPREAD >> 16) & (KEPT - 1)
        if tables.keys[slot] != key:
            width, size = self.width, self.layers[3]
            # Rules may break law 16.
            first = min(max(0, kind), len(self.table) // width - 1) * width
            for place in range(width):
                tables.indices[place] = part * width + place
                tables.factors[place] = self.table[first + place]
            row = tables.kept[(1 + slot) * size : (2 + slot) * size]
            indices, factors = tables.indices, tables.factors
            add_rows(row, self.numbers, self.layers[0], size, indices, factors, width)
            tables.keys[slot] = key
        return slot


def expect_parts(game: Game) -> tuple[int, int]:
    """How many parts a game's states have, and how many kinds there are.

    Raises:
        UsageError: the game has no `observe_parts`.
    """
    if not has_own(game, "observe_parts"):
        raise UsageError(
            "this network needs a game that has observe_parts() and parts_shape(), "
            f"which {game.name or type(game).__name__} has not"
        )
    count, kinds = game.parts_shape()
    return int(count), int(kinds)

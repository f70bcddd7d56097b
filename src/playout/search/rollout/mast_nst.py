"""Rollouts that learn which actions, or sequences of them, have been good."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ...core.errors import UsageError
from ...core.jit.compiled import Compiled
from ...core.jit.hashing import mix
from ...core.jit.rows import Rows
from ...core.text.fields import AtMost
from ...games.contract.game import Game, State
from ..action_table import ActionTable
from ..tree.nodes import NodeTable
from ..work import BY_CHANCE, Work
from .base import Rollout, any_action

__all__ = ["MAST", "NST"]


def expect_share(**values: float) -> None:
    """Complain about a parameter outside 0 to 1.

    Raises:
        UsageError: names the parameter.
    """
    for name, value in values.items():
        if not 0 <= value <= 1:
            raise UsageError(f"{name} must be 0 to 1, not {value}")


@dataclass(frozen=True)
class MAST(Rollout):
    """Move-average sampling: mostly the action that has been worth most anywhere.

    Finnsson and Björnsson, "Simulation-Based Approach to General Game Playing", AAAI
    2008; with epsilon-greedy choice as in Tak, Winands, Björnsson, "N-Grams and the
    Last-Good-Reply Policy Applied in General Game Playing", IEEE TCIAIG 4, 2012,
    section III. An action that was never played counts as a win.

    Attributes:
        epsilon: probability of any legal action instead, 0 to 1.
    """

    epsilon: float = 0.4

    uses_actions = True

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_share(epsilon=self.epsilon)
        object.__setattr__(self, "epsilon", float(self.epsilon))

    def tables(self, game: Game) -> Compiled:
        return ActionTable.of_game(game)

    def choose(self, game: Game, state: State, work: Work, ply: int) -> int:
        if work.rng.uniform() < self.epsilon:
            return any_action(game, state, work)
        player = game.current_player(state)
        count = game.legal_actions(state, work.actions)
        start = work.rng.below(count)  # or the lowest of equal ones would win
        best, top = int(work.actions[start]), -math.inf
        for offset in range(count):
            index = start + offset
            action = int(work.actions[index if index < count else index - count])
            mean = work.rollout_tables.mean(work, player, action, 1.0)
            if mean > top:
                best, top = action, mean
        return best

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        work.rollout_tables.learn(work, plies)


#: An entry of the table of n-grams; `key` 0 is a free one.
GRAM_DTYPE = np.dtype([("key", "i8"), ("sum", "f8"), ("count", "i8")])


@dataclass(frozen=True)
class GramTable(Compiled):
    """How games went in which a player ended a sequence of actions.

    Attributes:
        grams: `[2^n]` rows: a sequence of one to three actions, the last one the
            player's. Of two sequences with the same place the newer one stays.
    """

    grams: Rows

    def place(self, key: int) -> int:
        """Where a sequence is, if it is there."""
        return int(mix(np.uint64(key)) & np.uint64(len(self.grams) - 1))

    def learn(self, key: int, value: float) -> None:
        """Take in the result of one game. Modified in place."""
        row = self.grams[self.place(key)]
        if row.key != key:
            row.key = key
            row.sum = 0.0
            row.count = 0
        row.sum += value
        row.count += 1


@dataclass(frozen=True)
class NST(Rollout):
    """N-gram selection: as `MAST`, but by the actions that came just before as well.

    The value of an action is the average of what it, the pair with the action before,
    and the triple with the two before have been worth: Tak, Winands, Björnsson,
    "N-Grams and the Last-Good-Reply Policy Applied in General Game Playing", IEEE
    TCIAIG 4, 2012, section IV. An action that was never played counts as a win.

    Attributes:
        epsilon: probability of any legal action instead, 0 to 1.
        gram_visits: pairs and triples seen less often do not count, at least 1; 7 in
            the paper.
        table_bits: the table has 2^table_bits entries of 24 bytes, 4 to 26.
    """

    epsilon: float = 0.2
    gram_visits: int = 7
    table_bits: Annotated[int, AtMost(26)] = 18

    uses_actions = True

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_share(epsilon=self.epsilon)
        if self.gram_visits < 1:
            raise UsageError(f"gram_visits must be at least 1, not {self.gram_visits}")
        if self.table_bits < 4:
            raise UsageError(f"table_bits must be 4 to 26, not {self.table_bits}")
        object.__setattr__(self, "epsilon", float(self.epsilon))

    @property
    def table_bytes(self) -> int:
        return GRAM_DTYPE.itemsize << self.table_bits

    def tables(self, game: Game) -> Compiled:
        return GramTable(Rows(np.zeros(1 << self.table_bits, dtype=GRAM_DTYPE)))

    def choose(self, game: Game, state: State, work: Work, ply: int) -> int:
        if work.rng.uniform() < self.epsilon:
            return any_action(game, state, work)
        player = game.current_player(state)
        count = game.legal_actions(state, work.actions)
        start = work.rng.below(count)
        best, top = int(work.actions[start]), -math.inf
        for offset in range(count):
            index = start + offset
            action = int(work.actions[index if index < count else index - count])
            value = self.value(work, ply, player, action)
            if value > top:
                best, top = action, value
        return best

    def value(self, work: Work, ply: int, player: int, action: int) -> float:
        """The average value of the sequences that end with this action, in [-1, 1]."""
        table = work.rollout_tables
        total = 0.0
        known = 0
        for length in range(1, 4):
            key = gram_key(work, ply, player, action, length)
            if key == 0:
                break
            row = table.grams[table.place(key)]
            least = 1 if length == 1 else self.gram_visits
            if row.key == key and row.count >= least:
                total += row.sum / row.count
                known += 1
        return total / known if known > 0 else 1.0

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        for ply in range(plies):
            step = work.path[ply + 1]
            if step.action == BY_CHANCE:
                continue
            for length in range(1, 4):
                key = gram_key(work, ply, step.mover, step.action, length)
                if key == 0:
                    break
                work.rollout_tables.learn(key, work.returns[step.mover])


def gram_key(work: Work, ply: int, player: int, action: int, length: int) -> int:
    """A number above 0 for an action and those before it; 0 where there are too few.

    `ply` actions were played before; `work.path[ply]` is the step of the last one.
    """
    if ply < length - 1:
        return 0
    base = len(work.actions) + 2
    gram = action + 2
    for back in range(length - 1):
        gram = gram * base + work.path[ply - back].action + 2
    return 4 * (gram * len(work.returns) + player) + length

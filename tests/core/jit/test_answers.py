"""Games that count in floats are told so, and others are not.

What else methods must not give: tests/core/jit/test_diagnose.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import MCTS, Compiled, CompileError, Limit, Rollout, static
from playout.core.jit.native import kernel

from .test_diagnose import Nim

LIMIT = Limit(simulations=1)


@dataclass(frozen=True)
class InUnits(Nim):
    unit: float = static(1)

    def legal_actions(self, state: Any, actions: Any) -> Any:
        actions[0] = 1
        return min(state.left, 1) * self.unit


def test_games_that_count_in_floats_say_nothing_of_others() -> None:
    with pytest.raises(CompileError, match="whole number") as caught:
        MCTS(InUnits(unit=1.0), interpreted=False).search(limit=LIMIT)
    assert "InUnits.legal_actions" in str(caught.value)
    assert "Numba" not in str(caught.value)
    MCTS(InUnits(unit=1), interpreted=False).search(limit=LIMIT)


@dataclass(frozen=True)
class InBits(Nim):
    def state_dtype(self) -> Any:
        return np.dtype([("left", "u8"), ("player", "i1")])


def test_unsigned_numbers_beside_others_are_named_as_a_cause() -> None:
    with pytest.raises(CompileError, match="no u8 beside other numbers") as caught:
        MCTS(InBits(), interpreted=False).search(limit=LIMIT)
    assert "InBits.legal_actions" in str(caught.value)


@dataclass(frozen=True)
class AlwaysAFloat(Nim):
    def current_player(self, state: Any) -> Any:
        return 0.0


@dataclass(frozen=True)
class AlwaysWhole(AlwaysAFloat):
    def current_player(self, state: Any) -> Any:
        return 0


def test_what_a_class_overrides_is_not_its_fault() -> None:
    with pytest.raises(CompileError, match=r"AlwaysAFloat\.current_player"):
        MCTS(AlwaysAFloat(), interpreted=False).search(limit=LIMIT)
    MCTS(AlwaysWhole(), interpreted=False).search(limit=LIMIT)


@dataclass(frozen=True)
class Estimate(Compiled):
    number: int = 3

    def rollout(self, value: Any) -> Any:
        return value / self.number


def test_what_is_no_game_may_give_floats() -> None:
    def ask(estimate: Estimate, value: int) -> float:
        return float(estimate.rollout(value))

    assert kernel(ask).compile(Estimate(), 6)(Estimate(), 6) == 2.0


@dataclass(frozen=True)
class ForgetsToAnswer(Rollout):
    def choose(self, game: Any, state: Any, work: Any, ply: int) -> int:  # type: ignore[return]
        game.legal_actions(state, work.actions)


def test_a_policy_that_forgets_to_return_is_named() -> None:
    with pytest.raises(CompileError, match=r"ForgetsToAnswer\.choose, .* returns noth"):
        MCTS(Nim(), rollout=ForgetsToAnswer()).search(limit=Limit(simulations=1))

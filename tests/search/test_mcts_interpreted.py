"""Interpreted, rules are given Python's numbers: NumPy's narrow ones would overflow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MAST,
    MCTS,
    NST,
    PUCT,
    UCT,
    Decisive,
    Game,
    LikeliestFirst,
    Limit,
    ProgressiveBias,
    ProgressiveWidening,
    RandomChild,
    Uniform,
    Weighted,
)

_LARGE = 3_000_000_000  # more than 32 bits hold


@dataclass(frozen=True)
class Race(Game):
    """Add one of three numbers; who makes the sum even at the end has won.

    Args:
        once: there are seven numbers, and each is used up.
    """

    once: bool = False
    name = "race"

    def num_actions(self) -> int:
        return 7 if self.once else 3

    def max_game_length(self) -> int:
        return 7

    def fills(self) -> bool:
        return self.once

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype([("total", "i8"), ("plies", "i1"), ("used", "i4")])

    def initial_state(self, state: Any) -> None:
        state.total = _LARGE
        state.plies = 0
        state.used = 0

    def current_player(self, state: Any) -> int:
        return state.plies & 1

    def is_terminal(self, state: Any) -> bool:
        return state.plies == 7

    def legal_actions(self, state: Any, actions: Any) -> int:
        count = 0
        if state.plies < 7:
            for action in range(7 if self.once else 3):
                if not state.used >> action & 1:
                    actions[count] = action
                    count += 1
        return count

    def apply(self, state: Any, action: int) -> None:
        state.total += (action + 1) * _LARGE
        if self.once:
            state.used |= 1 << action
            state.total += action * state.plies
        else:
            state.total += action
        state.plies += 1

    def returns(self, state: Any, player: int) -> float:
        return 1.0 if (state.total & 1) == player else -1.0

    def prior(self, state: Any, action: int) -> float:
        return 1.0 + (action * _LARGE) % 5

    def urgent_actions(self, state: Any, actions: Any) -> int:
        return 0


@pytest.mark.parametrize(
    "policies",
    [
        {"rollout": Uniform()},
        {"rollout": Decisive()},
        {"rollout": MAST()},
        {"rollout": NST()},
        {"rollout": Weighted()},
        {"selection": PUCT(), "expansion": LikeliestFirst()},
        {
            "selection": ProgressiveBias(knowledge="prior"),
            "expansion": ProgressiveWidening(),
        },
    ],
    ids=lambda policies: "-".join(type(p).__name__ for p in policies.values()),
)
@pytest.mark.parametrize("game", [Race(), Race(once=True)], ids=["race", "fill"])
def test_interpreted_rules_see_pythons_numbers(game: Game, policies: Any) -> None:
    chosen = {"selection": UCT(), "expansion": RandomChild()} | policies
    native, plain = (
        MCTS(game, **chosen, seed=3, interpreted=interpreted).search(
            limit=Limit(simulations=120)
        )
        for interpreted in (False, True)
    )
    assert [(row.action, row.visits) for row in plain.actions] == [
        (row.action, row.visits) for row in native.actions
    ]

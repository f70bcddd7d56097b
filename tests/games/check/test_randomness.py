"""Rules draw no random numbers but by the `rng` that they are given."""

import random
from dataclasses import dataclass
from random import randint

import numpy as np
import pytest

from playout import Position, RulesError
from playout.games.check.randomness import expect_no_randomness
from tests.toys import Nim

GENERATOR = np.random.default_rng(1)


def thrown():
    return 1 + np.random.randint(6)


@dataclass(frozen=True)
class ByModule(Nim):
    def apply(self, state, action):
        state.left -= random.randint(1, action)


@dataclass(frozen=True)
class ByName(Nim):
    def returns(self, state, player):
        return randint(-1, 1)


@dataclass(frozen=True)
class ByHelper(Nim):
    def is_terminal(self, state):
        return thrown() > 5


@dataclass(frozen=True)
class ByGenerator(Nim):
    def evaluate(self, state, player):
        return GENERATOR.uniform(-1, 1)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        (ByModule, r"ByModule.apply, .*test_randomness.py line \d+: `state.left -="),
        (ByName, r"ByName.returns, .*`return randint\(-1, 1\)`"),
        (ByHelper, r"thrown, .*line \d+: `return 1 \+ np.random.randint\(6\)`"),
        (ByGenerator, r"ByGenerator.evaluate, .*`return GENERATOR"),
    ],
)
def test_rules_with_dice_of_their_own_are_refused(game, line) -> None:
    with pytest.raises(RulesError, match=rf"{line}.*: take `rng`"):
        Position(game())


@dataclass(frozen=True)
class Seeded(Nim):
    """What sets a game up may draw, and what people see."""

    seed: int = 3

    def initial_state(self, state):
        state.left = int(np.random.default_rng(self.seed).integers(5, 9))

    def action_name(self, action):
        return random.choice("ab") + str(action)

    def rollout(self, state, actions, rng):
        state.left = rng.below(3) - rng.below(1)
        return 1


def test_what_is_not_searched_may_draw() -> None:
    expect_no_randomness(Seeded)
    expect_no_randomness(Nim)

"""Rules that do not compile: the error names the user's method and line."""

from dataclasses import dataclass

import numpy as np
import pytest

from playout import MCTS, CompileError, Limit, RulesError

from ..toys import Nim

GLOBAL_DICT = {1: 2}


@dataclass(frozen=True)
class UsesDict(Nim):
    def legal_actions(self, state, actions):
        return GLOBAL_DICT[state.left]


@dataclass(frozen=True)
class Appends(Nim):
    def legal_actions(self, state, actions):
        actions.append(1)
        return 1


@dataclass(frozen=True)
class WrongField(Nim):
    def is_terminal(self, state):
        return state.lft == 0


@dataclass(frozen=True)
class CallsSuper(Nim):
    def apply(self, state, action):
        super().apply(state, action)


@dataclass(frozen=True)
class WrongSelf(Nim):
    def apply(self, state, action):
        state.left -= self.nothing


@dataclass(frozen=True)
class Recursive(Nim):
    def apply(self, state, action):
        state.left -= 1
        if action > 1:
            self.apply(state, action - 1)


@dataclass(frozen=True)
class Undefined(Nim):
    def apply(self, state, action):
        state.left = undefined_name  # noqa: F821


@dataclass(frozen=True)
class GivesText(Nim):
    def returns(self, state, player):
        return "won"


@dataclass(frozen=True)
class OpensFile(Nim):
    def apply(self, state, action):
        with open("x") as file:
            file.read()


@dataclass(frozen=True)
class MixedTuple(Nim):
    def is_terminal(self, state):
        found = False
        for x in (1, 2.0):
            found |= x == state.left
        return found


@pytest.mark.parametrize(
    ("game", "method", "said"),
    [
        (UsesDict, "UsesDict.legal_actions", "GLOBAL_DICT"),
        (Appends, "Appends.legal_actions", "fixed size"),
        (WrongField, "WrongField.is_terminal", "no field 'lft'"),
        (CallsSuper, "CallsSuper.apply", "super"),
        (WrongSelf, "WrongSelf.apply", "nothing"),
        (Recursive, "Recursive.apply", "circle"),
        (Undefined, "Undefined.apply", "undefined_name"),
        (GivesText, "GivesText.returns", "not a number"),
        (OpensFile, "OpensFile.apply", "plain loops"),
        (MixedTuple, "MixedTuple.is_terminal", "different types"),
    ],
)
def test_the_users_method_and_line_are_named(game, method, said) -> None:
    with pytest.raises(CompileError) as caught:
        MCTS(game()).search(limit=Limit(simulations=1))
    message = str(caught.value)
    assert method in message
    assert "test_diagnose.py line " in message
    assert said in message
    assert len(message.splitlines()) <= 5
    assert "Traceback" not in message
    assert "pipeline" not in message


@dataclass(frozen=True)
class WritesOutside(Nim):
    def legal_actions(self, state, actions):
        count = min(3, state.left)
        for i in range(count):
            actions[i + 2] = i + 1
        return count


def test_a_write_outside_the_buffer_is_found_at_first_use() -> None:
    with pytest.raises(
        RulesError, match=r"WritesOutside.legal_actions.*actions\[i \+ 2\]"
    ):
        MCTS(WritesOutside()).search(limit=Limit(simulations=1))


@dataclass(frozen=True)
class Raises(Nim):
    def apply(self, state, action):
        if state.left < 5:
            raise ValueError("too few stones")
        state.left -= action
        state.player = 1 - state.player


def test_rules_that_raise_are_reported_with_their_line() -> None:
    with pytest.raises(RulesError, match=r"Raises.apply.*too few stones"):
        MCTS(Raises()).search(limit=Limit(simulations=1))


def test_the_same_rules_run_interpreted() -> None:
    result = MCTS(CallsSuper(), seed=1, interpreted=True).search(
        limit=Limit(simulations=20)
    )
    assert result.simulations == 20
    assert np.isfinite(result.value)

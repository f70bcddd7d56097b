"""Rules that do not compile: the error names the user's method and line.

Also of `core/jit/answers.py`, and of `core/jit/advice.py`, whose own tests have more.
"""

import gc
import os
from dataclasses import dataclass

import numba
import numpy as np
import pytest

from playout import (
    MCTS,
    UCT,
    CompileError,
    HighestMean,
    InterpretedWarning,
    Limit,
    RulesError,
    Selection,
    TicTacToe,
    check_game,
)
from playout.core.jit import diagnose
from tests.toys import Nim

GLOBAL_DICT = {1: 2}
COUNT = 0


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
class GivesBoth(Nim):
    def returns(self, state, player):
        return (1.0, -1.0) if state.player == 0 else (-1.0, 1.0)


@dataclass(frozen=True)
class CountsInFloats(Nim):
    def legal_actions(self, state, actions):
        actions[0] = 1
        return state.left / max(state.left, 1)


@dataclass(frozen=True)
class AlwaysAFloat(Nim):
    def current_player(self, state):
        return 0.0


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


@dataclass(frozen=True)
class SetsGlobal(Nim):
    def apply(self, state, action):
        global COUNT
        COUNT += 1
        state.left -= action


@dataclass(frozen=True)
class SetsParameter(Nim):
    def apply(self, state, action):
        if self.stones == action:
            state.player = 0
        self.stones -= action


@dataclass(frozen=True)
class SetsNew(Nim):
    def apply(self, state, action):
        self.extra = action


@dataclass(frozen=True)
class ReadsNumber(Nim):
    def is_terminal(self, state):
        return state.left.count == 0


@dataclass(frozen=True)
class FewArguments(Nim):
    def is_terminal(self, state):
        return self.returns(state) == 0


#: Rows that differ in length.
STEPS = [[1, 2, 3], [1, 2]]


@dataclass(frozen=True)
class IndexesRagged(Nim):
    def legal_actions(self, state, actions):
        count = 0
        for step in STEPS[state.player]:
            if step <= state.left:
                actions[count] = step
                count += 1
        return count


@dataclass(frozen=True)
class SetsAList(Nim):
    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1"), ("taken", "i1", (2,))])

    def apply(self, state, action):
        state.taken = [action & 1, action & 2]
        state.left -= action
        state.player = 1 - state.player


@pytest.mark.parametrize(
    ("game", "method", "said"),
    [
        (IndexesRagged, "in STEPS[state.player]:\n", "rows differ in length"),
        (SetsAList, "SetsAList.apply", "state.cells[:] = ..."),
        (UsesDict, "UsesDict.legal_actions", "GLOBAL_DICT"),
        (Appends, "Appends.legal_actions", "fixed size"),
        (WrongField, "WrongField.is_terminal", "no field 'lft'"),
        (CallsSuper, "CallsSuper.apply", "super"),
        (WrongSelf, "WrongSelf.apply", "nothing"),
        (Recursive, "Recursive.apply", "circle"),
        (Undefined, "Undefined.apply", "undefined_name"),
        (GivesText, "GivesText.returns", "not a number"),
        (GivesBoth, "GivesBoth.returns", "that player's number alone"),
        (CountsInFloats, "CountsInFloats.legal_actions", "whole number"),
        (AlwaysAFloat, "AlwaysAFloat.current_player", "whole number"),
        (OpensFile, "OpensFile.apply", "plain loops"),
        (MixedTuple, "MixedTuple.is_terminal", "different types"),
        (WrongField, "WrongField.is_terminal", "did you mean left? state_dtype() has"),
        (SetsGlobal, "SetsGlobal.apply", "cannot change globals"),
        (SetsParameter, ": self.stones -= action", "parameters cannot change"),
        (SetsNew, ": self.extra = action", "parameters cannot change"),
        (ReadsNumber, "ReadsNumber.is_terminal", "it is a number"),
        (FewArguments, "FewArguments.is_terminal", "as many arguments"),
    ],
)
def test_the_users_method_and_line_are_named(game, method, said) -> None:
    with pytest.raises(CompileError) as caught:
        MCTS(game(), interpreted=False).search(limit=Limit(simulations=1))
    message = str(caught.value)
    assert method in message
    assert "test_diagnose.py line " in message
    assert said in message
    assert len(message.splitlines()) <= 5
    assert "Traceback" not in message
    assert "pipeline" not in message


def test_the_garbage_collector_is_left_as_it_was() -> None:
    usual = gc.get_threshold()
    try:
        gc.set_threshold(0, 7, 8)  # as somebody might have wished
        with pytest.raises(CompileError):
            MCTS(WrongField()).search(limit=Limit(simulations=1))
        assert gc.get_threshold() == (0, 7, 8)
    finally:
        gc.set_threshold(*usual)


@dataclass(frozen=True)
class WrongColumn(Selection):
    def score(self, child, parent_term):
        return child.valuesum / child.visits


@dataclass(frozen=True)
class AsksNumber(UCT):
    def score(self, child, parent_term):
        return parent_term.foo


@pytest.mark.parametrize(
    ("policy", "method", "said"),
    [
        (WrongColumn, "WrongColumn.score", "did you mean value_sum? its columns are"),
        (AsksNumber, "AsksNumber.score", "it is a number"),
    ],
)
def test_the_policys_method_and_line_are_named(policy, method, said) -> None:
    with pytest.raises(CompileError) as caught:
        MCTS(TicTacToe(), selection=policy()).search(limit=Limit(simulations=1))
    message = str(caught.value)
    assert method in message
    assert "test_diagnose.py line " in message
    assert said in message
    assert "state" not in message or "state.left" in message


@dataclass(frozen=True)
class OneArgument(Selection):
    def score(self, child):
        return 0.0


@dataclass(frozen=True)
class TooMany(UCT):
    def parent_term(self, parent, more):
        return 0.0


@dataclass(frozen=True)
class Chooses(HighestMean):
    def choose(self, tree):
        return 1


@pytest.mark.parametrize(
    ("phase", "policy", "method", "contract"),
    [
        ("selection", OneArgument, "score", "(self, child), the contract has (self, c"),
        ("selection", TooMany, "parent_term", "(self, parent, more), the contract has"),
        ("choice", Chooses, "choose", "has (self, tree, node, rng)"),
    ],
)
def test_wrong_parameters_of_a_policy(phase, policy, method, contract) -> None:
    with pytest.raises(RulesError) as caught:
        MCTS(TicTacToe(), **{phase: policy()})
    message = str(caught.value)
    assert message.startswith(f"{policy.__name__}.{method}, ")
    assert "test_diagnose.py line " in message
    assert contract in message


@dataclass(frozen=True)
class Unwritten(Selection):
    pass


def test_a_policy_without_its_method() -> None:
    with pytest.raises(CompileError) as caught:
        MCTS(TicTacToe(), selection=Unwritten()).search(limit=Limit(simulations=1))
    assert str(caught.value) == (
        "Unwritten is not complete: it has no score(self, child, parent_term)"
    )


@dataclass(frozen=True)
class Walks(Selection):
    """Has no score either, and needs none."""

    def select(self, game, tree, node, work, depth):
        return tree.nodes[node].first_child


def test_others_do_not_suffer_from_it() -> None:
    for selection in (None, Walks()):
        search = MCTS(TicTacToe(), selection=selection)
        assert search.search(limit=Limit(simulations=1)).visits == 1


@dataclass(frozen=True)
class Indexes(Nim):
    def is_terminal(self, state):
        return state["left"] == 0


@dataclass(frozen=True)
class Numbers(Nim):
    def apply(self, state, action):
        state[1] = 1 - state.player


@pytest.mark.parametrize(
    ("game", "said"), [(Indexes, "write state.left"), (Numbers, "write state.player")]
)
def test_a_state_is_not_indexed(game, said) -> None:
    with pytest.raises(RulesError, match=rf"{game.__name__}.*state\[.*{said}"):
        check_game(game(), compiled=False)


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


def test_a_line_that_ends_in_a_colon_ends_in_one() -> None:
    with pytest.warns(
        InterpretedWarning, match=r"in STEPS\[state.player\]: a table whose"
    ):
        MCTS(IndexesRagged()).search(limit=Limit(simulations=1))


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


def test_rules_may_stand_in_a_folder_called_numba() -> None:
    assert diagnose._is_own(os.path.realpath(numba.__file__))
    assert not diagnose._is_own(os.path.join(os.sep, "home", "me", "numba", "nim.py"))

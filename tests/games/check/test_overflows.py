"""A number that did not fit is named, not the law that it broke later."""

from dataclasses import dataclass

import numpy as np
import pytest

from playout import Game, RulesError, check_game


@dataclass(frozen=True)
class Heap(Game):
    """Stones are added; with a limit and enough of them the game is over."""

    most: int = 250
    zero_sum = False
    return_range = (0.0, 1.0)

    def num_actions(self):
        return 9

    def state_dtype(self):
        return np.dtype([("stones", "u1"), ("turn", "i1"), ("marks", "u1", 2)])

    def initial_state(self, state):
        state.stones = 200

    def current_player(self, state):
        return state.turn

    def legal_actions(self, state, actions):
        if state.stones >= self.most:
            return 0
        actions[0] = 8
        return 1

    def apply(self, state, action):
        state.stones += action
        state.turn = 1 - state.turn

    def is_terminal(self, state):
        return state.stones >= self.most

    def returns(self, state, player):
        return 0.5

    def max_game_length(self):
        return 40


class ByPlayer(Heap):
    """The wrong player is to move, by a byte that has no sign."""

    def state_dtype(self):
        return np.dtype([("stones", "u1"), ("turn", "u1"), ("marks", "u1", 2)])

    def apply(self, state, action):
        state.stones += action
        state.turn = state.turn - 1


class Forgetful(Heap):
    """The game is over by one method, and not by another that looks at marks."""

    def apply(self, state, action):
        state.stones += action
        state.marks[0] = 3 * state.stones

    def is_terminal(self, state):
        return state.marks[0] < 30 and state.stones > 200


class AllAtOnce(Forgetful):
    def apply(self, state, action):
        state.stones += action
        state.marks[:] = np.array([0, 300])


class Raising(Heap):
    """The rules fail themselves, by the number that has wrapped."""

    def apply(self, state, action):
        state.stones += 8 * action
        if state.stones < 200:
            raise RuntimeError("stones are lost")


FAULTS = [
    (
        Heap(most=252),
        "Heap.apply",
        "256 does not fit the field 'stones', which holds 0",
    ),
    (
        ByPlayer(),
        "ByPlayer.apply",
        "-1 does not fit the field 'turn', which holds 0 to",
    ),
    (
        Forgetful(),
        "Forgetful.apply",
        "624 does not fit the field 'marks', which holds ",
    ),
    (
        AllAtOnce(),
        "AllAtOnce.apply",
        "300 does not fit the field 'marks', which holds ",
    ),
    (Raising(), "Raising.apply", "264 does not fit the field 'stones', which holds 0"),
]


@pytest.mark.parametrize(("game", "where", "said"), FAULTS)
def test_the_number_is_named_and_not_the_law(game, where, said):
    with pytest.raises(RulesError) as told:
        check_game(game, games=2, compiled=False)
    message = str(told.value)
    assert message.startswith(f"{where}, ")  # then the file and the line
    assert "test_overflows.py line " in message
    assert said in message
    assert "breaks law" not in message


def test_the_moves_are_those_before_the_number():
    """It is written at the seventh move, and the game goes on without an end."""
    with pytest.raises(RulesError) as told:
        check_game(Heap(most=252), games=2, compiled=False)
    assert told.value.path == (8,) * 7
    assert told.value.before.startswith("stones=248 ")
    assert told.value.after.startswith("stones=0 ")


def test_compiled_rules_are_told_the_number_too():
    with pytest.raises(RulesError, match="256 does not fit the field 'stones', which"):
        check_game(Heap(most=252), games=2)


class Unfair(Heap):
    def returns(self, state, player):
        return 2.0


def test_other_faults_stay():
    with pytest.raises(RulesError, match="Unfair breaks law 4"):
        check_game(Unfair(most=240), games=2, compiled=False)

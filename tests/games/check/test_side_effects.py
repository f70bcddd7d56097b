"""Law 3: `apply` changes the state that it is given, whatever it returns."""

import pytest

from playout import RulesError, check_game
from tests.toys import Nim


class MakesAState(Nim):
    def apply(self, state, action):
        return state.left - action, 1 - state.player


class ReturnsItsState(Nim):
    def apply(self, state, action):
        state.left -= action
        state.player = 1 - state.player
        return state


def test_an_apply_that_makes_a_new_state_is_told_so():
    with pytest.raises(RulesError, match="law 3: apply returned something and changed"):
        check_game(MakesAState(), compiled=False)


def test_an_apply_that_returns_the_state_as_well_is_right():
    check_game(ReturnsItsState(), games=2, compiled=False)

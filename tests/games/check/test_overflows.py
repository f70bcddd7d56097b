"""A number that did not fit is named, besides the law that it may have broken."""

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
@pytest.mark.parametrize("compiled", [False, True])
def test_the_number_is_named_with_what_it_may_have_broken(game, where, said, compiled):
    with pytest.raises(RulesError) as told:
        check_game(game, games=2, compiled=compiled)
    *_, remark = told.value.lines
    assert remark.startswith("this may be why: at move ")
    assert f", {where}, " in remark  # then the file and the line
    assert "test_overflows.py line " in remark
    assert said in remark
    assert str(told.value).endswith(remark)


def test_the_move_is_the_one_that_wrote_the_number():
    with pytest.raises(RulesError, match="breaks law") as told:
        check_game(Heap(most=252), games=2, compiled=False)
    assert told.value.lines[-1].startswith("this may be why: at move 7, ")
    assert len(told.value.path) == 40  # the game goes on without an end


class Hashed(Heap):
    """A number wraps around on purpose; what is wrong is another thing."""

    def apply(self, state, action):
        state.stones += action
        state.marks[1] = 13 * state.marks[1] + 7

    def returns(self, state, player):
        return 2.0


def test_a_number_that_is_meant_hides_no_law():
    with pytest.raises(RulesError, match="Hashed breaks law 4"):
        check_game(Hashed(most=240), games=2, compiled=False)


class Unfair(Heap):
    def returns(self, state, player):
        return 2.0


def test_other_faults_stay():
    with pytest.raises(RulesError, match="Unfair breaks law 4") as told:
        check_game(Unfair(most=240), games=2, compiled=False)
    assert "this may be why" not in str(told.value)

"""What is dealt and drawn, held against all positions there are.

Also of `games/check/frequencies.py` and `games/check/walking.py`.
"""

from dataclasses import dataclass

import pytest

from playout.core.rng import make_rng
from playout.games.check.broken_rules import BrokenRules
from playout.games.check.deals import FALSE_ALARMS, expect_deals
from playout.games.check.frequencies import likelihood
from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from tests.games.check.planted_luck import DealsOneCardTwice
from tests.games.check.poker import Kuhn, Race

pytestmark = pytest.mark.filterwarnings("ignore:overflow")  # of random numbers


@pytest.mark.parametrize("seed", range(5))
def test_sound_rules_raise_no_alarm(seed: int) -> None:
    assert expect_deals(Kuhn(), seed) == []
    assert expect_deals(Race(), seed) == []


@dataclass(frozen=True)
class LikelyCards(Kuhn):
    """A player with a high card bets more often, so a rule may deal high cards so."""

    def draw_card(self, own, rng):
        first, second = super().draw_card(own, rng), super().draw_card(own, rng)
        return first if rng.below(8) else max(first, second)


def test_small_biases_are_let_pass() -> None:
    assert expect_deals(LikelyCards(), seed=0) == []


def test_a_deal_that_cannot_be_is_certain_where_the_whole_game_was_seen() -> None:
    with pytest.raises(BrokenRules, match="to which no moves lead") as caught:
        expect_deals(DealsOneCardTwice(), seed=0)
    assert len(caught.value.path) == 2  # the two cards
    assert caught.value.kind == "law 11"


@dataclass(frozen=True)
class ForgetsAStone(PhantomTicTacToe):
    """The other's stones are not drawn: too few are on the board."""

    def determinize(self, state, player, rng):
        self.hide(state, player)
        state.found[1 - player] = state.stones[player] & rng.next()


def test_where_more_could_be_reached_it_is_a_hint() -> None:
    (hint,) = expect_deals(ForgetsAStone(), seed=0)
    assert hint.startswith("determinize deals player 1 `.../.../... O`, to which")
    assert "as far as 4 moves can tell; after the moves: a3" in hint


@dataclass(frozen=True)
class FailsOnARareHand(Kuhn):
    def apply(self, state, action):
        super().apply(state, action)
        if state.cards[0] == 3 and state.cards[1] == 1 and state.bets == 8:
            raise ArithmeticError("never seen")


def test_rules_that_fail_where_random_games_never_came_are_told() -> None:
    with pytest.raises(BrokenRules, match="ArithmeticError: never seen") as caught:
        expect_deals(FailsOnARareHand(), seed=0)
    assert caught.value.path == (2, 0, 3, 4, 4)
    assert caught.value.before == "cards=3,1 dealt=2 bets=3"


def test_bounds_hold_for_a_fair_coin() -> None:
    """Alarms at one in ten are raised in at most one of ten experiments."""
    rng = make_rng(1)
    alarms = 0
    for _ in range(300):
        heads = sum(int(rng.below(2)) for _ in range(40))
        alarms += likelihood([heads, 40 - heads], [0.5, 0.5]) < 0.1
    assert alarms <= 30


def test_a_loaded_coin_is_seen() -> None:
    assert likelihood([300, 100], [0.5, 0.5]) < FALSE_ALARMS
    assert likelihood([10, 0, 0], [0.0, 0.5, 0.5]) == 0.0
    assert likelihood([5, 0], [1.0, 0.0]) == 1.0

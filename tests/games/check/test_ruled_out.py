"""What the last move has ruled out, in games too large to be enumerated."""

import pytest

from playout.games.check import ruled_out
from playout.games.check.deals import expect_deals
from playout.games.check.ruled_out import expect_nothing_ruled_out
from playout.games.more.leduc_poker import LeducPoker
from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from tests.games.check.poker import Kuhn
from tests.strangers.hearts import Hearts

pytestmark = pytest.mark.filterwarnings("ignore:overflow")  # of random numbers


@pytest.fixture(autouse=True)
def no_clock(monkeypatch):
    monkeypatch.setattr(ruled_out, "SECONDS", float("inf"))
    monkeypatch.setattr(ruled_out, "STEPS", 8000)


class ForgetsSuits(Hearts):
    """Deals a suit to who could not follow it."""

    def determinize(self, state, player, rng):
        void = state.void.copy()
        state.void[:] = False
        super().determinize(state, player, rng)
        state.void[:] = void


def test_a_suit_that_was_not_followed_is_not_dealt():
    found = [expect_nothing_ruled_out(ForgetsSuits(ranks=3), seed) for seed in range(3)]
    assert sum(map(len, found)) >= 2
    (hint,) = found[0]
    assert hint.startswith("determinize deals player 1 `where=5,5,1,")
    assert "that move has ruled it out" in hint
    assert "after the moves: deal-Qs" in hint


def test_it_is_a_hint_of_the_check():
    (hint,) = expect_deals(ForgetsSuits(ranks=3), seed=0)
    assert "that move has ruled it out" in hint


@pytest.mark.parametrize("game", [Hearts(ranks=3), Kuhn(), LeducPoker()])
def test_sound_rules_raise_no_alarm(game):
    assert [expect_nothing_ruled_out(game, seed) for seed in range(2)] == [[], []]


def test_moves_that_a_player_does_not_see_may_come_between():
    """A try that fails leaves the other's view, and its turn, as they were."""
    assert expect_nothing_ruled_out(PhantomTicTacToe(), 0) == []
    assert expect_nothing_ruled_out(PhantomTicTacToe(), 1) == []


def test_little_is_looked_at_where_there_are_many_deals(monkeypatch):
    monkeypatch.setattr(ruled_out, "DEALS", 1)
    assert expect_nothing_ruled_out(ForgetsSuits(ranks=3), 0) == []

"""Rules that break a law where only the search comes to: it says which, and where."""

import math
from dataclasses import dataclass

import pytest

from playout import MCTS, Limit, RulesError, Unsolved

from ...toys import Nim
from ..test_scale import Climb


@dataclass(frozen=True)
class Rarely(Climb):
    """One end in some sixty is worth what is no number; nothing bounds the others."""

    steps: int = 6
    odd: float = math.nan
    return_range = None

    def returns(self, state, player):
        return self.odd if state.sum == 9 else float(state.sum)


@dataclass(frozen=True)
class Bounded(Nim):
    """The same in a game of wins and losses."""

    stones: int = 12
    odd: float = math.nan

    def returns(self, state, player):
        value = Nim.returns(self, state, player)
        return value * self.odd if state.player == 0 else value


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("interpreted", [True, False])
def test_a_rare_return_that_is_no_number_is_found_with_its_position(odd, interpreted):
    """The random games before the search may meet it first; they name the law alone."""
    search = MCTS(Rarely(odd=odd), seed=1, interpreted=interpreted)
    with pytest.raises(RulesError, match=r"Rarely breaks law 4: .* from '?at="):
        search.search(limit=Limit(simulations=4000))


def test_the_position_is_the_last_one_that_shows_it():
    """A leaf, from which a rollout brought it, and not the root."""
    search = MCTS(Rarely(), seed=1, interpreted=True)
    with pytest.raises(RulesError, match="from 'at=1 sum=1'"):
        search.search(limit=Limit(simulations=300))
    assert search.position.actions == []


def test_a_win_that_is_no_number_is_told_from_where_it_is():
    search = MCTS(Bounded(), seed=1, interpreted=True, solver=Unsolved())
    with pytest.raises(
        RulesError, match=r"law 4: returns are not all in \[-1, 1\]"
    ) as e:
        search.search(limit=Limit(simulations=500))
    left = f"{e.value}".split("left=")[1].split()[0]
    assert int(left) < 12
    honest = MCTS(Bounded(odd=1.0), seed=1, interpreted=True, solver=Unsolved())
    assert honest.search(limit=Limit(simulations=500)).simulations == 500

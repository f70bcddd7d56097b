"""Returns in a game's own units: searched as if from -1 to 1, shown as they are.

Of `games/contract/units.py`, `search/scale.py` and `search/kernels/seen_range.py`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    PUCT,
    Game,
    Limit,
    Position,
    RulesError,
    ScoreBounds,
    Unsolved,
    UsageError,
    check_game,
)
from playout.games.contract.units import POINTS, Units, bounds_of, units_of
from playout.players.alphabeta import Deepening
from playout.players.player import Allowance
from playout.players.registry import make_player
from playout.search.rollout.base import Rollout
from playout.search.scale import Stretch

from ..toys import Nim

SHORT = Limit(simulations=150)


@dataclass(frozen=True)
class Stakes(Nim):
    """Nim for fifty chips, of which the loser pays all."""

    stones: int = 7
    return_range = (-50.0, 50.0)

    def returns(self, state, player):
        return 50.0 if state.player != player else -50.0


@dataclass(frozen=True)
class Climb(Game):
    """One player takes three steps of 0 to 2; each is worth as much, and ten to begin.

    Attributes:
        steps: how many there are.
    """

    steps: int = 3
    zero_sum = False

    @property
    def return_range(self) -> Any:
        return (10.0, 10.0 + 2 * self.steps)

    def num_players(self):
        return 1

    def num_actions(self):
        return 3

    def state_dtype(self):
        return np.dtype([("at", "i4"), ("sum", "i4")])

    def initial_state(self, state):
        state.at = 0
        state.sum = 0

    def current_player(self, state):
        return 0

    def legal_actions(self, state, actions):
        if state.at == self.steps:
            return 0
        for action in range(3):
            actions[action] = action
        return 3

    def apply(self, state, action):
        state.at += 1
        state.sum += action

    def is_terminal(self, state):
        return state.at == self.steps

    def returns(self, state, player):
        return 10.0 + state.sum


@dataclass(frozen=True)
class Endless(Climb):
    """The same, and it says nothing of the largest return."""

    return_range = None


@dataclass(frozen=True)
class Wrong(Climb):
    return_range = (10.0, 12.0)


def test_the_tree_is_that_of_the_same_game_in_points():
    points = MCTS(Nim(7), seed=1, interpreted=True).search(limit=SHORT)
    chips = MCTS(Stakes(), seed=1, interpreted=True).search(limit=SHORT)
    assert chips.value == 50 * points.value
    assert [(row.action, row.visits) for row in chips.actions] == [
        (row.action, row.visits) for row in points.actions
    ]
    assert [row.mean for row in chips.actions] == pytest.approx(
        [50 * row.mean for row in points.actions]
    )
    assert [row.standard_error for row in chips.actions] == pytest.approx(
        [50 * row.standard_error for row in points.actions]
    )
    assert chips.proven == points.proven == "win"
    assert chips.score == points.value
    assert chips.win_rate == points.win_rate


def test_people_are_shown_the_games_own_units():
    search = MCTS(Climb(), seed=1, interpreted=True)
    result = search.search(limit=Limit(simulations=20))
    assert 10 <= result.value <= 16
    assert "win rate" not in str(result)
    assert f"value {result.value:.5g}" in str(result)
    assert result.to_dict()["value"] == result.value
    assert all(10 <= row.mean <= 16 for row in result.actions)
    assert all(10 <= node.mean <= 16 for node in search.view())
    assert "units" not in search.view().to_dict()["nodes"][0]
    assert ">value</th>" in result._repr_html_()


def test_the_best_there_is_can_be_proven():
    search = MCTS(Climb(), seed=1, interpreted=True)
    result = search.search(limit=Limit(simulations=400))
    assert result.proven == "win"
    assert result.value == 16
    assert result.action == 2
    search.advance(2)
    assert search.search(limit=Limit(simulations=5)).value == 16


def test_without_bounds_a_search_measures_by_random_games():
    for interpreted in (True, False):
        search = MCTS(Endless(), seed=1, interpreted=interpreted)
        result = search.search(limit=Limit(simulations=200))
        low, high = result.units
        assert 10 <= low < high <= 16
        assert result.action == 2
        assert result.proven is None
        assert 10 <= result.value <= 16
        search.advance(2)
        assert search.search(limit=Limit(simulations=50)).units == result.units


def test_a_best_line_is_kept_with_the_units_that_it_was_measured_by():
    """With noise at the root the tree is grown anew after a move."""
    noisy = PUCT(noise=0.25)
    search = MCTS(Endless(steps=12), selection=noisy, seed=1, interpreted=True)
    first = search.search(limit=Limit(simulations=60))
    search.advance(first.best_line[0])
    then = search.search(limit=Limit(simulations=60))
    assert then.units == first.units
    assert then.best_return >= first.best_return


def test_interpreted_and_compiled_agree_without_bounds():
    trees = []
    for interpreted in (True, False):
        search = MCTS(Endless(), seed=5, interpreted=interpreted)
        search.search(limit=Limit(simulations=60))
        trees.append(search.tree)
    one, other = (tree.nodes.array[: tree.num_nodes] for tree in trees)
    assert one.tobytes() == other.tobytes()


def test_solvers_prove_nothing_without_bounds():
    @dataclass(frozen=True)
    class Open(Stakes):
        return_range = None

    with pytest.raises(UsageError, match="returns have no bounds"):
        MCTS(Open(), solver=ScoreBounds())


def test_laws_4_and_12_speak_of_the_range():
    assert check_game(Climb(), games=3, compiled=False).games == 3
    assert check_game(Endless(), games=3, compiled=False).games == 3
    with pytest.raises(RulesError, match=r"law 4: returns .* not all in \[10, 12\]"):
        check_game(Wrong(), games=20, compiled=False)

    @dataclass(frozen=True)
    class Boaster(Climb):
        def evaluate(self, state, player):
            return 17.0

    with pytest.raises(RulesError, match=r"law 12: .* not all in \[10, 16\]"):
        check_game(Boaster(), games=3, compiled=False)


def test_a_search_of_wrong_returns_says_so():
    search = MCTS(Wrong(), seed=1, interpreted=True)
    with pytest.raises(RulesError, match=r"law 4: returns are not all in \[10, 12\]"):
        search.search(limit=SHORT)


@pytest.mark.parametrize(
    "given",
    [(1.0, 1.0), (2, 1), (0, float("inf")), 5, ("a", 1), (0, 1e305), (0, 10**400)],
)
def test_a_range_is_two_finite_numbers(given):
    @dataclass(frozen=True)
    class Odd(Climb):
        return_range = given

    with pytest.raises(RulesError, match="return_range"):
        MCTS(Odd())


def test_a_range_that_is_a_method_is_told_to_be_a_property():
    class Odd(Climb):
        def return_range(self):
            return 0.0, 1.0

    with pytest.raises(RulesError, match=r"return_range is a method; write @property"):
        MCTS(Odd())


def test_returns_without_bounds_are_not_so_large_that_sums_overflow():
    @dataclass(frozen=True)
    class Huge(Climb):
        return_range = None

        def returns(self, state, player):
            return 1e308 if state.sum % 2 else -1e308

    with pytest.raises(RulesError, match=r"law 4: returns are not all in \[-1e\+300"):
        MCTS(Huge(), seed=1, interpreted=True).search(limit=SHORT)


def test_the_middle_of_a_zero_sum_game_is_0():
    @dataclass(frozen=True)
    class Skewed(Stakes):
        return_range = (-50.0, 20.0)

    assert units_of(Skewed()) == Units(-50.0, 50.0)
    assert bounds_of(Skewed()) == Units(-50.0, 20.0)
    assert units_of(Nim()) == POINTS


def test_an_estimate_beyond_the_range_counts_as_its_end():
    stretch = Stretch(np.array([5.0, 10.0]))
    assert stretch.near(0.0) == -1.0
    assert stretch.near(7.5) == 0.0
    assert Rollout().estimate(Nim(), None, 0) == 0.0


def test_minimax_looks_for_the_largest_return():
    found = Deepening(Stakes()).search(Position(Stakes()))
    assert found.value == 50.0
    assert found.complete
    player = make_player("alphabeta:depth=9", Stakes())
    assert player.choose(Position(Stakes()), Allowance()).value == 1.0


@dataclass(frozen=True)
class Treasure(Climb):
    """One game in 729 is worth a thousand, more than random games show."""

    steps: int = 6
    return_range = None

    def returns(self, state, player):
        return state.sum + 1000.0 * (state.sum == 2 * self.steps)


def test_errors_are_those_of_the_returns_seen_where_there_are_no_bounds():
    limit = Limit(simulations=2000)
    keywords = {"solver": Unsolved(), "interpreted": True}  # it goes there again
    result = MCTS(Treasure(), seed=2, **keywords).search(limit=limit)
    best = result.actions[0]
    assert result.best_return == 1012
    assert best.mean > 20
    spread = (1012 - best.mean) * (best.mean - 6)
    assert spread * 0.99 <= best.standard_error**2 * best.visits <= 1012**2

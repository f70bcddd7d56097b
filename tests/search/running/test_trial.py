"""Policies of others are tried with every index checked before a search uses them.

The answers are looked at by `search/running/watched.py`.
"""

import math
import random
import warnings
from dataclasses import dataclass

import numpy as np
import pytest

from playout import (
    MCTS,
    UCT,
    Backup,
    CompileError,
    InterpretedWarning,
    Limit,
    RandomChild,
    Rollout,
    RulesError,
    Selection,
    TicTacToe,
)
from playout.core.jit.fallback import is_interpreted
from playout.search.running import trial
from playout.search.work import SCRATCH
from tests.toys import Coins, Nim

pytestmark = pytest.mark.first_look
GAME = TicTacToe()


@dataclass(frozen=True)
class Plays(Rollout):
    """Always this action, whether it is legal or not."""

    action: int = 4

    def choose(self, game, state, work, ply):
        return self.action


@dataclass(frozen=True)
class OnePast(Rollout):
    """Reads one entry past the end of the buffer."""

    def choose(self, game, state, work, ply):
        return work.actions[len(work.actions)]


@dataclass(frozen=True)
class Doubts(Rollout):
    """Stops at once, and takes the rest for no number."""

    def length(self, game):
        return 0

    def estimate(self, game, state, player):
        return math.nan


@dataclass(frozen=True)
class Long(Rollout):
    def play(self, game, state, work, depth):
        return 1000


@dataclass(frozen=True)
class NoScore(Selection):
    value: float = math.nan

    def score(self, child, parent_term):
        return self.value


@dataclass(frozen=True)
class NoTerm(UCT):
    def parent_term(self, parent):
        return math.nan


@dataclass(frozen=True)
class Elsewhere(UCT):
    def select(self, game, tree, node, work, depth):
        return 0


@dataclass(frozen=True)
class Uncounted(Backup):
    """Counts every node but the root."""

    def update(self, tree, work, depth, plies):
        for index in range(1, depth + 1):
            tree.nodes[work.path[index].node].visits += 1


@dataclass(frozen=True)
class NoValue(Backup):
    def update(self, tree, work, depth, plies):
        for index in range(depth + 1):
            row = tree.nodes[work.path[index].node]
            row.visits += 1
            row.value_sum += math.nan


@dataclass(frozen=True)
class Halved(Backup):
    """Good: a sum of its own, of half of every return."""

    def update(self, tree, work, depth, plies):
        for index in range(depth + 1):
            step = work.path[index]
            tree.nodes[step.node].visits += 1
            tree.nodes[step.node].value_sum += 0.5 * work.returns[step.mover]


@dataclass(frozen=True)
class Anything(RandomChild):
    """Takes a centre that is occupied for a candidate, too."""

    def candidates(self, game, state, node, work):
        work.actions[0] = 4
        return 1


@dataclass(frozen=True)
class Cautious(Rollout):
    """Nothing is wrong with it."""

    def choose(self, game, state, work, ply):
        count = game.legal_actions(state, work.actions)
        return work.actions[work.rng.below(count)]


@dataclass(frozen=True)
class Wordy(Cautious):
    """Good Python, but beyond Numba."""

    def choose(self, game, state, work, ply):
        count = game.legal_actions(state, work.actions)
        best = max(work.actions[:count], key=lambda action: -action)
        return int(f"{best}")


@dataclass(frozen=True)
class WordyAndWrong(Wordy):
    def choose(self, game, state, work, ply):
        return int(f"{9}")


@dataclass(frozen=True)
class Writes(Cautious):
    """Plays its move by itself."""

    def choose(self, game, state, work, ply):
        count = game.legal_actions(state, work.actions)
        action = work.actions[work.rng.below(count)]
        game.apply(state, action)
        return action


@dataclass(frozen=True)
class WritesEstimate(Doubts):
    def estimate(self, game, state, player):
        state.player = 1 - state.player
        return 0.0


@dataclass(frozen=True)
class WritesCandidates(RandomChild):
    def candidates(self, game, state, node, work):
        count = game.legal_actions(state, work.actions)
        game.apply(state, work.actions[0])
        return count


@dataclass(frozen=True)
class LooksAhead(Cautious):
    """Plays on a copy."""

    def choose(self, game, state, work, ply):
        count = game.legal_actions(state, work.actions)
        action = work.actions[work.rng.below(count)]
        work.states[SCRATCH] = state
        game.apply(work.states[SCRATCH], action)
        return action


@dataclass(frozen=True)
class OfItsOwn(Rollout):
    """Draws from NumPy's generator, which the seed does not reach."""

    def choose(self, game, state, work, ply):
        count = game.legal_actions(state, work.actions)
        return work.actions[np.random.randint(count)]


@dataclass(frozen=True)
class OfItsParent(OfItsOwn):
    factor: float = 1.0


def tie():
    return random.random()


@dataclass(frozen=True)
class ByHelper(UCT):
    def first_score(self, child, parent_term):
        return tie()


@dataclass(frozen=True)
class Seeded(Cautious):
    """Draws where nothing is searched."""

    seed: int = 1

    def __post_init__(self):
        np.random.default_rng(self.seed).random()

    def check(self, game):
        np.random.default_rng(self.seed).random()


FAULTS = [
    (
        {"rollout": Plays()},
        r"Plays.choose gives the action 4 \(b2\), which is not legal, in the position",
    ),
    ({"rollout": Plays(900)}, r"Plays.choose gives the action 900, which is not legal"),
    ({"rollout": OnePast()}, r"OnePast.choose, .*test_trial.py line \d+: `return work"),
    ({"rollout": Doubts()}, "Doubts.estimate gives NaN.* in the position"),
    ({"rollout": Long()}, "Long.play gives a number of actions that cannot be"),
    ({"selection": NoScore()}, "NoScore.score gives NaN, .*; look for 0 / 0"),
    ({"selection": NoTerm()}, "NoTerm.parent_term gives NaN"),
    ({"selection": Elsewhere()}, "Elsewhere.select gives a node that is no child"),
    (
        {"expansion": Anything()},
        r"Anything.expand gives a child for the action 4 \(b2\), which is not legal",
    ),
    (
        {"backup": Uncounted()},
        "Uncounted.update gives the nodes on the path other visits than one more each",
    ),
    ({"backup": NoValue()}, "NoValue.update gives a node a value_sum of NaN, .*; look"),
    ({"rollout": Writes()}, r"Writes.choose writes to the state.* on a copy, `work"),
    ({"rollout": WritesEstimate()}, "WritesEstimate.estimate writes to the state"),
    ({"expansion": WritesCandidates()}, "WritesCandidates.expand writes to the state"),
]


@pytest.mark.parametrize(("policies", "said"), FAULTS)
def test_a_wrong_answer_is_told_with_the_policy_and_the_position(policies, said):
    with pytest.raises(RulesError, match=said):
        MCTS(GAME, **policies, interpreted=True, seed=1).search()


@pytest.mark.parametrize(("policies", "said"), [*FAULTS[1:3], FAULTS[5], *FAULTS[9:12]])
def test_wrong_answers_are_told_by_compiled_searches(policies, said):
    with pytest.raises(RulesError, match=said):
        MCTS(GAME, **policies, seed=1).search()


@pytest.mark.parametrize("interpreted", [True, None])
def test_a_copy_of_the_state_may_be_written_to(interpreted):
    search = MCTS(GAME, rollout=LooksAhead(), seed=1, interpreted=interpreted)
    assert search.search(limit=Limit(simulations=20)).simulations == 20


@pytest.mark.parametrize(
    ("policies", "line"),
    [
        (
            {"rollout": OfItsOwn()},
            r"OfItsOwn.choose, .*`return work.actions\[np.random",
        ),
        ({"rollout": OfItsParent()}, "OfItsOwn.choose, "),
        ({"selection": ByHelper()}, r"tie, .*test_trial.py line \d+: `return random"),
    ],
)
def test_random_numbers_of_its_own_are_refused_with_the_line(policies, line):
    with pytest.raises(RulesError, match=f"{line}.*: draw by `work.rng`"):
        MCTS(GAME, **policies, seed=1).search()


def test_what_is_not_searched_may_draw():
    MCTS(GAME, rollout=Seeded(), seed=1, interpreted=True).compile()


def test_a_score_may_be_infinite():
    search = MCTS(Nim(4), selection=NoScore(-math.inf), seed=1, interpreted=True)
    assert search.search(limit=Limit(simulations=20)).simulations > 0


def test_playouts_own_policies_are_not_tried(monkeypatch):
    monkeypatch.setattr(trial, "_Trial", None)
    MCTS(GAME, interpreted=True, seed=1).search(limit=Limit(simulations=5))


def test_a_backup_of_ones_own_may_count_returns_as_it_likes():
    found = MCTS(GAME, backup=Halved(), seed=1).search(limit=Limit(simulations=1000))
    assert found.simulations == 1000
    assert all(abs(action.mean) <= 0.5 for action in found.actions)


def test_what_went_well_is_not_tried_again_and_changes_no_result(monkeypatch):
    def searched():
        search = MCTS(GAME, rollout=Cautious(), seed=1, interpreted=True)
        return search.search(limit=Limit(simulations=30)).actions

    first = searched()
    monkeypatch.setattr(trial, "_Trial", None)
    assert searched() == first


def test_a_game_that_chance_begins_is_tried_where_a_player_moves():
    search = MCTS(Coins(), rollout=Cautious(), seed=1, interpreted=True)
    search.compile()


def test_no_evaluator_is_asked():
    asked = []

    def evaluator(states):
        asked.append(len(states))
        return np.zeros((len(states), 9)), np.zeros(len(states))

    search = MCTS(
        GAME, evaluator=evaluator, selection=NoScore(0.5), seed=1, interpreted=True
    )
    search.compile()
    assert asked == []


def test_policies_that_numba_cannot_compile_run_interpreted():
    search = MCTS(GAME, rollout=Wordy(), seed=1)
    with pytest.warns(InterpretedWarning, match="Wordy runs as plain Python") as told:
        search.search(limit=Limit(simulations=20))
    assert "Wordy.choose, " in str(told[0].message)
    assert "\n" not in str(told[0].message)
    assert search.interpreted
    assert is_interpreted(Wordy())
    assert not is_interpreted(GAME)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is said once
        MCTS(GAME, rollout=Wordy(), seed=1).search(limit=Limit(simulations=20))
    with pytest.raises(CompileError, match=r"Wordy\.choose"):
        MCTS(GAME, rollout=Wordy(), interpreted=False).compile()


def test_wrong_answers_of_policies_beyond_numba_are_told():
    with pytest.raises(RulesError, match=r"WordyAndWrong\.choose gives the action 9"):
        MCTS(GAME, rollout=WordyAndWrong(), seed=1).search()


@dataclass(frozen=True)
class DoubtsLater(Doubts):
    """Is sure of its estimates as long as the policy is tried."""

    def estimate(self, game, state, player):
        return 0.0 if SURE else math.nan


SURE = [True]


def test_estimates_that_are_odd_later_are_not_taken_for_returns():
    search = MCTS(GAME, rollout=DoubtsLater(), seed=1, interpreted=True)
    search.compile()
    SURE.clear()
    with pytest.raises(RulesError, match=r"law 4: returns, or what DoubtsLater\.est"):
        search.search(limit=Limit(simulations=20))


@dataclass(frozen=True)
class Sure(Doubts):
    def estimate(self, game, state, player):
        return 7.0 if player == 0 else -7.0


def test_of_an_estimate_beyond_the_range_the_nearest_return_counts():
    search = MCTS(GAME, rollout=Sure(), seed=1, interpreted=True)
    assert search.search(limit=Limit(simulations=20)).value == 1.0

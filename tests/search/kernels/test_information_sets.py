"""Hidden information: nobody looks at it, and everybody decides by what it knows.

Also of `search/selection/is_uct.py`.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from playout import (
    MAST,
    MCTS,
    NST,
    PUCT,
    RAVE,
    Limit,
    MaxMix,
    Position,
    ProgressiveHistory,
    Result,
    UsageError,
)
from playout.core.jit.rows import Rows
from playout.games.contract.game import Game
from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from playout.search.expansion.all_children import AllChildren
from playout.search.kernels.information_sets import InformationSets
from playout.search.rollout.uniform import Uniform
from playout.search.selection.is_uct import ISUCT
from playout.search.solver.base import Unsolved
from playout.search.solver.default import default_solver
from playout.search.solver.max_n import MaxNBounds
from playout.search.solver.score_bounds import ScoreBounds
from playout.search.tree.nodes import ROOT
from playout.search.work import CURRENT


@dataclass(frozen=True)
class Pennies(Game):
    """The first player lays a coin under its hand, the second guesses its side.

    `side` is 2 where it is not known.
    """

    has_hidden: ClassVar[bool] = True

    def num_actions(self):
        return 2

    def max_game_length(self):
        return 2

    def state_dtype(self):
        return np.dtype([("ply", "i1"), ("side", "i1"), ("guess", "i1")])

    def initial_state(self, state):
        state.guess = -1

    def current_player(self, state):
        return state.ply % 2

    def legal_actions(self, state, actions):
        actions[0] = 0
        actions[1] = 1
        return 2 if state.ply < 2 else 0

    def apply(self, state, action):
        if state.ply == 0:
            state.side = action
        else:
            state.guess = action
        state.ply += 1

    def is_terminal(self, state):
        return state.ply == 2

    def returns(self, state, player):
        return 1.0 if (state.guess == state.side) == (player == 1) else -1.0

    def hide(self, state, player):
        if player == 1 and state.ply == 1:
            state.side = 2

    def determinize(self, state, player, rng):
        if player == 1 and state.ply == 1:
            state.side = rng.below(2)


@dataclass(frozen=True)
class Safe(Pennies):
    """The first player guesses whether a number is even; the second knows the number.

    There are a million of them, and so many information sets.
    """

    def state_dtype(self):
        return np.dtype([("number", "i4"), ("ply", "i1"), ("guess", "i1")])

    def initial_state(self, state):
        state.number = 7

    def apply(self, state, action):
        if state.ply == 0:
            state.guess = action
        state.ply += 1

    def returns(self, state, player):
        right = state.guess == state.number % 2
        return 1.0 if right == (player == 0) else -1.0

    def hide(self, state, player):
        if player == 0:
            state.number = -1

    def determinize(self, state, player, rng):
        if player == 0:
            state.number = rng.below(1_000_000)


def rows(search: MCTS) -> Any:
    return search.tree.nodes.array[: search.tree.num_nodes]


def sets(search: MCTS) -> int:
    """How many information sets there are behind the root."""
    return int(np.count_nonzero(rows(search)["key"]))


def test_a_guess_is_a_guess() -> None:
    """The second player does not see the coin: both sides lead to the same node."""
    search = MCTS(Pennies(), seed=1)
    first = search.search(limit=Limit(simulations=5000))
    assert sets(search) == 1
    position = Position.from_moves(Pennies(), ["1"])
    guess = search.search(position, Limit(simulations=20_000))
    assert abs(guess.value) < 5 / np.sqrt(20_000)  # five standard errors
    assert first.proven is guess.proven is None


def test_a_single_observer_takes_the_other_to_know_what_it_knows() -> None:
    """SO-ISMCTS searches as if the opponent saw its hand: it expects to lose."""
    single = ISUCT(observers="one")
    search = MCTS(Pennies(), seed=1, selection=single, interpreted=True)
    assert search.search(limit=Limit(simulations=2000)).value < -0.8
    assert sets(search) == 2


def test_there_may_be_any_number_of_information_sets() -> None:
    """More than a node counts children: nearly every simulation comes to a new one."""
    search = MCTS(Safe(), seed=1)
    result = search.search(limit=Limit(simulations=50_000))
    assert result.simulations == result.visits == 50_000
    assert 40_000 < sets(search) < 50_000
    again = search.search(limit=Limit(simulations=50_000))
    assert again.visits == 100_000
    draws = np.array([row.visits - 1 for row in again.actions])
    expected = (10**6 * -np.expm1(draws * np.log1p(-1e-6))).sum()
    repeated = draws.sum() - expected  # about Poisson: six standard deviations
    assert abs(sets(search) - expected) < 6 * np.sqrt(repeated)


@pytest.mark.parametrize("observers", ["many", "one"])
def test_the_truth_makes_no_difference(observers: str) -> None:
    """Two states that look the same to X give the same tree, bit for bit."""
    trees = []
    for text in ("..O/.X./... X", ".../.X./..O X", ".../.x./O.. X"):
        search = MCTS(
            PhantomTicTacToe(),
            seed=3,
            interpreted=True,
            selection=ISUCT(observers=observers),
        )
        search.search(Position(search.game, text), Limit(simulations=60))
        trees.append(rows(search).tobytes())
    assert trees[0] == trees[1] == trees[2]


@pytest.mark.parametrize("observers", ["many", "one"])
def test_the_slow_twin_grows_the_same_tree(observers: str) -> None:
    trees = []
    for interpreted in (True, False):
        policy = ISUCT(observers=observers)
        search = MCTS(
            PhantomTicTacToe(), seed=5, interpreted=interpreted, selection=policy
        )
        search.search(limit=Limit(simulations=150))
        trees.append(rows(search).tolist())
    assert trees[0] == trees[1]


def test_visits_add_up() -> None:
    """A set is visited as often as its actions."""
    search = MCTS(PhantomTicTacToe(), seed=2, selection=ISUCT())
    search.search(limit=Limit(simulations=5000))
    nodes = rows(search)
    for node in range(len(nodes)):
        moves = search.tree.children(node)
        if len(moves):
            assert nodes["visits"][node] == nodes["visits"][moves].sum()
    assert nodes["visits"][ROOT] == 5000


def test_offers_against_a_recount(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action was offered as often as it was legal in its set, once it was tried.

    To a single observer, states look alike in which the other has different actions.
    """
    policy = ISUCT(observers="one")
    search = MCTS(PhantomTicTacToe(), seed=2, interpreted=True, selection=policy)
    closed: set[tuple[int, int]] = set()
    visits: Counter[tuple[int, int]] = Counter()
    availability: Counter[tuple[int, int]] = Counter()
    take = InformationSets.take_child

    def noting(
        self: Any,
        policies: Any,
        tree: Any,
        work: Any,
        depth: int,
        node: int,
        *stuck: bool,
    ) -> int:
        state, buffer = work.states[CURRENT], np.zeros(9, np.int32)
        legal = buffer[: search.game.legal_actions(state, buffer)].tolist()
        child = take(self, policies, tree, work, depth, node, *stuck)
        visits[node, int(tree.nodes[child].action)] += 1
        for action in range(9):
            if visits[node, action] > 0 and action in legal:
                availability[node, action] += 1
            elif visits[node, action] > 0:
                closed.add((node, action))
        return child

    monkeypatch.setattr(InformationSets, "take_child", noting)
    position = Position(search.game, "..O/.X./... X")
    search.search(position, Limit(simulations=250))
    nodes = rows(search)
    for node in range(len(nodes)):
        for child in search.tree.children(node):
            key = node, int(nodes["action"][child])
            assert nodes["visits"][child] == visits.pop(key)
            assert nodes["availability"][child] == availability[key]
    assert not +visits
    assert len(closed) > 5


def test_a_full_tree_goes_on() -> None:
    search = MCTS(PhantomTicTacToe(), seed=2)
    result = search.search(limit=Limit(simulations=5000, nodes=40))
    assert (result.simulations, result.nodes <= 40) == (5000, True)
    more = search.search(limit=Limit(simulations=500, nodes=400))
    assert 40 < more.nodes <= 400


def test_the_score_by_hand() -> None:
    """5 of 10, offered 50 times: 0.5 + 2 sqrt(ln 50 / 10)."""
    row = np.zeros(
        1, dtype=[("visits", "u4"), ("value_sum", "f8"), ("availability", "u4")]
    )
    row[0] = (10, 5.0, 50)
    policy = ISUCT(c_uct=2.0)
    assert policy.score(Rows(row)[0], 0.0) == pytest.approx(0.5 + 2 * 0.6254617)
    policy.note_available(Rows(row)[0])
    assert row["availability"][0] == 51


@dataclass(frozen=True)
class Told(Uniform):
    """It notes what it is told."""

    def update(self, tree, work, depth, plies):
        TOLD.append((depth, plies, float(work.returns[0])))


TOLD: list[tuple[int, int, float]] = []


def test_a_rollout_is_told_of_every_result() -> None:
    TOLD.clear()
    search = MCTS(Pennies(), seed=1, rollout=Told(), interpreted=True)
    result = search.search(limit=Limit(simulations=50))
    assert len(TOLD) == 50
    assert sum(value for _, _, value in TOLD) == pytest.approx(50 * root_mean(result))


def root_mean(result: Result) -> float:
    return sum(row.mean * row.visits for row in result.actions) / result.visits


def test_what_is_default_and_what_is_refused() -> None:
    game = PhantomTicTacToe()
    assert MCTS(game).policies.selection == ISUCT()
    assert isinstance(default_solver(game), Unsolved)
    for solver in (ScoreBounds(), MaxNBounds()):
        with pytest.raises(UsageError, match="nothing where information is hidden"):
            MCTS(game, solver=solver)
    with pytest.raises(UsageError, match="observers must be many or one"):
        ISUCT(observers="two")
    refused: list[tuple[dict[str, Any], str]] = [
        ({"expansion": AllChildren()}, "seen one by one"),
        ({"selection": PUCT()}, "judges single states"),
        ({"backup": MaxMix()}, r"not always there to be taken; Mean\(\) does"),
    ]
    for policy, why in refused:
        with pytest.raises(UsageError, match=f"where information is hidden: .*{why}"):
            MCTS(game, **policy)


LEARNING: dict[str, dict[str, Any]] = {
    "RAVE, MAST": {"selection": RAVE(), "rollout": MAST()},
    "history, NST": {"selection": ProgressiveHistory(), "rollout": NST()},
}


@pytest.mark.parametrize("policies", LEARNING.values(), ids=LEARNING.keys())
def test_policies_that_learn_from_actions(policies: dict[str, Any]) -> None:
    """They learn from the actions that were played, interpreted as compiled."""
    trees = []
    for interpreted in (True, False):
        search = MCTS(PhantomTicTacToe(), seed=4, interpreted=interpreted, **policies)
        result = search.search(limit=Limit(simulations=120))
        trees.append(rows(search).tolist())
        for node in range(search.tree.num_nodes):  # a set has what its actions have
            children = search.tree.children(node)
            taken = rows(search)["visits"][children].sum()
            assert 0 <= rows(search)["visits"][node] - taken <= (node == ROOT) or (
                len(children) == 0
            )
    assert trees[0] == trees[1]
    assert result.simulations == 120

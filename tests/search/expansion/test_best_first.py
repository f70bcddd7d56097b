"""`LikeliestFirst` against `AllChildren(visit_all=False)`, and by hand.

Also of `search/defaults.py`.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    PUCT,
    UCT,
    AllChildren,
    ConnectFour,
    Gomoku,
    LikeliestFirst,
    Limit,
    Position,
    RandomChild,
    TicTacToe,
    Truncated,
    UltimateTicTacToe,
    Unsolved,
    UsageError,
)
from playout.players.policies import make_policies
from playout.search.expansion.base import Expansion
from playout.search.expansion.best_first import LEAST_PRIOR
from playout.search.tree.nodes import NO_NODE, ROOT
from tests.search.trees import ROUNDING
from tests.toys import Knowing, Nim, ThreeWays

ONE = AllChildren(visit_all=False)


# -- games whose priors differ, so that there are no ties ------------------------


@dataclass(frozen=True)
class RankedThrees(TicTacToe):
    """Priors in steps of 1/16, other ones for each player, and values that differ."""

    def prior(self, state, action):
        return (1 + (5 * action + 3 * state.player) % 9) / 16.0

    def evaluate(self, state, player):
        lead = 0.0
        for action in range(9):
            bit = np.uint64(1) << np.uint64(action)
            if state.stones[player] & bit != np.uint64(0):
                lead += math.sqrt(action + 2.0)
            if state.stones[1 - player] & bit != np.uint64(0):
                lead -= math.sqrt(action + 2.0)
        return lead / 40.0


class RankedFours(ConnectFour):
    """Connect Four's own priors, changed so that no two are equal."""

    def prior(self, state, action):
        return ConnectFour.prior(self, state, action) + action / 64.0


class RankedFives(Gomoku):
    """Gomoku on 7x7 with priors of 1 to 49, with which sums are exact."""

    def prior(self, state, action):
        return 1 + (20 * action + 7 * state.player) % 49


#: Games, openings and simulations.
EXACT: dict[str, tuple[Any, list[str], int]] = {
    "threes": (RankedThrees(), [], 300),
    "threes, a win near": (RankedThrees(), ["b2", "a1", "c3"], 200),
    "fours": (RankedFours(), ["4", "4", "3"], 300),
    "fours, urgent": (RankedFours(), ["4", "1", "4", "1", "4"], 200),
    "fives": (RankedFives(size=7), ["d4", "d5", "c4"], 120),
}


def visited(search: MCTS) -> dict[tuple[int, ...], tuple[Any, ...]]:
    """What is known of every visited node, by the actions that lead to it."""
    nodes, found = search.tree.nodes.array, {}
    stack: list[tuple[tuple[int, ...], int]] = [((), ROOT)]
    while stack:
        path, node = stack.pop()
        row = nodes[node]
        if row["visits"] > 0:
            known = ("visits", "value_sum", "prior", "proven", "proof_plies")
            found[path] = tuple(row[name] for name in known)
            for child in map(int, search.tree.children(node)):
                stack.append(((*path, int(nodes["action"][child])), child))
    return found


@functools.cache
def exact(name: str, expansion: Expansion) -> tuple[dict[Any, Any], int]:
    """What a search of one of these has visited, and how many nodes it has made."""
    game, moves, simulations = EXACT[name]
    search = MCTS(
        game,
        selection=PUCT(),
        expansion=expansion,
        rollout=Truncated(rollout_plies=0),
        interpreted=True,
    )
    position = Position.from_moves(game, moves)
    search.search(position, Limit(simulations=simulations), forced_too=True)
    return visited(search), search.tree.num_nodes


@pytest.mark.parametrize("at_once", [1, 2, 4])
@pytest.mark.parametrize("name", EXACT)
def test_it_visits_what_is_visited_where_all_children_are_made(
    name: str, at_once: int
) -> None:
    """Node for node; nothing is random, as no rollout is played and no priors tie."""
    before, size = exact(name, ONE)
    now, smaller = exact(name, LikeliestFirst(at_once=at_once))
    assert now == before
    assert len(now) > 20
    assert smaller < size


# -- by hand ---------------------------------------------------------------------------


def grown(simulations: int, game: Any = None, **options: Any) -> MCTS:
    options = {"selection": PUCT(), "expansion": LikeliestFirst(), **options}
    search = MCTS(Knowing() if game is None else game, interpreted=True, **options)
    search.search(limit=Limit(simulations=simulations))
    return search


def test_children_stand_by_their_priors_and_the_node_knows_the_next() -> None:
    """Of tic-tac-toe's nine cells the centre weighs 3, a corner 2, a side 1: 15."""
    weights = np.array([3, 2, 2, 2, 2, 1, 1, 1, 1, 0]) / 15
    counts = set()
    for simulations in (1, 5, 15, 40, 120):
        search = grown(simulations, seed=simulations, solver=Unsolved())
        nodes = search.tree.nodes.array
        for node in range(search.tree.num_nodes):
            children = search.tree.children(node)
            priors = nodes["prior"][children]
            assert (np.diff(priors) <= 0).all()
            assert len(set(nodes["action"][children])) == len(children)
        root = nodes[search.tree.children(ROOT)]
        assert root["prior"] == pytest.approx(weights[: len(root)], rel=ROUNDING)
        expected = weights[len(root)] if len(root) < 9 else 0
        assert nodes["next_prior"][ROOT] == pytest.approx(expected, rel=ROUNDING)
        counts.add(len(root))
    assert len(counts) > 3
    assert max(counts) == 9


def test_of_two_likeliest_actions_the_second_waits_without_a_node() -> None:
    """Every other child is made from what was noted; its share is as it was told."""
    noted: dict[int, tuple[int, float]] = {}
    for simulations in (1, 5, 15, 40, 120):
        search = grown(simulations, seed=1, solver=Unsolved())
        nodes = search.tree.nodes.array
        for node in range(search.tree.num_nodes):
            row, children = nodes[node], search.tree.children(node)
            waiting = int(row["next_action"]) - 1
            assert waiting not in nodes["action"][children]
            if len(children) in (1, 3, 5) and len(children) < row["num_legal"]:
                assert waiting >= 0
                assert row["next_prior"] <= nodes["prior"][children[-1]]
            else:
                assert waiting == -1
        root, made = nodes[ROOT], search.tree.children(ROOT)
        for count, (action, prior) in noted.items():
            if count < len(made):
                assert nodes["action"][made[count]] == action
                assert nodes["prior"][made[count]] == prior
        if root["next_action"] > 0:
            noted[len(made)] = int(root["next_action"]) - 1, root["next_prior"]
    assert noted


def test_a_node_that_was_recycled_begins_with_its_likeliest_action() -> None:
    """What waited beside children that are gone is not made before them."""
    search = grown(60, seed=1, solver=Unsolved())
    nodes = search.tree.nodes.array
    parents = np.flatnonzero((nodes["next_action"] > 0) & (nodes["visits"] > 3))
    parents = parents[(parents != ROOT) & (parents < search.tree.num_nodes)]
    before = {}
    for node in map(int, parents):
        before[node] = nodes["prior"][search.tree.children(node)[0]]
        nodes["num_children"][node], nodes["first_child"][node] = 0, NO_NODE
    search.search(limit=Limit(simulations=300))
    again = [node for node in before if nodes["num_children"][node] > 0]
    assert again
    for node in again:
        assert nodes["prior"][search.tree.children(node)[0]] == before[node]


@pytest.mark.parametrize("nodes", [None, 60])
def test_every_node_knows_the_next_two_of_its_actions(nodes: int | None) -> None:
    """Also those that were moved, or made again, in trees that were full or kept."""
    game = RankedThrees()
    expansion = LikeliestFirst(urgent="never")
    search = grown(1, game, expansion=expansion, solver=Unsolved(), seed=1)
    position, waiting = Position(game), 0
    for _ in range(2):
        result = search.search(position, Limit(simulations=500, nodes=nodes))
        waiting += expect_next_known(search, position)
        position.play(result.action)
    assert waiting > 10


def expect_next_known(search: MCTS, start: Position) -> int:
    """Compare what nodes note with their priors; how many children wait."""
    nodes, waiting = search.tree.nodes.array, 0
    stack = [(ROOT, start)]
    while stack:
        node, position = stack.pop()
        children, row = search.tree.children(node), nodes[node]
        made = nodes["action"][children].tolist()
        if not made:
            continue
        legal = position.legal_actions()
        priors = {a: position.game.prior(position.state, a) for a in legal}
        left = sorted(set(legal) - set(made), key=lambda a: -priors[a])
        shares = [priors[a] / sum(priors.values()) for a in left] + [0.0, 0.0]
        assert row["next_prior"] == pytest.approx(shares[0], rel=ROUNDING)
        if row["next_action"] > 0:
            waiting += 1
            assert row["next_action"] == 1 + left[0]
            later = nodes["later_prior"][children[-1]]
            assert later == pytest.approx(shares[1], rel=ROUNDING)
        for child, action in zip(children.tolist(), made, strict=True):
            stack.append((child, position.copy().play(action)))
    return waiting


class Certain(TicTacToe):
    """One move is all but certain; the others have less than half precision tells."""

    def prior(self, state: Any, action: int) -> float:
        return 1.0 if action == 4 else 1e-9


def test_shares_too_small_for_half_precision_count_as_the_least() -> None:
    search = grown(200, Certain(), selection=PUCT(first_play=1.0), seed=1)
    nodes = search.tree.nodes.array[: search.tree.num_nodes]
    assert (nodes["prior"][1:] >= LEAST_PRIOR).all()
    assert (nodes["prior"] == LEAST_PRIOR).sum() > 10


@pytest.mark.parametrize("at_once", [1, 2, 4])
def test_only_a_block_is_made_beyond_what_was_visited(at_once: int) -> None:
    search = grown(60, expansion=LikeliestFirst(at_once=at_once), solver=Unsolved())
    nodes, most = search.tree.nodes.array, 0
    for node in range(search.tree.num_nodes):
        below = nodes["visits"][search.tree.children(node)]
        if len(below) <= 9:
            most = max(most, int((below == 0).sum()))
        assert (np.diff((below == 0).astype(int)) >= 0).all()
    assert most == at_once - 1


def test_ties_are_broken_at_random() -> None:
    """300 first moves, all alike: 33 each, with a standard error of 5.4.

    The seeds are fixed, so what is found once is found again.
    """
    first: list[int] = []
    second: list[int] = []
    for seed in range(300):
        search = grown(1, TicTacToe(), seed=seed)
        nodes = search.tree.nodes.array
        (child,) = search.tree.children(ROOT)
        first.append(int(nodes["action"][child]))
        second.append(int(nodes["next_action"][ROOT]) - 1)
    for drawn in (first, second):
        counts = np.bincount(drawn, minlength=9)
        assert counts.min() > 33 - 4 * 5.4
        assert counts.max() < 33 + 4 * 5.4


def test_first_play_urgency_leaves_moves_unmade() -> None:
    """UCT has no prior: all untried moves have the same score, or come first."""
    patient = grown(60, UCTGame(), selection=UCT(first_play=-2.0))
    assert len(patient.tree.children(ROOT)) == 1
    curious = grown(60, UCTGame(), selection=UCT())
    visits = curious.tree.nodes.array["visits"]
    assert (visits[curious.tree.children(ROOT)] > 0).sum() == 9


class UCTGame(TicTacToe):
    """Every game is drawn as far as rollouts can see."""

    def rollout(self, state, actions, rng):
        return 0


def test_the_next_child_comes_when_those_there_are_settled() -> None:
    """All four moves of O lose, to a double threat; only corners win at once for X.

    No score goes down to that of a move that was not tried: the two made first are
    closed, and so the others are made.
    """
    position = Position.from_moves(Knowing(), ["a1", "a2", "c1", "b1", "b2"])
    search = MCTS(
        Knowing(),
        selection=PUCT(c_puct=0.0, first_play=-1.0),
        expansion=LikeliestFirst(urgent="never"),
        interpreted=True,
        seed=1,
    )
    result = search.search(position, Limit(simulations=100))
    assert result.proven == "loss"
    assert len(search.tree.children(ROOT)) == 4


@pytest.mark.parametrize("game", [Nim(), ThreeWays()], ids=str)
def test_other_games_and_threads(game: Any) -> None:
    for threads, at_once in ((1, 1), (3, 1), (1, 2), (3, 4)):
        search = MCTS(
            game,
            selection=PUCT(),
            expansion=LikeliestFirst(at_once=at_once),
            threads=threads,
            interpreted=True,
            seed=1,
        )
        result = search.search(limit=Limit(simulations=200))
        assert sum(row.visits for row in result.actions) <= search.tree.visits
        assert result.actions


@pytest.mark.parametrize("at_once", [1, 2, 4])
@pytest.mark.parametrize("nodes", [3, 20, 60, 200])
def test_small_trees_go_on(nodes: int, at_once: int) -> None:
    search = MCTS(
        Knowing(),
        selection=PUCT(),
        expansion=LikeliestFirst(at_once=at_once),
        solver=Unsolved(),
        interpreted=True,
        seed=2,
    )
    result = search.search(limit=Limit(simulations=400, nodes=nodes))
    assert result.simulations == 400
    assert result.nodes <= max(nodes, 11)
    nodes_of = search.tree.nodes.array
    for node in range(search.tree.num_nodes):
        legal, children = nodes_of["num_legal"][node], search.tree.children(node)
        assert len(children) <= legal
        assert (np.diff(nodes_of["prior"][children]) <= 0).all()


@pytest.mark.parametrize(
    ("game", "most"),
    [(ConnectFour(), 32.1), (UltimateTicTacToe(), 32.1), (Gomoku(), 32.1)],
    ids=["connect-four", "ultimate-tic-tac-toe", "gomoku"],
)
def test_the_memory_of_the_default_searches(game: Any, most: int) -> None:
    """32 bytes a node, and hardly more than a node a simulation."""
    search = MCTS(game, seed=1)
    assert search.policies.expansion == LikeliestFirst()
    result = search.search(limit=Limit(simulations=20_000))
    assert result.tree_bytes / result.simulations < most


# -- what goes together ----------------------------------------------------------------


def test_noise_has_all_children_made() -> None:
    assert PUCT().usual_expansion() == LikeliestFirst()
    assert PUCT(noise=0.25).usual_expansion() == ONE
    with pytest.raises(UsageError, match=r"takes AllChildren\(\), not LikeliestFirst"):
        MCTS(Knowing(), selection=PUCT(noise=0.25), expansion=LikeliestFirst())
    chosen = make_policies(ConnectFour(), {"noise": 0.25})
    assert chosen["expansion"] == ONE
    chosen = make_policies(ConnectFour(), {"selection": "puct", "urgent": "never"})
    assert chosen["expansion"] == LikeliestFirst(urgent="never")
    chosen = make_policies(ConnectFour(), {"expansion": "random-child", "c_puct": 2.0})
    assert chosen["expansion"] == RandomChild()

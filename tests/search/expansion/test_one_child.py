"""`RandomChild`: every untried action equally often, and urgent moves first.

Also of `search/expansion/base.py`.
"""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from playout import MCTS, Limit, Position, RandomChild, TicTacToe, Tree, Unsolved
from playout.core.rng import make_rng
from playout.search.expansion.one_child import draw_untried, list_tried, nth_untried
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT


@pytest.mark.parametrize("legal", [1, 2, 9, 40])
def test_the_nth_untried_action_is_that_of_the_list_without_the_others(
    legal: int,
) -> None:
    """For any number of tried actions, in any order."""
    draw = np.random.default_rng(legal)
    for tried in range(legal):
        actions = np.sort(draw.choice(60, legal, replace=False)).astype(np.int32)
        tree = Tree.reserve(100)
        tree.nodes[ROOT].num_legal = legal
        for action in draw.choice(actions, tried, replace=False):
            add_child(tree, ROOT, action)
        tables = SimpleNamespace(tried=np.zeros(60, dtype=np.int32))
        work: Any = SimpleNamespace(actions=actions, expansion_tables=tables)
        found = list_tried(tree, ROOT, tables.tried)
        assert found == tried
        left = [a for a in actions if a not in set(tables.tried[:found].tolist())]
        for n, action in enumerate(left):
            assert actions[nth_untried(work, found, n)] == action


@pytest.mark.parametrize("tried", range(9))
def test_each_untried_action_is_drawn_equally_often(tried: int) -> None:
    """Whether fewer than half were tried or not; 300 draws for each that is left.

    Chi-squared with 8 degrees at most, false alarm below 1e-6 (fixed seed).
    """
    actions = np.array([2, 3, 7, 8, 11, 20, 21, 40, 59], dtype=np.int32)
    tree = Tree.reserve(100)
    tree.nodes[ROOT].num_legal = len(actions)
    for action in np.random.default_rng(tried).permutation(actions)[:tried]:
        add_child(tree, ROOT, action)
    tables = SimpleNamespace(tried=np.zeros(60, dtype=np.int32))
    list_tried(tree, ROOT, tables.tried)
    work: Any = SimpleNamespace(
        actions=actions, expansion_tables=tables, rng=make_rng(7)
    )
    counts, left = np.zeros(len(actions)), len(actions) - tried
    with np.errstate(over="ignore"):
        for _ in range(300 * left):
            counts[draw_untried(work, len(actions), tried)] += 1
    untried = ~np.isin(actions, tables.tried[:tried])
    assert (counts[~untried] == 0).all()
    assert ((counts[untried] - 300) ** 2 / 300).sum() < 43.0


@pytest.mark.parametrize("simulations", [1, 2, 4])
def test_untried_actions_are_drawn_uniformly(simulations: int) -> None:
    """Fewer simulations than moves: every move is tried equally often.

    Chi-squared with 8 degrees, false alarm below 1e-6 (fixed seed).
    """
    counts = np.zeros(9)
    search = MCTS(TicTacToe(), expansion=RandomChild(urgent="never"), seed=1)
    for _ in range(2700):
        search.reset()
        result = search.search(limit=Limit(simulations=simulations))
        moves = [row.action for row in result.actions]
        assert len(set(moves)) == simulations
        counts[moves] += 1
    expected = 2700 * simulations / 9
    # drawn without replacement: the variance is smaller than multinomial
    assert ((counts - expected) ** 2 / expected).sum() < 43.0


def test_pairs_of_first_moves_are_uniform_too() -> None:
    pairs = np.zeros((9, 9))
    search = MCTS(TicTacToe(), expansion=RandomChild(urgent="never"), seed=1)
    for _ in range(7200):
        search.reset()
        search.search(limit=Limit(simulations=2))
        tree = search.tree
        first, second = tree.nodes.array["action"][tree.children(ROOT)]
        pairs[first, second] += 1
    assert np.trace(pairs) == 0
    chi2 = ((pairs[~np.eye(9, dtype=bool)] - 100) ** 2 / 100).sum()
    assert chi2 < 71 + 5.3 * math.sqrt(2 * 71)  # 71 degrees, below 1e-6


def test_urgent_moves_are_the_only_ones_tried() -> None:
    win_now = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2"])
    for urgent, moves in (("always", {"a3"}), ("root", {"a3"})):
        search = MCTS(
            TicTacToe(),
            expansion=RandomChild(urgent=urgent),
            solver=Unsolved(),
            seed=1,
            interpreted=True,
        )
        result = search.search(win_now, Limit(simulations=500))
        assert {r.move for r in result.actions} == moves
        assert result.value == 1.0
        assert result.stopped_by == "only move"
    free = RandomChild(urgent="never")
    search = MCTS(
        TicTacToe(), expansion=free, solver=Unsolved(), seed=1, interpreted=True
    )
    assert len(search.search(win_now, Limit(simulations=500)).actions) == 5


def test_urgent_at_the_root_only() -> None:
    at_root = RandomChild(urgent="root")
    search = MCTS(TicTacToe(), expansion=at_root, seed=1, interpreted=True)
    block = Position.from_moves(TicTacToe(), ["a1", "c3", "a2"])
    result = search.search(block, Limit(simulations=2000))
    assert [r.move for r in result.actions] == ["a3"]
    reply = search.tree.children(int(search.tree.children(ROOT)[0]))
    assert len(reply) == 5

"""Several trees merged at the root: sums, proofs, reproducible bit for bit.

Also of `search/result/merged_root.py` and `search/running/kept_tree.py`.
"""

from itertools import count
from typing import Any

import pytest

from playout import (
    MCTS,
    AllChildren,
    ConnectFour,
    Limit,
    Position,
    RandomChild,
    TicTacToe,
    UsageError,
)
from playout.search.result.merged_root import merge_roots
from playout.search.running.forest import Forest
from playout.search.running.parallel_calls import ParallelCalls
from playout.search.solver.bounds import bounds, is_proven, lower_of
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT
from playout.search.tree.tree import Tree


def nodes_of(search: MCTS) -> list[Any]:
    return [t.nodes.array[: t.num_nodes].tolist() for t in search.trees]


def grown(simulations: int = 6001, **keywords: Any) -> tuple[MCTS, Any]:
    search = MCTS(ConnectFour(), seed=3, trees=3, **keywords)
    return search, search.search(limit=Limit(simulations=simulations))


def test_the_merged_root_is_the_sum_of_the_trees() -> None:
    search, result = grown()
    assert [tree.visits for tree in search.trees] == [2001, 2000, 2000]
    assert result.simulations == result.visits == 6001
    for row in result.actions:
        children = [
            tree.nodes[int(child)]
            for tree in search.trees
            for child in tree.children(ROOT)
            if tree.nodes[int(child)].action == row.action
        ]
        assert row.visits == sum(child.visits for child in children)
        total = sum(child.value_sum for child in children)
        assert row.mean == pytest.approx(total / row.visits)
    assert result.nodes == sum(tree.num_nodes for tree in search.trees)
    assert sum(row.visits for row in result.actions) == 6001


def test_the_trees_are_the_same_every_time_and_differ_from_each_other() -> None:
    first, again = grown(), grown()
    assert nodes_of(first[0]) == nodes_of(again[0])
    assert first[1].to_dict()["actions"] == again[1].to_dict()["actions"]
    assert len({str(nodes) for nodes in nodes_of(first[0])}) == 3


def test_the_first_tree_is_the_one_of_a_search_alone() -> None:
    search, _ = grown()
    alone = MCTS(ConnectFour(), seed=3)
    alone.search(limit=Limit(simulations=2001))
    assert nodes_of(alone)[0] == nodes_of(search)[0]


@pytest.mark.parametrize("expansion", [None, AllChildren(threshold=5)])
def test_when_the_clock_is_read_changes_nothing(expansion: Any) -> None:
    """Compared: chunks of one simulation, and chunks of the size that they grow to."""
    trees = []
    for slow in (False, True):
        search = MCTS(TicTacToe(), seed=2, trees=2, expansion=expansion)
        if slow:
            ticks = count(0.0, 0.003)
            search.clock = lambda ticks=ticks: next(ticks)  # type: ignore[misc]
        result = search.search(limit=Limit(simulations=20_000))
        assert (result.proven == "draw") == (expansion is None)
        trees.append((nodes_of(search), result.simulations))
    assert trees[0] == trees[1]


def test_interpreted_it_is_the_same() -> None:
    trees = []
    for interpreted in (False, True):
        search = MCTS(TicTacToe(), seed=4, trees=2, interpreted=interpreted)
        search.search(limit=Limit(simulations=151))
        trees.append(nodes_of(search))
    assert trees[0] == trees[1]


def test_a_proof_of_one_tree_ends_the_search() -> None:
    """The player to move wins, and a search proves it soon."""
    search = MCTS(TicTacToe(), seed=1, trees=3)
    position = Position.from_moves(TicTacToe(), ["b2", "b1"])
    result = search.search(position, Limit(seconds=60))
    assert (result.proven, result.stopped_by) == ("win", "proven")
    best = next(row for row in result.actions if row.move == result.move)
    assert best.proven == "win"


def test_proofs_of_different_trees_are_taken_together() -> None:
    """Each tree has proven that one of two moves loses; together the root is lost."""
    trees = []
    for known in (0, 1):
        tree = Tree.reserve(10)
        tree.clear(1)
        root = tree.nodes[ROOT]
        root.num_legal, root.visits = 2, 2
        for action in (0, 1):
            child = tree.nodes[add_child(tree, ROOT, action)]
            child.visits = 1
            if action == known:
                child.proven, child.proof_plies = bounds(-1, -1), 3 + action
        trees.append(tree)
    root = merge_roots(trees, mover=0).nodes[ROOT]
    assert is_proven(root.proven)
    assert lower_of(root.proven) == 1  # for the one who moved into it
    same_player = merge_roots(trees, mover=1).nodes[ROOT]
    assert lower_of(same_player.proven) == -1


def test_a_proven_move_is_shown_with_the_line_that_proves_it() -> None:
    """Another tree may have visited the move more without the proof."""
    for seed in range(20, 40):
        search = MCTS(
            TicTacToe(), expansion=RandomChild(urgent="never"), seed=seed, trees=2
        )
        position = Position.from_moves(TicTacToe(), ["b2", "b1"])
        result = search.search(position, Limit(simulations=4000))
        best = next(row for row in result.actions if row.move == result.move)
        assert result.proven == "win"
        assert len(result.pv) == best.proof_plies


def test_what_is_kept_between_moves() -> None:
    search, result = grown()
    search.advance(result.move)
    before = [tree.visits for tree in search.trees]
    best = next(row for row in result.actions if row.move == result.move)
    assert sum(before) == best.visits
    after = search.search(limit=Limit(simulations=301))
    assert [tree.visits for tree in search.trees] == [
        before[0] + 101,
        before[1] + 100,
        before[2] + 100,
    ]
    assert after.simulations == 301
    search.go_to(Position(ConnectFour()))
    assert [tree.visits for tree in search.trees] == [0, 0, 0]


def test_fewer_simulations_than_trees() -> None:
    search = MCTS(ConnectFour(), seed=1, trees=4)
    result = search.search(limit=Limit(simulations=2))
    assert result.simulations == 2
    assert search.search(limit=Limit(simulations=1)).visits == 3


def test_limits_are_for_all_trees_together() -> None:
    result = MCTS(ConnectFour(), seed=1, trees=2).search(
        limit=Limit(simulations=20_000, nodes=1000)
    )
    assert result.nodes <= 1000
    result = MCTS(ConnectFour(), seed=1, trees=2).search(limit=Limit(nodes=4000))
    assert result.stopped_by == "tree full"
    result = MCTS(ConnectFour(), seed=1, trees=2).search(limit=Limit(seconds=0.1))
    assert result.stopped_by == "seconds"
    assert result.seconds < 1


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True])
def test_wrong_numbers_are_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match="trees must be"):
        MCTS(TicTacToe(), trees=wrong)


def test_the_trees_are_tidied_up_when_all_threads_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also threads that an interrupt left running: they still use the trees' memory."""
    ended: list[bool] = []
    exit_of, return_unused_of = ParallelCalls.__exit__, Forest.return_unused

    def exit_noting(self: ParallelCalls, *error: Any) -> None:
        exit_of(self, *error)
        ended.append(True)

    def return_unused_after(self: Forest) -> None:
        assert ended
        return_unused_of(self)

    monkeypatch.setattr(ParallelCalls, "__exit__", exit_noting)
    monkeypatch.setattr(Forest, "return_unused", return_unused_after)
    MCTS(TicTacToe(), seed=1, trees=2).search(limit=Limit(simulations=10))
    assert ended

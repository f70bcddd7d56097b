"""Threads on one tree: exact statistics and proofs (row 12 of docs/checklist.md)."""

import threading
import time
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    UCT,
    AllChildren,
    ConnectFour,
    Limit,
    Mean,
    Position,
    RandomChild,
    TicTacToe,
    Tree,
    Unsolved,
)
from playout.core.jit.atomics import lock, news, raise_stop
from playout.search.kernels.shared_tree import share_branches, share_leaves
from playout.search.running import forest
from playout.search.solver.bounds import is_proven, lower_of
from playout.search.tree.nodes import ROOT, TRUNK
from tests.search.kernels.threads import KERNELS, Heap, WholeMean, check, grown
from tests.search.support import minimax, to_move, walk
from tests.toys import Nim, ThreeWays, Wheel

pytestmark = [
    pytest.mark.optimised,
    pytest.mark.usefixtures("threads_from_the_first_simulation_on"),
]

# -- statistics ------------------------------------------------------------------------


def test_the_policies_decide_which_kernel_runs() -> None:
    for threads, backup, kernel in (
        (2, Mean(), share_branches),
        (2, WholeMean(), share_leaves),
    ):
        search = MCTS(TicTacToe(), threads=threads, backup=backup)
        assert search._forest.teams[0].kernel is kernel


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("threads", [2, 3, 8, 64])
def test_nothing_is_lost_and_nothing_is_left(kernel: str, threads: int) -> None:
    search = grown(threads, backup=KERNELS[kernel])
    assert search.tree.visits == 20_000
    check(search.tree)


@pytest.mark.parametrize("kernel", KERNELS)
def test_searches_that_go_on_and_moves_that_are_played(kernel: str) -> None:
    search = MCTS(
        ConnectFour(), seed=1, threads=4, backup=KERNELS[kernel], solver=Unsolved()
    )
    position = Position(ConnectFour())
    for _ in range(6):
        for simulations in (1, 2, 997, 2000):
            before = search._forest.trees[0].visits if search._forest.trees else 0
            result = search.search(position, Limit(simulations=simulations))
            if result.stopped_by == "only move":  # one game of hundreds comes to that
                continue
            assert result.simulations == simulations
            assert before == 0 or search.tree.visits >= simulations
        check(search.tree, None if position.actions else 1)
        position.play(result.action)
    if kernel == "branches":
        assert search.tree.nodes[ROOT].owner == TRUNK


@pytest.mark.parametrize("kernel", KERNELS)
def test_children_in_batches(kernel: str) -> None:
    keywords = {"game": TicTacToe(), "interpreted": True}
    batches = AllChildren(threshold=5)
    search = grown(3, 250, backup=KERNELS[kernel], expansion=batches, **keywords)
    assert search.tree.visits == 250
    check_batches(search.tree)


def check_batches(tree: Tree) -> None:
    rows = tree.nodes.array[: tree.num_nodes]
    visits, sums = rows["visits"].tolist(), rows["value_sum"].tolist()
    for node in walk(tree):
        below = tree.columns.children(node)
        own = visits[node] - sum(visits[child] for child in below)
        value = sums[node] + sum(sums[child] for child in below)
        assert value == int(value)
        assert abs(value) <= own


def test_one_thread_is_the_search_without_threads() -> None:
    trees = []
    for keywords in ({}, {"threads": 1}):
        search = MCTS(TicTacToe(), seed=5, solver=Unsolved(), **keywords)
        search.search(limit=Limit(simulations=3000))
        tree = search.tree
        trees.append(tree.nodes.array[: tree.num_nodes].tolist())
    assert trees[0] == trees[1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_slow_twin_grows_the_same_tree(kernel: str) -> None:
    """Threads are called one after the other, so that timing has no influence."""
    trees = []
    for interpreted in (False, True):
        search = MCTS(
            TicTacToe(),
            seed=4,
            threads=3,
            backup=KERNELS[kernel],
            interpreted=interpreted,
        )
        search.compile()
        search._forest.make_room(Limit(nodes=5000), Position(TicTacToe()))
        team, tree = search._forest.teams[0], search._forest.trees[0]
        assert search._forest.native is not None
        for until in (10, 100, 250):
            for call in team.calls(tree, until, until, in_turn=True):
                with np.errstate(over="ignore"):
                    search._forest.native(*call)
        team.return_unused(tree)
        trees.append(tree.nodes.array[: tree.num_nodes].tolist())
        assert tree.visits == 250
    assert trees[0] == trees[1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_three_players(kernel: str) -> None:
    search = MCTS(
        ThreeWays(), seed=1, threads=3, backup=KERNELS[kernel], interpreted=True
    )
    position = Position.from_moves(ThreeWays(), ["1", "1"])
    result = search.search(position, Limit(simulations=100))
    assert (result.move, result.proven) == ("0", "win")


@pytest.mark.parametrize("interpreted", [False, True])
def test_no_path_is_longer_than_a_game_may_be(interpreted: bool) -> None:
    """Depths in a branch are counted from where it begins."""
    game = Wheel(most=4)
    kinds = [(2, Mean()), (8, Mean())]
    for threads, backup in kinds + [(2, WholeMean())] * interpreted:
        search = MCTS(
            game, seed=1, threads=threads, backup=backup, interpreted=interpreted
        )
        result = search.search(limit=Limit(simulations=700 if interpreted else 5000))
        assert result.depth == game.max_game_length() + 1
        check(search.tree, None)


def test_discounts_count_from_the_root() -> None:
    """The mean of a move that wins at once, which another thread may have tried."""
    position = Position(Nim(), "left=3 player=0")
    options = {"backup": Mean(discount=0.1), "solver": Unsolved(), "interpreted": True}
    for threads in (1, 4):
        search = MCTS(Nim(), seed=1, threads=threads, **options)
        result = search.search(position, Limit(simulations=300))
        best = next(row for row in result.actions if row.move == result.move)
        assert best.action == 3
        assert best.mean == pytest.approx(0.9)


# -- proofs ----------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("threads", [2, 8])
def test_proofs_are_right_and_reach_the_root(kernel: str, threads: int) -> None:
    for seed in range(5):
        search = MCTS(TicTacToe(), seed=seed, threads=threads, backup=KERNELS[kernel])
        result = search.search(limit=Limit(simulations=20_000))
        assert (result.proven, result.stopped_by) == ("draw", "proven")
        assert check_proofs(search.tree) > 100


@pytest.mark.parametrize("kernel", KERNELS)
def test_proofs_are_right_in_a_tree_that_is_recycled(kernel: str) -> None:
    for seed in range(3):
        search = MCTS(TicTacToe(), seed=seed, threads=4, backup=KERNELS[kernel])
        result = search.search(limit=Limit(simulations=20_000, nodes=600))
        assert result.proven in ("draw", None)
        assert result.nodes <= 600
        assert check_proofs(search.tree) > 10


def check_proofs(tree: Tree) -> int:
    """How many nodes of tic-tac-toe are proven; each as perfect play says."""
    found, stack = 0, [(ROOT, "." * 9)]
    while stack:
        node, cells = stack.pop()
        row = tree.nodes[node]
        if is_proven(row.proven):
            assert lower_of(row.proven) == -minimax(cells)
            found += 1
        for child in tree.children(node):
            action = int(tree.nodes.array["action"][child])
            after = cells[:action] + to_move(cells) + cells[action + 1 :]
            stack.append((int(child), after))
    return found


# -- together with trees ---------------------------------------------------------------


def test_several_trees_with_several_threads_each() -> None:
    search = MCTS(ConnectFour(), seed=1, threads=2, trees=2, solver=Unsolved())
    result = search.search(limit=Limit(simulations=10_001))
    assert [tree.visits for tree in search.trees] == [5001, 5000]
    assert result.simulations == 10_001
    for tree in search.trees:
        check(tree)
    streams = [rng.state[0] for team in search._forest.teams for rng in team.rngs]
    assert len(set(map(int, streams))) == 4


def test_two_threads_know_as_much_as_one() -> None:
    """The same move where one alone draws; the means differ by their errors at most.

    They were -0.018 in thirty runs with each number of threads, with a deviation of
    0.002 at most; a difference of 0.02 between two of three would be seven of its own:
    less than once in a thousand million runs.
    """
    position = Position.from_moves(TicTacToe(), ["a1"])
    means = []
    for threads in (1, 2, 8):
        search = MCTS(TicTacToe(), seed=2, threads=threads, solver=Unsolved())
        result = search.search(position, Limit(simulations=5000))
        assert result.move == "b2"
        means.append(result.value)
    assert np.ptp(means) < 0.02
    assert -0.03 < min(means) <= max(means) < 0.0


def test_short_chunks_are_one_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other threads start only after a chunk took long enough."""
    monkeypatch.setattr(forest, "ALONE_SECONDS", 60.0)
    search = MCTS(ConnectFour(), seed=1, threads=3, solver=Unsolved())
    search.compile()
    native = search._forest.native
    assert native is not None
    chunks: list[tuple[int, int]] = []

    def run(policies: Any, tree: Any, *others: Any) -> None:
        chunks.append((threading.get_ident(), tree.visits))
        native(policies, tree, *others)
        time.sleep(0.01)

    search._forest.native = run
    search.search(limit=Limit(simulations=12))
    assert {thread for thread, _ in chunks} == {threading.get_ident()}
    assert chunks[1][1] == 1  # it looks at the clock after the first simulation
    chunks.clear()
    monkeypatch.setattr(forest, "ALONE_SECONDS", 0.005)
    search.search(limit=Limit(simulations=12))
    assert len({thread for thread, _ in chunks}) == 3


@pytest.mark.parametrize("threads", [2, 16])
def test_a_stay_in_a_branch_is_worth_the_way_there(threads: int) -> None:
    """With many moves and many threads, too, it is many simulations between two locks.

    Once it was below 2 with two threads, later 3 with sixteen.
    """
    simulations = 200_000
    keywords = {"expansion": RandomChild(), "selection": UCT()}
    search = grown(threads, simulations, Heap(), **keywords)
    stays = news(search._forest.teams[0].signals)
    assert simulations / stays > 16


def test_proofs_below_the_root_of_a_branch_wait_for_nobody() -> None:
    """And whoever works above all branches has the lock already."""
    team = MCTS(TicTacToe(), seed=1, threads=2)._forest.teams[0]
    work, trunk, signals = team.works[0], team.trunks[0], team.signals
    assert lock(signals)  # another thread's
    for below, depth in ((work, 1), (work, 2), (trunk, 0)):
        assert below.begin_proof(depth)
        below.end_proof(depth)
    assert (work.thread[0].learned, trunk.thread[0].learned) == (0, 1)
    raise_stop(signals)
    assert not work.begin_proof(0)  # it would have waited


def test_a_proof_keeps_the_lock_until_its_last_part_is_noted() -> None:
    team = MCTS(TicTacToe(), seed=1, threads=2)._forest.teams[0]
    work, signals = team.works[0], team.signals
    assert work.begin_proof(0)
    assert work.begin_proof(0)
    work.end_proof(0)
    raise_stop(signals)
    assert not lock(signals)
    work.end_proof(0)
    assert lock(signals)
    assert work.thread[0].learned == 1

"""Threads on one tree: limits, Ctrl-C, failures, and the search after them.

Also of `search/running/workers.py`.
"""

import os
import signal
import threading
import time
from dataclasses import dataclass
from itertools import count

import pytest

from playout import (
    MCTS,
    ConnectFour,
    Limit,
    Mean,
    TicTacToe,
    Tree,
    Unsolved,
    UsageError,
)
from playout.search.tree.nodes import OWNED, ROOT
from tests.search.kernels.threads import KERNELS, check, grown
from tests.search.support import walk

pytestmark = [
    pytest.mark.optimised,
    pytest.mark.usefixtures("threads_from_the_first_simulation_on"),
]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("simulations", [1, 2, 3, 17, 1001])
def test_simulations_are_counted_exactly(kernel: str, simulations: int) -> None:
    search = grown(8, simulations, backup=KERNELS[kernel])
    assert search.tree.visits == simulations


def test_seconds_nodes_and_memory_hold_with_threads() -> None:
    for limit, reason in (
        (Limit(seconds=0.05), "seconds"),
        (Limit(seconds=0.05, nodes=500), "seconds"),
        (Limit(simulations=30_000, nodes=3000), "simulations"),
        (Limit(simulations=30_000, memory=100_000), "simulations"),
        (Limit(nodes=5000), "tree full"),
    ):
        search = MCTS(ConnectFour(), seed=1, threads=4, solver=Unsolved())
        result = search.search(limit=limit)
        assert result.stopped_by == reason
        assert result.simulations == search.tree.visits
        assert result.nodes <= (limit.nodes or 10**9)
        assert result.tree_bytes <= (limit.memory or 10**9)
        assert limit.seconds is None or result.seconds < limit.seconds + 1
        check_batches_of_recycled(search.tree)


def check_batches_of_recycled(tree: Tree) -> None:
    """Sums that hold where children may have been recycled, too."""
    rows = tree.nodes.array[: tree.num_nodes]
    visits, sums, owners = (rows[n].tolist() for n in ("visits", "value_sum", "owner"))
    for node in walk(tree):
        below = tree.columns.children(node)
        least = max(sum(visits[child] for child in below), len(below) > 0)
        assert visits[node] >= least
        assert abs(sums[node]) <= visits[node]
        assert owners[node] != OWNED


def test_ctrl_c_returns_the_best_so_far_and_leaves_a_sound_tree() -> None:
    search = MCTS(ConnectFour(), seed=1, threads=3, solver=Unsolved())
    search.compile()
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    looks = count()

    def clock() -> float:
        """Sends Ctrl-C a little after the second look, when simulations have begun."""
        if next(looks) == 1:
            timer.start()
        return time.perf_counter()

    search.clock = clock
    result = search.search(limit=Limit(seconds=60))
    assert result.stopped_by == "interrupted"
    assert result.simulations == search.tree.visits > 0
    check(search.tree)
    assert search.search(limit=Limit(simulations=100)).simulations == 100
    assert not [t for t in threading.enumerate() if "ThreadPool" in t.name]


@dataclass(frozen=True)
class InterruptedMean(Mean):
    """Ctrl-C amid a backup, once: the leaf is counted, nothing above it is.

    It comes later than the trial of policies (`running/trial`) ends.
    """

    def update(self, tree, work, depth, plies):
        if tree.nodes[ROOT].visits >= 600 and not PRESSED:
            PRESSED.append(True)
            tree.nodes[work.path[depth].node].visits += 1
            raise KeyboardInterrupt
        super().update(tree, work, depth, plies)


@dataclass(frozen=True)
class InterruptedWhole(InterruptedMean):
    splits = False


PRESSED: list[bool] = []


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("backup", [InterruptedMean(), InterruptedWhole()])
def test_ctrl_c_amid_an_interpreted_simulation(threads: int, backup: Mean) -> None:
    """The best so far is told; the tree, its lock and virtual losses are not kept."""
    PRESSED.clear()
    search = MCTS(
        TicTacToe(),
        seed=1,
        threads=threads,
        backup=backup,
        solver=Unsolved(),
        interpreted=True,
    )
    result = search.search(limit=Limit(simulations=1000))
    assert result.stopped_by == "interrupted"
    assert 0 < result.simulations < 1000
    with pytest.raises(UsageError, match="no tree yet"):
        _ = search.tree
    again = search.search(limit=Limit(simulations=100))
    assert again.simulations == again.visits == 100
    check(search.tree)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_smallest_tree_has_room_for_the_roots_moves(kernel: str) -> None:
    search = MCTS(
        ConnectFour(), seed=1, threads=8, backup=KERNELS[kernel], solver=Unsolved()
    )
    result = search.search(limit=Limit(simulations=3000, nodes=9))
    assert result.simulations == 3000
    assert sum(row.visits > 0 for row in result.actions) == 7
    check_batches_of_recycled(search.tree)


@dataclass(frozen=True)
class BrittleMean(Mean):
    """Its update fails once the root has been visited so often."""

    most: int = 5000

    def update(self, tree, work, depth, plies):
        if tree.nodes[ROOT].visits > self.most:
            raise ValueError("broken policy")
        for index in range(depth + 1):
            row = tree.nodes[work.path[index].node]
            row.visits += 1


@dataclass(frozen=True)
class BrittleBranches(BrittleMean):
    """The same for threads that own branches."""

    splits = True


@pytest.mark.parametrize("backup", [BrittleMean(), BrittleBranches()], ids=KERNELS)
def test_a_failing_thread_ends_the_search_with_its_error(backup: Mean) -> None:
    for threads in (2, 8, 32):
        search = MCTS(
            TicTacToe(), seed=1, threads=threads, solver=Unsolved(), backup=backup
        )
        search.compile()
        started = time.monotonic()
        with pytest.raises(ValueError, match="broken policy"):
            search.search(limit=Limit(seconds=60))
        assert time.monotonic() - started < 40
        assert not [t for t in threading.enumerate() if "ThreadPool" in t.name]
        with pytest.raises(UsageError, match="no tree yet"):
            _ = search.tree


def test_after_a_failure_it_may_be_used_again() -> None:
    search = MCTS(
        TicTacToe(), seed=1, threads=4, solver=Unsolved(), backup=BrittleMean()
    )
    with pytest.raises(ValueError, match="broken policy"):
        search.search(limit=Limit(simulations=20_000))
    result = search.search(limit=Limit(simulations=4000))
    assert result.simulations == result.visits == 4000

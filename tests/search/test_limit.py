"""Limits: whichever comes first, on a clock that the test turns, and Ctrl-C.

Also of `search/running/run.py`.
"""

import os
import signal
import threading
from typing import Any

import pytest

from playout import MCTS, ConnectFour, Limit, Result, TicTacToe, Unsolved
from playout.search.running.forest import CHUNK_SECONDS
from playout.search.tree.nodes import MAX_VISITS, ROOT
from tests.toys import Nim


class FakeClock:
    """A clock that only moves as simulations are run, `cost` seconds for each."""

    def __init__(self, search: MCTS, cost: float) -> None:
        search.compile()
        self.now, self.cost, self.native = 0.0, cost, search._forest.native
        self.chunks: list[int] = []
        search.clock, search._forest.native = lambda: self.now, self.run

    def run(self, policies: Any, tree: Any, work: Any, until: int, most: int) -> None:
        self.chunks.append(until - int(tree.nodes[ROOT].visits))
        self.now += self.cost * self.chunks[-1]
        assert self.native is not None
        self.native(policies, tree, work, until, most)


def test_the_clock_is_read_every_few_milliseconds() -> None:
    search = MCTS(TicTacToe(), seed=1, solver=Unsolved())
    clock = FakeClock(search, cost=0.0001)
    result = search.search(limit=Limit(seconds=0.5))
    assert result.stopped_by == "seconds"
    assert 0.5 <= result.seconds < 0.5 + CHUNK_SECONDS
    assert max(clock.chunks) * clock.cost <= CHUNK_SECONDS <= 0.01
    assert clock.chunks[0] == 1


def test_a_slow_game_overshoots_by_one_simulation_at_most() -> None:
    """A simulation takes 0.3 s by this clock, and the search has 1 s."""
    search = MCTS(TicTacToe(), seed=1)
    clock = FakeClock(search, cost=0.3)
    result = search.search(limit=Limit(seconds=1.0))
    assert clock.chunks == [1, 1, 1, 1]
    assert result.simulations == 4
    assert result.seconds == pytest.approx(1.2)


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        (Limit(seconds=60, simulations=100), "simulations"),
        (Limit(seconds=0.05, simulations=10**9), "seconds"),
        (Limit(seconds=60, simulations=3000, nodes=100), "simulations"),
        (Limit(seconds=0.05, nodes=100, memory=10**6), "seconds"),
    ],
    ids=str,
)
def test_all_limits_are_honoured_together(limit: Limit, reason: str) -> None:
    result = MCTS(ConnectFour(), seed=1).search(limit=limit)
    assert result.stopped_by == reason
    if limit.simulations:
        assert result.simulations <= limit.simulations
    if limit.nodes:
        assert result.nodes <= limit.nodes


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_of_a_full_tree_ends(threads: int) -> None:
    """The tree is full before the search, so that at last no simulation can run.

    Until then some may: those that lead to a leaf without a child need no new node.
    """
    search = MCTS(ConnectFour(), seed=1, threads=threads, solver=Unsolved())
    for _ in range(300):
        result = search.search(limit=Limit(nodes=300))
        assert result.stopped_by == "tree full"
        assert result.move
        if result.simulations == 0:
            break
    assert result.simulations == 0
    assert "nothing left to search" in str(result)


def test_a_root_that_cannot_be_visited_more_says_so() -> None:
    search = MCTS(TicTacToe(), seed=1, solver=Unsolved())
    search.search(limit=Limit(simulations=100))
    search.tree.nodes[ROOT].visits = MAX_VISITS
    result = search.search(limit=Limit(simulations=100))
    assert (result.stopped_by, result.simulations) == ("visits", 0)


def test_compiling_is_never_charged_to_the_clock() -> None:
    """Compiling takes 1000 s by the search's own clock, of which 0.05 s are given."""
    search = MCTS(Nim(stones=19), seed=1)
    clock = FakeClock(search, cost=0.001)

    def compile_slowly(wait: bool = True) -> float:
        clock.now += 1000.0
        search._compiling = 1000.0
        return 1000.0

    search.compile = compile_slowly  # type: ignore[method-assign]
    result = search.search(limit=Limit(seconds=0.05))
    assert result.compile_seconds == 1000.0
    assert result.seconds == pytest.approx(0.05, abs=0.005)
    assert result.simulations == pytest.approx(50, abs=5)
    assert result.simulations_per_second == pytest.approx(1000)


def test_progress_is_told_and_can_stop_the_search() -> None:
    seen: list[Result] = []

    def watch(result: Result) -> bool:
        seen.append(result)
        return len(seen) < 3

    search = MCTS(ConnectFour(), seed=1)
    result = search.search(limit=Limit(seconds=30), progress=watch)
    assert result.stopped_by == "callback"
    assert len(seen) == 3
    assert seen[0].visits < seen[2].visits <= result.visits


def test_ctrl_c_returns_the_best_so_far() -> None:
    search = MCTS(ConnectFour(), seed=1)
    search.compile()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = search.search(limit=Limit(seconds=60))
    assert result.stopped_by == "interrupted"
    assert result.simulations > 0
    again = search.search(limit=Limit(simulations=100))
    assert again.simulations == 100  # the search is still usable

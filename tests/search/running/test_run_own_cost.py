"""What a search does besides its simulations, counted in Python's calls.

They are the same on every machine; `benchmarks.small_searches` reads the clock.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from playout import MCTS, ConnectFour, Limit, Position, TicTacToe
from playout.search.running.cluster import RayForest


def calls_of(function: Callable[[], object]) -> int:
    """How many Python functions are called, and how many of C."""
    calls = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event in ("call", "c_call"):
            calls.append(event)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(before)
    return len(calls)


def searches(simulations: int) -> int:
    """The calls of a search that keeps no tree, in a process that has done some."""
    search, limit = MCTS(TicTacToe(), seed=1), Limit(simulations=simulations)
    positions = [Position(TicTacToe()).play(move) for move in ("a1", "b2", "a1", "b2")]
    return [calls_of(lambda p=p: search.search(p, limit)) for p in positions][-1]


def test_a_search_of_one_simulation_makes_few_calls() -> None:
    assert searches(1) <= 450  # 820 before its work was looked at


def test_a_search_begins_with_more_where_it_knows_how_long_one_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search = MCTS(TicTacToe(), seed=1)
    search.compile()
    chunks, grow = [], search._forest.grow

    def count(*args: Any) -> None:
        chunks.append(args)
        grow(*args)

    monkeypatch.setattr(search._forest, "grow", count)
    found = []
    for pace in (0.0, 1e6):
        search.reset(seed=1)
        search._forest.pace = pace
        found.append((search.search(limit=Limit(simulations=500)).actions, len(chunks)))
        chunks.clear()
    (first, slowly), (second, at_once) = found
    assert first == second
    assert slowly >= 3  # 1, 99, with which an only move ends, and the rest
    assert at_once == 2  # 100, with which an only move ends, and the rest


def test_chunks_are_long_where_nobody_waits_for_their_end() -> None:
    search = MCTS(ConnectFour(), seed=1)
    search.compile()
    seconds, patience = search._forest.chunk_seconds, search._forest.patience
    counted, timed = Limit(simulations=1000), Limit(seconds=60, simulations=1000)
    watched = (counted, lambda result: None)
    runs = [(counted, None), (timed, None), (Limit(nodes=10), None), watched]
    found = [search._run(*run, forced_too=False)._chunk_seconds() for run in runs]
    assert found == [patience * seconds, seconds, seconds, seconds]
    pondering = search._run(counted, None, forced_too=False)
    pondering.think_until(lambda: True)
    assert pondering._chunk_seconds() == seconds
    assert patience > RayForest.patience == 1  # whose chunks are long anyway


def test_kernels_find_their_data_where_it_was_written_before() -> None:
    search = MCTS(TicTacToe(), seed=1)
    search.search(limit=Limit(simulations=9))
    search.advance("b2")
    search.search(limit=Limit(simulations=9))
    (team,), (tree,) = search._forest.teams, search._forest.trees
    assert all(kept._playout_place for kept in (search.policies, tree, *team.works))

"""Thinking while the other does, and ending when nothing can change any more.

Also of `search/running/schedule.py`.
"""

import threading
import time
from dataclasses import dataclass

import pytest

from playout import (
    MCTS,
    ConnectFour,
    HighestMean,
    Limit,
    Position,
    RandomChild,
    TicTacToe,
    Unsolved,
    UsageError,
)
from tests.search.test_limit import FakeClock
from tests.toys import Nim


def pondering_threads() -> int:
    return sum("pondering" in thread.name for thread in threading.enumerate())


def wait_until(condition, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


# -- pondering -------------------------------------------------------------------------


def test_what_was_pondered_is_there_when_the_other_has_moved() -> None:
    search = MCTS(ConnectFour(), seed=1)
    search.compile()
    position = Position.from_moves(ConnectFour(), ["4"])
    search.ponder(position)
    assert pondering_threads() == 1
    forest = search._forest
    wait_until(lambda: bool(forest.trees) and forest.trees[0].visits > 5000)
    position.play("4")
    result = search.search(position, Limit(simulations=100))
    assert pondering_threads() == 0
    assert result.simulations == 100
    assert result.visits > 200  # the rest was thought before


def test_every_other_call_ends_it() -> None:
    search = MCTS(ConnectFour(), seed=1)
    search.search(limit=Limit(simulations=100))
    for call in (
        lambda: search.tree,
        lambda: search.advance("4"),
        lambda: search.go_to(Position(ConnectFour())),
        lambda: search.reset(3),
        search.stop_pondering,
    ):
        search.ponder()
        assert pondering_threads() == 1
        call()
        assert pondering_threads() == 0


def test_where_there_is_nothing_to_choose_nothing_happens() -> None:
    over = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2", "a3"])
    search = MCTS(TicTacToe(), seed=1)
    search.ponder(over)
    assert pondering_threads() == 0
    search.stop_pondering()


def test_where_no_part_of_a_tree_is_kept_nothing_happens() -> None:
    expansion = RandomChild(urgent="root")
    search = MCTS(TicTacToe(), seed=1, expansion=expansion, interpreted=True)
    search.ponder()
    assert pondering_threads() == 0


def test_it_ends_by_itself_at_a_limit_or_a_proof() -> None:
    search = MCTS(TicTacToe(), seed=1)
    search.ponder(limit=Limit(simulations=50))
    wait_until(lambda: pondering_threads() == 0)
    assert search.tree.visits == 50
    search.ponder()
    wait_until(lambda: pondering_threads() == 0)
    assert search.search(limit=Limit(seconds=5)).stopped_by == "proven"


@dataclass(frozen=True)
class BrokenNim(Nim):
    """Its rules fail when few stones are left."""

    def apply(self, state, action):
        if state.left < 4:
            raise ValueError("broken rules")
        state.left -= action
        state.player = 1 - state.player


def test_an_error_of_the_rules_comes_out_at_the_next_call() -> None:
    search = MCTS(BrokenNim(stones=9), seed=1, interpreted=True)
    search.ponder(limit=Limit(simulations=100))
    wait_until(lambda: pondering_threads() == 0)
    with pytest.raises(ValueError, match="broken rules"):
        search.stop_pondering()
    search.stop_pondering()  # it is told once


def test_what_is_no_limit_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="limit must be a Limit"):
        MCTS(Nim(stones=9)).ponder(limit=5)  # type: ignore[arg-type]


def test_a_full_tree_ends_it() -> None:
    search = MCTS(ConnectFour(), seed=1, solver=Unsolved())
    for _ in range(3):
        search.ponder(limit=Limit(nodes=300))
        wait_until(lambda: pondering_threads() == 0)


# -- early stop ------------------------------------------------------------------------

#: No proof and no single candidate ends these searches.
PLAIN = {"solver": Unsolved(), "expansion": RandomChild(urgent="never")}


@pytest.mark.parametrize("trees", [1, 2])
def test_an_early_stop_never_changes_the_move(trees: int) -> None:
    """One position has a clear best move, one has none; several seeds."""
    saved = 0
    for moves in ("44", "112233", ""):
        position = Position.from_moves(ConnectFour(), list(moves))
        for seed in range(4):
            options = {"seed": seed, "trees": trees, **PLAIN}
            limit = Limit(simulations=4000)
            whole = MCTS(ConnectFour(), **options).search(position, limit)
            search = MCTS(ConnectFour(), early_stop=True, **options)
            early = search.search(position, limit)
            assert early.move == whole.move
            if early.stopped_by == "decided":
                saved += 1
                first, second = early.actions[:2]
                assert first.visits - second.visits > 4000 - early.simulations
            else:
                assert early.simulations == whole.simulations
    assert saved >= 4


def test_with_seconds_the_rest_is_estimated() -> None:
    """The speed is constant, so that the estimate is exact."""
    position = Position.from_moves(ConnectFour(), list("112233"))
    search = MCTS(ConnectFour(), seed=1, early_stop=True, **PLAIN)
    FakeClock(search, cost=0.001)
    result = search.search(position, Limit(seconds=4))
    assert result.stopped_by == "decided"
    first, second = result.actions[:2]
    lead, left = first.visits - second.visits, 4000 - result.simulations
    assert left < lead < left + 20  # it ended as soon as it could
    assert 2 < result.seconds < 4  # which takes more than half of all visits


def test_a_kept_lead_does_not_end_a_search_before_its_speed_is_known() -> None:
    position = Position.from_moves(ConnectFour(), list("112233"))
    search = MCTS(ConnectFour(), seed=1, early_stop=True, **PLAIN)
    FakeClock(search, cost=0.001)
    search.search(position, Limit(simulations=4000))
    result = search.search(position, Limit(seconds=1))
    assert result.stopped_by == "decided"
    assert 0.1 <= result.seconds < 0.12


def test_it_is_off_by_default_and_for_visits_alone() -> None:
    position = Position.from_moves(ConnectFour(), list("112233"))
    search = MCTS(ConnectFour(), seed=1, **PLAIN)
    limit = Limit(simulations=3000)
    assert search.search(position, limit).stopped_by == "simulations"
    with pytest.raises(UsageError, match="early_stop is for the choice MostVisits"):
        MCTS(ConnectFour(), early_stop=True, choice=HighestMean())
    with pytest.raises(UsageError, match="early_stop must be True or False"):
        MCTS(ConnectFour(), early_stop="yes")  # type: ignore[arg-type]

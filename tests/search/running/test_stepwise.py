"""Limits, memory, moves, trees and threads hold for a search with an evaluator too.

Also of `search/kernels/stepwise.py` and `search/kernels/pending.py`.
"""

import threading
import time
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    EvaluatorError,
    Limit,
    Position,
    Unsolved,
    UsageError,
    one_by_one,
)
from playout.search.tree.nodes import OWNED
from tests.search.support import reached
from tests.toys import Knowing


def evaluation(states: Any) -> Any:
    """What `Knowing.evaluate` says for the player to move, and nothing of actions."""
    return asked(states), None


@one_by_one
def judged(state: Any) -> Any:
    game = Knowing()
    return game.evaluate(state, game.current_player(state)), None


def asked(states: Any) -> Any:
    return judged(states)[0]


def search_with(evaluator: Any = evaluation, **keywords: Any) -> MCTS:
    return MCTS(Knowing(), evaluator=evaluator, **{"seed": 1, **keywords})


def expect_sound(search: MCTS) -> None:
    """Nothing waits, and of every node's visits at most one is its own evaluation."""
    nodes = search.tree.nodes.array
    for node in reached(search):
        row, below = nodes[node], nodes[search.tree.children(node)]
        assert row["owner"] != OWNED
        assert int(row["visits"]) >= int(below["visits"].sum())
        assert abs(row["value_sum"]) <= row["visits"] + 1e-6


def test_a_win_is_proven_and_played() -> None:
    position = Position.from_moves(Knowing(), ["a1", "b1", "a2", "b2"])
    result = search_with().search(position, Limit(simulations=500))
    assert (result.move, result.proven) == ("a3", "win")
    assert result.stopped_by == "proven"


@pytest.mark.parametrize("batch", [1, 6])
def test_a_full_tree_makes_room_and_the_search_goes_on(batch: int) -> None:
    search = search_with(batch=batch)
    result = search.search(limit=Limit(simulations=600, nodes=60))
    assert result.simulations == 600
    assert search.tree.num_nodes <= 60
    expect_sound(search)


def test_what_is_below_a_move_is_kept() -> None:
    search = search_with(batch=4)
    result = search.search(limit=Limit(simulations=300))
    visits = max(row.visits for row in result.actions)
    search.advance(result.action)
    assert search.tree.visits == visits
    again = search.search(limit=Limit(simulations=50))
    assert again.visits == visits + 50
    expect_sound(search)


def test_trees_are_merged_and_the_same_every_time() -> None:
    found = []
    for _ in range(2):
        search = search_with(trees=2, batch=3)
        result = search.search(limit=Limit(simulations=200))
        found.append([tree.nodes.array[: tree.num_nodes] for tree in search.trees])
        assert result.simulations == 200
    for one, other in zip(*found, strict=True):
        assert (one == other).all()


def test_only_threads_of_the_same_tree_take_turns() -> None:
    search = search_with(trees=2, threads=2, interpreted=True)
    search.search(limit=Limit(simulations=8))
    forest = search._forest
    turns = [
        {id(call[-1]) for call in team.calls(tree, 0, 0, in_turn=False)}
        for team, tree in zip(forest.teams, forest.trees, strict=True)
    ]
    assert [len(one) for one in turns] == [1, 1]
    assert turns[0] != turns[1]


@pytest.mark.parametrize("batch", [1, 4])
def test_threads_ask_side_by_side_and_lose_nothing(batch: int) -> None:
    """Two of them meet in the evaluator."""
    met, inside = threading.Event(), set()

    def evaluate(states: Any) -> Any:
        inside.add(threading.get_ident())
        if len(inside) == 2:
            met.set()
        elif search.tree.visits > 40:  # there is a leaf for the other, too
            met.wait(timeout=1.0)
        inside.discard(threading.get_ident())
        return evaluation(states)

    search = search_with(evaluate, threads=2, batch=batch, solver=Unsolved())
    search.compile()
    forest, limit = search._forest, Limit(simulations=1000)
    forest.make_room(limit, search._position)
    with forest:
        forest.alone = False
        forest.grow([1000], [1000], None)
    assert search.tree.visits == 1000
    assert met.is_set()
    expect_sound(search)


def test_a_thread_that_fails_ends_the_search_and_leaves_nothing() -> None:
    def evaluate(states: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            raise OSError("the device is gone")
        return evaluation(states)

    search = search_with(evaluate, trees=2)
    with pytest.raises(EvaluatorError, match="OSError: the device is gone"):
        search.search(limit=Limit(simulations=100))
    assert search.trees[1].visits == 0
    for tree in search.trees:
        assert not (tree.nodes.array["owner"][: tree.num_nodes] == OWNED).any()


def test_a_thread_that_fails_ends_those_of_other_trees_too() -> None:
    """They do not finish their chunks, as the search raises an error anyway."""
    asked, begun = [], threading.Event()

    def evaluate(states: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            begun.wait(timeout=60.0)
            raise OSError("the device is gone")
        asked.append(len(states))
        begun.set()
        time.sleep(0.001)  # the other thread may run
        return evaluation(states)

    search = search_with(evaluate, trees=2, solver=Unsolved())
    search.compile()
    forest = search._forest
    forest.make_room(Limit(simulations=1000), search._position)
    with forest, pytest.raises(EvaluatorError, match="the device is gone"):
        forest.grow([1000, 1000], [1000, 1000], None)
    assert len(asked) < 500


def test_a_cluster_has_no_evaluator() -> None:
    with pytest.raises(UsageError, match="executor=local"):
        search_with(executor="ray")


def test_observations_come_without_a_copy_and_are_the_states() -> None:
    seen: list[Any] = []

    def evaluate(planes: Any) -> Any:
        assert (planes.dtype, planes.shape[1:]) == (np.float32, (2, 3, 3))
        assert planes.flags.c_contiguous
        seen.append((planes.ctypes.data, planes.sum(axis=(2, 3)).tolist()))
        return np.zeros(len(planes), np.float32), None

    search = MCTS(Observed(), evaluator=evaluate, seed=1, interpreted=True)
    search.search(limit=Limit(simulations=20))
    assert len({address for address, _ in seen}) == 1
    assert seen[0][1] == [[0.0, 0.0]]
    assert seen[1][1] == [[0.0, 1.0]]  # one stone of who does not move


class Observed(Knowing):
    def observation_shape(self) -> tuple[int, ...]:
        return (2, 3, 3)

    def observe(self, state: Any, planes: Any) -> None:
        mover = self.current_player(state)
        for cell in range(9):
            for plane in range(2):
                player = mover if plane == 0 else 1 - mover
                bit = np.uint64(1) << np.uint64(cell)
                if state.stones[player] & bit != np.uint64(0):
                    planes[plane, cell // 3, cell % 3] = 1.0

"""Many positions side by side whose search ends early: no leaf is left waiting."""

from typing import Any

import numpy as np
import pytest

from playout import MCTS, EvaluatorError, Limit, OnEvaluation, Position
from playout.core.jit.rows import Rows
from playout.search.running.lockstep import TreeGroup
from playout.search.tree.children import list_children
from playout.search.tree.nodes import OWNED, ROOT
from tests.search.running.test_lockstep import GAME, POSITIONS, judged, search_with
from tests.toys import Knowing


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_mistake_names_the_state_and_leaves_no_leaf_waiting(
    threads: int, awake: bool, halves: bool
) -> None:
    asked = []

    def breaks(states: Any) -> Any:
        asked.append(states.copy())
        values = np.zeros(len(states))
        if len(asked) == 3:
            values[1] = np.nan
        return values, None

    limit = Limit(simulations=9)
    search = search_with(breaks, threads=threads)
    with pytest.raises(EvaluatorError) as caught:
        search.search_many(POSITIONS, limit, double_buffered=halves)
    # Half of them answer once more, while the others see what has been said.
    text = GAME.state_to_text(Rows(asked[2])[1])
    count = 2 if halves else 5
    assert len(asked) == 3 + halves
    assert f"state 1 of {count}, {text!r}: its value is nan" in str(caught.value)
    assert search._lockstep is not None
    assert all(sum(batch.counts()) == 0 for batch in search._lockstep.batches)
    many = search.search_many(POSITIONS, limit, double_buffered=halves)
    assert many[0].visits == 9


@pytest.mark.parametrize("halves", [False, True])
def test_ctrl_c_gives_the_best_so_far(halves: bool) -> None:
    calls = []

    def slow(states: Any) -> Any:
        calls.append(1)
        if len(calls) > 10:
            raise KeyboardInterrupt
        return judged(states)

    search = search_with(slow)
    limit = Limit(simulations=100)
    results = search.search_many(POSITIONS, limit, double_buffered=halves)
    assert {result.stopped_by for result in results} == {"interrupted"}
    # The tenth answer was for the second half, and is not looked at any more.
    assert results.simulations.tolist() == ([5, 5, 5, 5, 5] if halves else [10] * 5)
    assert search._lockstep is not None
    assert all(sum(batch.counts()) == 0 for batch in search._lockstep.batches)


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.parametrize("by", ["interrupted", "seconds"])
def test_no_leaf_waits_when_a_search_has_ended_early(
    by: str, halves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is there a virtual loss: a root has its own visit and its children's."""
    calls, groups = [], []
    make = TreeGroup.plant

    def noted(*arguments: Any) -> TreeGroup:
        groups.append(make(*arguments))
        return groups[-1]

    def evaluate(states: Any) -> Any:
        calls.append(len(states))
        if by == "interrupted" and len(calls) == 12:
            raise KeyboardInterrupt
        return judged(states)

    monkeypatch.setattr(TreeGroup, "plant", noted)
    search = search_with(evaluate, batch=3, expansion=OnEvaluation())
    ticks = iter(range(1000))
    search.clock = lambda: float(next(ticks))
    limit = Limit(simulations=200, seconds=9.0 if by == "seconds" else None)
    results = search.search_many(POSITIONS, limit, double_buffered=halves)
    assert results.stopped_by == by
    assert max(calls) == (9 if halves else 15)
    for tree in groups[-1].trees:
        nodes = tree.nodes.array
        assert not (nodes["owner"] == OWNED).any()
        assert nodes[ROOT]["visits"] > 1
        children = np.zeros(9, np.int32)
        below = children[: list_children(tree, ROOT, children)]
        assert nodes[ROOT]["visits"] == 1 + nodes[below]["visits"].sum()


def test_ctrl_c_while_leaves_are_finished_takes_none_off_twice() -> None:
    sizes: list[int] = []
    left = [-1]

    class Stops(Knowing):
        def legal_actions(self, state: Any, actions: Any) -> int:
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
            return super().legal_actions(state, actions)

    def armed(states: Any) -> Any:
        sizes.append(len(states))
        if len(sizes) == 5:
            left[0] = 2  # in the expansion of the batch's second leaf
        return np.zeros(len(states)), None

    game = Stops()
    search = MCTS(game, evaluator=armed, batch=3, seed=4, interpreted=True)
    results = search.search_many([Position(game)], Limit(simulations=100))
    assert sizes[-1] == 3
    assert results.simulations.tolist() == [sum(sizes[:-1]) + 1]
    assert results.visits.sum() == sum(sizes[:-1])  # one was the root's own


def test_ctrl_c_before_any_child_comes_through() -> None:
    def interrupted(states: Any) -> Any:
        raise KeyboardInterrupt

    search = search_with(interrupted, interpreted=True)
    with pytest.raises(KeyboardInterrupt):
        search.search_many(POSITIONS, Limit(simulations=9))


@pytest.mark.parametrize("halves", [False, True])
def test_however_little_time_there_is_a_move_is_chosen(halves: bool) -> None:
    search = search_with(interpreted=True)
    limit = Limit(seconds=1e-9)
    results = search.search_many(POSITIONS, limit, double_buffered=halves)
    assert set(results.simulations.tolist()) == {1}
    assert all(result.move for result in results)


def test_halves_look_at_the_clock_after_each_call() -> None:
    """Not after two, of which each may take long; both halves finish what was said."""
    calls = 0

    def counted(states: Any) -> Any:
        nonlocal calls
        calls += 1
        return judged(states)

    search = search_with(counted)
    search.clock = lambda: float(calls)
    ended = {}
    for seconds in range(1, 8):
        calls = 0
        limit = Limit(seconds=float(seconds))
        results = search.search_many(POSITIONS, limit, double_buffered=True)
        assert results.stopped_by == "seconds"
        ended[seconds] = calls, results.simulations.tolist()
    assert ended.pop(1) == ended[2] == (2, [1, 1, 1, 1, 1])  # there must be a choice
    for seconds, (count, simulations) in ended.items():
        front, back = (seconds + 1) // 2, seconds // 2
        assert count == seconds
        assert simulations == [front, front, back, back, back]


def test_seconds_end_it() -> None:
    search = search_with()
    ticks = iter(range(1000))
    search.clock = lambda: float(next(ticks))
    results = search.search_many(POSITIONS, Limit(seconds=5.0))
    assert {result.stopped_by for result in results} == {"seconds"}
    assert 3 <= results.simulations.max() <= 6

"""A search that is asked while it is at work says so, instead of waiting for itself."""

import asyncio
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from playout import MCTS, Limit, Position, UsageError
from tests.toys import Knowing

FEW = Limit(simulations=20)
CALLS: dict[str, Callable[[MCTS], Any]] = {
    "search": lambda search: search.search(limit=FEW),
    "search_many": lambda search: search.search_many([Position(Knowing())], FEW),
    "ponder": lambda search: search.ponder(),
    "go_to": lambda search: search.go_to(Position.from_moves(Knowing(), ["b2"])),
    "advance": lambda search: search.advance("b2"),
    "reset": lambda search: search.reset(),
}


def search_with(evaluator: Any) -> MCTS:
    return MCTS(Knowing(), evaluator=evaluator, seed=1, interpreted=True)


@pytest.mark.parametrize("name", CALLS)
def test_an_evaluator_cannot_call_its_own_search(name: str) -> None:
    asked = []

    def evaluate(states: Any) -> Any:
        asked.append(1)
        if len(asked) == 5:
            CALLS[name](search)
        return np.zeros(len(states)), None

    search = search_with(evaluate)
    with pytest.raises(UsageError, match="while the same search is at work"):
        search.search(limit=FEW)
    asked.clear()
    with pytest.raises(UsageError, match="while the same search is at work"):
        search.search_many([Position(Knowing())] * 2, FEW)
    assert search.search(limit=FEW).visits >= 20


def test_a_progress_function_cannot_either_but_may_look() -> None:
    ticks = iter(range(100_000))
    search = search_with(lambda states: (np.zeros(len(states)), None))
    search.clock = lambda: float(next(ticks))
    search.search(limit=FEW, progress=lambda result: search.view() is not None)
    with pytest.raises(UsageError, match="advance was called while"):
        search.search(limit=Limit(simulations=90), progress=lambda _: search.advance(0))


def test_two_tasks_need_a_search_each() -> None:
    """The second raises an error, and the first goes on."""
    asked = []

    async def main() -> Any:
        told = asyncio.Event()

        async def patient(states: Any) -> Any:
            asked.append(1)
            await told.wait()
            return np.zeros(len(states)), None

        search = search_with(patient)
        first = asyncio.create_task(search.search_async(limit=FEW))
        while not asked:
            await asyncio.sleep(0.01)
        with pytest.raises(UsageError, match="while the same search is at work"):
            await search.search_async(limit=FEW)
        told.set()
        return await first

    assert asyncio.run(main()).visits == 20

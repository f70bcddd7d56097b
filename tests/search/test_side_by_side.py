"""Searches that are awaited: an `async def` evaluator, and cancelling."""

import asyncio
import gc
from typing import Any

import numpy as np
import pytest

from playout import MCTS, EvaluatorError, Limit, Position, UsageError
from tests.toys import Corridor, Knowing


async def patient(states: Any) -> Any:
    await asyncio.sleep(0)
    return np.zeros(len(states)), None


class Patient:
    async def __call__(self, states: Any) -> Any:
        return await patient(states)


def search_with(evaluator: Any = patient, **keywords: Any) -> MCTS:
    return MCTS(Knowing(), evaluator=evaluator, seed=1, interpreted=True, **keywords)


@pytest.mark.parametrize("evaluator", [patient, Patient()])
def test_an_async_evaluator_is_awaited(evaluator: Any) -> None:
    """Other tasks run meanwhile, and the tree is the same as without `async`."""
    ticks = []

    async def main() -> Any:
        async def tick() -> None:
            while True:
                ticks.append(1)
                await asyncio.sleep(0)

        other = asyncio.create_task(tick())
        search = search_with(evaluator)
        result = await search.search_async(limit=Limit(simulations=50))
        many = await search.search_many_async(
            [Position(Knowing())] * 3, Limit(simulations=9)
        )
        other.cancel()
        return result, many

    result, many = asyncio.run(main())
    plain = search_with(lambda states: (np.zeros(len(states)), None))
    assert result.actions == plain.search(limit=Limit(simulations=50)).actions
    assert len(many) == 3
    assert len(ticks) > 50


def test_without_await_it_is_told_what_to_write() -> None:
    with pytest.raises(UsageError, match=r"await search.search_async\(...\)"):
        search_with().search(limit=Limit(simulations=5))


def test_an_error_comes_through() -> None:
    async def broken(states: Any) -> Any:
        raise OSError("no connection")

    with pytest.raises(EvaluatorError, match="OSError: no connection"):
        asyncio.run(search_with(broken).search_async(limit=Limit(simulations=5)))


@pytest.mark.parametrize("many", [False, True])
def test_a_task_that_is_cancelled_ends_its_search(many: bool) -> None:
    game, simulations = Corridor(choices=2), 3000
    started = asyncio.Event()
    asked = []

    async def slow(states: Any) -> Any:
        asked.append(len(states))
        started.set()
        await asyncio.sleep(0.001)
        return np.zeros(len(states)), None

    async def main() -> None:
        search = MCTS(game, evaluator=slow, seed=1, interpreted=True)
        limit = Limit(simulations=simulations)
        task: asyncio.Task[Any] = asyncio.create_task(
            search.search_many_async([Position(game)] * 3, limit)
            if many
            else search.search_async(limit=limit)
        )
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert 1 <= len(asked) < simulations


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.filterwarnings("error")
def test_what_a_cancelled_task_awaits_is_cancelled_too(many: bool) -> None:
    """Else `wait_for` would wait for ever for a server that does not answer."""
    ends: list[str] = []
    noise: list[Any] = []

    async def silent(states: Any) -> Any:
        try:
            await asyncio.sleep(3600)
        finally:
            ends.append("cancelled")

    async def main() -> int:
        asyncio.get_running_loop().set_exception_handler(
            lambda *what: noise.append(what)
        )
        search, limit = search_with(silent), Limit(simulations=5)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(
                search.search_many_async([Position(Knowing())] * 3, limit)
                if many
                else search.search_async(limit=limit),
                0.05,
            )
        assert search._evaluation is not None
        search._evaluation.evaluator = patient
        return (await search.search_async(limit=limit)).simulations

    assert asyncio.run(main()) == 5
    gc.collect()
    assert ends == ["cancelled"]
    assert noise == []

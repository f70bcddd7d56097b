"""What a task that is cancelled does not wait for any more."""

import asyncio

import pytest

from playout.search.evaluation.awaiting import Awaiting


def test_what_is_asked_after_the_task_was_cancelled_is_cancelled() -> None:
    """Another thread of the search may come to it later."""

    async def main() -> None:
        awaiting = Awaiting(asyncio.get_running_loop())
        awaiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.to_thread(awaiting.result_of, asyncio.sleep(3600))

    asyncio.run(main())

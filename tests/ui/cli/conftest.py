"""What the tests of matches share."""

import pytest

from playout.arena import executors


@pytest.fixture(scope="module")
def shared_workers():
    """Commands run in this process share their workers, which are slow to start."""
    kept = {}
    real = executors.LocalExecutor

    class Kept(real):
        def close(self):
            while self.room < self.concurrency:  # what a finished test left
                self.wait(1.0)

    def shared(concurrency, notify, say):
        if concurrency not in kept:
            kept[concurrency] = Kept(concurrency, notify, say)
        return kept[concurrency]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executors, "LocalExecutor", shared)
        yield
    for executor in kept.values():
        real.close(executor)

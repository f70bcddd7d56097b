"""What the tests of threads share."""

import pytest

from playout.search.running import forest


@pytest.fixture
def threads_from_the_first_simulation_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """However short a chunk of simulations is."""
    monkeypatch.setattr(forest, "ALONE_SECONDS", 0.0)

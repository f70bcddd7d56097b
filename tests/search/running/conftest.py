"""What the tests of many searches side by side share."""

import pytest

from playout.search.running import lockstep


@pytest.fixture(params=[1e-9, 1e9], ids=["woken at once", "never woken"])
def awake(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a step is worth all threads, or none but the caller's."""
    monkeypatch.setattr(lockstep, "WAKING_SECONDS", request.param)
    return bool(request.param < 1)

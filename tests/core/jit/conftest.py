"""What the tests of the second process share."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from playout.core.jit import helper_process as beside
from tests.core.jit.sums import children, memory_files


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[bool]]:
    """For each part that was asked for, whether the other process had made it."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(beside, "_can_help", lambda: True)
    answers: list[bool] = []
    fetch = beside._Helper.fetch

    def noting(helper: Any, number: int) -> bytes | None:
        give_up = time.monotonic() + 10  # of one that hangs in another part
        while helper._becomes[number] == beside._FREE and helper._is_alive():
            if time.monotonic() > give_up:
                break
            time.sleep(0.01)
        answer = fetch(helper, number)
        answers.append(answer is not None)
        return answer

    monkeypatch.setattr(beside._Helper, "fetch", noting)
    before = children()
    yield answers
    assert memory_files() == 0
    assert children() <= before  # tests that ran before may have left some

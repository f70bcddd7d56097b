"""What tests of tunings and ladders share."""

import contextlib

import pytest

from playout.arena.store import Store


@pytest.fixture
def new_store():
    """Makes stores in memory; they are closed after the test."""
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(Store(None))

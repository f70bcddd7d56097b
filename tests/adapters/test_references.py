"""What compiled rules call a state by: no two stamps are the same for long."""

import itertools
import tracemalloc

from playout.adapters.references import STAMP_BITS, new_stamps


def test_stamps_begin_somewhere_and_cost_nothing():
    """Where they begin is drawn; to come there must take no millions of steps."""
    tracemalloc.start()
    found = [next(new_stamps()) for _ in range(40)]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100_000
    assert all(0 < stamp < 1 << STAMP_BITS for stamp in found)
    assert len(set(found)) > 30  # by chance all of them


def test_stamps_follow_each_other_past_the_last(monkeypatch):
    monkeypatch.setattr(
        "playout.adapters.references.SystemRandom.randrange", lambda _, most: most - 2
    )
    last = (1 << STAMP_BITS) - 1
    assert list(itertools.islice(new_stamps(), 4)) == [last - 1, last, 1, 2]

"""Python's collector is left alone for a while, and then set as it was."""

import gc
from collections.abc import Iterator

import pytest

from playout.core.garbage import SELDOM, seldom_collecting


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    """What Python begins with; the tests themselves may run with others."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_thresholds_come_back_whatever_happens():
    seen = []

    def fail():
        with seldom_collecting():
            seen.append(gc.get_threshold())
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        fail()
    assert seen == [SELDOM]
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("own", [0, 50_000])
def test_who_looks_even_less_goes_on_so(own):
    gc.set_threshold(own, 10, 10)
    with seldom_collecting():
        assert gc.get_threshold()[0] == own
    assert gc.get_threshold() == (own, 10, 10)

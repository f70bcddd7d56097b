"""Time controls: what can be written, and what is refused."""

import pytest

from playout import UsageError
from playout.arena.clock import TimeControl


@pytest.mark.parametrize(
    ("text", "shown"),
    [("1+0.1", "1+0.1"), ("60", "60+0"), ("0.5+0", "0.5+0"), (None, "no limit")],
)
def test_clocks(text, shown):
    assert str(TimeControl.parse(text)) == shown


@pytest.mark.parametrize("text", ["", "x", "1+", "1+x", "+1", "-1", "0", "1+-1", "nan"])
def test_wrong_clocks(text):
    with pytest.raises(UsageError):
        TimeControl.parse(text)


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"simulations": 0}])
def test_wrong_limits(limits):
    with pytest.raises(UsageError):
        TimeControl(**limits)


@pytest.mark.parametrize("text", ["1e308+1e308", "0+1", "1+1e9"])
def test_clocks_that_nobody_can_wait_for(text):
    with pytest.raises(UsageError, match="time"):
        TimeControl.parse(text)

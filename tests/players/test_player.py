"""The contract's values."""

import pytest

from playout import UsageError
from playout.players.player import Allowance


@pytest.mark.parametrize("name", ["simulations", "memory"])
@pytest.mark.parametrize("value", [0, -1, 10**20, 1.5])
def test_limits_that_no_search_can_take(name, value):
    with pytest.raises(UsageError, match=name):
        Allowance(**{name: value})

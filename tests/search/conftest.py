"""What the tests of searches share."""

import pytest

from playout.games.check import bounds
from playout.search import side_by_side
from playout.search.running import trial


@pytest.fixture(autouse=True)
def trusted_rules(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Take the tests' own games and policies to be sound, as Playout's are.

    The look at each takes seconds to compile. Tests of it are marked `first_look`.
    """
    if "first_look" not in request.keywords:
        monkeypatch.setattr(bounds, "is_own", lambda game: True)
        monkeypatch.setattr(side_by_side, "check_bounds", bounds.expect_bounds)
        monkeypatch.setattr(trial, "is_own", lambda policy: True)

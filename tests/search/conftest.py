"""What the tests of searches share."""

import pytest

from playout.games.check import bounds


@pytest.fixture(autouse=True)
def trusted_rules(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Take the tests' own games to keep their arrays' bounds, as Playout's do.

    The look at each takes a second to compile. Tests of it are marked `first_look`.
    """
    if "first_look" not in request.keywords:
        monkeypatch.setattr(bounds, "is_own", lambda game: True)

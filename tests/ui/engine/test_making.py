"""What an engine cannot be made of is said before it is asked anything."""

import pytest

from playout.core.errors import UsageError
from playout.ui.engine.making import engine_maker


@pytest.mark.parametrize(
    ("protocol", "game", "player", "said"),
    [
        ("gomocup", "connect-four", "random", "gomocup is for gomoku only"),
        ("ugi", None, "random", "ugi needs a game, as in ugi connect-four"),
        ("gtp", "gomoku", "nobody", "nobody"),
    ],
)
def test_what_cannot_be_made_is_refused_at_once(protocol, game, player, said):
    with pytest.raises(UsageError, match=said):
        engine_maker(protocol, game, player)

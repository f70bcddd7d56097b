"""The ranges that a page offers are those that the games accept."""

import pytest

from playout.core.errors import UsageError
from playout.games.registry import make_game
from playout.ui.web.catalogue import RANGES

#: What else a parameter needs, to be as large as it can be.
OTHERS = {("mnk", "n"): "m=2,k=2,", ("mnk", "k"): "m=2,n=26,", ("mnk", "m"): "n=1,k=1,"}
#: Games accept more than anybody would choose on a page.
WIDER = {("mnk", "m"): 26, ("pig", "target"): 1000}


@pytest.mark.parametrize(("game", "name"), RANGES)
def test_a_range_ends_where_the_game_does(game: str, name: str) -> None:
    others = OTHERS.get((game, name), "")
    least, most = RANGES[game, name]
    for value in (least, most):
        make_game(f"{game}:{others}{name}={value}")
    outside = [least - 1]
    if (game, name) in WIDER:
        assert most == WIDER[game, name]
    else:
        outside.append(most + 1)
    for value in outside:
        with pytest.raises(UsageError, match=rf"{name}( \(.*\))? must be "):
            make_game(f"{game}:{others}{name}={value}")

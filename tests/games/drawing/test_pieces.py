"""Pieces that a game draws itself are pictures, which run nothing, or short texts."""

from urllib.parse import unquote

import pytest

from playout import Board
from playout.core.errors import RulesError
from playout.games.drawing.pieces import SVG, piece_image
from tests.games_for_boards import KNIGHT


@pytest.mark.parametrize("given", ["", f' xmlns="{SVG}"'])
def test_a_picture_has_its_name_space(given):
    address = piece_image(f"<svg{given}><circle r='1'/></svg>")
    assert address.startswith("data:image/svg+xml,")
    assert f'<svg xmlns="{SVG}">' in unquote(address)
    assert set(address) & set("<>\"'# ") == set()


def test_what_is_no_picture_is_named():
    for piece, fault in {
        "<svg><g></svg>": "is no picture: mismatched tag",
        "<p>hello</p>": "is no <svg> picture",
        "a long text": "longer than 4 characters",
        f"<svg>{'<g/>' * 10_000}</svg>": "more than 20000 characters",
    }.items():
        with pytest.raises(RulesError, match=fault):
            Board(("..",), pieces={"x": piece})
    with pytest.raises(RulesError, match="no <svg> picture"):
        Board(("..",), ground="wood")
    assert Board(("..",), pieces={"x": KNIGHT}).pieces == {"x": KNIGHT}

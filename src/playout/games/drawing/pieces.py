"""Pieces that a game draws itself: short texts, or pictures as SVG.

Pages show such a picture as an image, never as a part of the page: in an image, no
browser runs scripts, follows links or loads anything.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote as percent_encoded

from ...core.errors import RulesError, quote

if TYPE_CHECKING:
    from xml.etree import ElementTree

__all__ = ["piece_image"]

#: Of a piece's text, in characters; and of a picture's.
LONGEST, LARGEST = 4, 20_000
SVG = "http://www.w3.org/2000/svg"
BEGINNING = "data:image/svg+xml,"


@lru_cache(maxsize=256)
def piece_image(piece: str) -> str | None:
    """The address of a piece's picture, which holds all of it; None for a text.

    Raises:
        RulesError: it is no picture, or a text too long for a cell.

    >>> piece_image("♞") is None
    True
    >>> piece_image("<svg viewBox='0 0 1 1'><circle r='1'/></svg>")[:24]
    'data:image/svg+xml,%3Csv'
    """
    if not piece.lstrip().startswith("<"):
        if len(piece) > LONGEST:
            raise RulesError(
                f"the piece {quote(piece)} is longer than {LONGEST} characters, and no "
                "<svg> picture"
            )
        return None
    if len(piece) > LARGEST:
        raise RulesError(f"a piece's picture has more than {LARGEST} characters")
    root = _parsed(piece.strip())
    if root.tag == "svg":  # a page does without the name space, an image does not
        from xml.etree import ElementTree

        root.set("xmlns", SVG)
        piece = ElementTree.tostring(root, encoding="unicode")
    elif root.tag != f"{{{SVG}}}svg":
        raise RulesError(f"the piece {quote(piece)} is no <svg> picture")
    return BEGINNING + percent_encoded(piece.strip())


def _parsed(piece: str) -> ElementTree.Element:
    from xml.etree import ElementTree  # which few games need

    try:
        return ElementTree.fromstring(piece)
    except (ElementTree.ParseError, ValueError) as error:
        raise RulesError(f"the piece {quote(piece)} is no picture: {error}") from None

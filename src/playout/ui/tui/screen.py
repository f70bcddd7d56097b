"""What a terminal can show, and whether it is still there."""

from __future__ import annotations

import select

from textual.geometry import Size

from ..common.size import MOST_COLUMNS, MOST_LINES

__all__ = ["bounded", "has_hung_up", "player_colors", "variables"]

#: The players' colours, which all eyes can tell apart, and their names in `app.tcss`.
_NAMES = ("playout-first", "playout-second", "playout-third")
_ON_DARK = ("#56B4E9", "#E69F00", "#CC79A7")
_ON_LIGHT = ("#005A8E", "#A63F00", "#8E3A6D")


def player_colors(dark: bool) -> tuple[str, ...]:
    """The players' colours by seat, on a dark or a light ground."""
    return _ON_DARK if dark else _ON_LIGHT


def variables(dark: bool) -> dict[str, str]:
    """The same by their names in `app.tcss`.

    >>> variables(dark=True)["playout-first"]
    '#56B4E9'
    """
    return dict(zip(_NAMES, player_colors(dark), strict=True))


def bounded(size: Size) -> Size:
    """The size that a terminal reports, as far as it is drawn: that takes memory."""
    return Size(min(size.width, MOST_COLUMNS), min(size.height, MOST_LINES))


def has_hung_up() -> bool:
    """Whether the terminal is gone; the system need not have told us by a signal.

    Textual would look at what is left of it again and again.
    """
    if not hasattr(select, "poll"):  # Windows
        return False
    watched = select.poll()
    watched.register(0, 0)  # a hang-up is always reported
    return any(event & select.POLLHUP for _, event in watched.poll(0))

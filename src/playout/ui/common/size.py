"""A bound on the terminal's size: what is drawn takes memory for every cell."""

from __future__ import annotations

import os
import shutil

__all__ = ["MOST_COLUMNS", "MOST_LINES", "bound_size"]

#: How much of a terminal is drawn in; the largest screens have room for about as much.
MOST_COLUMNS, MOST_LINES = 1000, 300


def bound_size() -> None:
    """Bound what this process and its libraries take for the terminal's size.

    They read `COLUMNS` and `LINES`, and ask the terminal where these are missing. What
    is no size is taken out: some would fail at it, or draw nothing.
    """
    columns, lines = shutil.get_terminal_size(fallback=(0, 0))
    for name, size, most in (
        ("COLUMNS", columns, MOST_COLUMNS),
        ("LINES", lines, MOST_LINES),
    ):
        if size > most:
            os.environ[name] = str(most)
        elif os.environ.get(name) != str(size):
            os.environ.pop(name, None)

"""Foreign texts in one line, and the place in foreign code where an error arose."""

from __future__ import annotations

import sys
import sysconfig
import traceback
from pathlib import Path

__all__ = [
    "foreign_failure",
    "is_cut",
    "is_installed",
    "one_line",
    "printable",
]

#: Longer messages are cut, for they repeat a very long input.
LONGEST_MESSAGE = 1000


def one_line(text: str) -> str:
    r"""The text without line breaks and control characters, not too long.

    >>> print(one_line("a\n  b\x1b[31m"))
    a b\x1b[31m
    """
    joined = " ".join(text.split())
    if is_cut(text):
        half = LONGEST_MESSAGE // 2
        joined = f"{joined[:half]} [...] {joined[-half:]}"
    return printable(joined)


def printable(text: str) -> str:
    r"""The text with control characters, but for line breaks, written as escapes.

    >>> print(printable("a\n\x1b[31m"))
    a
    \x1b[31m
    """
    kept = (c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)
    return "".join(kept)


def is_cut(text: str) -> bool:
    """Whether `one_line` leaves out the middle of a text."""
    return len(" ".join(text.split())) > LONGEST_MESSAGE


def _place_in_foreign_code(error: BaseException) -> str | None:
    """Where in the user's own file it happened, if that is where it did."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not is_installed(frame.filename)]
    if not own:
        return None
    frame = own[-1]
    return one_line(f"{frame.filename}, line {frame.lineno}, in {frame.name}")


def foreign_failure(error: BaseException, what: str = "") -> str | None:
    """What has failed in the user's own file, where, and what else is known of it.

    Args:
        error: whatever was raised.
        what: what is said of it; its type and text by default.
    """
    if (place := _place_in_foreign_code(error)) is None:
        return None
    said = what or f"{type(error).__name__}: {error}"
    notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
    return one_line(f"{place}: {said}{notes}")


def is_installed(filename: str) -> bool:
    """Whether a file is Playout's, a library's or Python's."""
    if filename.startswith("<"):
        return True
    paths = sysconfig.get_paths()
    roots = [paths["stdlib"], paths["purelib"], paths["platlib"], sys.prefix]
    roots.append(str(Path(__file__).parents[3]))
    return any(Path(filename).is_relative_to(root) for root in roots)

"""What to say of an object whose methods failed: which, on which line, after what."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.errors import PlayoutError, RulesError, quote

__all__ = ["after", "object_failure"]

_OWN_FOLDER = str(Path(__file__).parent)
_SHOWN = 8


def object_failure(
    name: str, error: BaseException, played: Sequence[Any]
) -> RulesError:
    """What to say of an exception in an object's methods.

    Args:
        name: of the object's class.
        error: what was raised.
        played: the actions that led there.
    """
    if isinstance(error, PlayoutError):
        return RulesError(f"{name}: {error} ({after(played)})")
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [f for f in frames if not f.filename.startswith(_OWN_FOLDER)]
    what = f"{type(error).__name__}: {error}"
    if not theirs:
        return RulesError(f"{name}: {what} ({after(played)})")
    frame = theirs[-1]
    place = f"{os.path.relpath(frame.filename)} line {frame.lineno}"
    method = next((f.name for f in theirs), frame.name)
    return RulesError(
        f"{name}.{method}, {place}: `{frame.line}`: {what} ({after(played)})"
    )


def after(played: Sequence[Any]) -> str:
    """Where in a game: after which actions.

    >>> after([]), after(["b2", "a1"])
    ('at the start', "after 'b2', 'a1'")
    """
    if not len(played):
        return "at the start"
    shown = ", ".join(map(quote, played[-_SHOWN:]))
    return f"after {'..., ' * (len(played) > _SHOWN)}{shown}"

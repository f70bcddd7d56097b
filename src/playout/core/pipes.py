"""The pipes of a process that answers messages."""

from __future__ import annotations

import os
from typing import BinaryIO

__all__ = ["take_pipes"]


def take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output, for messages alone.

    From then on nothing can be read from standard input, and what is printed, by native
    code too, goes to standard error.
    """
    source = os.fdopen(os.dup(0), "rb")
    target = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, target

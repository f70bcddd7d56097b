"""How compiled rules name a state to the store that keeps it: `refer` and `read`.

A handle is right as long as nothing was forgotten: until the stamp changes. Another
thread may have a store forget all between the look at the stamp and the question, so
the stamp is part of the question, and one that comes too late is not answered.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import SystemRandom

__all__ = ["HANDLE_BITS", "START", "new_stamps", "read", "refer"]

#: The handle of the state that games begin with; 0 stands for one that is not known.
START = 1
#: A reference from its low bits up: an action's index, a handle, a stamp.
INDEX_BITS, HANDLE_BITS, STAMP_BITS = 16, 22, 24


def refer(stamp: int, handle: int, index: int) -> int:
    """An action of a state in one number."""
    return (stamp << HANDLE_BITS | handle) << INDEX_BITS | index


def read(reference: int) -> tuple[int, int, int]:
    """The stamp, the handle and the index of a reference.

    >>> read(refer(7, 300, 4))
    (7, 300, 4)
    """
    state = reference >> INDEX_BITS
    stamp, handle = state >> HANDLE_BITS, state & (1 << HANDLE_BITS) - 1
    return stamp, handle, reference & (1 << INDEX_BITS) - 1


def new_stamps() -> Iterator[int]:
    """Stamps, each another than the millions before it; never 0.

    Every process begins elsewhere: a handle of another one means nothing here.
    """
    most = (1 << STAMP_BITS) - 1
    first = SystemRandom().randrange(most)
    return (1 + (first + number) % most for number in itertools.count())

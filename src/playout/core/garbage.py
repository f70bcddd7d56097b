"""When Python looks for cyclic garbage, and how often."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

__all__ = ["seldom_collecting", "start_collecting"]

#: Thresholds (`gc.set_threshold`) meanwhile, if they are not higher already.
SELDOM = (20_000, 50, 100)


def start_collecting() -> None:
    """Have Python look for cyclic garbage, but never at what is loaded already.

    Processes of Playout's own do not do so at first, as imports make no garbage: see
    `__main__`.
    """
    gc.freeze()
    gc.enable()


@contextlib.contextmanager
def seldom_collecting() -> Iterator[None]:
    """Have Python look for cyclic garbage less often.

    Each time it looks at all that was made since, which is much where much is kept and
    nothing of that is garbage: it took a twelfth of compiling, and a tenth or more of a
    search whose states are Python's own.
    """
    usual = gc.get_threshold()
    gc.set_threshold(
        *(own and max(own, most) for own, most in zip(usual, SELDOM, strict=True))
    )
    try:
        yield
    finally:
        gc.set_threshold(*usual)

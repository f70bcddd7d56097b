"""Python's search for cyclic garbage, where there is little to be found."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

__all__ = ["seldom_collecting"]

#: Thresholds (`gc.set_threshold`) meanwhile, if they are not higher already.
SELDOM = (20_000, 50, 100)


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

"""The memory of nodes: reserved as addresses, taken page by page, given back."""

from __future__ import annotations

import contextlib
import mmap
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import UsageError

__all__ = ["give_back", "reserve"]

#: Linux's flag for address space for which no memory is set aside (named since 3.13).
_MAP_NORESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)
#: Its flag for memory in large pages; not all C libraries name it.
_MADV_HUGEPAGE = getattr(mmap, "MADV_HUGEPAGE", 14)


def reserve(capacity: int, dtype: np.dtype[Any]) -> NDArray[np.void]:
    """Uninitialised memory that the system hands out only as it is touched.

    In large pages where it can, of 2 MB mostly: a small tree takes one. The first touch
    of each small page costs a search up to a twentieth of its time.

    Before the first row is room for one more, from which the children of a node that
    has none are prefetched: prefetching an unmapped address takes long.
    """
    before = (dtype.itemsize | 63) + 1  # the first is aligned as the memory is
    size = before + capacity * dtype.itemsize
    if sys.platform == "linux":
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
        try:
            memory = mmap.mmap(-1, size, flags=flags)
        except OSError:
            raise UsageError(
                f"there is no room for a tree of {size:,} bytes; lower the limit's "
                "memory or nodes"
            ) from None
        with contextlib.suppress(OSError):  # a system may have none
            memory.madvise(_MADV_HUGEPAGE)
    else:
        memory = np.empty(size, dtype=np.uint8)
    return np.frombuffer(memory, dtype=dtype, count=capacity, offset=before)


def give_back(nodes: NDArray[np.void], used: int) -> None:
    """Give the pages behind the first `used` nodes back to the system, on Linux.

    The nodes stay reserved; the next to be made there takes new pages.
    """
    memory = getattr(nodes.base, "obj", None)
    if sys.platform == "linux" and isinstance(memory, mmap.mmap):
        end = len(memory) - (len(nodes) - used) * nodes.itemsize
        page = -(-end // mmap.PAGESIZE) * mmap.PAGESIZE
        if page < len(memory):
            memory.madvise(mmap.MADV_DONTNEED, page)

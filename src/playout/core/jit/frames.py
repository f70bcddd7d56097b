"""Room for the frames of a deep recursion, such as a compiler's.

CPython keeps the frames of Python functions in blocks of 16 kB. Calls that go back and
forth over the end of a block map and unmap memory each time, which took a twentieth of
compiling.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

__all__ = ["with_room_for_frames"]

Function = TypeVar("Function", bound=Callable[..., object])
#: Values that a frame is said to hold. Its block is the next power of two above, 2 MiB,
#: and the rest of that, 0.8 MiB, is left for what is called. Memory that nobody touches
#: is not taken.
_VALUES = 150_000


def with_room_for_frames(function: Function) -> Function:
    """Have the frames of all that `function` calls lie in one block of memory.

    >>> @with_room_for_frames
    ... def depth(number: int) -> int:
    ...     return number
    >>> depth(3)
    3
    """
    assert isinstance(function, FunctionType)
    function.__code__ = function.__code__.replace(co_stacksize=_VALUES)
    return function

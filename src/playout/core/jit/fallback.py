"""Which rules and policies run as plain Python, as Numba cannot compile them.

The first use of one finds that out, and notes it here for its class;
from then on `Kernel.compile` gives the kernel itself instead of a compiled one.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from .compiled import Compiled

__all__ = [
    "InterpretedWarning",
    "interpreting",
    "is_interpreted",
    "objects_in",
    "run_interpreted",
    "why_interpreted",
]


class InterpretedWarning(UserWarning):
    """Rules run as plain Python, much slower; says why they cannot be compiled."""


#: By class, why it cannot be compiled.
_interpreted: weakref.WeakKeyDictionary[type[Compiled], str] = (
    weakref.WeakKeyDictionary()
)
_everything: list[bool] = []


def run_interpreted(cls: type[Compiled], why: str) -> None:
    """Have the rules of a class run as plain Python from now on."""
    _interpreted[cls] = why


@contextlib.contextmanager
def interpreting() -> Iterator[None]:
    """Have all rules run as plain Python meanwhile, for debugging."""
    _everything.append(True)
    try:
        yield
    finally:
        _everything.pop()


def why_interpreted(value: Compiled) -> str | None:
    """Why an object, or one in its fields, cannot be compiled; None if nobody said."""
    classes = (type(one) for one in objects_in((value,)))
    return next((_interpreted[cls] for cls in classes if cls in _interpreted), None)


def is_interpreted(*values: Any) -> bool:
    """Whether any of these objects, or of those in their fields, is not compiled."""
    if _everything:
        return True
    if not _interpreted:
        return False
    return any(type(value) in _interpreted for value in objects_in(values))


def objects_in(args: tuple[Any, ...]) -> Iterator[Compiled]:
    """All compiled objects among the arguments, and in their fields."""
    for value in args:
        if not isinstance(value, Compiled):
            continue
        yield value
        if is_dataclass(value):
            yield from objects_in(
                tuple(getattr(value, field.name) for field in fields(value))
            )

"""Is what a search was given of the right kind? If not, say what to write."""

from __future__ import annotations

import math
from typing import TypeVar

from ..core.errors import UsageError, quote
from ..core.fields import is_number, is_whole
from ..core.signatures import expect_signatures

__all__ = ["at_least_one", "at_least_zero", "expect", "policy"]

T = TypeVar("T")


def expect(name: str, value: object, kind: type[T], example: str) -> T:
    """The value, if it is of this kind.

    >>> expect("limit", 5, str, "a text")
    Traceback (most recent call last):
    playout.core.errors.UsageError: limit must be a text, not 5

    Raises:
        UsageError: it is of another kind, or a class where an instance is wanted.
    """
    if isinstance(value, type) and issubclass(value, kind):
        raise UsageError(f"{name} must be an instance: write {value.__name__}(...)")
    if not isinstance(value, kind):
        raise UsageError(f"{name} must be {example}, not {quote(value)}")
    return value


def policy(name: str, value: T | None, kind: type[T], default: T) -> T:
    """The policy for a phase, or the default where none is given.

    Raises:
        UsageError: it is no policy of this phase.
        RulesError: a method of it takes other parameters than the contract says.
    """
    if value is None:
        return default
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    example = f"{article} {kind.__name__} policy, such as {type(default).__name__}()"
    expect(name, value, kind, example)
    expect_signatures(type(value), kind)
    return value


def at_least_one(name: str, value: int) -> int:
    """The value, if it is a whole number above 0.

    >>> at_least_one("trees", 0)
    Traceback (most recent call last):
    playout.core.errors.UsageError: trees must be a whole number of at least 1, not 0

    Raises:
        UsageError: it is not.
    """
    if not is_whole(value) or value < 1:
        raise UsageError(
            f"{name} must be a whole number of at least 1, not {quote(value)}"
        )
    return int(value)


def at_least_zero(name: str, value: float) -> float:
    """The value, if it is a finite number of at least 0.

    Raises:
        UsageError: it is not.
    """
    if not is_number(value) or not 0 <= value < math.inf:
        raise UsageError(f"{name} must be a number of at least 0, not {quote(value)}")
    return float(value)

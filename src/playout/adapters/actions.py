"""Actions of any kind, by number."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ..core.errors import RulesError, quote

__all__ = ["ActionNumbers", "expect_distinct", "key_of", "writes_itself"]

#: Of these, what is equal is the same action wherever it is met.
_PLAIN = (int, str, bool, float, bytes, type(None))


class ActionNumbers:
    """Numbers for actions, in the order in which they are met.

    Args:
        most: how many there may be.

    Attributes:
        objects: the actions, by number; of equal ones, the first.
        names: how people write them: without spaces, each another.
        by_name: the numbers by these names.
        are_plain: whether all can stand for equal ones of other states.

    >>> numbers = ActionNumbers(10)
    >>> numbers.numbers_of([(0, 1), "b2", [0, 1]]), numbers.names
    ([0, 1, 2], ['0,1', 'b2', '0,1#2'])
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.objects: list[Any] = []
        self.names: list[str] = []
        self.are_plain = True
        self._numbers: dict[Hashable, int] = {}
        self.by_name: dict[str, int] = {}

    def numbers_of(self, actions: Sequence[Any]) -> list[int]:
        """The number of each action; new ones get theirs.

        Raises:
            RulesError: there are more than `most`.
        """
        known = self._numbers
        try:
            return [known[action] for action in actions]
        except (KeyError, TypeError, ValueError):  # new, or not to be hashed
            return [self._number(action) for action in actions]

    def _number(self, action: Any) -> int:
        key = key_of(action)
        if key not in self._numbers:
            self._register(action, key)
        return self._numbers[key]

    def _register(self, action: Any, key: Hashable) -> None:
        if len(self.objects) == self.most:
            raise RulesError(
                f"there are more than {self.most:,} different actions, as "
                f"{quote(self.objects[-1])} and {quote(action)}; say how many there "
                "may be by num_actions=..., or give equal actions the same repr"
            )
        number = self._numbers[key] = len(self.objects)
        self.objects.append(action)
        self.are_plain = self.are_plain and _is_plain(action)
        name = written = _name_of(action)
        while name in self.by_name:
            name = f"{written}#{number}"
        self.names.append(name)
        self.by_name[name] = number


def key_of(action: Any) -> Hashable:
    """A key: equal for the same action, different for other actions of one state.

    A plain value is its own key, anything else has its text.

    >>> key_of((0, 1)), key_of([0, 1]), key_of(np.arange(2))
    ((0, 1), '0,1', '0,1')
    """
    return action if _is_plain(action) else _name_of(action)


def expect_distinct(actions: Sequence[Any], numbers: Sequence[int]) -> None:
    """See that actions of one state with the same number are the same.

    Raises:
        RulesError: they only have the same text.
    """
    if len(set(numbers)) == len(numbers):
        return
    first: dict[int, Any] = {}
    for number, action in zip(numbers, actions, strict=True):
        other = first.setdefault(number, action)
        if other is not action and not _are_same(other, action):
            raise RulesError(
                f"two different actions of one state are written "
                f"{_name_of(action)!r}; give {type(action).__qualname__} a __str__ "
                "that tells them apart"
            )


def _are_same(one: Any, other: Any) -> bool:
    if hasattr(one, "__dict__") and hasattr(other, "__dict__"):
        return bool(vars(one) == vars(other))
    return _is_plain(one) or repr(one) == repr(other)


def writes_itself(value: Any) -> bool:
    """Whether an object's text says more than where it is in memory."""
    return _has_own(value, "__str__") or _has_own(value, "__repr__")


def _has_own(value: Any, name: str) -> bool:
    """Whether a class has a method of its own where every object has one."""
    found: Any = getattr(type(value), name)
    return found is not getattr(object, name)


def _is_plain(action: Any) -> bool:
    """Whether an action is made of nothing but values."""
    if type(action) is tuple:
        return all(map(_is_plain, action))
    return isinstance(action, (*_PLAIN, np.generic))


def _name_of(action: Any) -> str:
    """How people write an action: without spaces, which stand between moves."""
    if isinstance(action, np.ndarray):
        action = action.tolist()
    if isinstance(action, list | tuple) and action:
        return ",".join(map(_name_of, action))
    if not writes_itself(action):
        return _name_of(list(vars(action).values()))  # else it would be an address
    return "".join(str(action).split()) or "''"

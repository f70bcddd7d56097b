"""Actions of any kind, by number."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ..core.errors import RulesError, UsageError, quote

__all__ = ["ActionNumbers", "key_of"]

#: Of these, what is equal is the same action wherever it is met.
_PLAIN = (int, str, bool, float, bytes, type(None))


class ActionNumbers:
    """Numbers for actions, in the order in which they are met.

    Args:
        most: how many there may be.

    Attributes:
        objects: the actions, by number; of equal ones, the first.
        names: how people write them: without spaces, each another.
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
        self._by_name: dict[str, int] = {}

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

    def named(self, text: str) -> int | None:
        """The number of the action that has this name; None if there is none."""
        return self._by_name.get("".join(text.split()))

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
        while name in self._by_name:
            name = f"{written}#{number}"
        self.names.append(name)
        self._by_name[name] = number


def key_of(action: Any) -> Hashable:
    """What equal actions have in common, and others not.

    An action that compares itself is its own key; else its `repr` is, or what it is
    made of where it has none.

    Raises:
        UsageError: two that are equal could not be told from others.
    """
    cls = type(action)
    if _is_plain(action):
        return action
    if isinstance(action, np.ndarray):
        return ("array", action.shape, action.dtype.str, action.tobytes())
    if isinstance(action, list | tuple):
        return (cls.__name__, tuple(map(key_of, action)))
    if isinstance(action, dict):
        return ("dict", tuple((key_of(k), key_of(v)) for k, v in action.items()))
    if cls.__eq__ is not object.__eq__ and cls.__hash__ is not None:
        return action
    if cls.__repr__ is not object.__repr__:
        return (cls.__name__, repr(action))
    if hasattr(action, "__dict__"):
        return (cls.__name__, key_of(vars(action)))
    raise UsageError(
        f"the action {quote(action)} cannot be told from others: give "
        f"{cls.__qualname__} a __repr__, or __eq__ and __hash__"
    )


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
    cls = type(action)
    if cls.__repr__ is object.__repr__ and cls.__str__ is object.__str__:
        return _name_of(list(vars(action).values()))  # else it would be an address
    return "".join(str(action).split()) or "''"

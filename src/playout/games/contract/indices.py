"""Legal actions by their index in ascending order, without a list of them all."""

from __future__ import annotations

from typing import Any, ClassVar

from ...core.errors import UsageError
from ...core.jit.compiled import Compiled, defining_place
from .words import Actions, State

__all__ = ["Indices", "index_in"]

_NAMES = ("count_legal", "nth_legal", "index_of")


class Indices(Compiled):
    """A part of `Game`.

    A search that gives a node one child at a time asks for these. By default they list
    all legal actions. A game that can do without, such as one whose legal actions are
    bits of a word, may override all three. They get a buffer, which `nth_legal` and
    `index_of` find as `count_legal` has left it for the same state.

    Attributes:
        has_indices: whether a game has its own.
    """

    has_indices: ClassVar[bool] = False

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        places = [defining_place(cls, name) for name in _NAMES]
        if len(set(places)) > 1:
            owner = cls.__mro__[min(places)]
            own = [name for name in _NAMES if name in vars(owner)]
            missing = [name for name in _NAMES if name not in own]
            raise UsageError(
                f"{owner.__name__} has {' and '.join(own)} of its own and needs "
                f"{' and '.join(missing)}, too: the three work together"
            )
        if (
            defining_place(cls, "legal_actions") < places[0]
        ):  # of which those know nothing
            for name in _NAMES:
                setattr(cls, name, vars(Indices)[name])
        cls.has_indices = cls.nth_legal is not Indices.nth_legal

    def count_legal(self, state: State, actions: Actions) -> int:
        """How many actions are legal."""
        return int(self.legal_actions(state, actions))  # type: ignore[attr-defined]

    def nth_legal(self, state: State, actions: Actions, n: int) -> int:
        """The n-th legal action, from 0, as `legal_actions` would list it."""
        return int(actions[n])

    def index_of(self, state: State, actions: Actions, count: int, action: int) -> int:
        """The index of one of the `count` legal actions: how many are below it."""
        return index_in(actions, count, action)


def index_in(actions: Actions, count: int, action: int) -> int:
    """How many of the first actions in a buffer are below one.

    >>> import numpy as np
    >>> index_in(np.array([2, 3, 7, 9]), 4, 7)
    2
    """
    below = 0
    for index in range(count):
        below += actions[index] < action
    return int(below)

"""How a state is played on: `move` in place or not, copied or undone. Tried, not asked.

What a class means by `move` shows when one is played on a copy: whether the copy
changes, whether the original does, and what comes back.
"""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

from ..core.errors import RulesError, UsageError, quote
from .actions import key_of
from .conventions import Rules

__all__ = ["Copies", "Moves", "Undoing", "find_moves"]

#: What copying methods and taking back are called, the first found counts.
_COPY = ("Clone", "clone", "copy", "deepcopy", "deep_copy")
_UNDO = ("undo", "Undo", "undo_move", "UndoMove", "undo_action", "unmove")


class Moves:
    """Plays on where `move` gives a new state and leaves its own as it is.

    Args:
        rules: what to ask.
        start: the state to begin with, which nothing changes.
    """

    how = "move gives a new state"

    def __init__(self, rules: Rules, start: Any) -> None:
        self.start = start
        self.step: Callable[[Any, Any], Any] = rules.move

    def keep(self, state: Any) -> Any:
        """What to keep of a state that `step` has led to, for `reach`."""
        return state

    def reach(self, kept: Any, path: Callable[[], list[Any]]) -> Any:
        """The state that was kept, to be played on from by `step`.

        Args:
            kept: of `keep`.
            path: gives the actions that lead there from the start.
        """
        return kept


class Copies(Moves):
    """The same where `move` changes the state: what is kept is copied.

    Args:
        rules: what to ask.
        start: the state to begin with.
        copier: copies a state.
    """

    def __init__(self, rules: Rules, start: Any, copier: Callable[[Any], Any]) -> None:
        super().__init__(rules, copier(start))
        self.copier, move = copier, rules.move
        self.how = "move changes the state, which is copied"

        def step(state: Any, action: Any) -> Any:
            move(state, action)
            return state

        self.step = step

    def keep(self, state: Any) -> Any:
        return self.copier(state)

    def reach(self, kept: Any, path: Callable[[], list[Any]]) -> Any:
        return self.copier(kept)


class Undoing(Moves):
    """The same where no state can be copied: there is one, and moves are undone.

    Args:
        rules: what to ask.
        start: the one state.
        undo: takes the last move back, which it is given.
    """

    how = "move changes the state, and is undone"

    def __init__(
        self, rules: Rules, start: Any, undo: Callable[[Any, Any], Any]
    ) -> None:
        super().__init__(rules, start)
        self._undo, self._move = undo, rules.move
        self._played: list[Any] = []
        self.step = self._step

    def _step(self, state: Any, action: Any) -> Any:
        self._move(self.start, action)
        self._played.append(action)
        return self.start

    def keep(self, state: Any) -> Any:
        return None

    def reach(self, kept: Any, path: Callable[[], list[Any]]) -> Any:
        wanted, played = path(), self._played
        same = 0
        for one, other in zip(wanted, played, strict=False):
            if one is not other:
                break
            same += 1
        while len(played) > same:
            self._undo(self.start, played[-1])
            played.pop()
        for action in wanted[same:]:
            self._step(self.start, action)
        return self.start


def find_moves(rules: Rules, start: Any) -> Moves:
    """How states of a class are played on, by a move from the start.

    Raises:
        RulesError: a copy shares something with its original, or the like.
        UsageError: states can neither be copied nor moves undone.
    """
    copier = _copier(start)
    if copier is None:
        return _without_copies(rules, start)
    state, action = copier(start), rules.legal(start)[0]
    before = _content(rules, state), _content(rules, start)
    given = rules.move(state, action)
    changed, shared = (
        was != _content(rules, one)
        for was, one in zip(before, (state, start), strict=True)
    )
    name, move = type(start).__qualname__, rules.convention.move
    if given is not state and isinstance(given, type(start)):
        if changed:
            raise RulesError(
                f"{name}.{move}({quote(action)}) returns a new state and changes its "
                "own, too: they share something, such as the lists of the board; copy "
                "that as well (copy.deepcopy)"
            )
        return Moves(rules, start)
    if shared:
        method = _copying_method(start)
        copying = f"{name}.{method}()" if method else f"copy.deepcopy({name})"
        raise RulesError(
            f"{copying} gives a copy that shares something with the original, which "
            f"{move}({quote(action)}) on the copy has changed; copy the lists within "
            "it as well (copy.deepcopy)"
        )
    if not changed:
        raise RulesError(
            f"{name}.{move}({quote(action)}) neither changes the state nor returns a "
            f"new one, but {quote(given)}"
        )
    return Copies(rules, start, copier)


def _copying_method(state: Any) -> str:
    """The name of the class's own way to copy a state; "" if it has none."""
    return next((n for n in _COPY if callable(getattr(state, n, None))), "")


def _copier(state: Any) -> Callable[[Any], Any] | None:
    """Copies states; None if nothing does."""
    name = _copying_method(state)
    found = getattr(type(state), name, None) if name else None
    for copier in (found, copy.deepcopy):
        try:
            if copier is not None and isinstance(copier(state), type(state)):
                return copier
        except Exception:
            continue
    return None


def _without_copies(rules: Rules, start: Any) -> Moves:
    """How to play on from what cannot be copied."""
    name, move = type(start).__qualname__, rules.convention.move
    action, before = rules.legal(start)[0], _content(rules, start)
    given = rules.move(start, action)
    if given is not start and isinstance(given, type(start)):
        return Moves(rules, start)
    undo = _undo(start)
    if undo is None:
        raise UsageError(
            f"{name}.{move} changes the state, which cannot be copied: give the class "
            "a method clone() that returns a copy, or undo() that takes a move back"
        )
    undo(start, action)
    if _content(rules, start) != before:
        raise RulesError(
            f"{name}: after {move}({quote(action)}) and undo the state is not what it "
            "was before"
        )
    return Undoing(rules, start, undo)


def _undo(state: Any) -> Callable[[Any, Any], Any] | None:
    """Takes a move of a state back; None if it has no such method."""
    for name in _UNDO:
        method: Any = getattr(type(state), name, None)
        if callable(method):
            takes_action = len(inspect.signature(method).parameters) > 1
            return method if takes_action else _without_action(method)
    return None


def _without_action(method: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda state, action: method(state)


def _content(rules: Rules, state: Any) -> Any:
    """All that there is of a state, to see whether it changes."""
    for content in (state, getattr(state, "__dict__", state)):
        try:
            return pickle.dumps(content)
        except Exception:  # the class, or something in it, cannot be written
            continue
    mover = rules.mover(state) if rules.mover else None
    return list(map(key_of, rules.legal(state))), rules.is_over(state), mover

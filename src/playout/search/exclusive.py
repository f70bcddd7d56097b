"""`exclusive`: a search does one thing at a time, and says so."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from ..core.errors import UsageError

__all__ = ["exclusive"]

Method = TypeVar("Method", bound=Callable[..., Any])


def exclusive(method: Method) -> Method:
    """Have a method refuse while it, or another such method of the object, runs.

    A search that is called by its own evaluator, by its progress function or by a
    second thread or task would wait for itself, or grow a tree that is another by now.

    Raises:
        UsageError: from the method: one of them runs.
    """

    @functools.wraps(method)
    def alone(self: Any, *args: Any, **keywords: Any) -> Any:
        if self._is_at_work:
            name = method.__name__.lstrip("_")
            raise UsageError(
                f"{name} was called while the same search is at work: its evaluator, "
                "its progress function, other threads and tasks each need an MCTS of "
                "their own"
            )
        self._is_at_work = True
        try:
            return method(self, *args, **keywords)
        finally:
            self._is_at_work = False

    return alone  # type: ignore[return-value]

"""From a Numba error to a sentence about the user's own method and line."""

from __future__ import annotations

from typing import Any

from .errors import CompileError

__all__ = ["explain"]


def explain(error: Exception, args: tuple[Any, ...], checked: bool) -> CompileError:
    return CompileError(str(error))

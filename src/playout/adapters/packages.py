"""Packages that only an adapter needs, and what to say where one is missing."""

from __future__ import annotations

import ast
import importlib
from typing import Any

from ..core.errors import UsageError, quote

__all__ = ["package", "read_call"]


def package(name: str, what: str, extra: str) -> Any:
    """Import a package that is not Playout's own.

    Args:
        name: as it is imported.
        what: what needs it, in words.
        extra: as it is installed, of Playout's extras where there is one.

    Raises:
        UsageError: it is not installed; says the command.

    >>> package("no_such_package", "Chess by post", "playout[post]")
    Traceback (most recent call last):
    playout.core.errors.UsageError: Chess by post needs pip install playout[post]
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == name.partition(".")[0]:
            raise UsageError(f"{what} needs pip install {extra}") from None
        raise


def read_call(text: str) -> tuple[str, dict[str, Any]]:
    """A name and its keywords, as Python writes a call.

    Raises:
        UsageError: it is no call with plain values.

    >>> read_call("FrozenLake-v1(is_slippery=False, map_name='8x8')")
    ('FrozenLake-v1', {'is_slippery': False, 'map_name': '8x8'})
    """
    name, bracket, rest = text.partition("(")
    if not bracket:
        return name, {}
    try:
        call: Any = ast.parse(f"f({rest}", mode="eval").body
        given = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
        if call.args:
            raise ValueError
        return name, given
    except (AttributeError, SyntaxError, ValueError):
        raise UsageError(
            f"{quote(text)}: after the name come keywords in brackets, as Python "
            "writes them: NAME(size=8, slippery=False)"
        ) from None

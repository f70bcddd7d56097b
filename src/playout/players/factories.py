"""Factories that users write: their parameters, calls to them, and their errors."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..core.errors import PlayoutError, UsageError
from ..core.text.plugins import load_file

__all__ = ["call", "from_file", "parameter_types"]


def from_file(path: Path, name: str) -> Any:
    """The object that a file has under a name.

    Raises:
        UsageError: it has none; tells what functions and classes it has.
    """
    module = load_file(path)
    if hasattr(module, name):
        return getattr(module, name)
    own = [
        key
        for is_kind in (inspect.isfunction, inspect.isclass)
        for key, value in vars(module).items()
        if is_kind(value) and value.__module__ == module.__name__
    ]
    raise UsageError(
        f"{path} has no {name!r}; it has {', '.join(own) or 'no function'}"
    )


def parameter_types(factory: Callable[..., Any], skipped: int = 0) -> dict[str, Any]:
    """The names of parameters and the types of their values, but for the first ones.

    Where there is no annotation, the default tells the type.

    >>> parameter_types(lambda game, size=3, name=None: None, skipped=1)
    {'size': <class 'int'>, 'name': <class 'str'>}

    Raises:
        ValueError: Python cannot tell the parameters, as of some written in C.
        NameError: an annotation names what is not there.
    """
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(factory, eval_str=True).parameters.values()
    others = list(parameters)[skipped:]
    return {each.name: _type_of(each) for each in others if each.kind in kinds}


def _type_of(parameter: inspect.Parameter) -> Any:
    if parameter.annotation is not parameter.empty:
        return parameter.annotation
    known = parameter.default not in (parameter.empty, None)
    return type(parameter.default) if known else str


def call(
    owner: str, factory: Callable[..., Any], *given: Any, values: Mapping[str, Any]
) -> Any:
    """What a factory makes of its arguments.

    Raises:
        UsageError: it does not take them, or fails; names its file and line.
        PlayoutError: it raised one; its text begins with the owner.
    """
    try:
        inspect.signature(factory).bind(*given, **values)
    except TypeError as error:
        raise UsageError(f"{owner}: {error}") from None
    try:
        return factory(*given, **values)
    except PlayoutError as error:
        raise type(error)(f"{owner}: {error}") from error
    except (Exception, SystemExit) as error:
        raise UsageError(f"{owner}: {_place(error)}") from error


def _place(error: BaseException) -> str:
    """Where in a factory an exception was raised, its type, and what it says."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{frame.filename}, line {frame.lineno}: {what}"

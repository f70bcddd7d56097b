"""`Internal`: a name that Numba does not document; is it still as it was?

`check` tells what a version of Numba has changed.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import llvmlite

from ..errors import UsageError

__all__ = ["TRIED", "Internal", "check"]

#: Versions of Numba with which the tests passed (`make test-numba`).
TRIED = ("0.66.0", "0.68.1")


class Internal(NamedTuple):
    """A name that Numba does not document.

    Attributes:
        path: its module, and its name there.
        uses: what is used of it, `attribute` or `method(positional, keyword=)`.
    """

    path: str
    uses: tuple[str, ...] = ()

    def find(self) -> Any:
        """The object; AttributeError or ImportError if there is none."""
        module, _, name = self.path.rpartition(".")
        return getattr(importlib.import_module(module), name)

    def faults(self) -> Iterator[str]:
        """What has changed, a few words each."""
        try:
            found = self.find()
        except (AttributeError, ImportError):
            yield f"{self.path} is gone"
            return
        for use in self.uses:
            name, arguments = re.fullmatch(r"(\w*)(?:\((.*)\))?", use).groups()
            if not _has(found, name):
                yield f"{self.path} has no {name}"
            elif arguments is not None and not _takes(found, name, arguments):
                yield f"{self.path} is not used as {use} any more"


def _has(owner: Any, name: str) -> bool:
    """Whether an object, or what a class makes, has an attribute."""
    if not name or hasattr(owner, name):
        return True
    methods = (
        function
        for base in getattr(owner, "__mro__", ())
        for function in vars(base).values()
        if isinstance(function, FunctionType)
    )
    return any(name in method.__code__.co_names for method in methods)


def _takes(owner: Any, name: str, arguments: str) -> bool:
    """Whether a method of a class, or the object itself, can be called like that."""
    called = getattr(owner, name) if name else owner
    names = [text for text in arguments.split(", ") if text]
    keywords = {text[:-1]: None for text in names if text.endswith("=")}
    values = [None] * (len(names) - len(keywords))
    if name and isinstance(called, FunctionType) and not _is_static(owner, name):
        values.append(None)  # self
    try:
        inspect.signature(called).bind(*values, **keywords)
    except TypeError:
        return False
    return True


def _is_static(owner: Any, name: str) -> bool:
    method = inspect.getattr_static(owner, name)
    return isinstance(owner, ModuleType) or isinstance(method, staticmethod)


def check(version: str, internals: list[Internal]) -> None:
    """Complain of what this version of Numba has changed.

    Raises:
        UsageError: names it, and the versions that were tried.
    """
    changed = [fault for internal in internals for fault in internal.faults()]
    if changed:
        raise UsageError(
            f"Numba {version} (with llvmlite {llvmlite.__version__}) is not as Playout "
            f"needs it: {'; '.join(changed)}. Playout was tried with Numba "
            f"{', '.join(TRIED)}: install one of these, as in pip install "
            f"numba=={TRIED[-1]}"
        )

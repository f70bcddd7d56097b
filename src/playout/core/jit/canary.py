"""`Internal`: a name that Numba does not document; is it still as it was?

`check` tells what a version of Numba has changed, and `check_failure` whether it is
to blame where compiling has failed.
"""

from __future__ import annotations

import dis
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import llvmlite

from ..errors import UsageError

__all__ = ["TRIED", "Internal", "check", "check_failure"]

#: What is raised where a name is gone, or is not called as it was.
_OF_NAMES = (AttributeError, ImportError, TypeError)

#: Versions of Numba with which the tests passed (`make test-numba`).
TRIED = ("0.66.0", "0.68.1")


class Internal(NamedTuple):
    """A name that Numba does not document.

    Attributes:
        path: its module, and its name there.
        uses: what is used of it, `attribute` or `method(positional, keyword=)`;
            `attribute=` is one that Numba reads and that we set.
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
            name, arguments = re.fullmatch(r"(\w*=?)(?:\((.*)\))?", use).groups()
            if not _has(found, name):
                yield f"{self.path} has no {name.rstrip('=')}"
            elif arguments is not None and not _takes(found, name, arguments):
                yield f"{self.path} is not used as {use} any more"


def _has(owner: Any, name: str) -> bool:
    """Whether an object, or what a class makes, has an attribute."""
    if not name or hasattr(owner, name):
        return True
    members = (one for c in getattr(owner, "__mro__", ()) for one in vars(c).values())
    functions = (getattr(one, "__func__", one) for one in members)
    return any(
        isinstance(one, FunctionType) and _sets(one.__code__, name) for one in functions
    )


def _sets(code: CodeType, name: str) -> bool:
    """Whether a method sets an attribute, or hands it to what makes an instance.

    One that is only read may be gone, and Numba's own code would fail, too. With `=`
    it is set here, for Numba to read.
    """
    if name.endswith("="):
        return name[:-1] in code.co_names
    if any(isinstance(one, tuple) and name in one for one in code.co_consts):
        return True
    return name in code.co_names and any(
        step.opname == "STORE_ATTR" and step.argval == name
        for step in dis.get_instructions(code)
    )


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
        raise _not_as_needed(version, "; ".join(changed))


def check_failure(error: Exception, version: str, internals: list[Internal]) -> None:
    """Complain of Numba, where compiling has failed, if that and no rules failed.

    So it is if a name has gone, and if a version that was not tried makes our own code
    fail. Of a version that was tried, names alone were checked before.

    Raises:
        UsageError: names what is missing, and the versions that were tried.
    """
    causes: list[BaseException] = [error]
    cause = error.__cause__ or error.__context__
    while cause is not None and cause not in causes:  # Numba puts errors into others
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    of_names = [one for one in causes if isinstance(one, _OF_NAMES)]
    if of_names:
        check(version, internals)
    if version not in TRIED and (ours := next(filter(_is_ours, of_names), None)):
        raise _not_as_needed(version, str(ours)) from error


def _is_ours(error: BaseException) -> bool:
    """Whether code of this room has failed, which speaks to Numba."""
    files = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    return bool(files) and Path(files[-1]).parent == Path(__file__).parent


def _not_as_needed(version: str, why: str) -> UsageError:
    new = "" if version in TRIED else "This version has not been tried. "
    return UsageError(
        f"Numba {version} (with llvmlite {llvmlite.__version__}) is not as Playout "
        f"needs it: {why}. {new}Playout was tried with Numba {', '.join(TRIED)}: "
        f"install one of these, as in pip install numba=={TRIED[-1]}"
    )

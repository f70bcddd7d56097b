"""Fingerprints of code: equal digests mean equal machine code.

A digest covers a function's code object with its constants, and everything the
function can reach: helper functions in any file, global constants, methods of the
same object. Code objects are hashed, not source text: after an edit in a running
process the source is new while the code is still old, and a class typed into a
notebook has no source file at all. Line numbers do not count, so moving a function
compiles nothing.
"""

from __future__ import annotations

import contextlib
import copyreg
import dataclasses
import enum
import functools
import hashlib
import sys
import types
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

from .dependencies import Dependencies, is_empty
from .internals import WRAPPED

__all__ = ["VERSIONS", "Digest", "is_library", "names_in", "remembered"]

#: What else the generated code depends on, besides the source.
VERSIONS = (
    sys.version_info[:2],
    numba.__version__,
    np.__version__,
    llvmlite.__version__,
)

#: Modules whose code is covered by `VERSIONS` or by Python itself.
_LIBRARIES = frozenset({"numpy", "numba", "math", "operator", "builtins", "cmath"})

#: Playout's own machinery, all modules beside this one: hashed whole, once, rather than
#: followed from every use (its module globals change while it works).
_MACHINERY = f"{__package__}."


class Digest:
    """Accumulates what code and values mean; each reachable thing is hashed once.

    >>> Digest().add(1).hexdigest() == Digest().add(1).hexdigest()
    True
    >>> Digest().add(1).hexdigest() == Digest().add(True).hexdigest()
    False
    """

    def __init__(self, depends: Dependencies | None = None) -> None:
        self._depends = depends  # notes what is read, if it is wanted
        self._hash = hashlib.sha256(repr((VERSIONS, _machinery())).encode())
        self._seen: dict[int, tuple[int, Any]] = {}  # by id, which this keeps unique
        self._open: list[int] = []  # lists and tuples, by id, that are being added
        self._followed: set[tuple[int, int]] = set()  # modules, for which names

    def hexdigest(self) -> str:
        """The first 16 hexadecimal digits."""
        return self._hash.hexdigest()[:16]

    def add(self, value: Any, owner: type | None = None) -> Digest:
        """Add a value or a function; `owner` is the class whose methods it may call."""
        if isinstance(value, (bool, int, float, complex, str, bytes, type(None))):
            self._token(type(value).__name__, repr(value))
        elif isinstance(value, (tuple, frozenset)):
            self._add_items(value, owner)
        elif isinstance(value, (list, set, np.ndarray, dict, types.MappingProxyType)):
            self._add_content(value, owner, self._add_items)
        elif isinstance(value, np.dtype):
            self._token("dtype", value.descr, value.itemsize, value.alignment)
        elif isinstance(value, np.generic):
            self._token("scalar", value.dtype.str, value.tobytes())
        elif isinstance(value, enum.Enum):
            self._token("enum", type(value).__qualname__, value.name)
            self.add(value.value, owner)
        else:
            self._add_once(value, owner)
        return self

    def add_method(self, cls: type, name: str) -> Digest:
        """Add the attribute `name` of a class, with all it reaches on the class."""
        if self._depends is not None:
            self._depends.note_class(cls)
        for base in cls.__mro__:
            if name in vars(base):
                self._token("attribute", name)
                return self.add(vars(base)[name], cls)
        return self

    def _token(self, *parts: object) -> None:
        self._hash.update(repr(parts).encode())

    def _add_items(self, value: Any, owner: type | None) -> None:
        """Add what holds others."""
        if isinstance(value, (tuple, list)):
            self._add_row(value, owner)
        elif isinstance(value, (frozenset, set)):
            self._token("set", sorted(self._apart(item, owner) for item in value))
        elif isinstance(value, np.ndarray):
            self._token("array", value.dtype.str, value.shape)
            self._hash.update(value.tobytes())
        elif self._is_first(value):
            self.add(tuple(value.items()), owner)

    def _add_content(
        self, value: Any, owner: type | None, add: Callable[[Any, type | None], None]
    ) -> None:
        """Add what may be changed in place: of what it holds nothing else is noted."""
        depends, self._depends = self._depends, None
        if depends is not None:
            depends.note_content(lambda: Digest().add(value, owner).hexdigest())
        add(value, owner)
        self._depends = depends

    def _is_first(self, value: Any) -> bool:
        """Whether a value is met for the first time; adds that it is not."""
        if id(value) in self._seen:
            self._token("seen", self._seen[id(value)][0])
            return False
        self._seen[id(value)] = len(self._seen), value
        return True

    def _add_row(self, values: list[Any] | tuple[Any, ...], owner: type | None) -> None:
        if id(values) in self._open:  # a list that holds itself
            self._token("within", len(self._open) - self._open.index(id(values)))
            return
        self._token(type(values).__name__, len(values))
        self._open.append(id(values))
        for value in values:
            self.add(value, owner)
        self._open.pop()

    def _add_once(self, value: Any, owner: type | None) -> None:
        if not self._is_first(value):
            return
        unwrapped = _python_function(value)
        if unwrapped is not None:
            self._add_function(unwrapped, owner)
        elif isinstance(value, property):
            self.add(value.fget, owner)
        elif isinstance(value, types.ModuleType):
            self._token("module", value.__name__)
        elif isinstance(value, types.BuiltinFunctionType | np.ufunc):
            module = getattr(value, "__module__", None)
            self._token("builtin", type(value).__name__, module, value.__name__)
        elif isinstance(value, functools.partial):
            self.add((value.func, value.args, value.keywords), owner)
        elif isinstance(value, type):
            self._add_class(value)
        elif dataclasses.is_dataclass(value):
            if vars(type(value))["__dataclass_params__"].frozen:
                self._add_instance(value, owner)
            else:
                self._add_content(value, owner, self._add_instance)
        elif isinstance(value, numba.types.Type):
            self._token("numba", str(value))
        else:
            self._add_content(value, owner, self._add_unknown)

    def _add_instance(self, value: Any, owner: type | None) -> None:
        """Add an instance of a dataclass."""
        self._add_class(type(value))
        for field in dataclasses.fields(value):
            self.add(getattr(value, field.name), type(value))

    def _apart(self, value: Any, owner: type | None) -> bytes:
        """A digest of one value of a set, to be sorted: the order of values varies."""
        digest = Digest(self._depends)
        digest._seen, digest._open = dict(self._seen), list(self._open)
        return digest.add(value, owner)._hash.digest()

    def _add_unknown(self, value: Any, owner: type | None) -> None:
        """Add any other value by the parts that `pickle` would keep of it.

        A value that cannot be pickled makes the digest unique, so that no cache entry
        matches. Its `repr` cannot be used, as that may hold an address or be
        incomplete; nor can its pickle, in which the order of a set differs between
        processes.
        """
        try:
            reduce = copyreg.dispatch_table.get(type(value))
            parts = value.__reduce_ex__(4) if reduce is None else reduce(value)
        except Exception:
            self._token("unique", uuid.uuid4().hex)
            return
        if isinstance(parts, str):
            self._token("global", getattr(value, "__module__", None), parts)
            return
        make, arguments = parts[:2]
        self._token("made by", make.__module__, make.__qualname__, len(arguments))
        for argument in arguments:
            if isinstance(argument, type):
                self._token("class", argument.__module__, argument.__qualname__)
            else:
                self.add(argument)
        self.add(tuple(parts[2:3]))  # the state; then items, and pairs of a mapping
        self.add(tuple(tuple(items or ()) for items in parts[3:5]))

    def _add_class(self, cls: type) -> None:
        self._token("class", cls.__module__, cls.__qualname__)
        if is_library(cls):
            return
        if self._depends is not None:
            self._depends.note_class(cls)
        for base in cls.__mro__:
            if is_library(base):
                continue
            for name in sorted(vars(base)):
                if not name.startswith("__"):
                    self._token("member", name)
                    self.add(vars(base)[name], cls)

    def _add_function(self, function: types.FunctionType, owner: type | None) -> None:
        if is_library(function):
            self._token("library", function.__module__, function.__qualname__)
            return
        names = names_in(function.__code__)
        if self._depends is not None:
            self._depends.note_function(function, names)
        self.add(function.__defaults__, owner)
        self.add(tuple(sorted((function.__kwdefaults__ or {}).items())), owner)
        self._hash.update(_code_digest(function.__code__))
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            self._token("free", name)
            if not is_empty(cell):
                self.add(cell.cell_contents, owner)
        for name in names:
            if name in function.__globals__:
                self._token("global", name)
                self._add_global(function.__globals__[name], names, owner)
            if owner is not None and not name.startswith("__"):
                self.add_method(owner, name)

    def _add_global(
        self, value: Any, names: tuple[str, ...], owner: type | None
    ) -> None:
        """A global; of a module, the members that the code may be reaching for."""
        if isinstance(value, types.ModuleType):
            self._token("module", value.__name__)
            if (id(value), id(names)) in self._followed:
                return
            self._followed.add((id(value), id(names)))
            if value.__name__.split(".")[0] not in _LIBRARIES:
                if self._depends is not None:
                    self._depends.note_names(vars(value), names)
                for name, member in _members(value, names):
                    self._token("module member", name)
                    self._add_global(member, names, None)
        else:
            self.add(value, owner if _python_function(value) is None else None)


#: By a class or a function: its digest, and what that depends on; the last used last.
_remembered: dict[Any, tuple[str, Dependencies]] = {}
#: So many are kept, with all that they hold. A search asks for some twenty.
MOST_REMEMBERED = 500


def remembered(thing: Any, add: Callable[[Digest], object]) -> str:
    """The digest of a class or a function, made anew where it may be another.

    Args:
        thing: what it is of.
        add: adds that to a digest, always the same way.
    """
    known = _remembered.pop(thing, None)
    if known is None or not known[1].hold():
        depends = Dependencies()
        digest = Digest(depends)
        add(digest)
        known = digest.hexdigest(), depends
    _remembered[thing] = known
    for oldest in list(_remembered)[:-MOST_REMEMBERED]:
        _remembered.pop(oldest, None)
    return known[0]


def _code_parts(code: types.CodeType) -> Digest:
    """A digest of a code object with its constants, and of those nested in it."""
    digest = Digest()
    digest._token(
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_argcount,
        code.co_kwonlyargcount,
        code.co_flags,
        code.co_exceptiontable,
    )
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            digest._hash.update(_code_digest(constant))
        else:
            digest.add(constant)
    return digest


#: Code objects never change: what was computed for one holds as long as it lives.
_code_digests: dict[int, tuple[types.CodeType, bytes, tuple[str, ...]]] = {}


def _known_code(code: types.CodeType) -> tuple[types.CodeType, bytes, tuple[str, ...]]:
    if id(code) not in _code_digests:
        names = tuple(dict.fromkeys(n for c in _all_codes(code) for n in c.co_names))
        _code_digests[id(code)] = (code, _code_parts(code)._hash.digest(), names)
    return _code_digests[id(code)]


def _code_digest(code: types.CodeType) -> bytes:
    return _known_code(code)[1]


def names_in(code: types.CodeType) -> tuple[str, ...]:
    """Names of globals and attributes in a code object and those nested in it."""
    return _known_code(code)[2]


def _members(
    module: types.ModuleType, names: tuple[str, ...]
) -> Iterable[tuple[str, Any]]:
    """Those names that a module has, among them what it imports when it is asked."""
    for name in names:
        with contextlib.suppress(Exception):
            yield name, getattr(module, name)


#: Where Numba's objects, our kernels and constants, and Python's caches keep the
#: function that they stand for.
_WRAPPED = (*WRAPPED, "function", "__wrapped__", "func")


def _python_function(value: Any) -> types.FunctionType | None:
    """The Python function behind a method, a wrapper, or one of Numba's objects."""
    if isinstance(value, types.FunctionType):
        return value
    if isinstance(value, staticmethod | classmethod | types.MethodType):
        return _python_function(value.__func__)
    if isinstance(value, functools.partial):
        return None
    for attribute in _WRAPPED:
        inner = vars(value).get(attribute) if hasattr(value, "__dict__") else None
        if isinstance(inner, types.FunctionType):
            return inner
    return None


def is_library(thing: Any) -> bool:
    """Whether a function, a class or a module is covered by `VERSIONS`."""
    module = getattr(thing, "__module__", None) or ""
    if isinstance(thing, types.ModuleType):
        module = thing.__name__
    return module.startswith(_MACHINERY) or module.split(".")[0] in _LIBRARIES


@functools.cache
def _machinery() -> str:
    """A digest of the files of Playout's own machinery, what they reach left out.

    Their text, as code objects would tell neither tables nor options apart.
    """
    found = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        found.update(file.read_bytes())
    return found.hexdigest()


def _all_codes(code: types.CodeType) -> Iterable[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _all_codes(constant)

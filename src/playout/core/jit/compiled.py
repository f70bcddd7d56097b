"""`Compiled`: one class that runs as plain Python and inside native kernels.

A subclass is a frozen dataclass. Its methods are ordinary Python, and kernels call
them as Python does (`game.apply(state, action)`). For Numba, every instance has a
type of its own making:

- the type's name carries a **digest** of the code and of all constants that the
  methods reach, so an edit anywhere makes a new type and, with it, a new compile;
- **run-time fields** are members of a struct; **static fields** belong to the type,
  and the compiler sees them as constants;
- methods are resolved when a kernel first calls them (see `lowering`): what no kernel
  calls (drawing, parsing) may be any Python;
- it pickles by name and digest, so that a process which never heard of the class can
  still read a cache index that mentions it.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import threading
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, ClassVar, TypeVar, overload

import numpy as np
from numba import types
from numba.extending import typeof_impl

from ..errors import CompileError, UncompilableError
from ..interrupt import allowing_interrupts
from ..text.fields import check_fields
from .digest import Digest, remembered

__all__ = [
    "CheckedType",
    "Compiled",
    "CompiledType",
    "constant",
    "defining_place",
    "frozen",
    "static",
]

T = TypeVar("T")

#: The attribute of an instance that says where kernels keep its data.
KEPT = "_playout_place"


def static(default: Any = dataclasses.MISSING) -> Any:
    """Declare a field that is part of the compiled type: a constant to the compiler.

    Every value compiles anew, so keep it for what shapes the code: a board size, a
    rule variant. Integers, floats, booleans and strings; a string is compared at
    compile time (`self.rule == "renju"`).

    Args:
        default: the field's; without one it must be given.
    """
    return dataclasses.field(default=default, metadata={"static": True})


class constant:
    """A value computed once from the static fields; the compiler sees a constant.

    Decorates a method without parameters. Scalars and NumPy arrays (read-only in
    compiled code) are accepted.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> constant: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Any: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        if instance is None:
            return self
        value = self.compute(instance)
        vars(instance)[self.name] = value
        return value

    def compute(self, instance: object) -> Any:
        """The value; an array cannot be written to."""
        value = self.function(instance)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        return value


class Compiled:
    """Base of games, policies and whatever else a kernel calls methods on."""

    #: Methods for people: never compiled, so an edit of theirs changes no digest.
    interpreted_methods: ClassVar[frozenset[str]] = frozenset()
    #: The name that classes share which are compiled alike; else the class's own.
    compiled_as: ClassVar[str] = ""
    #: Where kernels keep its data (see `models.keep_place`); 0 is nowhere.
    _playout_place: ClassVar[int] = 0

    def __post_init__(self) -> None:
        """Check the fields against their annotations; a subclass's own calls this.

        Raises:
            UsageError: a value is of another kind; names its field.
        """
        check_fields(self)

    def __getstate__(self) -> dict[str, Any]:
        """All that a copy has, too: not the place where kernels keep the data."""
        return {name: value for name, value in vars(self).items() if name != KEPT}


def _static_attribute(cls: type, name: str) -> Any:
    """What the class holds under a name, descriptors unbound; None if nothing."""
    for base in cls.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return None


#: Longer lists are not compiled as tuples: an array serves better.
LONGEST_LIST = 1000


def frozen(value: Any) -> Any:
    """A list of constants as a tuple, which can be compiled; all else as it is.

    >>> frozen([[0, 1], (1, 0)]), frozen([{}])
    (((0, 1), (1, 0)), [{}])
    """
    if not isinstance(value, list | tuple) or len(value) > LONGEST_LIST:
        return value
    items = tuple(frozen(item) for item in value)
    plain = all(isinstance(item, bool | int | float | tuple) for item in items)
    return items if plain and isinstance(value, list) and items else value


@dataclasses.dataclass(frozen=True)
class _Source:
    """Where a compiled type came from; only processes that run the class have it."""

    cls: type
    statics: dict[str, Any]
    runtime: frozenset[str]
    constants: dict[str, Any] = dataclasses.field(default_factory=dict)

    def value(self, name: str) -> Any:
        """A static field, a `constant` or a class attribute; AttributeError if none."""
        if name in self.statics:
            return self.statics[name]
        found = _static_attribute(self.cls, name)
        if isinstance(found, constant):
            if name not in self.constants:  # code may hold the address of a large one
                with allowing_interrupts():
                    self.constants[name] = frozen(found.compute(_Statics(self)))
            return self.constants[name]
        callables = (FunctionType, property, staticmethod, classmethod)
        if found is None or isinstance(found, callables):
            raise AttributeError(name)
        return frozen(found)

    def method(self, name: str) -> FunctionType | None:
        found = _static_attribute(self.cls, name)
        return found if isinstance(found, FunctionType) else None

    def getter(self, name: str) -> Any:
        found = _static_attribute(self.cls, name)
        return found.fget if isinstance(found, property) else None


class _Statics:
    """Stands in for an instance of which only the static fields are known."""

    def __init__(self, source: _Source) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        source = self._source
        if name in source.runtime:
            raise CompileError(
                f"{source.cls.__qualname__}: a `constant` reads the field `{name}`, "
                f"which is set at run time; declare it `{name} = static(...)`"
            )
        found = _static_attribute(source.cls, name)
        if isinstance(found, property):
            return found.fget(self) if found.fget else None
        if isinstance(found, FunctionType):
            return found.__get__(self)
        return source.value(name)


#: digest -> where it came from, for types made in this process.
_sources: dict[str, _Source] = {}
_lock = threading.RLock()


class CompiledType(types.Type):
    """Numba's type of one compiled class with its static fields and digest."""

    checked = False

    def __init__(
        self, name: str, digest: str, members: tuple[tuple[str, types.Type], ...]
    ) -> None:
        self.class_name = name
        self.digest = digest
        self.members = members
        super().__init__(name=f"{name}<{digest}>")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.class_name, self.digest, self.members)

    @property
    def source(self) -> _Source:
        return _sources[self.digest]

    def static_value(self, name: str) -> Any:
        """A number, boolean or text known at compile time; None if there is none."""
        if any(name == member for member, _ in self.members):
            return None
        try:
            value = self.source.value(name)
        except AttributeError:
            return None
        return value if type(value) in (bool, int, float, str) else None


class CheckedType(CompiledType):
    """The same, its methods compiled with bounds checks (its digest differs)."""

    checked = True


def compiled_type(instance: Compiled, checked: bool = False) -> CompiledType:
    """The Numba type of an instance; a new one whenever anything it reaches changed."""
    cls = type(instance)
    if not dataclasses.is_dataclass(cls):
        raise CompileError(
            f"{cls.__qualname__} must be a dataclass: put @dataclass(frozen=True) "
            "above it"
        )
    statics, members, digest = {}, [], Digest()
    for field in dataclasses.fields(cls):
        value = getattr(instance, field.name)
        if field.metadata.get("static"):
            statics[field.name] = value
            digest.add((field.name, value))
        else:
            members.append((field.name, _member_type(cls, field.name, value, checked)))
    name = cls.compiled_as or cls.__qualname__
    digest.add(name).add(repr(members)).add(checked)
    digest.add(remembered(cls, functools.partial(_add_class, cls)))
    key = digest.hexdigest()
    with _lock:
        runtime = frozenset(name for name, _ in members)
        _sources.setdefault(key, _Source(cls, statics, runtime))
    kind = CheckedType if checked else CompiledType
    label = name.replace("<locals>.", "")
    shown = ",".join(f"{name}={value}" for name, value in statics.items())
    return kind(f"{label}({shown})", key, tuple(members))


def _add_class(cls: type, digest: Digest) -> None:
    """Add all that kernels may reach of a class."""
    for method in sorted(_methods(cls)):  # a class that was pickled has another order
        digest.add_method(cls, method)
    for attribute in sorted(_class_attributes(cls), key=operator.itemgetter(0)):
        digest.add(attribute)


def _methods(cls: type) -> Iterator[str]:
    """Names of methods, properties and constants that kernels may reach."""
    seen: set[str] = set()
    interpreted: frozenset[str] = getattr(cls, "interpreted_methods", frozenset())
    for base in cls.__mro__:
        if base in (object, Compiled):
            continue
        for name, value in vars(base).items():
            if name.startswith("__") or name in seen or name in interpreted:
                continue
            if isinstance(value, (FunctionType, property, constant, staticmethod)):
                seen.add(name)
                yield name


def _class_attributes(cls: type) -> Iterator[tuple[str, Any]]:
    """What else kernels may read of a class: `zero_sum`, and a user's own."""
    fields = {field.name for field in dataclasses.fields(cls)}
    interpreted: frozenset[str] = getattr(cls, "interpreted_methods", frozenset())
    skipped = {*fields, *interpreted, "interpreted_methods", "compiled_as"}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if not (name.startswith("_") or name in skipped or callable(value)):
                if not isinstance(
                    value, (property, constant, staticmethod, classmethod)
                ):
                    yield name, value


def _member_type(cls: type, name: str, value: Any, checked: bool) -> types.Type:
    if isinstance(value, Compiled):
        return compiled_type(value, checked)
    if isinstance(value, str):
        raise UncompilableError(
            f"{cls.__qualname__}.{name} is text, which compiled rules cannot carry at "
            f"run time; declare it `{name}: str = static({value!r})`"
        )
    found = None if isinstance(value, list | set | dict) else typeof_impl(value, None)
    if found is None:
        raise UncompilableError(
            f"{cls.__qualname__}.{name} = {value!r}: compiled rules can carry numbers, "
            "booleans, tuples and NumPy arrays, not "
            f"{type(value).__name__}"
        )
    if isinstance(found, types.Array) and (found.ndim != 1 or found.layout != "C"):
        raise UncompilableError(
            f"{cls.__qualname__}.{name} is an array of {found.ndim} dimensions; "
            "compiled rules can carry contiguous arrays of one "
            "(a `constant` may have more)"
        )
    if checked and hasattr(found, "as_checked"):
        found = found.as_checked()
    return found


@typeof_impl.register(Compiled)
def _typeof_compiled(value: Compiled, context: Any) -> CompiledType:
    return compiled_type(value)


def defining_place(cls: type, name: str) -> int:
    """Which class, in the order in which names are looked up, has a name.

    Their number, where none has it.

    >>> defining_place(bool, "bit_length"), defining_place(bool, "none")
    (1, 3)
    """
    order = cls.__mro__
    found = (place for place, owner in enumerate(order) if name in vars(owner))
    return next(found, len(order))

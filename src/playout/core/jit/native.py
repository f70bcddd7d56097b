"""`kernel`: a plain function over `Compiled` arguments that can be run natively.

    @kernel
    def count(game, states, depth): ...

    count(game, rows, 3)                   # interpreted, slowly
    native = count.compile(game, rows, 3)  # compiled for these types, or loaded
    native(game, rows, 3)                  # runs without the interpreter or its lock

Helper functions that a kernel calls are ordinary functions; they are compiled with it.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
from numba import __version__, config, njit, typeof, types
from numba.core.errors import (
    NumbaExperimentalFeatureWarning,
    NumbaPendingDeprecationWarning,
    NumbaTypeSafetyWarning,
)

from ..errors import CompileError, PlayoutError
from ..garbage import seldom_collecting
from ..interrupt import deferring, working
from ..numba_settings import expect_compiler
from .cache import DiskCache
from .compiled import Compiled, CompiledType, compiled_type
from .diagnose import counts_in_floats, explain, unwritten_method
from .digest import Digest, remembered
from .fallback import is_interpreted
from .frames import with_room_for_frames
from .internals import (
    INTERNALS,
    check_failure,
    compiler_lock,
    cpu_target,
    with_own_code_generator,
)
from .lowering import forget_edited, jit_options
from .optimisation import optimisation
from .pipeline import failure, set_environments, shrink_libraries

__all__ = [
    "Kernel",
    "NativeFunction",
    "NotCompiledError",
    "kernel",
    "may_only_load",
    "observed",
    "on_compile",
    "only_loading",
    "warm_up",
]

#: What a label ends with where array bounds are tested.
CHECKED = " with every index checked"
#: Called with a label before a kernel is compiled; what it returns is called after.
Observer = Callable[[str], Callable[[], None]]
#: How many compiled versions of one kernel are kept, those last used. Versions in use
#: are kept besides. Each takes 1 MB, and 20 if it was compiled here.
MOST_KEPT = 32
_observer: list[Observer] = []


def on_compile(observer: Observer | None) -> None:
    """Have `observer(label)` called when compiling starts, its result when it ends."""
    _observer[:] = [] if observer is None else [observer]


class NotCompiledError(PlayoutError):
    """Code would have to be compiled, where it may only be loaded from disk."""


class _Mode(threading.local):
    """What this thread may do."""

    only_loading = False


_mode = _Mode()


@contextlib.contextmanager
def only_loading() -> Iterator[None]:
    """Have this thread load compiled code, and compile none: `NotCompiledError`."""
    before, _mode.only_loading = _mode.only_loading, True
    try:
        yield
    finally:
        _mode.only_loading = before


def may_only_load() -> bool:
    """Whether this thread is within `only_loading`."""
    return _mode.only_loading


def warm_up() -> None:
    """Have Numba load what every kernel needs; compiles nothing.

    Compiling loads it too; two threads that do so at once would each get a part of it.
    """
    with compiler_lock:
        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()


class NativeFunction:
    """A kernel compiled for the types of its arguments; call it like the kernel.

    The kernel itself stands in for it where the rules are not compiled; see `fallback`.

    Attributes:
        compile_seconds: what compiling took; 0.0 when it came from memory or disk.
        from_cache: whether it was found on disk.
    """

    def __init__(
        self,
        entry: Callable[..., Any],
        seconds: float,
        cached: bool,
        needs: tuple[Any, ...] = (),
    ) -> None:
        self._entry = entry
        self._needs = needs  # all that must live as long
        self.compile_seconds = seconds
        self.from_cache = cached

    def __call__(self, *args: Any) -> Any:
        return self._entry(*args)

    def __deepcopy__(self, memo: Any) -> NativeFunction:
        return self  # code does not change


class Kernel:
    """See the module's docstring."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._compiled: dict[str, NativeFunction] = {}

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def compile(self, *args: Any, checked: bool = False) -> NativeFunction:
        """Compile for the types of `args`, or fetch from memory or disk.

        Args:
            args: arguments like those it will be called with.
            checked: test every index against its array's bounds (IndexError).

        Raises:
            CompileError: names the user's method and line that cannot be compiled.
            NotCompiledError: it is not on disk, within `only_loading`.
            UsageError: Numba's settings are such that it does not compile.
        """
        expect_compiler(config)
        if is_interpreted(*args):
            return NativeFunction(_plain(self.function), 0.0, False)
        signature = _types_of(args, checked)
        digest = self._digest(signature, checked)
        with compiler_lock:
            found = self._compiled.pop(digest, None)
            if found is None:
                with working(), deferring():
                    made = self._compile(signature, args, digest, checked)
            else:
                made = NativeFunction(found._entry, 0.0, found.from_cache, found._needs)
            self._compiled[digest] = made  # the last
            while len(self._compiled) > MOST_KEPT:
                del self._compiled[next(iter(self._compiled))]
            return made

    def obstacle(self, *args: Any) -> CompileError | None:
        """What keeps it from being compiled for such arguments, every index checked.

        Nothing is kept, on disk or in memory.
        """
        dispatcher = njit(**jit_options(True), no_cfunc_wrapper=True)(self.function)
        signature = _types_of(args, True)
        try:
            with compiler_lock, working(), deferring(), _compiling(args):
                _build(dispatcher, signature)
        except CompileError as error:
            return error
        return counts_in_floats(args)

    def _digest(self, signature: tuple[types.Type, ...], checked: bool) -> str:
        code = remembered(self.function, lambda digest: digest.add(self.function))
        digest = Digest().add(code).add(checked).add(optimisation(checked))
        for typ in signature:
            digest.add(typ.name)
        return digest.hexdigest()

    def _compile(
        self,
        signature: tuple[types.Type, ...],
        args: tuple[Any, ...],
        digest: str,
        checked: bool,
    ) -> NativeFunction:
        dispatcher = njit(**jit_options(checked), no_cfunc_wrapper=True)(self.function)
        machine = repr(dispatcher.targetctx.codegen().magic_tuple()).encode()
        digest += hashlib.sha256(machine).hexdigest()[:6]
        cache = DiskCache(self.__name__, digest)
        started = time.perf_counter()
        with _compiling(args):
            found = _load(cache, dispatcher.targetctx)
            if found is not None:
                return NativeFunction(found.entry_point, 0.0, True, (found,))
            made = _make(dispatcher, signature, args, checked)
        cache.save(made)
        seconds = time.perf_counter() - started
        needs = made, dispatcher
        return NativeFunction(made.entry_point, seconds, False, needs)


def kernel(function: Callable[..., Any]) -> Kernel:
    """Make a `Kernel` of a plain function."""
    assert isinstance(function, FunctionType)
    return Kernel(function)


@contextlib.contextmanager
def _compiling(args: tuple[Any, ...]) -> Iterator[None]:
    """Have Numba compile as Playout needs it, and its errors name the user's lines."""
    failure.function = None
    try:
        yield
    except PlayoutError:
        raise
    except Exception as error:  # Numba lets many kinds of its own escape
        check_failure(error, __version__, INTERNALS)
        raise explain(error, args) from error
    finally:
        shrink_libraries()


def _make(
    dispatcher: Any,
    signature: tuple[types.Type, ...],
    args: tuple[Any, ...],
    checked: bool,
) -> Any:
    """What Numba compiles for a signature; the observer is told."""
    if _mode.only_loading:
        raise NotCompiledError(f"{_title(signature)} has yet to be compiled")
    with observed(_title(signature) + CHECKED * checked), seldom_collecting():
        _build(dispatcher, signature)
        if unwritten := unwritten_method(args):
            raise CompileError(unwritten)
        if error := counts_in_floats(args):
            raise error
        set_environments(dispatcher.targetctx.codegen())
    return dispatcher.overloads[signature]


#: The last is Python's, of what Numba does to code (since 3.14).
_REMARKS = (
    NumbaExperimentalFeatureWarning,
    NumbaPendingDeprecationWarning,
    NumbaTypeSafetyWarning,
    DeprecationWarning,
)


@with_room_for_frames
def _build(dispatcher: Any, signature: tuple[types.Type, ...]) -> None:
    """Have Numba compile, without its remarks on what may change or need not fit.

    What does not fit is found where games are played with every number looked at.
    """
    forget_edited()
    with warnings.catch_warnings():
        for remark in _REMARKS:
            warnings.simplefilter("ignore", remark)
        dispatcher.compile(signature)


@contextlib.contextmanager
def observed(label: str) -> Iterator[None]:
    """Tell the observer, if there is one, when this starts and when it ends."""
    done = _observer[0](label) if _observer else None
    try:
        yield
    finally:
        if done is not None:
            done()


def _load(cache: DiskCache, target: Any) -> Any:
    """A kernel from disk with a code generator of its own; None if there is none.

    Numba's frees no code before the process ends; this one goes with its kernel.
    """
    return cache.load(lambda: with_own_code_generator(target, "playout"))


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel's function as it runs interpreted: integers may wrap, as compiled."""

    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return call


def _typeof(value: Any, checked: bool) -> types.Type:
    if isinstance(value, Compiled):
        return compiled_type(value, checked)
    found = typeof(value)
    return found.as_checked() if checked and hasattr(found, "as_checked") else found


def _types_of(args: Iterable[Any], checked: bool) -> tuple[types.Type, ...]:
    return tuple(_typeof(arg, checked) for arg in args)


def _title(signature: tuple[types.Type, ...]) -> str:
    """What to tell a person is being compiled: the first game or policy named.

    What is compiled for many classes, as one that asks rules in Python, is none's own.
    """
    for typ in signature:
        if isinstance(typ, CompiledType):
            if typ.members and isinstance(typ.members[0][1], CompiledType):
                return _title((typ.members[0][1],))
            cls = typ.source.cls
            own = not getattr(cls, "compiled_as", "")
            return cls.__qualname__.replace("<locals>.", "") if own else "kernel"
    return "kernel"

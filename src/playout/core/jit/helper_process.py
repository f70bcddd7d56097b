"""Parts of a kernel that a second process compiles while this one compiles the rest.

Compiling keeps one core busy, and half of a kernel takes half the time. The second
process is a copy of this one (a fork), so it knows all that this one knows. What it
makes is intermediate code, which it leaves in memory that both see, to be linked into
the kernel like code made here. A part that the other has not begun when this process
comes to it is compiled here, and so is one that fails there or never comes: that costs
time, nothing else. `PLAYOUT_COMPILE_ALONE` in the environment keeps to one process.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import itertools
import mmap
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from llvmlite import binding as llvm
from numba.core import types
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps
from numba.core.typing.templates import Signature

from ..interrupt import safe_point
from .compiled import CompiledType
from .pipeline import InnerLibrary, environments

__all__ = ["Part", "beside"]

#: What a part is waited for at most; then the second process is taken to hang.
PATIENCE_SECONDS = 60.0
#: Threads of Python there may be, or no copy is made: what others have locked stays
#: locked in it. The board in the terminal has four that wait while a fifth compiles,
#: one of them for signals, as all commands have.
MOST_THREADS = 6
#: Numba numbers functions, and the number is part of a symbol: those that another
#: process compiles have numbers that this one does not reach.
_numbers = itertools.count(10**9, 10**9)
#: What becomes of a part: nobody has begun it; it is compiled here; it is there; it is
#: made; it was tried in vain.
_FREE, _HERE, _THERE, _MADE, _FAILED = range(5)
#: `prctl`: which signal a process gets when its parent ends.
_PR_SET_PDEATHSIG = 1


class Part(NamedTuple):
    """A function that a kernel calls.

    Attributes:
        dispatcher: Numba's for it.
        args: the types of its arguments.
    """

    dispatcher: Any
    args: tuple[types.Type, ...]


@contextlib.contextmanager
def beside(parts: Sequence[Part], accept: Callable[[], bool]) -> Iterator[None]:
    """While this lasts, have a second process compile parts, in their order.

    Args:
        parts: what to compile there.
        accept: asked there after each part; if not, it is compiled here, too.
    """
    unknown = [part for part in parts if part.args not in part.dispatcher.overloads]
    if not (unknown and _can_help()):
        yield
        return
    for typ in {typ for part in unknown for typ in part.args}:
        if isinstance(typ, CompiledType):
            typ.compute_constants()  # one that is random is the same in both then
    helper = _Helper(unknown)
    try:
        helper.start(accept)
        for number, part in enumerate(unknown):
            part.dispatcher._cache = _Made(helper, number)
        yield
    finally:
        for part in unknown:
            part.dispatcher._cache = NullCache()
        helper.end()


def _can_help() -> bool:
    """Whether a copy of this process can be made, and has a core to run on."""
    return (
        sys.platform == "linux"  # elsewhere libraries do not outlive a fork
        and hasattr(os, "memfd_create")  # some builds of Python lack it
        and not os.environ.get("PLAYOUT_COMPILE_ALONE")
        and len(os.sched_getaffinity(0)) > 1
        and threading.active_count() <= MOST_THREADS
        and multiprocessing.parent_process() is None  # whose others use the cores
    )


class _Helper:
    """The second process; without one, all is compiled here."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self._pid = 0
        self._files: list[int] = []
        self._becomes = mmap.mmap(-1, len(parts))  # both processes' memory

    def start(self, accept: Callable[[], bool]) -> None:
        """Start the process, if the system lets us."""
        first, parent = next(_numbers), os.getpid()
        with contextlib.suppress(OSError), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # see `MOST_THREADS`
            for _ in self.parts:
                self._files.append(os.memfd_create("playout"))
            with global_compiler_lock, _no_signals():
                self._pid = os.fork()  # with the lock, for nobody else holds it there
                if self._pid == 0:
                    try:
                        self._run(accept, first, parent)
                    finally:
                        os._exit(0)

    def fetch(self, number: int) -> bytes | None:
        """What the other made of a part; None if it is to be compiled here."""
        if self._becomes[number] == _FREE:
            self._becomes[number] = _HERE
        give_up = time.monotonic() + PATIENCE_SECONDS
        while self._becomes[number] == _THERE and time.monotonic() < give_up:
            if not self._is_alive():
                break
            safe_point()
            time.sleep(0.005)
        if self._becomes[number] != _MADE:
            return None
        file = self._files[number]
        return os.pread(file, os.fstat(file).st_size, 0)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        try:
            if self._is_alive():  # or was: somebody may wait for all
                with contextlib.suppress(ProcessLookupError, ChildProcessError):
                    os.kill(self._pid, signal.SIGKILL)
                    os.waitpid(self._pid, 0)
        finally:
            for file in self._files:
                os.close(file)

    def _is_alive(self) -> bool:
        if self._pid > 0:
            with contextlib.suppress(ChildProcessError):  # somebody waits for all
                if os.waitpid(self._pid, os.WNOHANG)[0] == 0:
                    return True
            self._pid = 0
        return False

    def _run(self, accept: Callable[[], bool], first: int, parent: int) -> None:
        """In the second process: compile what the first has not begun."""
        with contextlib.suppress(AttributeError):  # a C library without it
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        gc.disable()
        FunctionIdentity._unique_ids = itertools.count(first)
        known = set(environments)
        for number, part in enumerate(self.parts):
            if self._becomes[number] == _FREE and os.getppid() == parent:
                self._becomes[number] = _THERE
                is_made = False
                with contextlib.suppress(Exception):  # the first will find it
                    made = _compile(part, known)
                    size = os.pwrite(self._files[number], made, 0) if accept() else 0
                    is_made = size == len(made)
                self._becomes[number] = _MADE if is_made else _FAILED


@contextlib.contextmanager
def _no_signals() -> Iterator[None]:
    """Put signals off; in the copy for ever, as it is ended by the first process.

    Handlers that its owner has set would do there what they do here.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _compile(part: Part, known: Collection[str]) -> bytes:
    """Compile a part; its code with all that it calls, as bytes.

    Among that are the environments that the first process does not know. It may not
    have fetched the part before, so what came with that is told again.
    """
    part.dispatcher.compile(part.args)
    made = part.dispatcher.overloads[part.args]
    if made.library.has_dynamic_globals:
        raise ValueError("it holds addresses of this process")
    made.fndesc.typemap = made.fndesc.calltypes = None
    code = made.library._get_module_for_linking().as_bitcode()
    new = {name: env for name, env in environments.items() if name not in known}
    return dumps((code, made.fndesc, made.environment, new))


class _Made(NullCache):
    """A dispatcher's cache: what the second process makes of it."""

    def __init__(self, helper: _Helper, number: int) -> None:
        self._helper, self._number = helper, number

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        args = self._helper.parts[self._number].args
        if tuple(sig) != args:
            return None
        made = self._helper.fetch(self._number)
        if made is None:
            return None
        try:
            return _link(made, args, target_context)
        except Exception:  # what a module that is not imported defines cannot be named
            return None


def _link(made: bytes, args: tuple[types.Type, ...], target: Any) -> CompileResult:
    """What `_compile` made, as if it had been compiled here."""
    code, fndesc, environment, new = pickle.loads(made)
    library = InnerLibrary(target.codegen(), fndesc.qualname)
    library.take(llvm.parse_bitcode(code))
    environments.update(new)
    return compile_result(
        target_context=target,
        typing_context=target.typing_context,
        library=library,
        environment=environment,
        entry_point=target.get_executable(library, fndesc, environment),
        fndesc=fndesc,
        signature=Signature(fndesc.restype, args, None),
        objectmode=False,
        lifted=(),
        metadata={},
        reload_init=[],
    )

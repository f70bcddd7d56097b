"""What threads need to agree: words of memory that are changed in one step, and a lock.

The words are elements of int64 arrays. Each function has a plain Python body, which is
what interpreted code runs, on one thread; compiled it is an instruction of the machine
(LLVM Language Reference, "Atomic Memory Ordering Constraints").
"""

from __future__ import annotations

import platform
import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import DTypeLike, NDArray

__all__ = [
    "announce_news",
    "apart",
    "lock",
    "make_signals",
    "news",
    "raise_stop",
    "stopped",
    "unlock",
    "wait_for_news",
    "zeros_apart",
]

#: Memory is handed between processors in lines of so many bytes; some fetch two.
LINE = 128
_INT = types.Array(types.int64, 1, "C")
_IS_X86 = platform.machine().lower() in ("x86_64", "amd64", "i686")
#: A waiting thread gives way to others after so many polls of a word.
_PATIENCE = 128
#: Between two polls it pauses so many times at most.
_LONGEST_PAUSE = 16
#: Polls until `wait_for_news` gives up: some ten microseconds, with all pauses.
_LONGEST = 64

#: The words of `make_signals`, each in a line of its own.
_LOCK, _STOP, _NEWS, _WORDS = 16, 32, 48, 64


def zeros_apart(count: int, dtype: DTypeLike) -> NDArray[Any]:
    """Zeros that begin on a line of memory and share none with anything else.

    Threads that write to one line slow each other down even where they write to
    different words of it ("false sharing"). Of a large array only what is written takes
    memory.
    """
    kind = np.dtype(dtype)
    size = count * kind.itemsize
    room = np.zeros(size + 2 * LINE, dtype=np.uint8)
    first = LINE - room.ctypes.data % LINE
    return room[first : first + size].view(kind)


def apart(array: NDArray[Any]) -> NDArray[Any]:
    """A copy of an array of one dimension, as `zeros_apart`."""
    found = zeros_apart(len(array), array.dtype)
    found[:] = array
    return found


def make_signals() -> NDArray[np.int64]:
    """A lock that is open, and a call to stop that has not been made."""
    return np.zeros(_WORDS, dtype=np.int64)


def raise_stop(signals: NDArray[np.int64]) -> None:
    """Tell all threads to end, those that wait for the lock too."""
    signals[_STOP] = 1


def stopped(signals: Any) -> bool:
    """Whether all are to end."""
    return bool(load(signals, _STOP) != 0)


def lock(signals: Any) -> bool:
    """Wait for the lock and take it; False if all are to end instead.

    >>> signals = make_signals()
    >>> lock(signals)
    True
    >>> raise_stop(signals)  # the lock is taken: without this, it would wait for ever
    >>> lock(signals)
    False
    """
    looks = 0
    # To try takes the word from whoever has the lock; to read it first does not.
    while load(signals, _LOCK) != 0 or not swap_if(signals, _LOCK, 0, 1):
        if stopped(signals):
            return False
        looks += 1
        relax(looks)
    return True


def unlock(signals: Any) -> None:
    """Release the lock; the next owner sees all that was written."""
    store(signals, _LOCK, 0)


def news(signals: Any) -> int:
    """How often news was announced; read it while holding the lock."""
    return int(load(signals, _NEWS))


def announce_news(signals: Any) -> None:
    """Wake all threads that wait for news; call it while holding the lock."""
    store(signals, _NEWS, load(signals, _NEWS) + 1)


def wait_for_news(signals: Any, known: int) -> None:
    """Wait, without the lock, until there is newer news, or all threads are to end.

    It gives up after a while: the thread that should announce it may have failed.

    Args:
        signals: the words that the threads share.
        known: what `news` said before.

    >>> signals = make_signals()
    >>> known = news(signals)
    >>> announce_news(signals)
    >>> wait_for_news(signals, known)  # not long
    """
    looks = 0
    while load(signals, _NEWS) == known and looks < _LONGEST:
        if stopped(signals):
            return
        looks += 1
        relax(looks)


def relax(looks: int) -> None:
    """Wait a moment before the next poll of a word, longer after many of them.

    Args:
        looks: how many there were.
    """
    if looks % _PATIENCE == 0:
        give_way()
    else:
        for _ in range(min(looks, _LONGEST_PAUSE)):
            pause()


# -- single instructions ---------------------------------------------------------------


def swap_if(words: Any, index: int, expected: int, value: int) -> bool:
    """Write a value where the expected one stands; whether it did (compare-and-swap).

    >>> words = np.array([0])
    >>> swap_if(words, 0, 0, 7), swap_if(words, 0, 0, 8), words[0].item()
    (True, False, 7)
    """
    if words[index] != expected:
        return False
    words[index] = value
    return True


def load(words: Any, index: int) -> Any:
    """Read a word; no later access is moved before it (acquire)."""
    return words[index]


def store(words: Any, index: int, value: int) -> None:
    """Write a word; no earlier access is moved after it (release)."""
    words[index] = value


def give_way() -> None:
    """Let another thread have the processor."""


def pause() -> None:
    """Tell the processor that this thread only waits."""


def _address(context: Any, builder: Any, typ: Any, array: Any, index: Any) -> Any:
    data = context.make_array(typ)(context, builder, value=array).data
    return builder.gep(data, [index], inbounds=True)


@intrinsic
def _compare_and_swap(
    typingctx: Any, words: Any, index: Any, expected: Any, value: Any
) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = _address(context, builder, sig.args[0], args[0], args[1])
        found = builder.cmpxchg(address, args[2], args[3], "acquire", "monotonic")
        return builder.extract_value(found, 1)

    whole = types.int64
    return types.boolean(_INT, types.intp, whole, whole), codegen


@intrinsic
def _load(typingctx: Any, words: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = _address(context, builder, sig.args[0], args[0], args[1])
        return builder.load_atomic(address, "acquire", 8)

    return types.int64(_INT, types.intp), codegen


@intrinsic
def _store(typingctx: Any, words: Any, index: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = _address(context, builder, sig.args[0], args[0], args[1])
        builder.store_atomic(args[2], address, "release", 8)
        return context.get_dummy_value()

    return types.void(_INT, types.intp, types.int64), codegen


@intrinsic
def _yield(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if sys.platform != "win32":
            kind = ir.FunctionType(ir.IntType(32), [])
            module = builder.module
            function = cgutils.get_or_insert_function(module, kind, "sched_yield")
            builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def _pause(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if _IS_X86:
            kind = ir.FunctionType(ir.VoidType(), [])
            name = "llvm.x86.sse2.pause"
            builder.call(builder.module.declare_intrinsic(name, (), kind), [])
        return context.get_dummy_value()

    return types.void(), codegen


@overload(swap_if, strict=False)
def _swap_if_compiled(words: Any, index: Any, expected: Any, value: Any) -> Any:
    return lambda words, index, expected, value: _compare_and_swap(
        words, index, expected, value
    )


@overload(load, strict=False)
def _load_compiled(words: Any, index: Any) -> Any:
    return lambda words, index: _load(words, index)


@overload(store, strict=False)
def _store_compiled(words: Any, index: Any, value: Any) -> Any:
    return lambda words, index, value: _store(words, index, value)


@overload(give_way, strict=False)
def _give_way_compiled() -> Any:
    return lambda: _yield()


@overload(pause, strict=False)
def _pause_compiled() -> Any:
    return lambda: _pause()

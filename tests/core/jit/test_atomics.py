"""Locks and words that threads share: nothing is lost, nobody waits for ever."""

import threading
import time
from typing import Any

import numpy as np

from playout.core.jit.atomics import (
    apart,
    lock,
    make_signals,
    raise_stop,
    stopped,
    swap_if,
    unlock,
    zeros_apart,
)
from playout.core.jit.native import kernel


@kernel
def count_under_lock(signals: Any, total: Any, times: int) -> int:
    """Add to a number that others add to as well; returns how often."""
    done = 0
    while done < times and lock(signals):
        total[0] += 1
        total[1] = total[1] * 3 + 1  # long enough for others to come in between
        done += 1
        unlock(signals)
    return done


@kernel
def take(words: Any, mine: Any) -> None:
    """Take all words that nobody has taken."""
    for index in range(len(words)):
        if swap_if(words, index, 0, mine[0]):
            mine[1] += 1


def run_all(function: Any, calls: list[tuple[Any, ...]]) -> None:
    threads = [threading.Thread(target=function, args=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)


def test_no_addition_is_lost_under_the_lock() -> None:
    for threads in (2, 8):
        signals, total = make_signals(), np.zeros(2, dtype=np.int64)
        native = count_under_lock.compile(signals, total, 1)
        run_all(native, [(signals, total, 50_000)] * threads)
        assert total[0] == 50_000 * threads


def test_every_word_is_taken_once() -> None:
    words = np.zeros(1_000_000, dtype=np.int64)
    takers = [apart(np.array([number, 0])) for number in (1, 2, 3)]
    native = take.compile(words, takers[0])
    run_all(native, [(words, mine) for mine in takers])
    assert sum(int(mine[1]) for mine in takers) == len(words)
    for mine in takers:
        assert np.count_nonzero(words == mine[0]) == mine[1]


def test_a_lock_that_is_never_opened_keeps_nobody_once_all_are_to_end() -> None:
    signals, total = make_signals(), np.zeros(2, dtype=np.int64)
    native = count_under_lock.compile(signals, total, 1)
    assert lock(signals)
    thread = threading.Thread(target=native, args=(signals, total, 1))
    thread.start()
    time.sleep(0.05)
    assert thread.is_alive()
    assert not stopped(signals)
    raise_stop(signals)
    thread.join(timeout=20)
    assert not thread.is_alive()
    assert total[0] == 0


def test_interpreted_it_does_the_same() -> None:
    signals, total = make_signals(), np.zeros(2, dtype=np.int64)
    assert count_under_lock(signals, total, 5) == 5
    assert total[0] == 5


def test_arrays_apart_share_no_line() -> None:
    arrays = [apart(np.array([float(i)])) for i in range(20)]
    addresses = sorted(array.ctypes.data for array in arrays)
    assert min(np.diff(addresses)) >= 128
    assert all(address % 128 == 0 for address in addresses)
    assert [array[0] for array in arrays] == list(range(20))
    for count, dtype in ((1, "u8"), (3, [("number", "i4"), ("small", "u1")])):
        zeros = zeros_apart(count, np.dtype(dtype))
        assert zeros.ctypes.data % 128 == 0
        assert zeros.tolist() == np.zeros(count, np.dtype(dtype)).tolist()

"""Searches share the cores: by turns, and none is late.

Also of `ui/web/asking.py`.
"""

import asyncio
import threading
import time
from contextlib import suppress

import pytest

from playout.arena.turn import Turn
from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.players.player import Allowance
from playout.players.registry import make_player
from playout.ui.web.asking import hurried
from playout.ui.web.turns import SLICE_SECONDS, Pool, TurnQueue
from tests.ui.slowness import Slowness

from .stub import LONGEST
from .support import in_a_loop, until

GAME = TicTacToe()


def busy(pool: Pool, seconds: float) -> float:
    """Look at the clock like a search until the time is over; how long it took."""
    started = pool.clock()
    while pool.clock() - started < seconds:
        time.sleep(0.001)
    return time.perf_counter() - started


def test_no_more_run_than_there_are_places():
    """And no fewer: whoever has a place keeps it until there are two."""
    turns, running, most = TurnQueue(2), 0, 0
    lock, two = threading.Lock(), threading.Barrier(2, timeout=LONGEST)

    def work():
        nonlocal running, most
        turns.take()
        with lock:
            running += 1
            most = max(most, running)
        two.wait()
        with lock:
            running -= 1
        turns.leave()

    # Each once: of threads that came again the last might be alone with two turns.
    threads = [threading.Thread(target=work) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 2
    assert not turns.anyone_waits


def test_many_searches_end_in_time():
    """Forty searches of 0.3 s at once share two places by time slices."""

    async def run():
        pool = Pool(2, 40)
        started = time.perf_counter()
        await asyncio.gather(*(pool.run(lambda: busy(pool, 0.3)) for _ in range(40)))
        pool.close()
        return time.perf_counter() - started

    with Slowness() as slowness:
        took = in_a_loop(run)
    assert took < 0.3 + slowness.factor


def test_a_short_search_need_not_wait_for_a_long_one():
    """The long one goes on until the short one is over, which it lets run first."""

    async def run():
        pool, begun, over = Pool(1, 4), threading.Event(), threading.Event()

        def think():
            begun.set()
            while not over.is_set():
                pool.clock()
                time.sleep(0.001)

        long = asyncio.create_task(pool.run(think))
        await asyncio.to_thread(begun.wait)
        try:
            async with asyncio.timeout(LONGEST):
                await pool.run(lambda: None)
        finally:
            over.set()
        await long
        pool.close()

    in_a_loop(run)


def test_a_failing_search_gives_its_place_back():
    async def run():
        pool = Pool(1, 2)
        for _ in range(3):
            with suppress(ZeroDivisionError):
                await pool.run(lambda: 1 // 0)
        found = await pool.run(lambda: 5)
        pool.close()
        return found

    assert in_a_loop(run) == 5


@pytest.mark.parametrize(("waited", "left"), [(0.0, 2.0), (1.5, 0.5), (99.0, 0.2)])
def test_to_wait_for_a_core_takes_time_from_a_move(waited, left):
    allowance = Allowance(seconds=2.0, simulations=7)
    turn = Turn(0, make_player("random", GAME), Position(GAME), allowance, time.time)
    assert hurried(turn, waited).allowance == Allowance(seconds=left, simulations=7)


def test_who_has_no_limit_waits_for_nothing():
    allowance = Allowance(remaining=60.0)
    turn = Turn(0, make_player("random", GAME), Position(GAME), allowance, time.time)
    assert hurried(turn, 5.0) is turn


def test_a_round_is_as_long_as_all_who_wait_take():
    turns = TurnQueue(2)
    turns.take()
    turns.take()
    assert turns.round_seconds == 0
    waiting = [threading.Thread(target=turns.take) for _ in range(3)]
    for thread in waiting:
        thread.start()
    until(lambda: len(turns._waiting) == 3)
    assert turns.round_seconds == pytest.approx(1.5 * SLICE_SECONDS)
    for _ in waiting:
        turns.leave()
    for thread in waiting:
        thread.join()

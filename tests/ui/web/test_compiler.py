"""What has to be compiled: for those who still wait, by turns, in bounded memory.

Also of `ui/web/compile_process.py`.
"""

import asyncio
import json
import os
import signal
import threading
from pathlib import Path

import pytest
from websockets.sync.client import connect

from playout.core.errors import PlayoutError
from playout.core.jit import native
from playout.core.jit.native import NotCompiledError
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.ui.web import compile_process, compiler
from playout.ui.web.compile_process import CompileJob, CompileProcess, CompileRefused
from playout.ui.web.compiler import Compiler, Requester
from playout.ui.web.settings import Settings
from playout.ui.web.turns import Pool

from .support import in_a_loop, server
from .test_server import open_table


class Scripted:
    """Stands for the process: what it is asked is answered when the test says so."""

    def __init__(self):
        self.asked, self.made, self.kills = [], set(), 0
        self._answer = None

    async def compile(self, job):
        self.asked.append(job.game)
        self._answer = asyncio.get_running_loop().create_future()
        await self._answer
        self.made.add(job.game)

    def kill(self):
        self.kills += 1
        self.fail(PlayoutError("ended"))

    async def close(self):
        self.kill()

    def finish(self):
        self._answer.set_result(None)

    def fail(self, error):
        if self._answer and not self._answer.done():
            self._answer.set_exception(error)


class Shop:
    """A compiler whose process is scripted, and those who ask it."""

    def __init__(self, **settings):
        self.compiler = Compiler(Pool(1, 1), Settings(**settings))
        self.compiler.process = self.process = Scripted()
        self.here = []

    def ask(self, game, visitor="v", table="t", waits=lambda: True):
        def work():
            if game not in self.process.made:
                if native._mode.only_loading:
                    raise NotCompiledError(game)
                self.here.append(game)

        requester = Requester(visitor, table, waits)
        return asyncio.create_task(
            self.compiler.prepare(work, CompileJob(game, "mcts"), requester)
        )

    async def waiting(self, number):
        """Wait until there are so many requests."""
        await so(lambda: len(self.compiler._requests) == number)

    async def asked(self, *games):
        """Wait until the process was asked for these, in this order."""
        await so(lambda: len(self.process.asked) == len(games))
        assert self.process.asked == list(games)

    async def close(self):
        await self.compiler.close()
        self.compiler.pool.close()


async def so(true, seconds=60.0):
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


def in_a_shop(play, **settings):
    """Run a coroutine function in a shop."""

    async def main():
        shop = Shop(**settings)
        try:
            await play(shop)
        finally:
            await shop.close()

    in_a_loop(main)


# -- who waits -------------------------------------------------------------------------


def test_those_who_have_gone_hold_nobody_up():
    async def play(shop):
        there = True
        crowd = [
            shop.ask(f"game {n}", table=f"{n}", waits=lambda: there) for n in range(12)
        ]
        await shop.waiting(12)
        there = False
        mine = shop.ask("mine", table="mine")
        await shop.asked("game 0", "mine")
        assert shop.process.kills == 1
        assert await asyncio.gather(*crowd) == [False] * 12
        shop.process.finish()
        assert await mine

    in_a_shop(play)


def test_what_nobody_waits_for_from_the_start_is_not_begun():
    async def play(shop):
        assert not await shop.ask("game", waits=lambda: False)
        await shop.asked()

    in_a_shop(play)


def test_who_asks_again_for_what_was_just_ended_is_served_later():
    """The process takes time to end, and its end does not answer the new request."""

    async def play(shop):
        there, kill = True, shop.process.kill
        shop.process.kill = lambda: killed.append(1)
        killed = []
        gone = shop.ask("game", table="gone", waits=lambda: there)
        await shop.asked("game")
        there = False
        mine = shop.ask("mine", table="mine")
        await so(lambda: killed)
        assert await gone is False
        again = shop.ask("game", table="again")
        await shop.waiting(2)
        shop.process.fail(PlayoutError("ended"))
        shop.process.kill = kill
        for asked in (["mine"], ["mine", "game"]):
            await shop.asked("game", *asked)
            shop.process.finish()
        assert await mine
        assert await again
        assert len(killed) == 1

    in_a_shop(play)


def test_what_runs_for_nobody_may_go_on_where_nobody_else_waits():
    """For instance for a page that is loaded anew."""

    async def play(shop):
        there = True
        gone = shop.ask("game", waits=lambda: there)
        await shop.asked("game")
        there = False
        assert await gone is False
        back = shop.ask("game")
        await shop.waiting(1)
        shop.process.finish()
        assert await back
        assert (shop.process.asked, shop.process.kills) == (["game"], 0)

    in_a_shop(play)


def test_visitors_take_turns_and_so_do_their_tables():
    async def play(shop):
        wants = [("a", "a1", f"a1 {n}") for n in range(3)]
        wants += [("a", "a2", "a2"), ("b", "b1", "b1")]
        for number, (visitor, table, game) in enumerate(wants, start=1):
            shop.ask(game, visitor, table)
            await shop.waiting(number)
        for _ in wants:
            await asyncio.sleep(0)
            asked = len(shop.process.asked)
            shop.process.finish()
            await so(lambda asked=asked: len(shop.process.asked) > asked or asked == 5)
        assert shop.process.asked == ["a1 0", "b1", "a2", "a1 1", "a1 2"]

    in_a_shop(play)


def test_what_two_tables_want_is_compiled_once():
    async def play(shop):
        two = [shop.ask("game", table=table) for table in "ab"]
        await shop.waiting(2)
        await shop.asked("game")
        shop.process.finish()
        assert await asyncio.gather(*two) == [True, True]
        assert await shop.ask("game", table="c")
        assert shop.process.asked == ["game"]

    in_a_shop(play)


def test_who_still_waits_at_the_end_is_told():
    async def play(shop):
        late = shop.ask("game")
        await shop.asked("game")
        await shop.close()
        assert await late is False

    in_a_shop(play)


# -- what cannot be compiled elsewhere -------------------------------------------------


@pytest.mark.parametrize(
    ("game", "error", "here"),
    [
        ("bad", CompileRefused("why"), []),
        ("bad", PlayoutError("why"), []),
        ("mine.py:G", CompileRefused("why"), ["mine.py:G"]),
        ("mine.py:G", PlayoutError("why"), []),
    ],
)
def test_what_fails_is_compiled_here_only_if_the_command_line_names_it(
    game, error, here
):
    """Only if compiling did not kill the process."""

    async def play(shop):
        wanted = shop.ask(game)
        await shop.asked(game)
        shop.process.fail(error)
        if here:
            assert await wanted
        else:
            with pytest.raises(PlayoutError, match="why"):
                await wanted
        assert shop.here == here

    in_a_shop(play, games={"mine.py:G": TicTacToe()})


def test_without_a_cache_the_server_compiles_but_not_for_ever(monkeypatch):
    monkeypatch.setattr(compiler, "MOST_HERE", 1)

    async def play(shop):
        for game in ("first", "second"):
            wanted = shop.ask(game)
            await so(lambda game=game: shop.process.asked[-1:] == [game])
            shop.process.made = _Nothing()
            shop.process.finish()
            if game == "first":
                assert await wanted
        with pytest.raises(PlayoutError, match="not kept on disk"):
            await wanted
        assert shop.here == ["first"]

    in_a_shop(play)


class _Nothing(set):
    """A cache that keeps nothing."""

    def add(self, what):
        pass


# -- the process -----------------------------------------------------------------------


def test_the_process_answers_and_ends(monkeypatch):
    monkeypatch.setattr(compile_process, "MOST_JOBS", 3)

    async def play():
        process = CompileProcess()
        await process.compile(CompileJob("tic-tac-toe", "random"))
        first = process._process.pid
        for game, player in [("nothing", "mcts"), ("connect-four", "perfect:x=1")]:
            with pytest.raises(PlayoutError, match=r"unknown|perfect"):
                await process.compile(CompileJob(game, player))
        await so(lambda: not is_running(first))  # after so many jobs
        again = asyncio.create_task(
            process.compile(CompileJob("tic-tac-toe", "random"))
        )
        await so(lambda: process._process is not None)
        second = process._process.pid
        process.kill()
        with pytest.raises(PlayoutError, match="has ended"):
            await again
        await process.close()
        assert not is_running(second)

    in_a_loop(play)


def test_only_a_process_that_runs_is_killed_and_the_server_goes_on_meanwhile(
    monkeypatch,
):
    """The number of a process that has ended may belong to another one."""
    killed, kill = [], compile_process.kill_family

    def killing(pid):
        killed.append((pid, threading.get_ident()))
        kill(pid)

    monkeypatch.setattr(compile_process, "kill_family", killing)

    async def play():
        process, job = CompileProcess(), CompileJob("tic-tac-toe", "random")
        await process.compile(job)
        ended = process._process
        os.kill(ended.pid, signal.SIGKILL)
        await so(lambda: ended.returncode is not None)
        process.kill()
        await process.close()
        assert killed == []
        await process.compile(job)
        pid = process._process.pid
        await process.close()
        [(number, thread)] = killed
        assert number == pid
        assert thread != threading.get_ident()

    in_a_loop(play)


def test_a_process_with_nothing_to_do_ends(monkeypatch):
    monkeypatch.setattr(compile_process, "IDLE_SECONDS", 0.05)

    async def play():
        process = CompileProcess()
        await process.compile(CompileJob("tic-tac-toe", "random"))
        idle = process._process.pid
        await so(lambda: not is_running(idle))
        await process.close()

    in_a_loop(play)


def test_a_process_that_cannot_be_started(monkeypatch):
    monkeypatch.setattr(compile_process.sys, "executable", "/nowhere/python")

    async def play():
        with pytest.raises(PlayoutError, match="cannot start a process that compiles"):
            await CompileProcess().compile(CompileJob("tic-tac-toe", "random"))

    in_a_loop(play)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# -- memory ----------------------------------------------------------------------------


def resident(pid):
    """Megabytes that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc")
def test_the_server_does_not_grow_with_each_game_that_is_asked_for(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    grown = []
    with server() as running:
        for columns in (4, 5):
            game = f"mnk:m=4,n={columns},k=3"
            players = "mcts:simulations=100", "human"
            with connect(open_table(running.address, *players, game=game)) as socket:
                while not json.loads(socket.recv(300)).get("moves"):
                    pass
            grown.append(resident(running.process.pid))
    assert grown[1] - grown[0] < 15

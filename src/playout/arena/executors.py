"""`LocalExecutor`: games in processes of this machine, which are watched.

A worker reports when a seat begins to think. One that does not answer in its time, the
tolerance and the grace is ended with all that it started, and the seat loses by "hang";
one that dies (a segmentation fault, a kill, no memory left) loses by "crash". Either
way a fresh worker takes the place. Where no seat was thinking, no player is to blame,
and the game is played again; if that ends in the same way, or if the rules raise an
exception or hang, they end the match with an error that names them. Playout's own rules
are trusted: between moves the seat that answered last is blamed.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import math
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from ..core.errors import PlayoutError, RulesError, UsageError
from ..core.start import start_code
from ..core.text.fields import expect_at_most
from ..games.check.bounds import is_own
from ..games.registry import make_game
from ..players.player import PlayerFailure
from ..protocols.guard import guarded
from ..protocols.process import kill_family
from ..protocols.process_tags import new_tag, tagged_environment
from .blame import after_moves
from .forfeits import returns_without
from .record import GameRecord
from .task import GameTask
from .worker import TAG

__all__ = ["Executor", "LocalExecutor", "Notify"]

Notify = Callable[[str], None]
Finished = list[tuple[GameTask, GameRecord]]

#: Games at once for each processor here: every one has a process of its own.
MOST_PER_PROCESSOR = 16
#: A game is begun so many times before it is given up, if nobody is to blame.
MOST_ATTEMPTS = 3
#: A worker may take so long to start or compile, however impatient the match is.
START_SECONDS = 60.0
#: Players that take longer to start are named.
NOTICE_SECONDS = 3.0
#: The rules may take so long between two moves.
RULES_SECONDS = 60.0
#: How long to wait for the last output and the exit code of a process.
SETTLE_SECONDS = 0.5
#: What is kept of a worker's standard error.
STDERR_LINES, STDERR_CHARACTERS = 30, 2000
#: Starts a worker; it collects garbage again when all is imported.
_START = "import gc; gc.disable(); "


class Executor(Protocol):
    """Where games are played."""

    @property
    def room(self) -> int:
        """How many more games can be begun now."""

    def prepare(self, tasks: list[GameTask]) -> None:
        """See that the players of these tasks can be started, and compile for them.

        Raises:
            UsageError: a player cannot be made or started.
        """

    def submit(self, task: GameTask) -> None:
        """Begin a game; there must be room."""

    def wait(self, seconds: float) -> Finished:
        """The games that have finished; waits so long for the first one."""

    def close(self) -> None:
        """End all games and workers; may be called twice."""


def most_at_once() -> int:
    """How many games this machine can be asked to play at once."""
    return MOST_PER_PROCESSOR * (os.cpu_count() or 1)


class LocalExecutor:
    """Plays up to `concurrency` games at once, each in a worker of its own.

    Args:
        concurrency: games at once, at least 1.
        notify: told what is being compiled.
        say: told, in a sentence, what else is being waited for.
    """

    def __init__(
        self,
        concurrency: int = 1,
        notify: Notify | None = None,
        say: Notify | None = None,
    ) -> None:
        if concurrency < 1:
            raise UsageError(f"concurrency must be at least 1, not {concurrency}")
        expect_at_most("concurrency", concurrency, most_at_once())
        self.notify = notify or (lambda label: None)
        self.say = say or (lambda sentence: None)
        self._noted: set[str] = set()
        self.concurrency = concurrency
        self._inbox: queue.SimpleQueue[tuple[_Worker, Any]] = queue.SimpleQueue()
        self._workers: list[_Worker] = []
        self._left_over: Finished = []

    def __enter__(self) -> LocalExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def room(self) -> int:
        busy = sum(worker.task is not None for worker in self._workers)
        return self.concurrency - busy

    def prepare(self, tasks: list[GameTask]) -> None:
        for task in tasks:
            worker = self._idle_worker()
            worker.begin("prepare", task)
            told = False
            while worker.task is not None:
                self._left_over += self._wait_for_message(NOTICE_SECONDS)
                if worker.refused is not None:
                    raise _unfit(worker.refused, task)
                if not told and worker.silence >= NOTICE_SECONDS:
                    told = True
                    self.say(f"Waiting for {' and '.join(task.players)} to start ...")

    def submit(self, task: GameTask) -> None:
        self._idle_worker().begin("play", task)

    def wait(self, seconds: float) -> Finished:
        finished, self._left_over = self._left_over, []
        until = time.monotonic() + seconds
        while not finished:
            left = until - time.monotonic()
            if left <= 0:
                break
            finished = self._wait_for_message(left)
        return finished

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def _idle_worker(self) -> _Worker:
        for worker in self._workers:
            if worker.task is None:
                return worker
        worker = _Worker(self._inbox)
        self._workers.append(worker)
        return worker

    def _wait_for_message(self, seconds: float) -> Finished:
        """Wait for a message, or until a deadline; returns the games that it ended."""
        deadline = min((worker.deadline for worker in self._workers), default=math.inf)
        left = max(0.0, min(seconds, deadline - time.monotonic()))
        try:
            worker, message = self._inbox.get(timeout=left)
        except queue.Empty:
            return self._end_overdue()
        if worker not in self._workers:
            return []  # the last words of one that was ended
        return self._handle(worker, *message)

    def _handle(self, worker: _Worker, kind: str, *values: Any) -> Finished:
        if kind == "noting":
            self._note(*values)
            return []
        if kind == "hanging":
            self._name(worker, *values)
            return []
        if kind == "compiling":
            self.notify(values[0])
        elif kind == "ended":
            return self._replace(worker, "crash", worker.last_words())
        if kind == "refused" and worker.order == "prepare":
            worker.refused = values[0]
        task = worker.task
        worker.heard(kind, *values)
        if kind == "failed":
            raise values[0]
        return [(task, values[0])] if kind == "done" and task is not None else []

    def _note(self, text: str) -> None:
        """Pass on what one worker has noted, and others may note again."""
        if text not in self._noted:
            self._noted.add(text)
            self.say(f"playout: warning: {text}")

    def _name(self, worker: _Worker, what: str) -> None:
        """Say which method of the rules hangs in a worker, and in which position."""
        if worker.task is None:
            return  # it has come back meanwhile
        worker.hanging = what
        game = f"game {worker.task.number + 1}: " if worker.order == "play" else ""
        self.say(f"{game}still running {what}{worker.position} (Ctrl-C ends)")

    def _end_overdue(self) -> Finished:
        finished: Finished = []
        for worker in list(self._workers):
            if worker.deadline <= time.monotonic():
                where = f", in {worker.hanging}" if worker.hanging else ""
                words = f"no answer after {worker.silence:.1f} s{where}"
                finished += self._replace(worker, "hang", words + worker.stderr())
        return finished

    def _replace(self, worker: _Worker, reason: str, detail: str) -> Finished:
        """End a worker; the seat that was thinking loses, or the game begins again."""
        worker.end()
        self._workers.remove(worker)
        task = worker.task
        if task is None:
            return []
        if worker.order == "prepare":
            raise _unfit(PlayerFailure(reason, detail), task)
        if worker.record is not None and (seat := worker.to_blame) is not None:
            lost = returns_without(make_game(task.game), seat)
            record = dataclasses.replace(
                worker.record, returns=lost, reason=reason, forfeit=seat, detail=detail
            )
            return [(task, record)]
        begun = worker.record is not None
        if worker.attempt >= MOST_ATTEMPTS or (begun and reason == "hang"):
            raise _unplayable(task, worker.record, detail)
        self._idle_worker().begin("play", task, worker.attempt + 1)
        return []


class _Worker:
    """A worker as the executor sees it: the process, what it does, since when."""

    def __init__(self, inbox: queue.SimpleQueue[tuple[_Worker, Any]]) -> None:
        self._tag = new_tag(TAG)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START + start_code("playout.arena.worker")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=tagged_environment(guarded(os.environ), self._tag),
            start_new_session=True,
        )
        self._inbox = inbox
        self._stderr: collections.deque[str] = collections.deque(maxlen=STDERR_LINES)
        self._errors = threading.Thread(target=self._drain, daemon=True)
        self._errors.start()
        threading.Thread(target=self._listen, daemon=True).start()
        self.task: GameTask | None = None
        self.record: GameRecord | None = None
        self.order = ""
        self.refused: Exception | None = None
        self._idle()

    def begin(self, order: str, task: GameTask, attempt: int = 1) -> None:
        """Send an order and start to wait for the answer."""
        self.order, self.task, self.attempt = order, task, attempt
        self.refused, self.hanging = None, ""
        self._stderr.clear()
        self._expect(max(task.conduct.patience, START_SECONDS))
        with contextlib.suppress(OSError):  # it has ended, which its output will show
            pipe = self._process.stdin
            assert pipe is not None
            pipe.write(pickle.dumps((order, task)))
            pipe.flush()

    def heard(self, kind: str, *values: Any) -> None:
        """Keep in mind what the worker says that it does."""
        assert self.task is not None
        conduct = self.task.conduct
        self.hanging = ""
        if kind == "thinking":
            self.seat, self._limit, news = values
            self.record = news if self.record is None else news.after(self.record)
            self._last = self.seat
        if kind == "answered":
            self.seat, self._limit = None, RULES_SECONDS
        if kind in ("thinking", "answered", "compiled"):
            timed = math.isfinite(self._limit)
            self._expect(self._limit + conduct.grace if timed else conduct.patience)
        elif kind == "compiling":
            self._expect(max(conduct.patience, START_SECONDS))
        else:
            self._idle()

    @property
    def to_blame(self) -> int | None:
        """The seat that thinks; between moves, where the rules are ours, the last.

        What a player has started may end the process when it has answered.
        """
        if self.seat is None and self.task is not None:
            return self._last if is_own(make_game(self.task.game)) else None
        return self.seat

    @property
    def position(self) -> str:
        """Words for where in its game it is; "" before that begins."""
        if self.record is None:
            return ""
        answered = " and an answer" if self.seat is None else ""
        return f"{after_moves(self.record.moves)}{answered}"

    @property
    def silence(self) -> float:
        """Seconds since it last said something."""
        return time.monotonic() - self._since

    def end(self) -> None:
        """End the process and all that it started, also what has outlived it."""
        kill_family(self._process.pid, self._tag)
        self._process.wait()
        self._errors.join(SETTLE_SECONDS)
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()

    def last_words(self) -> str:
        """How the process ended, and the end of its standard error."""
        try:
            code = self._process.wait(SETTLE_SECONDS)
        except subprocess.TimeoutExpired:
            return f"closed its pipe{self.stderr()}"
        try:
            how = f"signal {signal.Signals(-code).name}" if code < 0 else ""
        except ValueError:
            how = f"signal {-code}"
        self._errors.join(SETTLE_SECONDS)
        return f"ended by {how or f'exit code {code}'}{self.stderr()}"

    def stderr(self) -> str:
        """The end of its standard error, after a colon; "" if there was none."""
        text = "\n".join(self._stderr).strip()[-STDERR_CHARACTERS:]
        return f": {text}" if text else ""

    def _idle(self) -> None:
        self.task = self.seat = self._last = self.record = None
        self.hanging = ""
        self._limit, self.attempt = math.inf, 1
        self._since, self.deadline = time.monotonic(), math.inf

    def _expect(self, seconds: float) -> None:
        self._since = time.monotonic()
        self.deadline = self._since + seconds

    def _listen(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        with pipe, contextlib.suppress(Exception):  # the end, or the middle of a word
            while True:
                self._inbox.put((self, pickle.load(pipe)))
        self._inbox.put((self, ("ended",)))

    def _drain(self) -> None:
        """Read standard error, however much there is, and keep its end."""
        pipe = self._process.stderr
        assert pipe is not None
        with pipe, contextlib.suppress(OSError):
            while line := pipe.readline(4096):
                text = line.decode(errors="replace").rstrip()
                if text and not text.startswith("Extension modules: "):
                    self._stderr.append(text)


def _unplayable(task: GameTask, record: GameRecord | None, detail: str) -> PlayoutError:
    """The error of a game that ends its worker, though no player was asked."""
    if record is None:
        return PlayoutError(f"workers end before the game begins: {detail}")
    where = after_moves(record.moves)
    return RulesError(f"the rules of {task.game} failed{where} and an answer: {detail}")


def _unfit(error: Exception, task: GameTask) -> PlayoutError:
    """Why the players of a task cannot play, as an error of whoever named them."""
    if isinstance(error, PlayoutError):
        return error
    return UsageError(f"{' or '.join(task.players)} cannot be started: {error}")

"""`ProcessForest`: trees in processes of this machine, one in each.

Python runs one thread at a time, so rules in Python gain nothing from threads. Each of
these processes has an interpreter of its own.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import weakref
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from ...core.errors import PlayoutError
from ...core.start import start_code
from .remote import RemoteForest

__all__ = ["ProcessForest"]

#: What such a process runs.
_WORKER = f"{__package__}.tree_process"


class ProcessForest(RemoteForest):
    """A forest whose trees are in other processes of this machine."""

    asked, keeper = "executor=processes", "a process"

    def _make_actors(self, count: int) -> list[Any]:
        actors: list[_Process] = []
        weakref.finalize(self, _end, actors)
        try:
            for _ in range(count):
                actors.append(_Process())
        except BaseException as error:
            _end(actors)
            if not isinstance(error, OSError):
                raise
            raise PlayoutError(f"{self.asked}: no process starts: {error}") from None
        self._threads = ThreadPoolExecutor(count)
        return actors

    def _begin(self, actor: Any, method: str, arguments: tuple[Any, ...]) -> Any:
        actor.expect_own()
        return self._threads.submit(actor.ask, method, arguments)

    def _unfinished(self, calls: list[Any], seconds: float) -> list[Any]:
        return list(wait(calls, seconds).not_done)

    def _answers(self, calls: list[Any]) -> list[Any]:
        return [call.result() for call in calls]

    def _end(self, actors: list[Any]) -> None:
        _end(actors)
        self._threads.shutdown(wait=False)


class _Process:
    """A process that has a tree; Ctrl-C is not for it, and it ends with this one."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-c", start_code(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Texts in a set have one order in all of them, and another time again.
            env={"PYTHONHASHSEED": "0", **os.environ},
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        _living.add(self)

    def expect_own(self) -> None:
        """See that it is not that of a program of which this one is a fork.

        Raises:
            ConnectionError: it is.
        """
        if os.getpid() != self._owner:
            raise ConnectionError("this program is a fork of the one that has it")

    def ask(self, method: str, arguments: tuple[Any, ...]) -> Any:
        """Have the actor do something; returns its answer.

        Raises:
            ConnectionError: the process has ended.
        """
        orders, answers = self._process.stdin, self._process.stdout
        assert orders is not None
        assert answers is not None
        try:
            pickle.dump((method, arguments), orders)
            orders.flush()
            return pickle.load(answers)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self.end()
            code = self._process.returncode
            raise ConnectionError(f"it has ended with exit code {code}") from None

    def end(self) -> None:
        """End it, whatever it does; in a fork, only let go of it."""
        if os.getpid() == self._owner:
            self._process.kill()
            self._process.wait()
        self.let_go()

    def let_go(self) -> None:
        """Close the pipes, as otherwise it would not end with its program."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


#: Those whose pipes a fork of this program is to close.
_living: weakref.WeakSet[_Process] = weakref.WeakSet()


def _let_go_of_all() -> None:
    for actor in list(_living):
        actor.let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_of_all)


def _end(actors: Iterable[_Process]) -> None:
    for actor in actors:
        actor.end()

"""Another process compiles what a search runs, while the search runs interpreted.

To compile takes seconds and most of that Python, so that a thread of this process would
have to share the interpreter with the search. Another process leaves the machine code
in the disk cache, from where it is loaded in a moment. Both grow the same tree, so the
search goes on in it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ...core.jit.cache import can_keep
from ...core.jit.compiled import compiled_type
from ...core.jit.native import observed, only_loading
from ...core.start import start_code
from ..evaluation.judged import Judged
from ..kernels.policies import Policies
from ..tree.nodes import ROOT
from ..tree.recycle import compile_recycler
from ..tree.tree import Tree

__all__ = [
    "Awaited",
    "BackgroundCompile",
    "Elsewhere",
    "begin_compiling",
    "compile_helpers",
    "compile_in_background",
    "compiled_elsewhere",
]

#: So many processes compile at once; what else is needed meanwhile is compiled here.
MOST = 2
#: What that process runs.
_WORKER = f"{__package__}.background_worker"
#: Set to "first", it has all searches wait for what they run, as for measurements.
SETTING = "PLAYOUT_COMPILE"
#: A process that takes longer, as one that was stopped, is given up.
MOST_SECONDS = 300.0


class Awaited:
    """Code that a search waits for, while it runs interpreted."""

    def __init__(self) -> None:
        self._over = threading.Event()

    @property
    def is_over(self) -> bool:
        """Whether nobody compiles it any more: it is on disk then, if all went well."""
        return self._over.is_set()

    def wait(self) -> None:
        """Wait until that is so; Ctrl-C comes through."""
        while not self._over.wait(0.1):
            pass

    def loading(self) -> contextlib.AbstractContextManager[None]:
        """In what the code is loaded then: it is compiled where it is not on disk."""
        return contextlib.nullcontext()


class Elsewhere(Awaited):
    """Code that somebody else has compiled, who says when it is on disk.

    Attributes:
        is_taken: whether a search waits for it.
    """

    is_taken = False

    def end(self) -> None:
        """Say so."""
        self._over.set()

    def loading(self) -> contextlib.AbstractContextManager[None]:
        """In what the code is loaded then; nothing is compiled here."""
        return only_loading()


class BackgroundCompile(Awaited):
    """A process that compiles for a search; it goes on if this one ends.

    Args:
        policies: what is searched, and how; pickled.
        label: what people are told is compiled.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, policies: bytes, label: str) -> None:
        super().__init__()
        self._process = subprocess.Popen(
            [sys.executable, "-c", start_code(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the search
        )
        threading.Thread(
            target=self._attend, args=(policies, label), daemon=True
        ).start()

    def _attend(self, policies: bytes, label: str) -> None:
        try:
            with observed(label), suppress(OSError, subprocess.TimeoutExpired):
                self._process.communicate(policies, MOST_SECONDS)
        finally:
            self._process.kill()  # which one that has ended does not notice
            self._process.wait()
            self._over.set()


#: By the digest of what is searched and how.
_running: dict[str, BackgroundCompile] = {}
_lock = threading.Lock()


class _Told(threading.local):
    """Who has compiled what this thread's searches need."""

    elsewhere: Elsewhere | None = None


_told = _Told()


@contextlib.contextmanager
def compiled_elsewhere(elsewhere: Elsewhere) -> Iterator[None]:
    """Have searches that are prepared on this thread begin interpreted, if they may.

    Args:
        elsewhere: is to say when their code is on disk; they hold it until then.
    """
    _told.elsewhere = elsewhere
    try:
        yield
    finally:
        _told.elsewhere = None


def begin_compiling(policies: Policies, only_elsewhere: bool) -> Awaited | None:
    """Have somebody compile what a search by these policies runs.

    Rules and policies that are not Playout's own are not compiled so: a mistake in them
    is to show before a game begins.

    Args:
        policies: what is searched, and how.
        only_elsewhere: start no process for it.

    Returns:
        Who does it; None where nobody can, or could keep it, or it is to come first.
    """
    parts: list[Any] = [*policies.all, policies.structure]
    if isinstance(policies.rollout, Judged):
        parts.append(policies.rollout.evaluator)
    own = all(type(part).__module__.startswith("playout.search.") for part in parts)
    own = own and type(policies.game).__module__.startswith("playout.games.")
    if not (own and can_keep() and os.environ.get(SETTING) != "first"):
        return None
    if _told.elsewhere is not None:
        _told.elsewhere.is_taken = True
        return _told.elsewhere
    if only_elsewhere:
        return None
    return compile_in_background(policies) if _may_start() else None


def compile_in_background(policies: Policies) -> BackgroundCompile | None:
    """Have another process compile it; None where too many do, or none can start."""
    digest = compiled_type(policies).digest
    with _lock:
        for key in [key for key, one in _running.items() if one.is_over]:
            del _running[key]
        if digest not in _running:
            if len(_running) >= MOST:
                return None
            label = f"{type(policies.game).__qualname__} in the background"
            try:
                _running[digest] = BackgroundCompile(pickle.dumps(policies), label)
            except OSError:
                return None
        return _running[digest]


def _may_start() -> bool:
    """Whether a Python can be started."""
    frozen = getattr(sys, "frozen", False)  # then it is not Python that would start
    return bool(sys.executable) and not frozen


def compile_helpers(policies: Policies) -> None:
    """Compile or load what runs where a part of a tree is kept, and in a full one."""
    dtype = policies.node_dtype
    Tree.reserve(1, dtype).subtree(ROOT, 1)
    compile_recycler(dtype)

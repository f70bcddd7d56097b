"""Compiled rules that do not come back: the same games, interpreted, say where.

What runs natively cannot be seen. The same games, drawn from the same seed, stand still
in the same position when Python plays them.
"""

from __future__ import annotations

import contextlib
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from threading import Event, Thread
from types import FrameType
from typing import Any

import numpy as np

from ...core.errors import quote
from ...core.jit.rows import Rows
from ...core.rng import Rng
from ..contract.game import Game

__all__ = ["looking_on"]

#: Native games that take longer are looked at; what then draws nothing is told of.
PATIENCE_SECONDS, STILL_SECONDS = 5.0, 4.0


@contextlib.contextmanager
def looking_on(
    walk: Callable[..., object], arguments: tuple[Any, ...]
) -> Iterator[None]:
    """While compiled games go on for long, play the same ones in Python beside them.

    Args:
        walk: plays them, as Python.
        arguments: the game, states of which the second is played on, and others, with
            random numbers from the same seed.
    """
    over = Event()
    game, states, *_ = arguments
    (rng,) = (each for each in arguments if isinstance(each, Rng))
    watched = _Watched(game, states, rng, over)
    given = [watched if each is rng else each for each in arguments]

    def look() -> None:
        if over.wait(PATIENCE_SECONDS):
            return
        Thread(target=watched.tell, daemon=True).start()
        sys.settrace(watched.trace)  # of this thread
        with contextlib.suppress(Exception), np.errstate(all="ignore"):
            walk(*given)
        sys.settrace(None)
        watched.has_ended.set()

    Thread(target=look, daemon=True).start()
    try:
        yield
    finally:
        over.set()


class _Watched:
    """Random numbers that know when they were last asked for."""

    def __init__(self, game: Game, states: Rows, rng: Rng, over: Event) -> None:
        self._game, self._states, self._rng, self._over = game, states, rng, over
        self.has_ended = Event()
        self._asked = time.monotonic()

    def __getattr__(self, name: str) -> Any:
        self._asked = time.monotonic()
        return getattr(self._rng, name)

    def trace(self, frame: FrameType, event: str, value: Any) -> Any:
        """End the games, at whatever line, once the compiled ones are over."""
        if self._over.is_set():
            raise RuntimeError("nobody waits any more")
        return self.trace

    def tell(self) -> None:
        """Say where the games stand still, if they do; called as they begin."""
        self._asked = time.monotonic()
        while time.monotonic() - self._asked < STILL_SECONDS:
            if self._over.wait(0.1) or self.has_ended.is_set():
                return
        state = Rows(self._states.array[1:2].copy())[0]
        name, seconds = type(self._game).__qualname__, PATIENCE_SECONDS + STILL_SECONDS
        warnings.warn(
            f"{name}: the compiled rules have not come back for {seconds:.0f} s; "
            "interpreted they stand still "
            "(an endless loop?) with the state at "
            f"{quote(self._game.state_to_text(state))}",
            RuntimeWarning,
            stacklevel=2,
        )

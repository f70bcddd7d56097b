"""Compiled rules that do not come back: the same games, interpreted, say where.

What runs natively cannot be seen. The same games, drawn from the same seed, stand still
in the same position when Python plays them.
"""

from __future__ import annotations

import contextlib
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...core.errors import quote
from ...core.jit.rows import Rows
from ...core.rng import Rng
from ..contract.game import Game

__all__ = ["looking_on"]

#: Native games that take longer are looked at; a move that takes longer is told of.
PATIENCE_SECONDS, STILL_SECONDS = 5.0, 3.0


@contextlib.contextmanager
def looking_on(
    walk: Callable[..., object], arguments: tuple[Any, ...]
) -> Iterator[None]:
    """While compiled games go on for long, play the same ones in Python beside them.

    Args:
        walk: plays them, as Python.
        arguments: the game, states of which the second is played on, a buffer of legal
            actions, and others, with random numbers from the same seed.
    """
    over = threading.Event()
    game, states, actions, *_ = arguments
    (rng,) = (each for each in arguments if isinstance(each, Rng))
    watched = _Watched(game, states, actions, rng, over)
    given = [watched if each is rng else each for each in arguments]

    def look() -> None:
        if over.wait(PATIENCE_SECONDS):
            return
        threading.Thread(target=watched.tell, daemon=True).start()
        with contextlib.suppress(Exception), np.errstate(all="ignore"):
            walk(*given)
        watched.has_ended.set()

    threading.Thread(target=look, daemon=True).start()
    try:
        yield
    finally:
        over.set()


class _Watched:
    """Random numbers that know what was played when they were last asked for.

    They end the games once the compiled ones are over.
    """

    def __init__(
        self, game: Game, states: Rows, actions: Any, rng: Rng, over: threading.Event
    ) -> None:
        self._game, self._states, self._actions = game, states, actions
        self._rng, self._over = rng, over
        self.has_ended = threading.Event()
        self._note(None)

    def __getattr__(self, name: str) -> Any:
        if self._over.is_set():
            raise RuntimeError("nobody waits any more")
        self._note(None)
        return getattr(self._rng, name)

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1, by which an action is chosen."""
        drawn = self.__getattr__("below")(count)
        self._note(int(self._actions[drawn]))
        return int(drawn)

    def _note(self, action: int | None) -> None:
        self._last = self._states.array[1:2].copy(), action, time.monotonic()

    def tell(self) -> None:
        """Say where the games stand still, if they do."""
        while not (self._over.wait(0.5) or self.has_ended.is_set()):
            state, action, since = self._last
            if time.monotonic() - since > STILL_SECONDS:
                break
        else:
            return
        text = quote(self._game.state_to_text(Rows(state)[0]))
        after = "" if action is None else f" after {self._game.action_name(action)}"
        warnings.warn(
            f"{type(self._game).__qualname__}: the compiled rules do not come back; "
            f"interpreted they stand still in {text}{after} (an endless loop?)",
            RuntimeWarning,
            stacklevel=2,
        )

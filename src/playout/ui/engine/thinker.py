"""`Thinker`: players that an engine asks, and that others can tell to stop."""

from __future__ import annotations

import math
import os
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...core.errors import UsageError
from ...core.garbage import start_collecting
from ...core.jit.native import on_compile, warm_up
from ...games.contract.game import Game
from ...games.positions.position import Position
from ...players.answers import ask, expect_legal
from ...players.baselines import GreedyPlayer, opening
from ...players.player import Allowance, Decision, Player, PlayerFailure
from ..common.compiling import compiling_sentence
from .loop import note

__all__ = ["Ended", "Thinker", "tree_bytes"]

#: What a process may need besides its players and their trees, in bytes.
RESERVE_BYTES = 32 << 20
#: What a process holds before it has a tree, where the system does not tell.
USUAL_BYTES = 180 << 20

Make = Callable[[Game], Player]


class Ended(Exception):
    """The engine was told to end while it thought: nothing more is to be said."""


class Thinker:
    """Makes a player for each game that is needed, and has it think.

    Where the rules are not compiled in time, a simple move is played instead.

    Args:
        make: makes the player of a game.
        keep: so many games' players are kept, those last used.
        seed: of every game; drawn at random where it is None.
    """

    def __init__(self, make: Make, keep: int = 1, seed: int | None = None) -> None:
        self.make, self.keep, self.seed = make, keep, seed
        self.ended = False
        self._stopped = 0  # searches for lines up to this number are to end
        self._seats: dict[Game, _Seat] = {}
        self._seeds: dict[Game, int | None] = {}
        self._running: Player | None = None
        self._warming: threading.Thread | None = None

    def warm_up(self) -> None:
        """Begin to load what every game needs, before it is known which.

        It compiles nothing: loading a game that is compiled would have to wait.
        """

        def load() -> None:
            with suppress(Exception):  # whatever is wrong shows when a game is prepared
                warm_up()

        on_compile(_announce)
        self._warming = threading.Thread(target=load, daemon=True)
        self._warming.start()

    def wait_warm(self, seconds: float) -> None:
        """Wait for the end of `warm_up`, at most so long."""
        if self._warming is not None:
            self._warming.join(seconds)

    def prepare(self, game: Game) -> None:
        """Begin to compile what a game needs, in the background."""
        self._seat(game)

    def ready(self, game: Game, seconds: float | None = None) -> bool:
        """Whether the game's player is ready, or becomes so within these seconds."""
        return self._seat(game).ready.wait(seconds)

    def new_game(self, game: Game, seed: int | None = None) -> None:
        """Have the game's player forget the last game."""
        self._seeds[game] = self.seed if seed is None else seed
        if game in self._seats:
            self._seats[game].fresh = True

    def think(
        self,
        position: Position,
        allowance: Allowance,
        number: int,
        *,
        watch: Callable[[Any], Any] | None = None,
        process_bytes: int | None = None,
        patience: float | None = None,
    ) -> Decision:
        """A legal move.

        Args:
            position: there must be a legal move.
            allowance: what may be used; the time counts from now.
            number: of the line that asks; `stop` names it.
            watch: called with results so far; may return False to end the search.
            process_bytes: what the whole process may hold.
            patience: seconds to wait for the rules to be compiled; by default as long
                as the move may take.

        Raises:
            Ended: `end` was called.
        """

        def progress(result: Any) -> bool:
            wanted = watch is None or watch(result) is not False
            return wanted and not self.ended and self._stopped < number

        seat, started = self._seat(position.game), time.monotonic()
        if not self._wait(seat, _patience(allowance, patience), number):
            what = "compiled" if _compiling else "loaded"
            note(f"the rules are still being {what}; a simple move is played")
            decision = _simple(position)
        else:
            allowance = _less(allowance, time.monotonic() - started)
            if process_bytes is not None:
                memory = tree_bytes(process_bytes, seat.held)
                allowance = replace(allowance, memory=memory)
            granted = replace(allowance, progress=progress)
            decision = self._ask(seat, position, granted)
        if self.ended:
            raise Ended
        return decision

    def stop(self, number: int) -> None:
        """Have all searches for lines up to this one end and answer."""
        self._stopped = max(self._stopped, number)
        self._hurry()

    def end(self) -> None:
        """Have every search end without an answer."""
        self.ended = True
        self._hurry()

    def _hurry(self) -> None:
        """Tell a player that is not asked by `progress` as well."""
        if (running := self._running) is not None:
            running.stop()

    def _ask(self, seat: _Seat, position: Position, allowance: Allowance) -> Decision:
        """The player's move; a simple one where the player fails."""
        player = seat.player
        assert player is not None
        try:
            if seat.fresh:
                seed = self._seeds.get(position.game, self.seed)
                player.new_game(secrets.randbits(32) if seed is None else seed)
                seat.fresh = False
            self._running = player
            seen = position.seen_by(position.current_player)
            decision = ask(player, seen, allowance)
            expect_legal(position, decision.action)
        except (PlayerFailure, UsageError) as error:
            note(f"{player.spec}: {error}; a simple move is played")
            return _simple(position)
        finally:
            self._running = None
        return decision

    def _seat(self, game: Game) -> _Seat:
        seat = self._seats.pop(game, None)
        if seat is None or seat.error is not None:
            while len(self._seats) >= self.keep:
                self._seats.pop(next(iter(self._seats))).close()
            seat = _Seat(self.make, game)
        self._seats[game] = seat
        return seat

    def _wait(self, seat: _Seat, seconds: float, number: int) -> bool:
        """Whether a player is ready within so long; its own errors come out here."""
        deadline = time.monotonic() + seconds
        while not seat.ready.wait(0.01):
            over = self.ended or self._stopped >= number
            if over or time.monotonic() >= deadline:
                return False
        if seat.error is not None:
            raise seat.error
        return True


class _Seat:
    """A player that gets ready in a thread of its own."""

    def __init__(self, make: Make, game: Game) -> None:
        self.player: Player | None = None
        self.error: Exception | None = None
        self.held = USUAL_BYTES
        self.fresh = True  # whether its next move begins a game
        self.ready = threading.Event()
        self._make, self._game = make, game
        self._is_left = False  # whether nobody will ask it any more
        threading.Thread(target=self._prepare, daemon=True).start()

    def close(self) -> None:
        """Close the player; one that is still getting ready, as soon as it is."""
        self._is_left = True
        self._close_if_left()

    def _close_if_left(self) -> None:
        """Called on both threads; whichever comes last does it."""
        if self._is_left and self.ready.is_set() and self.player is not None:
            self.player.close()

    def _prepare(self) -> None:
        on_compile(_announce)
        try:
            self.player = self._make(self._game)
            self.player.prepare()
            start_collecting()
            self.held = held_bytes()
        except Exception as error:
            self.error = error
        finally:
            self.ready.set()
            self._close_if_left()


def _patience(allowance: Allowance, patience: float | None) -> float:
    """How long to wait for a player; for ever where nothing limits the move."""
    times = [allowance.seconds, allowance.remaining] if patience is None else [patience]
    return max(0.0, min((s for s in times if s is not None), default=math.inf))


def tree_bytes(process_bytes: int, held: int) -> int:
    """How large a tree may become, that the process stays below its limit.

    Half of what is left: a tree that is copied into more memory exists twice meanwhile.

    >>> tree_bytes(350 << 20, 170 << 20) >> 20
    74
    """
    return max(1 << 20, (process_bytes - held - RESERVE_BYTES) // 2)


def held_bytes() -> int:
    """Memory that this process holds now."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return USUAL_BYTES


def _simple(position: Position) -> Decision:
    """The centre first; a win, a defence, any move: without anything compiled."""
    if (center := opening(position)) is not None:
        return Decision(center)
    player = GreedyPlayer("greedy", position.game)
    return player.choose(position.seen_by(position.current_player), Allowance())


def _less(allowance: Allowance, seconds: float) -> Allowance:
    """The allowance after some of the time has passed."""
    move, left = allowance.seconds, allowance.remaining
    return replace(
        allowance,
        seconds=None if move is None else max(move - seconds, 0.001),
        remaining=None if left is None else left - seconds,
    )


#: What is being compiled now.
_compiling: list[str] = []


def _announce(label: str) -> Callable[[], None]:
    note(compiling_sentence(label))
    _compiling.append(label)
    return lambda: _compiling.remove(label)

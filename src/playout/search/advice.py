"""What would make rules faster: only what was tried or counted on these rules."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.jit.fallback import is_interpreted
from ..core.jit.native import Kernel, kernel
from ..core.jit.rows import Rows
from ..core.rng import Rng, make_rng
from ..games.contract.game import CHANCE, Actions, Game, has_own, uniform_rollout
from ..games.positions.position import Position

__all__ = ["advice"]

#: A change is advised if rollouts are, or may be, so many times as fast with it.
WORTH = 1.25
#: Random games are timed for so long, some times; the fastest counts.
SECONDS, REPEATS = 0.02, 5
#: A state that is smaller is not worth narrowing, nor one that would not be halved.
NARROW_BYTES = 64


def advice(
    game: Game, fills: bool, least: NDArray[np.void], most: NDArray[np.void]
) -> tuple[str, ...]:
    """What would make rules faster, in sentences.

    Args:
        game: the game.
        fills: whether law 9 held in random games.
        least: `[1]` a state of the least numbers that were seen.
        most: `[1]` the same of the largest.

    Raises:
        CompileError: one of the rules cannot be compiled.
    """
    if is_interpreted(game):
        return ()  # elsewhere it is said that they run as plain Python
    said = [_narrower(game, least, most)]
    if not (has_own(game, "rollout") or game.fills()):
        said += [(fills and _filling(game)) or _listing(game)]
    return tuple(filter(None, said))


def _filling(game: Game) -> str:
    cls = type(game)
    filling = type(cls.__name__, (cls,), {"fills": _always, "__module__": __name__})
    fields = [field.name for field in dataclasses.fields(cls) if field.init]  # type: ignore[arg-type]
    changed = filling(**{name: getattr(game, name) for name in fields})
    speed_up = _ratio(_timer(game, _roll_out), _timer(changed, _roll_out))
    if speed_up < WORTH:
        return ""
    return (
        "law 9 held in all random games: if it always does, a method `fills` that "
        f"returns True makes rollouts {speed_up:.1f} times as fast (tried)"
    )


def _always(self: Game) -> bool:
    return True


def _listing(game: Game) -> str:
    more = _ratio(_timer(game, _play_listing, 2), _timer(game, _play_listing, 1))
    share = min(0.95, more - 1.0)
    if share <= 1 - 1 / WORTH:
        return ""
    return (
        f"listing the legal actions takes {share:.0%} of a rollout (timed): a "
        "`rollout` of the game's own that draws moves without listing all can be up to "
        f"{1 / (1 - share):.1f} times as fast"
    )


def _ratio(slow: Callable[[], float], fast: Callable[[], float]) -> float:
    """How many times as long one takes, timed by turns."""
    times = [(slow(), fast()) for _ in range(REPEATS)]
    return min(a for a, _ in times) / max(1e-9, min(b for _, b in times))


def _timer(game: Game, play: Kernel, *more: int) -> Callable[[], float]:
    """What measures the processor time of a random game."""
    states = Rows(np.repeat(Position(game).array, 2))
    actions = np.zeros(max(1, game.num_actions()), dtype=np.int32)
    native = play.compile(game, states, actions, make_rng(0), 1, *more)

    def measure() -> float:
        games = 1
        while True:
            started = time.process_time()
            native(game, states, actions, make_rng(0), games, *more)
            taken = time.process_time() - started
            if taken >= SECONDS:
                return taken / games
            games *= 2

    return measure


@kernel
def _roll_out(
    game: Game, states: Rows, actions: Actions, rng: Rng, games: int
) -> float:
    """Rollouts; the sum of their results, so that none can be optimised away."""
    total = 0.0
    for _ in range(games):
        states[1] = states[0]
        uniform_rollout(game, states[1], actions, rng)
        total += game.returns(states[1], 0) if game.is_terminal(states[1]) else 0.0
    return total


@kernel
def _play_listing(
    game: Game, states: Rows, actions: Actions, rng: Rng, games: int, times: int
) -> None:
    """Random games in which legal actions are listed so many times at every move."""
    for _ in range(games):
        state = states[1]
        states[1] = states[0]
        plies, count = 0, 0
        while plies < game.max_game_length() and not game.is_terminal(state):
            for _ in range(times):
                count = game.legal_actions(state, actions)
            action = int(actions[rng.below(count)])
            if game.has_chance and game.current_player(state) == CHANCE:
                action = game.sample_chance(state, actions, rng)
            game.apply(state, action)
            plies += 1


def _narrower(game: Game, least: NDArray[np.void], most: NDArray[np.void]) -> str:
    """Advice about integers that are wider than what they hold."""
    dtype = game.state_dtype()
    fields = {
        name: found
        for name in dtype.names or ()
        if (found := _narrowest(dtype[name].base, least[name], most[name]))
    }
    saved = sum(
        np.size(least[name][0]) * (dtype[name].base.itemsize - np.dtype(kind).itemsize)
        for name, kind in fields.items()
    )
    if dtype.itemsize < NARROW_BYTES or 2 * saved < dtype.itemsize:
        return ""
    ranges = ", ".join(
        f"{name} held {least[name].min()} to {most[name].max()} ({kind} would do)"
        for name, kind in fields.items()
    )
    return (
        f"every simulation copies the state of {dtype.itemsize} bytes, which can be "
        f"{dtype.itemsize - saved}: at the ends of random games {ranges}"
    )


def _narrowest(
    base: np.dtype[Any], least: NDArray[Any], most: NDArray[Any]
) -> str | None:
    """The smallest integer type that holds what was seen, if it is smaller."""
    if base.kind != "i":  # unsigned ones are mostly words of bits
        return None
    for kind in ("i1", "i2", "i4"):
        info = np.iinfo(kind)
        if info.min <= least.min() and most.max() <= info.max:
            return kind if np.dtype(kind).itemsize < base.itemsize else None
    return None

"""The contract of players: how they are asked for a move, and how they may fail."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..core.errors import UsageError
from ..core.text.fields import expect_whole
from ..games.contract.game import Game
from ..games.positions.position import Position

if TYPE_CHECKING:
    from ..search.result.result import Result

__all__ = [
    "FORFEITS",
    "LONGEST_SECONDS",
    "Allowance",
    "Decision",
    "Player",
    "PlayerFailure",
]

#: The longest time for a game or a move: some months.
LONGEST_SECONDS = 10**7
#: Ways to lose without the rules; what `PlayerFailure.reason` may be.
FORFEITS = ("illegal move", "crash", "hang", "time", "garbage", "memory")


@dataclass(frozen=True)
class Allowance:
    """What a player may use for its next move; without any limit, its own default.

    Attributes:
        seconds: for this move alone, above 0.
        remaining: left on the player's clock for the rest of the game; may be negative.
        increment: seconds that the clock is given after every move, at least 0.
        simulations: for players that search, at least 1.
        memory: bytes that the player's tree may take, at least 1; no limit on time.
        tolerance: seconds by which an answer may be late, at least 0, for players that
            wait for another program; None for their own.
        analysis: the statistics are wanted, not the move alone: a search searches
            where it would otherwise play an opening by heart.
        progress: called about ten times a second with the `Result` so far, or None by
            players that have none; the move is wanted at once when it returns False.

    >>> Allowance(remaining=60, increment=1).limited
    True
    """

    seconds: float | None = None
    remaining: float | None = None
    increment: float = 0.0
    simulations: int | None = None
    memory: int | None = None
    tolerance: float | None = None
    analysis: bool = False
    progress: Callable[[Any], Any] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise UsageError(f"seconds must be above 0, not {self.seconds}")
        if not 0 <= self.increment < math.inf:
            raise UsageError(f"increment must be at least 0, not {self.increment}")
        for name in ("simulations", "memory"):
            if getattr(self, name) is not None:
                expect_whole(name, getattr(self, name), 1)

    @property
    def limited(self) -> bool:
        """Whether anything is prescribed at all."""
        return not (self.seconds is self.remaining is self.simulations is None)

    def at_most(self, most: Allowance) -> Allowance:
        """The same, with the limits that another sets to a move as the most.

        >>> Allowance(remaining=60).at_most(Allowance(seconds=2)).seconds
        2
        """
        return replace(
            self,
            seconds=_lower(self.seconds, most.seconds),
            simulations=_lower(self.simulations, most.simulations),
            memory=_lower(self.memory, most.memory),
        )


def _lower(one: Any, other: Any) -> Any:
    """The lower of two limits, of which either may be None."""
    return min((limit for limit in (one, other) if limit is not None), default=None)


@dataclass(frozen=True)
class Decision:
    """A player's answer.

    Attributes:
        action: the move, as a number.
        result: what its search found, where it searched with ours.
        comment: a short remark for the record, such as "depth 8, +0.50".
        value: expected return for the mover, from -1 to 1 whatever the game's units
            are, so that -1 is the worst there is; None where unknown. Resign
            and draw adjudication read it.

    A player that puts anything of another kind into one of these loses its game.
    """

    action: int
    result: Result | None = None
    comment: str = ""
    value: float | None = None


class PlayerFailure(Exception):
    """A player did not answer with a legal move in time; it loses its game.

    Attributes:
        reason: one of `FORFEITS`.
        detail: what happened, in a sentence, with the end of its stderr if it has one.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail

    def __reduce__(self) -> tuple[type[PlayerFailure], tuple[str, str]]:
        return type(self), (self.reason, self.detail)


class Player(ABC):
    """Chooses moves in one game at a time.

    The order of calls is `prepare` once, then for each game `new_game` and any number
    of `choose`, and `close` at the end; `with player:` prepares and closes. Only
    `choose` is on the clock.

    Attributes:
        spec: the text that makes this player again.
        game: the rules it plays by.
        allowance: what it may use where `choose` is given no limit.
    """

    allowance = Allowance()

    def __init__(self, spec: str, game: Game) -> None:
        self.spec, self.game = spec, game

    def granted(self, allowance: Allowance) -> Allowance:
        """The allowance, or the player's own where that sets no limit."""
        if allowance.limited:
            return allowance
        memory = allowance.memory or self.allowance.memory
        return replace(self.allowance, memory=memory, progress=allowance.progress)

    def prepare(self) -> None:  # noqa: B027 - most have nothing to prepare
        """Compile, load or start whatever `choose` needs."""

    def get_ready(self) -> None:
        """Prepare as far as a first answer needs it; the first ones may be weaker.

        For people who wait: what takes longer goes on beside the game. Where strength
        is measured, `prepare` is called.
        """
        self.prepare()

    def new_game(self, seed: int) -> None:  # noqa: B027
        """Forget the last game; what is random in the next follows from the seed."""

    @abstractmethod
    def choose(self, position: Position, allowance: Allowance) -> Decision:
        """A legal move in the position, whose history holds the game so far.

        The position is the player's own copy.

        Raises:
            PlayerFailure: there will be no move.
        """

    def stop(self) -> None:  # noqa: B027
        """Have a `choose` that is under way answer soon with the best so far.

        May be called from a signal handler or another thread; players that cannot hurry
        ignore it.
        """

    def close(self) -> None:  # noqa: B027
        """End processes and free memory; may be called twice."""

    def __enter__(self) -> Player:
        self.prepare()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

"""`TimeControl`: what each move and each game may take; `Clock`: what is left of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ..core.errors import UsageError
from ..players.player import LONGEST_SECONDS as LONGEST
from ..players.player import Allowance

__all__ = ["Clock", "TimeControl"]


@dataclass(frozen=True)
class TimeControl:
    """Limits of a player; all that are given hold together.

    Attributes:
        base: seconds on the clock for the whole game, above 0.
        increment: seconds the clock is given after every move, at least 0.
        seconds: for each move, above 0.
        simulations: of each search, at least 1.

    Without any, players think as long as their spec says, or as they like.

    >>> TimeControl.parse("1+0.1")
    TimeControl(base=1.0, increment=0.1, seconds=None, simulations=None)
    >>> str(TimeControl(base=60, seconds=5)), str(TimeControl())
    ('60+0, 5 s a move', 'no limit')
    """

    base: float | None = None
    increment: float = 0.0
    seconds: float | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        if self.base is not None and not 0 < self.base <= LONGEST:
            raise UsageError(
                f"time: the clock must start above 0 and at most at {LONGEST} seconds, "
                f"not at {self.base}"
            )
        if max(self.increment, self.seconds or 0.0) > LONGEST:
            raise UsageError(f"time: more than {LONGEST} seconds for a move")
        if self.increment and self.base is None:
            raise UsageError("time: an increment needs a clock, as in 1+0.1")
        self.allowance(0.0)  # checks the others

    @classmethod
    def parse(
        cls,
        text: str | None,
        seconds: float | None = None,
        simulations: int | None = None,
    ) -> TimeControl:
        """The time control of a clock written `base+increment` or `base`, in seconds.

        Raises:
            UsageError: the text is no such clock, or a number is out of range.
        """
        if text is None:
            return cls(seconds=seconds, simulations=simulations)
        base, plus, increment = text.partition("+")
        try:
            numbers = float(base), float(increment) if plus else 0.0
        except ValueError:
            raise UsageError(
                f"time: {text!r} is not a clock; expected seconds, or "
                "seconds+increment as in 1+0.1"
            ) from None
        return cls(*numbers, seconds, simulations)

    @property
    def timed(self) -> bool:
        """Whether there is anything that a slow player could exceed."""
        return self.base is not None or self.seconds is not None

    def allowance(self, remaining: float | None) -> Allowance:
        """What a player with so much left on its clock may use for a move."""
        return Allowance(
            seconds=self.seconds,
            remaining=None if self.base is None else remaining,
            increment=self.increment,
            simulations=self.simulations,
        )

    def __str__(self) -> str:
        parts = []
        if self.base is not None:
            parts.append(f"{self.base:g}+{self.increment:g}")
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} s a move")
        if self.simulations is not None:
            parts.append(f"{self.simulations:,} simulations")
        return ", ".join(parts) or "no limit"


class Clock:
    """One player's clock in one game.

    The tolerance holds for the game and not for each move: time by which one move
    exceeds the limits is missing in the next.

    Args:
        control: the limits.
        tolerance: seconds by which an answer may be late, at least 0.
    """

    def __init__(self, control: TimeControl, tolerance: float) -> None:
        self.control, self.tolerance = control, tolerance
        self.remaining = control.base

    def allowance(self) -> Allowance:
        """What the next move may use."""
        allowance = self.control.allowance(self.remaining)
        return replace(allowance, tolerance=self.tolerance)

    @property
    def limit(self) -> float:
        """Seconds after which an answer now would lose; infinite without a limit."""
        limits = [self.control.seconds, self.remaining]
        return min((s for s in limits if s is not None), default=math.inf) + (
            self.tolerance
        )

    def spend(self, seconds: float) -> bool:
        """Take the time of a move off the clock; False if it was too much."""
        in_time = seconds <= self.limit
        if self.remaining is not None:
            self.remaining -= seconds
            if in_time:
                self.remaining += self.control.increment
        return in_time

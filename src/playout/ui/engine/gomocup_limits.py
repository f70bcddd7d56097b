"""What `INFO` says: times and memory, and how much of them a move may use."""

from __future__ import annotations

import re

from ...players.player import Allowance
from ...protocols.gomocup import RULES, UNLIMITED

__all__ = ["Limits"]

#: Kept back of every time for Python and the pipes, in seconds.
MARGIN_SECONDS = 0.15
#: How long to think at least; also where an answer is wanted at once.
LEAST_SECONDS = 0.01
#: What a simple move takes, where the search is not ready, in seconds.
SIMPLE_SECONDS = 0.07
#: How long compiled rules may take to be loaded, where an answer is wanted at once.
LOADING_SECONDS = 1.0
#: Less is not enough for Python, Numba and a small tree, in bytes.
LEAST_MEMORY = 250 << 20
#: Gomocup's own, for where the manager says nothing.
DEFAULT_MEMORY = 350 << 20
DEFAULT_TURN = 30_000


class Limits:
    """The newest values; times in milliseconds as they come.

    Attributes:
        timeout_turn: for a move; 0 for an answer at once.
        timeout_match: for all moves of a game; 0 for no limit.
        time_left: of that; None where the manager did not say.
        time_increment: what the clock is given after every move.
        max_memory: bytes for the process; 0 for no limit.
        max_node: simulations for a move; 0 for no limit.
        used: seconds that the moves of this game took, by our own clock.
    """

    def __init__(self) -> None:
        self.timeout_turn, self.timeout_match = DEFAULT_TURN, 0
        self.time_left: int | None = None
        self.time_increment = self.max_node = 0
        self.max_memory = DEFAULT_MEMORY
        self.used = 0.0
        self._complaints: list[str] = []

    def hear(self, key: str, value: str) -> str | None:
        """Note a value; returns the rule where that is what it tells.

        Keys and values that mean nothing here are passed over.
        """
        if not re.fullmatch(r"-?[0-9]{1,18}", value):
            return None
        number = int(value)
        if key == "time_left":
            self.time_left = number if number != UNLIMITED else None
        elif key == "rule":
            return self._hear_rule(number)
        elif key in _KEYS and number >= 0:
            setattr(self, key, number)
            if key == "max_memory" and 0 < number < LEAST_MEMORY:
                self._complain(f"max_memory must be {LEAST_MEMORY} or more")
        return None

    def new_game(self) -> None:
        """Forget what the last game has used."""
        self.time_left, self.used = None, 0.0

    def spend(self, seconds: float) -> None:
        """Count the time that a move took."""
        self.used += seconds

    def complain(self) -> str:
        """All that could not be accepted, once."""
        complaints, self._complaints = self._complaints, []
        return "; ".join(complaints)

    @property
    def process_bytes(self) -> int | None:
        """What the whole process may hold; None for no limit."""
        return self.max_memory or None

    def allowance(self, spent: float) -> Allowance:
        """What the next move may use, of whose time so many seconds have passed.

        >>> limits = Limits()
        >>> _ = limits.hear("timeout_turn", "1000"), limits.hear("time_left", "-5")
        >>> allowance = limits.allowance(0.05)
        >>> round(allowance.seconds, 3), round(allowance.remaining, 3)
        (0.8, -0.205)
        """
        turn, left = self.timeout_turn / 1000, self._left()
        margin = min(MARGIN_SECONDS, turn / 2) + spent
        return Allowance(
            seconds=max(turn - margin, LEAST_SECONDS),
            remaining=None if left is None else left - MARGIN_SECONDS - spent,
            increment=self.time_increment / 1000,
            simulations=self.max_node or None,
        )

    def patience(self, spent: float) -> float:
        """Seconds to wait for the rules to be compiled, before a simple move."""
        turn = self.timeout_turn / 1000 or LOADING_SECONDS
        times = [turn, self._left()]
        return min(t for t in times if t is not None) - SIMPLE_SECONDS - spent

    def _left(self) -> float | None:
        """Seconds left for the game."""
        if self.time_left is not None:
            return self.time_left / 1000
        return self.timeout_match / 1000 - self.used if self.timeout_match else None

    def _hear_rule(self, number: int) -> str | None:
        if number not in RULES:
            known = ", ".join(map(str, RULES))
            self._complain(f"rule {number} is not supported; supported are {known}")
        return RULES.get(number)

    def _complain(self, text: str) -> None:
        """Keep a complaint until it may be sent; a manager may cause it twice."""
        if text not in self._complaints:
            self._complaints.append(text)


_KEYS = ("timeout_turn", "timeout_match", "time_increment", "max_memory", "max_node")

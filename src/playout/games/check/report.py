"""What `check_game` returns when it has found no fault."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["GameReport"]


@dataclass(frozen=True)
class GameReport:
    """What `check_game` did without finding a fault.

    Attributes:
        games: random games played in each way.
        positions: positions compared.
        longest: actions in the longest game.
        hints: what breaks no law and is likely a mistake all the same, in sentences.
        compiled: whether they were played compiled, too; else in plain Python alone.
    """

    games: int
    positions: int
    longest: int
    hints: tuple[str, ...] = ()
    compiled: bool = True

    def __str__(self) -> str:
        how = "" if self.compiled else " in plain Python"
        head = (
            f"all laws hold on {self.positions:,} positions of {self.games} random "
            f"games{how} (the longest had {self.longest} actions)"
        )
        return "\n".join([head, *(f"hint: {hint}" for hint in self.hints)])

    def to_dict(self) -> dict[str, Any]:
        """Plain values under stable names, ready for JSON."""
        return {**asdict(self), "hints": list(self.hints)}

"""`Facts`: the progress of a training, kept in its checkpoint and its card."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Facts"]


@dataclass
class Facts:
    """The progress of a training.

    Attributes:
        games: that were finished.
        positions: of these, that are learnt from.
        steps: of learning.
        seconds: that it has taken, earlier calls included, without matches.
        outside: the share of self-play's time that was not the network's.
        curve: a row for every network: games, positions, steps, seconds and losses.
        strength: a row for every match: games and seconds of the network, the opponent,
            the score, and the Elo above it with the ends of its 95 % interval.
    """

    games: int = 0
    positions: int = 0
    steps: int = 0
    seconds: float = 0.0
    outside: float = math.nan
    curve: list[dict[str, Any]] = field(default_factory=list)
    strength: list[dict[str, Any]] = field(default_factory=list)

"""What the card of a network tells of its training."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from .config import TrainConfig
from .facts import Facts

__all__ = ["card_of"]

#: Rows of the curve that a card shows, about.
ROWS = 60


def card_of(game: str, kind: str, config: TrainConfig, facts: Facts) -> dict[str, Any]:
    """The card but for what every network's has (`players.networks.save_network`)."""
    every = max(1, len(facts.curve) // ROWS)
    outside = None if math.isnan(facts.outside) else round(facts.outside, 4)
    return {
        "game": game,
        "network": config.network_text(kind),
        "training": {
            "games": facts.games,
            "positions": facts.positions,
            "steps": facts.steps,
            "seconds": round(facts.seconds, 1),
            "outside_network": outside,
            "config": dataclasses.asdict(config),
        },
        "curve": facts.curve[::-1][::every][::-1],
        "strength": facts.strength,
    }

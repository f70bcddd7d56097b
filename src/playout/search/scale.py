"""From a game's own units to the scale of the search, which is from -1 to 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.jit.compiled import Compiled
from ..games.contract.game import Game
from ..games.contract.units import POINTS, Units, declared_range, units_of

__all__ = ["Scale", "Stretch", "scale_for"]


@dataclass(frozen=True)
class Scale(Compiled):
    """Returns are from -1 to 1 already; it costs nothing."""

    interpreted_methods = frozenset({"set"})

    def of(self, value: float) -> float:
        """The search's value of a return."""
        return value

    def near(self, value: float) -> float:
        """The same for an estimate: the nearest value of the range; NaN stays NaN.

        >>> Scale().near(7.0), Scale().near(-0.5)
        (1.0, -0.5)
        """
        value = self.of(value)
        if value > 1.0:
            return 1.0
        return -1.0 if value < -1.0 else value

    def set(self, units: Units) -> None:
        """Work with these units from now on."""


@dataclass(frozen=True)
class Stretch(Scale):
    """Returns of another range are stretched to it linearly.

    Attributes:
        ends: `[2]` the returns that are -1 and 1.

    >>> float(Stretch(np.array([0.0, 200.0])).of(150.0))
    0.5
    """

    ends: NDArray[np.float64]

    def of(self, value: float) -> float:
        low = self.ends[0]
        return 2.0 * (value - low) / (self.ends[1] - low) - 1.0

    def set(self, units: Units) -> None:
        self.ends[:] = units


def scale_for(game: Game) -> Scale:
    """The scale of a game; of one without bounds, `set` is to follow."""
    units = units_of(game)
    if declared_range(game) is not None and units == POINTS:
        return Scale()
    return Stretch(np.array(units))

"""`Parameter`: a number of a player's spec, and the range in which to look for it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ..core.errors import UsageError, quote

__all__ = ["Parameter"]

_SYNTAX = re.compile(r"(\w+(?:\.\w+)?)=(.+?)\.\.(.+?)(:log)?", re.ASCII)


@dataclass(frozen=True)
class Parameter:
    """A number to be tuned, and where to look for it.

    Attributes:
        name: as in the player's spec, or `NAME.FIELD` of what it calls there.
        low: the least value.
        high: the greatest value, above `low`.
        integer: whether only whole numbers are tried.
        log: whether factors count, and not differences; `low` is then above 0.
    """

    name: str
    low: float
    high: float
    integer: bool = False
    log: bool = False

    def __post_init__(self) -> None:
        if not -math.inf < self.low < self.high < math.inf:
            raise UsageError(
                f"{self.name}: the range must go up, not {self.low:g}..{self.high:g}"
            )
        if self.log and self.low <= 0:
            raise UsageError(f"{self.name}: a range of factors must be above 0")

    @classmethod
    def parse(cls, text: str) -> Parameter:
        """The parameter that a text such as `c_uct=0.3..2.0` names.

        Whole numbers on both sides make it an integer; `:log` makes factors count.

        >>> Parameter.parse("threshold=1..64:log")
        Parameter(name='threshold', low=1.0, high=64.0, integer=True, log=True)

        Raises:
            UsageError: the text is not of this form.
        """
        match = _SYNTAX.fullmatch(text.strip())
        try:
            if match is None:
                raise ValueError
            name, low, high, log = match.groups()
            integer = re.fullmatch(r"-?\d+ -?\d+", f"{low} {high}") is not None
            return cls(name, float(low), float(high), integer, log is not None)
        except UsageError:
            raise
        except ValueError:
            raise UsageError(
                f"{quote(text)} is not a range of a parameter, NAME=LOW..HIGH or "
                "NAME=LOW..HIGH:log, as in c_uct=0.3..2.0"
            ) from None

    def to_unit(self, value: float) -> float:
        """Where in the range a value is, from 0 to 1."""
        low, high, at = self._scaled(self.low), self._scaled(self.high), value
        return (self._scaled(at) - low) / (high - low)

    def from_unit(self, unit: float) -> float:
        """The value at a part of the range."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        scaled = low + unit * (high - low)
        value = math.exp(scaled) if self.log else scaled
        return float(round(value)) if self.integer else value

    def nearest(self, unit: float) -> float:
        """The part of the range nearest to this one at which a value can be."""
        return self.to_unit(self.from_unit(unit)) if self.integer else unit

    def show(self, value: float) -> str:
        """A value as in a spec: whole, or with four digits."""
        return str(round(value)) if self.integer else f"{value:.4g}"

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.log else value

"""`Adjudication`: ends a game early by the values that its players give."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..core.errors import UsageError

__all__ = ["Adjudication"]

#: A mover and the value it gave its move, in [-1, 1]; None where it said nothing.
Said = tuple[int, float | None]


@dataclass(frozen=True)
class Adjudication:
    """Rules of thumb that save time; all are off by default.

    A player that names no values is never adjudicated against.

    Attributes:
        draw_moves: a draw after so many moves in a row, of all players together, whose
            values are near 0; 0 for off.
        draw_score: a value between -this and this is near 0.
        draw_after: no draw before so many moves of the game, the opening included.
        resign_moves: a player loses after so many moves of its own in a row whose
            values say that it is lost; 0 for off.
        resign_score: a value of -this or less says that.

    >>> Adjudication.parse(["draw:moves=8,score=0.02,after=30", "resign:moves=3"])
    ... # doctest: +NORMALIZE_WHITESPACE
    Adjudication(draw_moves=8, draw_score=0.02, draw_after=30, resign_moves=3,
                 resign_score=0.95)
    """

    draw_moves: int = 0
    draw_score: float = 0.05
    draw_after: int = 0
    resign_moves: int = 0
    resign_score: float = 0.95

    def __post_init__(self) -> None:
        for name in ("draw_moves", "draw_after", "resign_moves"):
            if getattr(self, name) < 0:
                raise UsageError(
                    f"adjudication: {_option(name)} must be at least 0, "
                    f"not {getattr(self, name)}"
                )
        for name in ("draw_score", "resign_score"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(
                    f"adjudication: {_option(name)} must lie in 0 .. 1, "
                    f"not {getattr(self, name)}"
                )

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Adjudication:
        """The rules that texts such as `draw:moves=8,score=0.05,after=30` name.

        Raises:
            UsageError: a text that names no rule, or a value that is no number.
        """
        values: dict[str, float] = {}
        for text in texts:
            kind, _, parameters = text.partition(":")
            for part in parameters.split(","):
                name, _, value = part.partition("=")
                key = f"{kind}_{name}"
                if key not in cls.__dataclass_fields__:
                    raise UsageError(
                        f"adjudication: {text!r} is no rule; expected draw:moves=N,"
                        "score=X,after=N or resign:moves=N,score=X"
                    )
                values[key] = _number(key, value)
            if not values.get(f"{kind}_moves"):
                raise UsageError(f"adjudication: {kind} needs moves=N, above 0")
        return cls(**values)  # type: ignore[arg-type]

    def verdict(
        self, said: Sequence[Said], plies: int
    ) -> tuple[str, int | None, str] | None:
        """The reason, who lost and why, if the game is to end here."""
        if self._is_drawn(said) and plies >= self.draw_after:
            return "adjudicated draw", None, f"{self.draw_moves} moves near 0"
        if said and self._is_lost(said):
            return "resignation", said[-1][0], f"{self.resign_moves} moves at a loss"
        return None

    def _is_drawn(self, said: Sequence[Said]) -> bool:
        last = said[-self.draw_moves :] if self.draw_moves else ()
        return 0 < self.draw_moves <= len(last) and all(
            value is not None and abs(value) <= self.draw_score for _, value in last
        )

    def _is_lost(self, said: Sequence[Said]) -> bool:
        if not self.resign_moves:
            return False
        own = (value for mover, value in reversed(said) if mover == said[-1][0])
        last = list(itertools.islice(own, self.resign_moves))
        return len(last) == self.resign_moves and all(
            value is not None and value <= -self.resign_score for value in last
        )


def _option(name: str) -> str:
    kind, _, what = name.partition("_")
    return f"{kind}:{what}"


def _number(key: str, text: str) -> float:
    try:
        return float(text) if key.endswith("score") else int(text)
    except ValueError:
        raise UsageError(
            f"adjudication: {_option(key)} must be a number, not {text!r}"
        ) from None

"""Values and visits of the moves over the time of a search."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.errors import UsageError
from ...core.pictures import COLORS, finished, heading, new_figure, shown_name
from .result import Result

__all__ = ["Curves"]


@dataclass
class Curves:
    """Keeps what a search reports; give it to `MCTS.search` as `progress`.

    Attributes:
        points: the results in order; call it with the final one to add that.

    >>> from playout import MCTS, Limit, TicTacToe
    >>> curves = Curves()
    >>> search = MCTS(TicTacToe(), seed=1)
    >>> curves(search.search(limit=Limit(simulations=500), progress=curves))
    >>> curves.points[-1].visits
    500
    """

    points: list[Result] = field(default_factory=list)

    def __call__(self, result: Result) -> None:
        """Keep one more result."""
        self.points.append(result)

    def of(self, move: str) -> list[tuple[float, int, float, float]]:
        """What was known of a move: (seconds, simulations, its share, its mean).

        Only from when it was tried; the share of simulations is from 0 to 1, the mean
        for the player to move, in the game's own units.
        """
        return [
            (point.seconds, point.simulations, row.share, row.mean)
            for point in self.points
            for row in point.actions
            if row.move == move and row.visits
        ]

    def plot(self, path: str | Path | None = None, most: int = len(COLORS)) -> Any:
        """Draw the moves that were visited most in the end; returns the figure.

        Args:
            path: of the picture, `.png` or `.svg`; no file where none is given.
            most: how many moves, 1 to 6.

        Raises:
            UsageError: Matplotlib is missing, the file cannot be written, or there is
                nothing to draw: no result was kept, or no move was tried.
        """
        if not self.points:
            raise UsageError("there is nothing to draw: no result was kept")
        last = self.points[-1]
        tried = [row.move for row in last.actions if row.visits]
        if not tried:
            raise UsageError("there is nothing to draw: no move was tried yet")
        figure = new_figure(8, 6)
        values, shares = figure.subplots(2, 1, sharex=True)
        for move, color in zip(tried[:most], COLORS, strict=False):
            self._draw(values, shares, move, color)
        units = last.units
        values.set_ylabel(units.heading + (", %" if units.are_points else ""))
        shares.set_ylabel("share of the simulations, %")
        shares.set_xlabel("simulations")
        shares.set_ylim(0, 100)
        for axes in (values, shares):
            axes.grid(alpha=0.3)
        values.legend(title="move", loc="center left", bbox_to_anchor=(1, 0.5))
        figure.suptitle(shown_name(heading(last.game, last.moves)), fontsize=11)
        return finished(figure, path)

    def _draw(self, values: Any, shares: Any, move: str, color: str) -> None:
        _, simulations, share, mean = zip(*self.of(move), strict=True)
        marker = "o" if len(simulations) == 1 else None
        points = self.points[-1].units.are_points
        rates = [50 * (value + 1) if points else value for value in mean]
        values.plot(simulations, rates, color=color, label=move, marker=marker)
        percent = [100 * part for part in share]
        shares.plot(simulations, percent, color=color, marker=marker)

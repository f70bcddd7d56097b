"""`Result`: what a search found, for people (`print`) and programs (`to_dict`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import fill, shorten
from typing import Any

from ...core.errors import counted
from ...core.pictures import heading
from ...games.contract.names import in_a_row
from ...games.contract.units import POINTS, Units
from .pictures import plot_moves, result_html
from .statistics import ActionStatistics

__all__ = ["Result"]


@dataclass(frozen=True)
class Result:
    """The outcome of a search; values are for the player to move at its root.

    Attributes:
        game: the game, as on the command line.
        moves: the moves that led to the position.
        action: the answer of the choice policy, as a number.
        move: the same as people write it.
        value: the chosen move's mean return, in the game's own units; the exact one
            where proven.
        visits: simulations the root has seen, those of a kept subtree included.
        simulations: simulations of this search.
        seconds: time spent searching.
        compile_seconds: time spent compiling before that, never charged to a clock; 0
            where the rules were compiled already.
        stopped_by: why it ended: "proven", "simulations", "seconds", "tree full", "only
            move", "decided" (by `early_stop`), "interrupted" (by Ctrl-C or whoever
            asked a player), "callback" or "visits" (the counter's end).
        pv: the principal variation: the chosen move, then the most visited answers, up
            to where chance moves.
        nodes: nodes of the tree.
        depth: the deepest node, in actions from the root.
        tree_bytes: memory that the tree takes.
        seed: of the search's random numbers.
        actions: every move that has a node, most visited first; with an evaluator all
            legal ones have, tried or not.
        proven: "win", "loss" or "draw" for the player to move, once that is sure. In a
            game with units of its own, "win" is the highest return and "loss" the
            lowest.
        units: the lowest and the highest return; where a game's have no bounds, of some
            random games.
        best_line: in a puzzle (one player, nothing hidden, no chance), the best game
            that was seen, from here to its end; () elsewhere.
        best_return: what it brings; None elsewhere, and where no game has ended.
    """

    game: str
    moves: tuple[str, ...]
    action: int
    move: str
    value: float
    visits: int
    simulations: int
    seconds: float
    compile_seconds: float
    stopped_by: str
    pv: tuple[str, ...]
    nodes: int
    depth: int
    tree_bytes: int
    seed: int
    actions: tuple[ActionStatistics, ...]
    proven: str | None = None
    units: Units = POINTS
    best_line: tuple[str, ...] = ()
    best_return: float | None = None

    @property
    def win_rate(self) -> float:
        """The value as a share of the points, 0 to 1; a draw counts half.

        In a game with units of its own it is a share of the returns' range.
        """
        return self.units.share(self.value)

    @property
    def score(self) -> float:
        """The value on the scale from -1 to 1, whatever the game's own units are."""
        return self.value if self.units.are_points else 2 * self.win_rate - 1

    @property
    def shown_value(self) -> str:
        """The value for people: the win rate, or the return in the game's own units."""
        return self.units.show(self.value)

    @property
    def simulations_per_second(self) -> float:
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values under stable names, ready for JSON."""
        return {
            "game": self.game,
            "moves": list(self.moves),
            "best": self.move,
            "value": self.value,
            "simulations": self.simulations,
            "seconds": self.seconds,
            "compile_seconds": self.compile_seconds,
            "simulations_per_second": self.simulations_per_second,
            "stopped_by": self.stopped_by,
            "pv": list(self.pv),
            "nodes": self.nodes,
            "tree_bytes": self.tree_bytes,
            "depth": self.depth,
            "visits": self.visits,
            "seed": self.seed,
            "proven": self.proven,
            "actions": [
                {
                    "move": row.move,
                    "visits": row.visits,
                    "value_sum": row.value_sum,
                    "mean": row.mean,
                    "share": row.share,
                    "standard_error": row.standard_error,
                    "proven": row.proven,
                    "proof_plies": row.proof_plies,
                    "bound": row.bound,
                }
                for row in self.actions
            ],
            **self._best_seen(),
        }

    def _best_seen(self) -> dict[str, Any]:
        if self.best_return is None:
            return {}
        return {"best_return": self.best_return, "best_line": list(self.best_line)}

    def __str__(self) -> str:
        return self.show()

    @property
    def _ending(self) -> str:
        is_cut = self.stopped_by == "interrupted"
        return "interrupted" if is_cut else f"stopped by {self.stopped_by}"

    def show(self, rows: int = 12, width: int = 200) -> str:
        """What was found, as text, with so many moves at most; long lines are cut."""
        lines = [
            self._headline(),
            "",
            *self._table(rows),
            "",
            *([self._proof()] if self.proven else []),
            f"{self.units.tell(self.value)}   depth {self.depth}   "
            f"nodes {self.nodes:,}   memory {_bytes(self.tree_bytes)}"
            + (
                f"   compiled in {self.compile_seconds:.1f} s" if self._compiled else ""
            ),
            f"{self._effort()}, {self._ending}",
            shorten("line: " + in_a_row(self.pv), width, placeholder=" ..."),
        ]
        if self.best_return is not None:
            best = f"best seen: {self.best_return:.10g} by " + in_a_row(self.best_line)
            lines.append(shorten(best, width, placeholder=" ..."))
        return "\n".join(lines)

    def show_briefly(self, moves: int = 8, indent: int = 0) -> str:
        """The first line of `show`, and each move's win rate and visits in a line."""
        shown = [
            f"{row.move} {row.proven or row.shown_rate} of {row.visits:,}"
            for row in self.actions[:moves]
        ]
        whole = (text.replace(" ", "\0") for text in shown)  # not to be divided
        blank = " " * indent
        text = fill(
            "   ".join(whole), 80, initial_indent=blank, subsequent_indent=blank
        )
        return f"{blank}{self._headline()}\n{text}".replace("\0", " ")

    def plot(self, path: str | Path | None = None, most: int = 12) -> Any:
        """Draw shares and win rates of so many moves, to `.png` or `.svg` if asked."""
        title = heading(self.game, self.moves)
        return plot_moves(self.actions[:most], path, title, self.units)

    def _repr_html_(self) -> str:
        found = (
            f"{self._worth}{f', proven {self.proven}' if self.proven else ''}, after "
            f"{self.visits:,} simulations ({self.simulations_per_second:,.0f}/s)"
        )
        return result_html(self.actions, self.move, found, self.pv, self.units)

    @property
    def _worth(self) -> str:
        points = self.units.are_points
        return f"{self.shown_value} of the points" if points else self.shown_value

    @property
    def _ratio(self) -> str:
        points = self.units.are_points
        return f"ratio {self.value:.4f}" if points else self.units.tell(self.value)

    def _headline(self) -> str:
        return (
            f"Selected {self.move} with {self._ratio} "
            f"after {counted(self.visits, 'simulation')}{self._kept()}"
        )

    def _effort(self) -> str:
        if self.simulations == 0:  # the kept tree was proven or full already
            return "nothing left to search"
        return (
            f"{counted(self.simulations, 'simulation')} in {self.seconds:.2f} s "
            f"({self.simulations_per_second:,.0f}/s)"
        )

    def _proof(self) -> str:
        plies = next(row.proof_plies for row in self.actions if row.move == self.move)
        if plies is None:  # the choice policy did not play what is proven
            return f"proven: {self.proven}"
        return f"proven: {self.proven} in {plies} move{'s' * (plies != 1)}"

    @property
    def _compiled(self) -> bool:
        return self.compile_seconds >= 0.05

    def _kept(self) -> str:
        """How many are new, where a part of the last tree was kept."""
        if self.visits == self.simulations:
            return ""
        if self.simulations == 0:
            return " of earlier searches"
        return f", of which {self.simulations:,} in this search"

    def _table(self, most: int) -> list[str]:
        width = max(4, *(len(row.move) for row in self.actions[:most]), 4)
        lines = [
            f"{'move':>{width}}  {self.units.heading:>8}  {'+-':>5}  {'visits':>11}"
            "  share"
        ]
        for row in self.actions[:most]:
            lines.append(
                f"{row.move:>{width}}  {row.shown_rate:>8}  "
                f"{row.shown_error:>5}  {row.visits:11,}  "
                f"{row.share:5.1%}  {_remark(row)}".rstrip()
            )
        if len(self.actions) > most:
            lines.append(f"{'':>{width}}  and {len(self.actions) - most} more moves")
        return lines


def _remark(row: ActionStatistics) -> str:
    """A bar for the share of the visits, and what is proven."""
    when = "" if row.proof_plies is None else f" in {row.proof_plies}"
    known = row.bound or (f"{row.proven}{when}" if row.proven else "")
    bar = "█" * round(20 * row.share)
    return f"{bar:20}  {known}" if known else bar


def _bytes(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"

"""Results and trees as people see them in a notebook, and as pictures by Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from ...core.pictures import BLUE, GREY, finished, new_figure
from ...core.pictures import shown_name as named
from ...games.contract.units import POINTS, Units
from .export import ExportedNode
from .statistics import ActionStatistics

__all__ = ["plot_moves", "plot_tree", "result_html"]

#: Moves that a table or a picture shows.
ROWS = 12
#: A box of a tree that is narrower than this part of the picture bears no name.
NARROW = 0.025
#: Numbers in a column, whatever the page does otherwise.
_RIGHT = "text-align:right;padding:0.1em 0.5em"
#: The bar behind a share, on any ground.
_BAR = "background:linear-gradient(to right,#56b4e988 {part:.1f}%,transparent 0)"


def result_html(
    rows: Sequence[ActionStatistics],
    move: str,
    found: str,
    line: Sequence[str],
    units: Units = POINTS,
) -> str:
    """A table of the moves, in the order given; it takes the reader's colours.

    Args:
        rows: what is known of every move.
        move: the one that was chosen.
        found: what was found of it, in a sentence.
        line: the principal variation.
        units: of the values.
    """
    names = ("move", units.heading, "+-", "visits", "share")
    head = "".join(f'<th scope="col" style="{_RIGHT}">{name}</th>' for name in names)
    body = "".join(_html_row(row) for row in rows[:ROWS])
    more = len(rows) - ROWS
    rest = f"<p>and {more} more moves</p>" if more > 0 else ""
    return (
        f"<div><p><b>{escape(move)}</b>: {escape(found)}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f"{rest}<p>line: {escape(' '.join(line))}</p></div>"
    )


def _html_row(row: ActionStatistics) -> str:
    rate = row.proven or row.shown_rate
    values = (rate, row.shown_error, f"{row.visits:,}")
    cells = "".join(f'<td style="{_RIGHT}">{value}</td>' for value in values)
    bar = _BAR.format(part=100 * row.share)
    share = f'<td style="{_RIGHT};min-width:8em;{bar}">{row.share:.1%}</td>'
    return f'<tr><th scope="row">{escape(row.move)}</th>{cells}{share}</tr>'


def plot_moves(
    rows: Sequence[ActionStatistics],
    path: str | Path | None,
    title: str,
    units: Units = POINTS,
) -> Any:
    """Draw the shares and the values of moves, from the top; see `Result.plot`."""
    rows = rows[::-1]
    figure = new_figure(8, 1.2 + 0.32 * len(rows))
    shares, rates = figure.subplots(1, 2, sharey=True)
    moves = [named(row.move) for row in rows]
    shares.barh(moves, [100 * row.share for row in rows], color=BLUE)
    shares.set_xlabel("share of the simulations, %")
    tried = [row for row in rows if row.visits]
    rates.errorbar(
        [50 * (row.mean + 1) if units.are_points else row.mean for row in tried],
        [named(row.move) for row in tried],
        xerr=[row.standard_error * (50 if units.are_points else 1) for row in tried],
        fmt="o",
        color=BLUE,
        capsize=3,
    )
    what = units.heading
    if units.are_points:
        rates.axvline(50, color=GREY, linewidth=0.8)
        rates.set_xlim(-3, 103)
        what += ", %"
    rates.set_xlabel(f"{what} (with its standard error)")
    figure.suptitle(named(title), fontsize=11)
    return finished(figure, path)


def plot_tree(nodes: list[ExportedNode], path: str | Path | None, title: str) -> Any:
    """Draw a tree as boxes: a node is as wide as its part of the simulations.

    Children stand below their parent, the most visited at the left, in the colour of
    the win rate of the player who moved there.
    """
    figure = new_figure(9, 5)
    axes = figure.subplots()
    left, colors = _places(nodes), _color_map()
    for node in nodes:
        color = GREY if node.parent is None else colors(node.win_rate)
        axes.barh(
            -node.depth,
            node.share,
            left=left[node.id],
            height=0.96,
            color=color,
            edgecolor="white",
            linewidth=0.6,
        )
        if node.share >= NARROW:
            middle = left[node.id] + node.share / 2
            name = named(node.move) or f"{node.visits:,} simulations"
            ink = (
                "black" if node.parent is not None and node.win_rate > 0.6 else "white"
            )
            axes.text(middle, -node.depth, name, color=ink, ha="center", va="center")
    axes.set_xlim(0, 1)
    axes.set_axis_off()
    figure.suptitle(named(title), fontsize=11)
    figure.colorbar(
        _scale(colors), ax=axes, label="win rate of the player who moved", shrink=0.6
    )
    return finished(figure, path)


def _places(nodes: list[ExportedNode]) -> list[float]:
    """Where each box begins: after those of its parent that came before."""
    left, free = [0.0] * len(nodes), [0.0] * len(nodes)
    for node in nodes:
        if node.parent is not None:
            left[node.id] = free[node.parent]
            free[node.parent] += node.share
        free[node.id] = left[node.id]
    return left


def _color_map() -> Any:
    from matplotlib import colormaps

    return colormaps["cividis"].resampled(256)


def _scale(colors: Any) -> Any:
    from matplotlib.cm import ScalarMappable

    return ScalarMappable(cmap=colors)

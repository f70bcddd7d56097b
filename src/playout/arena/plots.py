"""Pictures of matches and ratings: PNG or SVG, by Matplotlib (extra `plots`).

Every function draws on a figure of its own and needs no display.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import UsageError
from ..core.pictures import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    check_plot_path,
    new_figure,
    save_figure,
    shown_name,
)
from .rating import SPRT, Tally, elo
from .record import GameRecord

if TYPE_CHECKING:
    from .ranking import Rating

__all__ = ["numbered_results", "plot_match", "plot_ratings"]

#: The scores of a pair, as people write them, and their colours: lost to won.
PAIR_SCORES = ("0", "½", "1", "1½", "2")
PAIR_COLORS = (ORANGE, "#EFB08C", "#BBBBBB", "#8CBDDB", BLUE)
#: Curves are drawn through at most so many points.
MOST_POINTS = 400


def numbered_results(
    games: Iterable[tuple[int, GameRecord]],
) -> list[tuple[int, float]]:
    """(Pair, score of A) of games by number, as `Tally.from_results` counts them.

    In games with even numbers A has seat 0; two games from an even one are a pair.
    """
    return [
        (number // 2, record.points(number % 2))
        for number, record in sorted(games, key=lambda item: item[0])
    ]


def plot_match(
    path: str | Path,
    names: tuple[str, str],
    results: Sequence[tuple[int, float]],
    sprt: SPRT | None = None,
) -> None:
    """Draw how a match went: Elo over the games, the pairs, and the test.

    Args:
        path: of the picture, `.png` or `.svg`.
        names: A's and B's.
        results: (pair, score of A), in the order in which the games count.
        sprt: the test, if there is one.

    Raises:
        UsageError: Matplotlib is missing, the file cannot be written, or no games.
    """
    path = check_plot_path(path)
    if not results:
        raise UsageError("there are no games to draw")
    counts, tallies = _over_games(results)
    figure = new_figure(8, 7 if sprt else 5.4)
    heights = [3, 2, 1.4] if sprt else [3, 1.4]
    rows = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    _draw_elo(figure.add_subplot(rows[0]), counts, tallies)
    if sprt is not None:
        _draw_test(figure.add_subplot(rows[1]), counts, tallies, sprt)
    _draw_pairs(figure.add_subplot(rows[-1]), tallies[-1])
    last = tallies[-1]
    figure.suptitle(
        f"{shown_name(names[0])} against {shown_name(names[1])}\n"
        f"{last.games:,} games: {last.wins:,} won, {last.draws:,} drawn, "
        f"{last.losses:,} lost",
        fontsize=11,
    )
    save_figure(figure, path)


def plot_ratings(path: str | Path, ratings: Sequence[Rating]) -> None:
    """Draw a rating list with its 95 % intervals, the strongest at the top.

    Raises:
        UsageError: Matplotlib is missing, the file cannot be written, or no ratings.
    """
    path = check_plot_path(path)
    if not ratings:
        raise UsageError("there are no ratings to draw")
    figure = new_figure(8, 1.4 + 0.36 * len(ratings))
    axes = figure.add_subplot()
    places = range(len(ratings))
    axes.errorbar(
        [row.elo for row in ratings],
        places,
        xerr=[row.error for row in ratings],
        fmt="o",
        color=BLUE,
        ecolor=GREY,
        capsize=3,
    )
    axes.set_yticks(places, [shown_name(row.player) for row in ratings])
    axes.invert_yaxis()
    axes.set_ylim(len(ratings) - 0.5, -0.5)
    axes.axvline(0, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xlabel("Elo, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    save_figure(figure, path)


# -- panels ----------------------------------------------------------------------------


def _over_games(results: Sequence[tuple[int, float]]) -> tuple[list[int], list[Tally]]:
    """Numbers of games, at most `MOST_POINTS` and the last, and the tallies then."""
    step = max(2, 2 * math.ceil(len(results) / 2 / MOST_POINTS))
    counts = sorted({*range(step, len(results), step), len(results)})
    return counts, [Tally.from_results(results[:count]) for count in counts]


def _draw_elo(axes: Any, counts: Sequence[int], tallies: Sequence[Tally]) -> None:
    value, low, high = np.array([elo(tally) for tally in tallies]).T
    bottom, top = _sensible_range(low, high)
    axes.fill_between(
        counts,
        np.clip(low, bottom - 1000, top + 1000),
        np.clip(high, bottom - 1000, top + 1000),
        color=BLUE,
        alpha=0.2,
        linewidth=0,
    )
    axes.plot(counts, np.clip(value, bottom - 1000, top + 1000), color=BLUE)
    axes.axhline(0, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_ylim(bottom, top)
    axes.set_xlim(0, counts[-1])
    axes.set_ylabel("Elo of A above B")
    axes.grid(alpha=0.3)
    text = f"{value[-1]:+z.1f}" if math.isfinite(value[-1]) else "infinite"
    axes.set_title(f"Elo {text}, with 95 % interval", loc="left", fontsize=10)


def _sensible_range(low: Any, high: Any) -> tuple[float, float]:
    """A range that shows the intervals of the last nine tenths, where finite."""
    later = slice(len(low) // 10, None)
    ends = np.concatenate([low[later], high[later], [0.0]])
    ends = ends[np.isfinite(ends)]
    last = np.array([low[-1], high[-1]])
    reach = np.abs(last[np.isfinite(last)]).max(initial=100.0)
    bottom, top = max(ends.min(), -3 * reach), min(ends.max(), 3 * reach)
    margin = 0.06 * (top - bottom) + 5
    return bottom - margin, top + margin


def _draw_test(
    axes: Any, counts: Sequence[int], tallies: Sequence[Tally], sprt: SPRT
) -> None:
    path = [sprt.llr(tally) for tally in tallies]
    low, high = sprt.bounds
    axes.plot(counts, path, color=GREEN)
    axes.axhline(high, color=BLUE, linestyle="--", linewidth=1)
    axes.axhline(low, color=ORANGE, linestyle="--", linewidth=1)
    axes.axhline(0, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xlim(0, counts[-1])
    axes.set_ylim(min(low, *path) - 0.9, max(high, *path) + 0.9)
    labels = [(1, sprt.elo1, high, BLUE, "bottom"), (0, sprt.elo0, low, ORANGE, "top")]
    for number, difference, bound, color, side in labels:
        axes.annotate(
            f"H{number}: {difference:g} Elo",
            (0, bound),
            xytext=(4, 3 if number else -3),
            textcoords="offset points",
            color=color,
            va=side,
            fontsize=9,
        )
    axes.set_ylabel("log-likelihood ratio")
    axes.set_xlabel("games")
    axes.grid(alpha=0.3)
    state = sprt.state(tallies[-1]) or "not decided"
    title = f"SPRT {sprt}: {state.replace('accept H', 'accepts H')}"
    axes.set_title(title, loc="left", fontsize=10)


def _draw_pairs(axes: Any, tally: Tally) -> None:
    """One bar, divided by the scores of pairs; of games, where no pair is finished."""
    units = tally.units
    names = PAIR_SCORES if tally.pairs else PAIR_SCORES[:3]
    colors = PAIR_COLORS if tally.pairs else PAIR_COLORS[::2]
    left, total = 0.0, sum(units)
    for name, color, count in zip(names, colors, units, strict=True):
        share = count / total
        axes.barh(0, share, left=left, color=color, edgecolor="white", height=0.6)
        if share > 0.05:
            dark = color in (BLUE, ORANGE)
            axes.text(
                left + share / 2,
                0,
                f"{name}\n{count:,}",
                ha="center",
                va="center",
                fontsize=9,
                color="white" if dark else "black",
            )
        left += share
    axes.set_xlim(0, 1)
    axes.set_yticks([])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_frame_on(False)
    what = "pairs by the points of A" if tally.pairs else "games by the points of A"
    axes.set_title(what, loc="left", fontsize=10)


# -- figures ---------------------------------------------------------------------------

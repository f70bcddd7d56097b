"""The picture of a tuning: its trials, and what was fitted through them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

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

if TYPE_CHECKING:
    from .parameter import Parameter
    from .tune import Estimate, Trial

__all__ = ["plot_tuning"]

#: Parts of a parameter's range for which the best of the others is shown.
PARTS = 20


def plot_tuning(
    path: str | Path,
    parameters: Sequence[Parameter],
    trials: Sequence[Trial],
    estimate: Estimate,
) -> None:
    """Draw the trials of a tuning, what was fitted through them, and the best values.

    One panel for each parameter. With several, the curve is the best expected score
    over all values of the others.

    Raises:
        UsageError: Matplotlib is missing, or the file cannot be written.
    """
    path = check_plot_path(path)
    columns = min(2, len(parameters))
    rows = math.ceil(len(parameters) / columns)
    figure = new_figure(6.5 if columns == 1 else 10, 0.8 + 3.4 * rows)
    grid = figure.add_gridspec(rows, columns)
    for number, parameter in enumerate(parameters):
        axes = figure.add_subplot(grid[number // columns, number % columns])
        _draw_parameter(axes, number, parameter, trials, estimate)
    games = sum(trial.tally.games for trial in trials)
    value, low, high = estimate.elo
    figure.suptitle(
        f"{len(trials)} trials, {games:,} games: Elo {value:+z.0f} "
        f"({low:+z.0f} to {high:+z.0f}) at the best values",
        fontsize=11,
    )
    save_figure(figure, path)


def _draw_parameter(
    axes: Any,
    number: int,
    parameter: Parameter,
    trials: Sequence[Trial],
    estimate: Estimate,
) -> None:
    best, low, high = (
        ends[number] for ends in (estimate.values, estimate.low, estimate.high)
    )
    axes.axvspan(low, high, color=GREEN, alpha=0.12, linewidth=0)
    axes.axvline(best, color=GREEN, linewidth=1.2)
    axes.axhline(0.5, color=GREY, linewidth=0.8, linestyle=":")
    units, curve, under, over = _profile(estimate, number)
    values = [parameter.from_unit(unit) for unit in units]
    axes.fill_between(values, under, over, color=BLUE, alpha=0.2, linewidth=0)
    axes.plot(values, curve, color=BLUE)
    axes.scatter(
        [trial.values[number] for trial in trials],
        [trial.tally.score for trial in trials],
        color=ORANGE,
        s=14,
        alpha=0.7,
        zorder=3,
    )
    if parameter.log:
        _scale_by_factors(axes)
    axes.set_xlim(parameter.low, parameter.high)
    axes.yaxis.set_major_formatter(lambda score, _: f"{score:.0%}")
    axes.set_xlabel(shown_name(parameter.name))
    axes.set_ylabel("score against the reference")
    title = (
        f"best {parameter.show(best)} ({parameter.show(low)} to {parameter.show(high)})"
    )
    axes.set_title(title, loc="left", fontsize=10)
    axes.grid(alpha=0.3)


def _scale_by_factors(axes: Any) -> None:
    """A logarithmic axis with plain numbers at 1, 2 and 5 of every decade."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())


def _profile(estimate: Estimate, number: int) -> tuple[Any, Any, Any, Any]:
    """Along a parameter: places, the best expected score there, and its 95 % band."""
    surface = estimate.surface
    chosen = np.argsort(surface.points[:, number], kind="stable")
    if surface.points.shape[1] > 1:
        parts = np.minimum((surface.points[:, number] * PARTS).astype(int), PARTS - 1)
        members = [np.flatnonzero(parts == part) for part in range(PARTS)]
        chosen = np.array([m[surface.mean[m].argmax()] for m in members if len(m)])
    under, over = np.quantile(surface.draws[:, chosen], (0.025, 0.975), axis=0)
    return surface.points[chosen, number], surface.mean[chosen], under, over

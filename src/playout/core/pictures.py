"""What all pictures share: files, figures, colours. By Matplotlib (extra `plots`).

Figures are drawn without a display.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import UsageError
from .files import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "BLUE",
    "COLORS",
    "GREEN",
    "GREY",
    "ORANGE",
    "check_plot_path",
    "finished",
    "heading",
    "new_figure",
    "save_figure",
    "shown_name",
]

#: Colours that readers with any colour vision tell apart (Okabe and Ito).
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#666666"
COLORS = (BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00", "#56B4E9")
SUFFIXES = (".png", ".svg")
DPI = 150


def check_plot_path(path: str | Path) -> Path:
    """The path of a picture, before the work that it is to show.

    Raises:
        UsageError: Matplotlib is missing, or such a file cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path}: pictures end in {' or '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no directory {path.parent}")
    _figure_class()
    return path


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches.

    Raises:
        UsageError: Matplotlib is missing.
    """
    return _figure_class()(figsize=(width, height), layout="constrained")


def finished(figure: Figure, path: str | Path | None) -> Figure:
    """The figure, which is also written to a file where one is named.

    Raises:
        UsageError: the file cannot be written.
    """
    if path is not None:
        save_figure(figure, check_plot_path(path))
    return figure


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure to a file, in the format that the suffix names.

    Raises:
        UsageError: the file cannot be written.
    """
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    with replacing(path) as file:
        figure.savefig(file, dpi=DPI, format=path.suffix[1:].lower())


def heading(game: str, moves: Iterable[str]) -> str:
    """What a picture shows: the game, and the moves that led to the position.

    >>> heading("tic-tac-toe", ["b2", "a1"]), heading("tic-tac-toe", [])
    ('tic-tac-toe: b2 a1', 'tic-tac-toe')
    """
    return ": ".join(filter(None, (game, " ".join(moves))))


def shown_name(name: str) -> str:
    """A name for a title or an axis: not too wide, and not taken for mathematics."""
    short = name if len(name) <= 44 else f"{name[:20]}...{name[-21:]}"
    return short.replace("$", r"\$")


def _figure_class() -> type[Figure]:
    try:
        import matplotlib.figure
    except ImportError:
        raise UsageError(
            "pictures need the package matplotlib: pip install playout[plots]"
        ) from None
    return matplotlib.figure.Figure

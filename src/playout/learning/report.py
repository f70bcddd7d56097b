"""`report.html`: how a training went, on one page that needs nothing beside it."""

from __future__ import annotations

import importlib.util
import io
from collections import defaultdict
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.files import write_text
from ..core.pictures import BLUE, COLORS, ORANGE, new_figure, shown_name
from ..players.networks import read_card

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["REPORT", "plot_training", "write_report"]

REPORT = "report.html"
_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}"
    "svg{max-width:100%;height:auto}"
)


def write_report(folder: Path) -> Path:
    """Write the page of the training in a folder, from its card; returns its path.

    Curves are drawn where Matplotlib is installed.

    Raises:
        UsageError: there is no card, or the page cannot be written.
    """
    path = folder / REPORT
    write_text(path, page(read_card(folder)))
    return path


def page(card: dict[str, Any]) -> str:
    """The page of a card, as HTML."""
    training = card["training"]
    title = escape(f"Training of {card['game']}")
    facts = [
        ("network", f"{card['network']} ({card['kind']})"),
        ("games", f"{training['games']:,}"),
        ("positions", f"{training['positions']:,}"),
        ("steps of learning", f"{training['steps']:,}"),
        ("minutes", f"{training['seconds'] / 60:.1f}"),
        ("Playout", card["playout"]),
    ]
    if training["outside_network"] is not None:
        facts.insert(-1, ("outside the network", f"{training['outside_network']:.1%}"))
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>",
        f"<style>{_STYLE}</style><h1>{title}</h1>",
        table((), facts),
        "<h2>Strength</h2>",
        table(("games", "against", "Elo", "95 %"), map(_match, card["strength"])),
        "<h2>Curves</h2>",
        drawn(card),
        "<h2>Configuration</h2>",
        table((), training["config"].items()),
    ]
    return "\n".join(parts) + "\n</html>\n"


def drawn(card: dict[str, Any]) -> str:
    """The curves as SVG; a sentence where they cannot be drawn."""
    if not card["curve"]:
        return "<p>Nothing has been learnt yet.</p>"
    if importlib.util.find_spec("matplotlib") is None:
        return "<p>Curves need the package matplotlib: pip install playout[plots]</p>"
    file = io.StringIO()
    plot_training(card).savefig(file, format="svg")
    return file.getvalue().partition("<svg")[1] + file.getvalue().partition("<svg")[2]


def plot_training(card: dict[str, Any]) -> Figure:
    """A figure of the losses over the positions, and the Elo over the games.

    Raises:
        UsageError: Matplotlib is missing.
    """
    figure = new_figure(8, 6 if card["strength"] else 3.5)
    above, *below = figure.subplots(2 if card["strength"] else 1, squeeze=False)[:, 0]
    positions = [row["positions"] for row in card["curve"]]
    for name, color in (("policy_loss", BLUE), ("value_loss", ORANGE)):
        losses = [row[name] for row in card["curve"]]
        above.plot(positions, losses, color=color, label=name.replace("_", " "))
    above.set(xlabel="positions", ylabel="loss", ylim=(0, None))
    above.legend(frameon=False)
    for axes in below:
        _draw_strength(axes, card["strength"])
    return figure


def _draw_strength(axes: Any, rows: Iterable[dict[str, Any]]) -> None:
    """Elo against each opponent, earlier selves as one."""
    against: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        own = row["opponent"].startswith("net:")
        against["an earlier self" if own else row["opponent"]].append(row)
    for number, (opponent, found) in enumerate(against.items()):
        elo = [row["elo"] for row in found]
        ends = [
            [row["elo"] - row["low"] for row in found],
            [row["high"] - row["elo"] for row in found],
        ]
        color = COLORS[number % len(COLORS)]
        games = [row["games"] for row in found]
        axes.errorbar(
            games, elo, ends, color=color, label=shown_name(opponent), marker="o"
        )
    axes.axhline(0, color="#bbbbbb", linewidth=1)
    axes.set(xlabel="games", ylabel="Elo above")
    axes.legend(frameon=False)


def table(headings: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """An HTML table.

    >>> table(["a"], [["<b>"]])
    '<table><tr><th>a</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    lines = [_row("th", headings)] if headings else []
    return f"<table>{''.join(lines + [_row('td', row) for row in rows])}</table>"


def _row(kind: str, cells: Iterable[Any]) -> str:
    inner = "".join(f"<{kind}>{escape(str(cell))}</{kind}>" for cell in cells)
    return f"<tr>{inner}</tr>"


def _match(row: dict[str, Any]) -> tuple[str, ...]:
    low_high = f"{row['low']:+.0f} to {row['high']:+.0f}"
    return f"{row['games']:,}", row["opponent"], f"{row['elo']:+.0f}", low_high

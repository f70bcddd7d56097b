"""The panels beside the board: who plays, the win rate, the top moves, the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from ...arena.table import HUMAN, Table
from ...games.contract.names import in_a_row
from ...search.result.result import Result
from ..common.words import label_of, movers, name_of, seen_moves

__all__ = [
    "clock_text",
    "log_text",
    "progress_text",
    "rate_text",
    "seats_text",
    "thoughts_grid",
]

BARS = " ▁▂▃▄▅▆▇█"
DIM, BOLD = Style(dim=True), Style(bold=True)


def clock_text(seconds: float) -> str:
    """What a clock shows, tenths in the last ten seconds.

    >>> clock_text(125.4), clock_text(7.25), clock_text(-1)
    ('2:05', '0:07.2', '0:00.0')
    """
    seconds = max(0.0, seconds)
    minutes, rest = divmod(seconds, 60)
    if seconds < 10:
        return f"{minutes:.0f}:{int(rest * 10) / 10:04.1f}"
    return f"{int(minutes)}:{int(rest):02}"


def seats_text(table: Table, width: int, colors: Sequence[str]) -> Text:
    """A line for every seat: who is to move, the player, the time."""
    lines = []
    for seat, left in enumerate(table.remaining()):
        turn = seat == table.mover
        who = "you" if table.people == [seat] else table.specs[seat]
        who = "person" if who == HUMAN else who
        time = "" if left is None else clock_text(left)
        label = label_of(table.position, seat)
        room = max(4, width - len(label) - len(time) - 4)
        who = who if len(who) <= room else who[: room - 1] + "…"
        line = Text("▶ " if turn else "  ", no_wrap=True)
        line.append(label, Style(color=colors[seat % 3], bold=True))
        line.append(f" {who:<{room}} ", BOLD if turn else DIM)
        lines.append(line.append(time))
    return Text("\n").join(lines)


def rate_text(
    table: Table, rates: Mapping[int, float], width: int, colors: Sequence[str]
) -> Text:
    """The first player's win rate now, and over the game, two lines high."""
    plies = len(table.position.actions)
    known = rates.get(plies, rates.get(plies - 1))
    name = name_of(table.game, 0)
    heading = Text(f"Win rate of {name}  ")
    heading.append("-" if known is None else f"{known:.0%}", BOLD)
    if not rates:
        return heading
    shown = range(max(0, plies + 1 - width), plies + 1)
    upper, lower = Text(), Text()
    for ply in shown:
        rate = rates.get(ply)
        level = 0 if rate is None else max(1, round(rate * 16))
        style = Style(color=colors[0 if (rate or 0) >= 0.5 else 1])
        upper.append(BARS[max(0, level - 8)], style)
        lower.append(BARS[min(8, level)], style)
    return Text("\n", no_wrap=True).join([heading, upper, lower])


def thoughts_grid(result: Result, rows: int, width: int) -> Grid:
    """The top moves of a search."""
    grid = Grid(box=None, pad_edge=False, header_style="dim", expand=True)
    value = "win" if result.units.are_points else "value"
    for heading in ("move", value, "+-", "visits"):
        grid.add_column(heading, justify="right", no_wrap=True)
    grid.add_column("", width=max(1, width - 29), no_wrap=True)
    for row in result.actions[:rows]:
        bar = "█" * round((width - 29) * row.share)
        grid.add_row(
            Text(row.move),
            row.proven or row.shown_rate,
            "" if row.proven else row.shown_error,
            short(row.visits),
            Text(bar, Style(color="blue")),
            style=BOLD if row.move == result.move else "",
        )
    return grid


def progress_text(result: Result) -> Text:
    """The search in a line, and what it expects in the next."""
    effort = f"{short(result.visits)} sims  {short(result.simulations_per_second)}/s"
    more = f"proven {result.proven}" if result.proven else f"depth {result.depth}"
    first = Text(f"{effort}  {more}", DIM)
    line = Text("line: " + in_a_row(result.pv), DIM)
    return Text("\n", no_wrap=True, overflow="ellipsis").join([first, line])


def short(number: float) -> str:
    """A count in four or five characters.

    >>> short(950), short(12_345), short(3_400_000)
    ('950', '12.3k', '3.4M')
    """
    for size, sign in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.1f}{sign}"
    return f"{number:.0f}"


def log_text(table: Table, width: int, colors: Sequence[str]) -> Text:
    """All moves, one a line, with what the players said about theirs."""
    record = table.session.record()
    lines = []
    moves = zip(movers(table.position), seen_moves(table), record.comments, strict=True)
    for ply, (seat, move, comment) in enumerate(moves, start=1):
        if table.hides and seat != table.viewer:
            comment = ""
        name = "chance" if seat < 0 else name_of(table.game, seat)
        line = Text(f"{ply:>3}. ", DIM)
        line.append(f"{name} ", Style(color=colors[seat % 3]) if seat >= 0 else DIM)
        line.append(f"{move}  ").append(comment, DIM)
        line.truncate(width, overflow="ellipsis")
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines or [Text("No moves yet.", DIM)])

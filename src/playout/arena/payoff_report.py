"""Payoffs for people (a table) and for programs (a dictionary)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from ..core.text.spec import split_spec
from .payoffs import Difference, Payoff, Payoffs, are_points
from .record import GameRecord
from .report import CROSS_NAME_WIDTH, finite, short_names

__all__ = ["payoff_summary", "payoff_table", "payoff_tables", "told_payoffs"]

#: Decimals of numbers that are shown, at most.
MOST_DECIMALS = 6
#: A part of a mean by which sums differ that were added up in another order.
ROUNDING = 1e-9


def payoff_tables(records: Iterable[GameRecord]) -> list[str]:
    """A table for every game of which payoffs tell more than who won."""
    games = list(records)
    several = len({_game_and_seats(record) for record in games}) > 1
    return [
        f"payoffs of {game}\n" * several + payoff_table(payoffs, seats)
        for game, seats, payoffs in told_payoffs(games)
    ]


def told_payoffs(records: Iterable[GameRecord]) -> list[tuple[str, int, Payoffs]]:
    """The payoffs of every game of which they tell more than who won, and its seats.

    Boards of one game, as `--vary` draws them, are one game. Games with the same seed
    are taken for a round, as they had the same luck.
    """
    found: dict[tuple[str, int], list[GameRecord]] = {}
    for record in records:
        found.setdefault(_game_and_seats(record), []).append(record)
    told = []
    for (game, seats), games in found.items():
        if seats == 2 and all(are_points(each.returns) for each in games):
            continue
        payoffs = Payoffs()
        for record in games:
            payoffs.add(record.seed, record.players, record.returns)
        told.append((game, seats, payoffs))
    return told


def _game_and_seats(record: GameRecord) -> tuple[str, int]:
    return "".join(split_spec(record.game)[:2]), len(record.players)


def payoff_summary(payoffs: Payoffs) -> dict[str, Any]:
    """The figures of everyone and between any two, ready for JSON.

    Errors are None where a single round tells none.
    """
    return {
        "players": [_plain(row) for row in payoffs.table],
        "differences": [_plain(row) for row in payoffs.differences()],
    }


def _plain(row: Payoff | Difference) -> dict[str, Any]:
    return {**asdict(row), "error": finite(row.error)}


def payoff_table(payoffs: Payoffs, seats: int) -> str:
    """What everyone got and, unless two share every game, the differences."""
    tables = [_everyone(payoffs.table, seats)]
    if seats != 2 and (differences := payoffs.differences()):
        tables.append(_differences(differences))
    return "\n\n".join(tables)


def _everyone(rows: Sequence[Payoff], seats: int) -> str:
    """A line for everyone: mean payoff with its 95 % interval, and how it came about.

    With one seat these are the least, the median and the most; with more, the share of
    the wins and the mean place.
    """
    alone = seats == 1
    decimals = _decimals(rows)
    names = short_names([row.player for row in rows], CROSS_NAME_WIDTH)
    width = max(6, *map(len, names))
    rest = ("least", "median", "most") if alone else ("won", "place")
    lines = [("player", ["games", "payoff", "+-", *rest])]
    for row, name in zip(rows, names, strict=True):
        numbers = [f"{row.games:,}", f"{row.mean:.{decimals}f}", _half(row, decimals)]
        if alone:
            spread = (row.least, row.median, row.most)
            numbers += [f"{value:.{decimals}f}" for value in spread]
        else:
            numbers += [f"{row.won:.1%}", f"{row.place:.2f}"]
        lines.append((name, numbers))
    column = max(10, *(1 + len(cell) for _, cells in lines for cell in cells))
    return "\n".join(_line(name, width, cells, column) for name, cells in lines)


def _differences(rows: Sequence[Difference]) -> str:
    decimals = _decimals(rows)
    lines = ["differences of payoffs in the same rounds"]
    for row in rows:
        names = short_names((row.one, row.other), CROSS_NAME_WIDTH)
        lines.append(
            f"{' - '.join(names)}: {row.mean:+.{decimals}f} +- {_half(row, decimals)}"
            f"   (more in {row.better:,}, less in {row.worse:,} of {row.rounds:,})"
        )
    return "\n".join(lines)


def _line(name: str, width: int, cells: Iterable[str], column: int) -> str:
    return f"{name:{width}}" + "".join(f"{cell:>{column}}" for cell in cells)


def _half(row: Payoff | Difference, decimals: int) -> str:
    return f"{row.error:.{decimals}f}" if math.isfinite(row.error) else "?"


def _decimals(rows: Iterable[Payoff | Difference]) -> int:
    """So many that the narrowest interval has two digits; 2 without any."""
    errors = [
        row.error
        for row in rows
        if ROUNDING * max(1.0, abs(row.mean)) < row.error < math.inf
    ]
    if not errors:
        return 2
    return min(max(0, 1 - math.floor(math.log10(min(errors)))), MOST_DECIMALS)

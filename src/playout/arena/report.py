"""What a match has shown, for people (a table) and for programs (a dictionary)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .rating import SPRT, Tally, elo, los, normalized_elo
from .record import GameRecord

if TYPE_CHECKING:
    from .ranking import Results

__all__ = [
    "NOBODY_MET",
    "cross_table",
    "finite",
    "from_to",
    "match_summary",
    "match_table",
    "rating_list",
    "short_names",
]

#: Lines are at most this long, and names in them; in a cross-table, there.
WIDTH, NAME_WIDTH, CROSS_NAME_WIDTH = 80, 34, 24
NOBODY_MET = "no games between different players"


def match_summary(tally: Tally, sprt: SPRT | None, forfeits: int) -> dict[str, Any]:
    """The figures of a match from A's side, under stable names, ready for JSON.

    `elo`, `elo_low` and `elo_high` are None where they are infinite, and with `score`
    and `los` where there are no games; `llr` and `sprt` are None where the match is no
    test, and `sprt` also while it is undecided.

    >>> summary = match_summary(Tally(3, 1, 1, (0, 0, 1, 1, 0)), None, 0)
    >>> summary["games"], summary["score"], summary["sprt"]
    (5, 0.7, None)
    """
    difference, low, high = elo(tally) if tally.games else 3 * (math.inf,)
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score if tally.games else None,
        "elo": finite(difference),
        "elo_low": finite(low),
        "elo_high": finite(high),
        "los": los(tally) if tally.games else None,
        "pentanomial": list(tally.pentanomial),
        "llr": None if sprt is None else sprt.llr(tally),
        "sprt": None if sprt is None else sprt.state(tally),
        "forfeits": forfeits,
    }


def match_table(
    name_a: str, name_b: str, tally: Tally, sprt: SPRT | None, forfeits: int
) -> str:
    """The figures of a match as a person reads them, at most 80 columns wide."""
    head = [" against ".join(short_names((name_a, name_b))), ""]
    if not tally.games:
        return "\n".join([*head, "games        0: none is finished"])
    lines = [
        *head,
        f"games        {tally.games:,}: {tally.wins:,} won, {tally.draws:,} drawn, "
        f"{tally.losses:,} lost",
        f"score        {tally.score:.1%}",
        f"Elo          {_interval(elo(tally))}",
        f"normalized   {_interval(normalized_elo(tally))}",
        f"superior     {los(tally):.1%} sure (LOS)",
        *_pairs(tally),
        *_test(tally, sprt),
        *([f"forfeits     {forfeits:,}"] if forfeits else []),
    ]
    return "\n".join(lines)


def cross_table(records: Iterable[GameRecord]) -> str:
    """Everyone's score against everyone, the highest first.

    A cell is what the row's player scored against the player of that number, as
    points/games, or in percent where these would not fit; tables that are too wide
    even so go on below.
    """
    from .ranking import count_results

    results = count_results(records)
    points, games = results.points.sum(axis=1), results.games.sum(axis=1)
    order = sorted(range(len(games)), key=lambda i: -points[i] / games[i])
    if not order:
        return NOBODY_MET
    names = short_names([results.players[one] for one in order], CROSS_NAME_WIDTH)
    width = max(6, *map(len, names))
    left = [f"#  {'player':{width}}  score  games"] + [
        f"{place:<2} {name:{width}} {points[player] / games[player]:6.1%} "
        f"{games[player]:6,.0f}"
        for place, (name, player) in enumerate(zip(names, order, strict=True), start=1)
    ]
    head = [str(place) for place in range(1, len(order) + 1)]
    room = WIDTH - len(left[0])
    for cell in (_points, _percent):
        rows = [head] + [[cell(results, one, two) for two in order] for one in order]
        across = 1 + max(len(text) for row in rows for text in row)
        if across * len(order) <= room:
            break
    return "\n\n".join(
        "\n".join(
            start
            + "".join(f"{text:>{across}}" for text in row[first:][: room // across])
            for start, row in zip(left, rows, strict=True)
        )
        for first in range(0, len(order), room // across)
    )


def rating_list(
    records: Iterable[GameRecord], anchor: tuple[str, float] | None = None
) -> str:
    """Everyone's rating with its 95 % interval, the strongest first; see `rate`.

    Raises:
        UsageError: the anchor did not play, or the extra `ratings` is not installed.
    """
    from .ranking import rate

    ratings = rate(records, anchor)
    if not ratings:
        return NOBODY_MET
    names = short_names([row.player for row in ratings])
    width = max(6, *map(len, names))
    lines = [
        f"#  {'player':{width}} {'Elo':>7}   {'+-':>5}   {'score':>6}   {'games':>7}"
    ]
    place, group = 0, 0
    for row, name in zip(ratings, names, strict=True):
        if row.group != group:
            place, group = 0, row.group
            lines.append("these have met none of the above:")
        place += 1
        lines.append(
            f"{place:<2} {name:{width}} {row.elo:>z7.1f}   "
            f"{row.error:>5.1f}   {row.score:>6.1%}   {row.games:>7,}"
        )
    return "\n".join(lines)


def _points(results: Results, one: int, two: int) -> str:
    games = results.games[one, two]
    return f"{results.points[one, two]:g}/{games:g}" if games else "-"


def _percent(results: Results, one: int, two: int) -> str:
    games = results.games[one, two]
    return f"{results.points[one, two] / games:.0%}" if games else "-"


def _pairs(tally: Tally) -> list[str]:
    if not tally.pairs:
        return []
    counts = "   ".join(
        f"{points}: {count:,}"
        for points, count in zip(
            ("0", "½", "1", "1½", "2"), tally.pentanomial, strict=True
        )
    )
    return [f"pairs        {counts}"]


def _test(tally: Tally, sprt: SPRT | None) -> list[str]:
    if sprt is None:
        return []
    low, high = sprt.bounds
    state = {
        None: "not decided",
        "accept H0": "H0 accepted",
        "accept H1": "H1 accepted",
    }
    return [
        f"SPRT         {sprt}: {state[sprt.state(tally)]}",
        f"LLR          {sprt.llr(tally):.2f} ({low:.2f}, {high:.2f})",
    ]


def _interval(values: tuple[float, float, float]) -> str:
    """A difference with its interval, half-width first where both ends are finite."""
    value, low, high = (number or 0.0 for number in values)  # no -0.0
    if all(map(math.isfinite, values)):
        return (
            f"{value:+z.1f} +- {(high - low) / 2:.1f}   ({low:+z.1f} to {high:+z.1f})"
        )
    return from_to(value, low, high)


def from_to(value: float, low: float, high: float) -> str:
    """A difference and the ends of its interval, which may be infinite."""
    return f"{value:+z.1f}   ({low:+z.1f} to {high:+z.1f})".replace("inf", "infinite")


def finite(value: float) -> float | None:
    """The number, or None where it is one that JSON does not have."""
    return value if math.isfinite(value) else None


def short_names(names: Sequence[str], width: int = NAME_WIDTH) -> list[str]:
    """Names that are not longer; what does not fit is left out of the middle.

    Of those that would then look alike, what is left is the place where they differ.

    >>> short_names(["mcts:simulations=30,selection=uct", "random"], 24)
    ['mcts:simul...lection=uct', 'random']
    >>> short_names([f"mcts:simulations={n}0,selection=uct" for n in (1, 3)], 24)
    ['mcts...simulations=10...', 'mcts...simulations=30...']
    """
    shown = {name: _short(name, width) for name in names}
    for name in shown:
        cut = _short(name, width)
        alike = [other for other in shown if _short(other, width) == cut]
        if len(alike) > 1:
            shown[name] = _around(name, _first_difference(alike), width)
    return [shown[name] for name in names]


def _short(name: str, width: int) -> str:
    if len(name) <= width:
        return name
    half = (width - 3) // 2
    return f"{name[:half]}...{name[-(width - 3 - half) :]}"


def _first_difference(names: list[str]) -> int:
    columns = enumerate(zip(*names, strict=False))
    shortest = min(map(len, names))
    return next((at for at, signs in columns if len(set(signs)) > 1), shortest)


def _around(name: str, place: int, width: int) -> str:
    """A name's beginning, and what is found at a place, from the parameter on."""
    room = width - 10
    start = 1 + max(name.rfind(mark, 0, place) for mark in ":,/")
    start = max(min(start, len(name) - room), place - room + 2, 5)
    end = start + room
    more = "..." if end + 3 < len(name) else name[end:]
    return f"{name[:4]}...{name[start:end]}{more}"

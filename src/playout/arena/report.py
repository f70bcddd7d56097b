"""What a match has shown, for people (a table) and for programs (a dictionary)."""

from __future__ import annotations

import math
from typing import Any

from .rating import SPRT, Tally, elo, los, normalized_elo

__all__ = ["match_summary", "match_table"]

#: Names are cut to this many characters.
NAME_WIDTH = 34


def match_summary(tally: Tally, sprt: SPRT | None, forfeits: int) -> dict[str, Any]:
    """The figures of a match from A's side, under stable names, ready for JSON.

    `elo`, `elo_low` and `elo_high` are None where they are infinite; `llr` and `sprt`
    are None where the match is no test, and `sprt` also while it is undecided.

    >>> summary = match_summary(Tally(3, 1, 1, (0, 0, 1, 1, 0)), None, 0)
    >>> summary["games"], summary["score"], summary["sprt"]
    (5, 0.7, None)
    """
    difference, low, high = elo(tally)
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score,
        "elo": _finite(difference),
        "elo_low": _finite(low),
        "elo_high": _finite(high),
        "los": los(tally),
        "pentanomial": list(tally.pentanomial),
        "llr": None if sprt is None else sprt.llr(tally),
        "sprt": None if sprt is None else sprt.state(tally),
        "forfeits": forfeits,
    }


def match_table(
    name_a: str, name_b: str, tally: Tally, sprt: SPRT | None, forfeits: int
) -> str:
    """The figures of a match as a person reads them, at most 80 columns wide."""
    lines = [
        f"{_short(name_a)} against {_short(name_b)}",
        "",
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
        None: "goes on",
        "accept H0": f"H0 accepted: no more than {sprt.elo0:g} Elo",
        "accept H1": f"H1 accepted: at least {sprt.elo1:g} Elo",
    }[sprt.state(tally)]
    return [
        f"SPRT {sprt}   LLR {sprt.llr(tally):.2f} ({low:.2f}, {high:.2f})   {state}"
    ]


def _interval(values: tuple[float, float, float]) -> str:
    """A difference with its interval, half-width first where both ends are finite."""
    value, low, high = values
    if all(map(math.isfinite, values)):
        return f"{value:+.1f} +- {(high - low) / 2:.1f}   ({low:+.1f} to {high:+.1f})"
    return f"{value:+.1f}   ({low:+.1f} to {high:+.1f})".replace("inf", "infinite")


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _short(name: str) -> str:
    if len(name) <= NAME_WIDTH:
        return name
    half = (NAME_WIDTH - 3) // 2
    return f"{name[:half]}...{name[-(NAME_WIDTH - 3 - half) :]}"

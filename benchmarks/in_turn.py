"""Two programs run in turn, and how many times as fast one is."""

import importlib.util
import statistics
from collections.abc import Callable
from typing import Any

__all__ = ["compare", "heading", "is_there"]


def is_there(package: str) -> bool:
    """Whether a package can be imported; if not, says how to get it."""
    if importlib.util.find_spec(package) is not None:
        return True
    print(f"{package} is not there: pip install {package}")
    return False


def heading(first: str, second: str) -> str:
    """The line above the rows that `compare` prints."""
    return f"{'':<46} {first:>13} {second:>13}   speed of {first} / {second}"


def compare(
    label: str,
    ours: Callable[[int], float],
    theirs: Callable[[int], float],
    rounds: int,
) -> dict[str, Any]:
    """Run both in turn, print a row and return it.

    Args:
        label: what is compared.
        ours: the seconds that a simulation takes, from a seed.
        theirs: the same of the other.
        rounds: how often each is run, at least 1.

    Returns:
        Simulations per second of each (medians), and the ratio: median and extremes.
    """
    pairs = [(ours(seed), theirs(seed)) for seed in range(1, rounds + 1)]
    ratios = sorted(b / a for a, b in pairs)
    row = {
        "comparison": label,
        "ours": 1 / statistics.median(a for a, _ in pairs),
        "theirs": 1 / statistics.median(b for _, b in pairs),
        "ratio": statistics.median(ratios),
        "ratio_min": ratios[0],
        "ratio_max": ratios[-1],
    }
    print(
        f"{label:<46} {row['ours']:>11,.0f}/s {row['theirs']:>11,.0f}/s   "
        f"{row['ratio']:7.1f} x  ({ratios[0]:.1f} to {ratios[-1]:.1f})",
        flush=True,
    )
    return row

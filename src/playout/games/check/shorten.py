"""The shortest sequence of moves that shows a fault, as far as it can be found.

First all positions near the start are looked at, the nearest first (breadth-first). If
there are too many, moves are left out of the known sequence, many at once and then
few, as long as the fault stays (delta debugging: Zeller and Hildebrandt, "Simplifying
and Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002), and shorter random games
are played.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...core.rng import make_rng
from .broken_rules import BrokenRules

__all__ = ["Explorer", "Reached", "shorten"]

#: Positions looked at near the start, and in all.
NEAR, ALL = 600, 2000


@dataclass(frozen=True)
class Reached:
    """A position: its state (`[1]`), the actions that led there, the legal ones.

    And what every player was brought on the way, in games with rewards.
    """

    state: NDArray[np.void]
    path: tuple[int, ...]
    legal: tuple[int, ...]
    earned: tuple[float, ...] = ()


class Explorer(Protocol):
    """What moves about in a game and raises `BrokenRules` at a fault."""

    positions: int

    def begin(self) -> Reached:
        """Look at the start."""

    def advance(self, place: Reached, action: int) -> Reached:
        """Play a legal action and look at where it leads."""


def shorten(explorer: Explorer, fault: BrokenRules) -> BrokenRules:
    """A fault of the same kind after fewer moves; the same fault if none is found."""
    seen = explorer.positions
    nearest = _nearest(explorer, fault, seen + NEAR)
    if nearest is not None:
        return nearest
    fault = _leave_out(explorer, fault, seen + (NEAR + ALL) // 2)
    return _play_shorter(explorer, fault, seen + ALL)


def _nearest(explorer: Explorer, fault: BrokenRules, most: int) -> BrokenRules | None:
    """The first such fault in order of distance; None if that takes too long."""
    waiting: deque[Reached] = deque()
    found = _try(explorer, fault, None, 0, waiting)
    seen = set[bytes]()
    while found is None and waiting and explorer.positions < most:
        place = waiting.popleft()
        if len(place.path) + 1 >= len(fault.path):
            return fault  # all that is nearer was seen
        if place.state.tobytes() in seen:
            continue
        seen.add(place.state.tobytes())
        for action in place.legal:
            found = _try(explorer, fault, place, action, waiting)
            if found is not None or explorer.positions >= most:
                break
    return found


def _try(
    explorer: Explorer,
    fault: BrokenRules,
    place: Reached | None,
    action: int,
    reached: deque[Reached],
) -> BrokenRules | None:
    """Play an action, or begin; the fault if it is there, else one place more."""
    try:
        there = explorer.begin() if place is None else explorer.advance(place, action)
    except BrokenRules as found:
        return found if found.kind == fault.kind else None
    reached.append(there)
    return None


def _leave_out(explorer: Explorer, fault: BrokenRules, most: int) -> BrokenRules:
    span = len(fault.path) // 2
    while span > 0:
        at = 0
        while at < len(fault.path) and explorer.positions < most:
            rest = fault.path[:at] + fault.path[at + span :]
            found = _replay(explorer, fault, rest)
            if found is None:
                at += span
            else:
                fault = found
        span //= 2
    return fault


def _replay(
    explorer: Explorer, fault: BrokenRules, path: Sequence[int]
) -> BrokenRules | None:
    """The fault if these moves show it, all or the first of them."""
    try:
        place = explorer.begin()
        for action in path:
            if action not in place.legal:
                return None
            place = explorer.advance(place, action)
    except BrokenRules as found:
        return found if found.kind == fault.kind else None
    return None


def _play_shorter(explorer: Explorer, fault: BrokenRules, most: int) -> BrokenRules:
    """Play random games that end before the known moves do."""
    rng = make_rng(0)
    while explorer.positions < most and fault.path:
        try:
            place = explorer.begin()
            while place.legal and len(place.path) + 1 < len(fault.path):
                action = place.legal[int(rng.below(len(place.legal)))]
                place = explorer.advance(place, action)
        except BrokenRules as found:
            fault = found if found.kind == fault.kind else fault
    return fault

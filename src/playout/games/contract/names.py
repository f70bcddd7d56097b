"""Which action a text names, where a game says only how its actions are called."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from ...core.errors import UsageError, quote

__all__ = ["action_named", "in_a_row", "nearest_first", "no_such_name", "read_name"]

#: How many names an error shows.
SHOWN = 12
#: How much of a name another must have in common to be meant (difflib's ratio), and of
#: a name of three characters or fewer, where half is no more than a row or a column.
ALIKE, ALIKE_IF_SHORT = 0.5, 0.7
#: Names of cells: a column's letter and a row's number.
_CELL = re.compile(r"([a-z])([0-9]{1,3})", re.ASCII | re.IGNORECASE)


def read_name(text: str, game: Any) -> int:
    """The action that `game.action_name` calls so, the first of several.

    Spaces around the text do not count, nor do capitals where no two names differ in
    them alone. A game is asked once for all its names.

    Raises:
        UsageError: no action is called so.

    >>> from playout import TicTacToe
    >>> read_name(" C3 ", TicTacToe())
    2
    >>> read_name("c4", TicTacToe())
    Traceback (most recent call last):
        ...
    playout.core.errors.UsageError: 'c4' is not a move, did you mean c3? moves are a3, \
b3, c3, a2, b2, c2, a1, b1, c1
    """
    try:
        exact, folded = _kept_actions(game)
    except TypeError:  # a field of the game's has no hash
        exact, folded = _actions(game)
    action = folded.get(text.strip().casefold(), -1)
    return action if action >= 0 else action_named(text, exact)


def in_a_row(names: Iterable[str]) -> str:
    """Names of moves as one text: with commas where one of them has a blank.

    >>> in_a_row(["a1", "b2"]), in_a_row(["take two", "pass"])
    ('a1 b2', 'take two, pass')
    """
    listed = [*names]
    return (", " if any(" " in name for name in listed) else " ").join(listed)


def action_named(text: str, names: Mapping[str, int]) -> int:
    """The action of this name; spaces around it do not count.

    Raises:
        UsageError: there is none; shows names that there are.
    """
    name = text.strip()
    if (action := names.get(name)) is not None:
        return action
    raise no_such_name(text, list(names), "moves")


def no_such_name(text: str, names: list[str], called: str) -> UsageError:
    """The error for a text that is none of these names, with the nearest one.

    >>> str(no_such_name("b1b9", ["a2a3", "b1b8"], "legal"))
    "'b1b9' is not a move, did you mean b1b8? legal are a2a3, b1b8"
    """
    near = _near(text.strip(), names)
    hint = f", did you mean {near[0]}?" if near else ";"
    shown = ", ".join(names[:SHOWN]) + ", ..." * (len(names) > SHOWN)
    return UsageError(f"{quote(text)} is not a move{hint} {called} are {shown}")


def _actions(game: Any) -> tuple[dict[str, int], dict[str, int]]:
    """Actions by their names, and by those without capitals, -1 where these are two."""
    exact: dict[str, int] = {}
    folded: dict[str, int] = {}
    for action in range(game.num_actions()):
        try:
            name = game.action_name(action)
        except Exception:  # a number that is no move need not have a name
            continue
        if isinstance(name, str):
            exact.setdefault(name.strip(), action)
    for name, action in exact.items():
        key = name.casefold()
        folded[key] = -1 if key in folded else action
    return exact, folded


_kept_actions = lru_cache(maxsize=64)(_actions)


def nearest_first(name: str, names: Iterable[str]) -> list[str]:
    """Names in their order, but first those that look like one that is wrong.

    >>> nearest_first("b1b9", ["a2a3", "a2a4", "b1b8", "b1c3"])
    ['b1b8', 'b1c3', 'a2a3', 'a2a4']
    >>> nearest_first("H8", ["A1", "G7", "O8", "H9"])
    ['H9', 'G7', 'A1', 'O8']
    """
    known = list(names)
    near = _near(name, known)
    return near + [each for each in known if each not in near]


def _near(name: str, names: list[str]) -> list[str]:
    """The neighbours of the cell that is named, then names that are spelled alike."""
    beside = [(away, other) for other in names if (away := _steps(name, other)) <= 2]
    cells = [other for _, other in sorted(beside, key=lambda pair: pair[0])]
    least = ALIKE if len(name) > 3 else ALIKE_IF_SHORT
    alike = get_close_matches(name, names, 4, least)
    return [*cells, *(other for other in alike if other not in cells)]


def _steps(name: str, other: str) -> float:
    """1 for cells that share a side, 2 for those that share a corner; else more."""
    one, two = _CELL.fullmatch(name), _CELL.fullmatch(other)
    if one is None or two is None:
        return math.inf
    across = abs(ord(one[1].lower()) - ord(two[1].lower()))
    up = abs(int(one[2]) - int(two[2]))
    return across + up if max(across, up) <= 1 else math.inf

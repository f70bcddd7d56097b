"""Which action a text names, where a game says only how its actions are called."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from ...core.errors import UsageError, quote

__all__ = ["nearest_first", "no_such_name", "read_name"]

#: How many names an error shows.
SHOWN = 12


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
    name = text.strip()
    action = exact.get(name, folded.get(name.casefold(), -1))
    if action >= 0:
        return action
    raise no_such_name(text, list(exact), "moves")


def no_such_name(text: str, names: list[str], called: str) -> UsageError:
    """The error for a text that is none of these names, with the nearest one.

    >>> str(no_such_name("b1b9", ["a2a3", "b1b8"], "legal"))
    "'b1b9' is not a move, did you mean b1b8? legal are a2a3, b1b8"
    """
    near = get_close_matches(text.strip(), names, 1, 0.5)
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
            exact.setdefault(name, action)
    for name, action in exact.items():
        key = name.casefold()
        folded[key] = -1 if key in folded else action
    return exact, folded


_kept_actions = lru_cache(maxsize=64)(_actions)


def nearest_first(name: str, names: Iterable[str]) -> list[str]:
    """Names in their order, but first those that look like one that is wrong.

    >>> nearest_first("b1b9", ["a2a3", "a2a4", "b1b8", "b1c3"])
    ['b1b8', 'b1c3', 'a2a3', 'a2a4']
    """
    known = list(names)
    near = get_close_matches(name, known, 4, 0.5)
    return near + [each for each in known if each not in near]

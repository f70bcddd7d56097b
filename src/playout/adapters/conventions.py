"""The names of an object's methods: four conventions that are in use.

What is found here are names alone. What the methods do (`move` in place or not, whose
result it is) is tried by play, in `copies` and `rewards`.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import UsageError

__all__ = ["Convention", "Rules", "find_convention", "looks_like_a_game"]


@dataclass(frozen=True)
class Convention:
    """The names of one convention.

    Attributes:
        name: whose it is, for people.
        legal: gives the list of actions.
        move: plays one.
        result: what a finished game is worth.
        over: whether the game is over; "" where it is as soon as no action is left.
        mover: who is to move; "" where the object does not say.
        moved: who moved last, where the object says that instead.
        asks_for_player: whether `result` is asked for one player.
        documented: whose result it is by the convention's own words: of the player
            whose code is 1 ("player"); "" where they do not say.
    """

    name: str
    legal: str
    move: str
    result: str
    over: str = ""
    mover: str = ""
    moved: str = ""
    asks_for_player: bool = False
    documented: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """All names that an object must have."""
        named = (self.legal, self.over, self.result, self.move, self.mover, self.moved)
        return tuple(filter(None, named))


_CAMEL = Convention(
    "PyPI mcts'",
    "getPossibleActions",
    "takeAction",
    "getReward",
    "isTerminal",
    mover="getCurrentPlayer",
    documented="player",
)
_SNAKE = dataclasses.replace(
    _CAMEL,
    legal="get_possible_actions",
    move="take_action",
    result="get_reward",
    over="is_terminal",
    mover="get_current_player",
)
#: The first whose names an object has all is its convention: those come first in which
#: the object says who moves.
CONVENTIONS = (
    Convention(
        "mctspy's",
        "get_legal_actions",
        "move",
        "game_result",
        "is_game_over",
        mover="next_to_move",
        documented="player",
    ),
    Convention(
        "mcts.ai's",
        "GetMoves",
        "DoMove",
        "GetResult",
        moved="playerJustMoved",
        asks_for_player=True,
    ),
    _CAMEL,
    _SNAKE,
    Convention(
        "the tutorials' four methods",
        "get_legal_actions",
        "move",
        "game_result",
        "is_game_over",
    ),
    dataclasses.replace(_CAMEL, mover="", documented=""),
    dataclasses.replace(_SNAKE, mover="", documented=""),
)
#: One of each name, for messages.
_NAMED = {convention.name: convention for convention in reversed(CONVENTIONS)}


def find_convention(state: Any, mover: str = "") -> Convention:
    """The convention whose names an object has.

    Args:
        state: the object.
        mover: the name that says who is to move, if not the convention's own.

    Raises:
        UsageError: there is none; says what is missing of the nearest.
    """
    for convention in CONVENTIONS:
        if all(hasattr(state, name) for name in convention.names):
            return _with_mover(state, convention, mover)
    raise UsageError(_what_is_missing(state))


def looks_like_a_game(value: Any) -> bool:
    """Whether something has any of the conventions' methods."""
    names = {name for convention in CONVENTIONS for name in convention.names}
    return any(hasattr(value, name) for name in names)


def _with_mover(state: Any, convention: Convention, mover: str) -> Convention:
    if not mover:
        return convention
    if not hasattr(state, mover):
        raise UsageError(
            f"{type(state).__qualname__} has no {mover!r}, which is to say who moves"
        )
    return dataclasses.replace(convention, mover=mover, moved="")


def _what_is_missing(state: Any) -> str:
    """What to add to a class: by the convention of whose names it has most."""
    name = type(state).__qualname__
    found, _, nearest = max(
        (
            (sum(hasattr(state, n) for n in one.names), -len(one.names), one)
            for one in CONVENTIONS
        ),
        key=lambda entry: entry[:2],
    )
    if not found:
        conventions = "; ".join(
            f"{', '.join(convention.names)} ({convention.name})"
            for convention in _NAMED.values()
        )
        return (
            f"{name} is no game that Playout knows how to ask: it needs {conventions}"
        )
    missing = [one for one in nearest.names if not hasattr(state, one)]
    has = [one for one in nearest.names if hasattr(state, one)]
    return (
        f"{name} has {', '.join(has)}, as in {nearest.name}, but no "
        f"{', '.join(missing)}: add {'it' if len(missing) == 1 else 'them'}"
    )


class Rules:
    """The methods of a convention, called on any state of one class.

    Args:
        state: any of them.
        convention: its names.

    Attributes:
        legal: the actions of a state, in a sequence.
        over: whether the game is over; None where it is without actions.
        move: plays an action; gives what the method gives.
        mover: the code of the player to move; None where nobody says.
    """

    def __init__(self, state: Any, convention: Convention) -> None:
        self.convention = convention
        self.legal = _listing(_asking(state, convention.legal), state)
        self.over = _asking(state, convention.over) if convention.over else None
        self.move: Callable[[Any, Any], Any] = _asking(state, convention.move)
        self.result: Callable[..., Any] = _asking(state, convention.result)
        self.mover = _asking(state, convention.mover) if convention.mover else None
        self._moved = _asking(state, convention.moved) if convention.moved else None

    def moved(self, state: Any) -> Hashable:
        """The code of the player who moved last, where the object says that."""
        assert self._moved is not None
        return self._moved(state)

    def is_over(self, state: Any) -> bool:
        """Whether the game is over."""
        if self.over is not None:
            return bool(self.over(state))
        return len(self.legal(state)) == 0


def _asking(state: Any, name: str) -> Callable[..., Any]:
    """A function that asks a state: a method, a property or an attribute."""
    found = inspect.getattr_static(type(state), name, None)
    if inspect.isfunction(found):
        return found
    if callable(getattr(state, name)):
        return lambda state, *given: getattr(state, name)(*given)
    return lambda state: getattr(state, name)


def _listing(legal: Callable[[Any], Any], state: Any) -> Callable[[Any], Sequence[Any]]:
    """The same, where it gives no sequence: a set, an iterator."""
    given = legal(state)
    if hasattr(given, "__getitem__") and hasattr(given, "__len__"):
        if not isinstance(given, dict):
            return legal
    return lambda state: list(legal(state))

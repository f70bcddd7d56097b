"""Methods that compile but give what they must not, as two results in place of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from numba import typeof, types

from ..text.signatures import place_of
from .folding import constants_of
from .lowering import known_dispatcher

__all__ = ["miscounted", "odd_answer", "signatures"]

#: What a compiled method may give back.
_PLAIN = (types.Number, types.Boolean, types.NoneType, types.BaseTuple, types.Array)

#: Methods that give a number of players, actions or moves, or one of them.
_COUNTING = frozenset(
    {
        "current_player",
        "legal_actions",
        "max_game_length",
        "num_actions",
        "num_players",
        "rollout",
        "sample_chance",
        "urgent_actions",
    }
)
#: Methods that give one number for a state, an action or a player.
_WEIGHING = frozenset({"chance_probability", "evaluate", "prior", "returns", "rewards"})
#: Methods that must return something; without a `return` they give None.
_ANSWERING = (
    _COUNTING
    | _WEIGHING
    | frozenset({"fills", "is_terminal", "parent_term", "play", "score", "select"})
)
#: Those of them that are asked about one player.
_OF_A_PLAYER = frozenset({"evaluate", "returns", "rewards"})


def signatures(function: FunctionType) -> Iterator[Any]:
    """The types for which a function has been compiled."""
    for checked in (False, True):
        dispatcher = known_dispatcher(function, checked)
        yield from dispatcher.nopython_signatures if dispatcher else ()


def odd_answer(
    functions: Iterable[tuple[type, FunctionType]],
) -> tuple[str, str] | None:
    """The first method that compiled, but gives what it must not, and the cure.

    Args:
        functions: the methods of the user's, each with its class.
    """
    for owner, function in functions:
        for kind in _kinds(function):
            fault = _fault(function.__name__, kind)
            if fault is not None:
                said, cure = fault
                name = f"{owner.__qualname__}.{function.__name__}"
                return f"{name}, {place_of(function)}: it {said}", cure
    return None


def miscounted(
    functions: Iterable[tuple[type, FunctionType]],
) -> tuple[str, str] | None:
    """The same of methods that count in floats, which may compile none the less."""
    return odd_answer(
        (owner, function)
        for owner, function in functions
        if function.__name__ in _COUNTING
        and any(isinstance(kind, types.Float) for kind in _kinds(function))
    )


def _kinds(function: FunctionType) -> Iterator[Any]:
    """The types of what a compiled function gives."""
    for signature in signatures(function):
        yield signature.return_type
    for value in constants_of(function):
        yield typeof(value)


def _fault(method: str, kind: Any) -> tuple[str, str] | None:
    """What is wrong with what a method gives, and what it should give."""
    if kind == types.none and method in _ANSWERING:
        return "returns nothing", "return a number, True or False on every path"
    if isinstance(kind, (types.BaseTuple, types.Array)):
        if method in _OF_A_PLAYER:
            cure = "it is asked about one `player`: return that player's number alone"
            return "gives several numbers", cure
        if method in _COUNTING | _WEIGHING:
            return "gives several numbers", "return one number"
    if method in _COUNTING and isinstance(kind, types.Float):
        return "gives a float", "return a whole number: int(...), or // in place of /"
    if not isinstance(kind, _PLAIN):
        cure = "return a number, True or False on every path"
        return f"gives {kind}, not a number", cure
    return None

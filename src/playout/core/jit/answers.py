"""Methods that compile but give what they must not, as two results in place of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any

from numba import typeof, types

from ..text.signatures import place_of
from .folding import constants_of
from .lowering import known_dispatcher

__all__ = ["miscount", "odd_answer", "signatures"]

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
    | frozenset({"fills", "is_terminal"})
    | frozenset({"choose", "estimate", "play"})
    | frozenset({"first_score", "parent_term", "score", "select", "untried_score"})
)
#: What is wrong with a float of a counting method, and what it should give.
_FLOAT = (
    "gives a float",
    "return a whole number: int(...), // in place of /, and no u8 beside other numbers",
)
#: Those of them that are asked about one player.
_OF_A_PLAYER = frozenset({"evaluate", "returns", "rewards"})


def signatures(function: FunctionType) -> Iterator[Any]:
    """The types for which a function has been compiled."""
    for checked in (False, True):
        dispatcher = known_dispatcher(function, checked)
        yield from dispatcher.nopython_signatures if dispatcher else ()


def odd_answer(
    functions: Iterable[tuple[type, FunctionType]], owners: Sequence[types.Type]
) -> tuple[str, str] | None:
    """The first method that gives what it must not, and the cure.

    Args:
        functions: the methods of the user's, each with its class.
        owners: the compiled types of the objects in question; what a method gives for
            those of other classes that share it is no fault of theirs.
    """
    for owner, function in functions:
        for kind in _kinds(function, owners):
            fault = _fault(function.__name__, kind)
            if fault is not None:
                return _said(owner, function, *fault)
    return None


def miscount(game: type, kinds: Sequence[types.Type]) -> tuple[str, str] | None:
    """The first method of a game that counts in floats, and the cure.

    It may compile none the less, and what it gives be cut off.

    Args:
        game: the class.
        kinds: its compiled types, of which alone is asked.
    """
    for name in sorted(_COUNTING):
        function = getattr(game, name, None)
        if not isinstance(function, FunctionType):
            continue
        if any(isinstance(kind, types.Float) for kind in _kinds(function, kinds)):
            return _said(game, function, *_FLOAT)
    return None


def _kinds(
    function: FunctionType, owners: Sequence[types.Type]
) -> Iterator[types.Type]:
    """The types of what a method gives, for some types of its object."""
    for signature in signatures(function):
        if signature.args[0] in owners:
            yield signature.return_type
    for arguments, value in constants_of(function).items():
        if arguments[:1] and arguments[0] in owners:
            yield typeof(value)


def _said(owner: type, function: FunctionType, said: str, cure: str) -> tuple[str, str]:
    name = f"{owner.__qualname__}.{function.__name__}"
    return f"{name}, {place_of(function)}: it {said}", cure


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
        return _FLOAT
    if not isinstance(kind, _PLAIN):
        cure = "return a number, True or False on every path"
        return f"gives {kind}, not a number", cure
    return None

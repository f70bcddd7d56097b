"""Evaluators from files: `net.py:evaluate`, `net.py:load(weights=best.npz)`, `DIR`."""

from __future__ import annotations

import inspect
import typing
from pathlib import Path

from ..core.errors import UsageError, quote
from ..core.text.spec import read_parameters, split_call
from ..games.contract.game import Game
from ..search.evaluation.evaluator import Evaluator, is_async
from .factories import call, from_file, parameter_types
from .networks import is_network, load_network

__all__ = ["named_evaluator"]

#: A parameter of this name is given the game that is played.
GAME = "game"


def named_evaluator(text: str, game: Game) -> Evaluator:
    """The evaluator that a text names.

    A name alone is the evaluator. With parentheses, and where it is a class, it is
    called, and what it returns is the evaluator; one of its parameters may be called
    `game`.

    Args:
        text: `FILE.py:NAME` or `FILE.py:NAME(key=value,...)`, or the file or directory
            of a network.
        game: what it is asked about.

    Raises:
        UsageError: there is none, or it cannot be asked here.
    """
    if is_network(text):
        return load_network(text, game)
    named, arguments = split_call("evaluator", text)
    file, colon, name = named.rpartition(":")
    if not (colon and file.endswith(".py")):
        raise UsageError(
            f"evaluator {quote(text)}: an evaluator is a function in a file, "
            "evaluator=path/to/file.py:evaluate, or the directory, the .onnx or the "
            ".npz file of a network"
        )
    found = from_file(Path(file), name)
    if not callable(found):
        raise UsageError(
            f"{named} must be a function from states to values and priors, not "
            f"{quote(found)}"
        )
    if arguments is not None or isinstance(found, type):
        found = _made(named, found, arguments or "", game)
    if is_async(found):
        raise UsageError(
            f"{named} is an async function, which players cannot await: write it with "
            "`def`, or search in Python by `await search.search_async(...)`"
        )
    return typing.cast(Evaluator, found)


def _made(owner: str, factory: Evaluator, arguments: str, game: Game) -> object:
    """What a class or function makes of the arguments in a text."""
    try:
        types = parameter_types(factory)
    except (ValueError, NameError):
        raise UsageError(f"{owner}: Python cannot tell its parameters") from None
    takes_game = types.pop(GAME, None) is not None
    values = read_parameters(owner, arguments, types)
    made = call(owner, factory, values=values | ({GAME: game} if takes_game else {}))
    if inspect.isclass(made) or not callable(made):
        raise UsageError(
            f"{owner} returned {quote(made)}; with parentheses it must return an "
            "evaluator, a function from states to values and priors"
        )
    return made

"""Methods whose names are almost those of the contract: hints.

A method that a game need not have is not missed where its name is wrong: the default
takes its place. So does that of a base, where a game is derived from another.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from difflib import get_close_matches
from types import CodeType, FunctionType

from ..contract.game import Game, has_own
from .soundness import REQUIRED

__all__ = ["misspelled"]

#: How much of a name another must have in common to be meant (difflib's ratio):
#: `evaluation` has that of `evaluate`, and `block` not that of `book`.
ALIKE = 0.75


def misspelled(game: Game) -> list[str]:
    """A sentence for each method that may have been meant to be one of the contract's.

    What the rules call themselves is a helper, whatever its name is like.

    >>> class Nim(Game):
    ...     def observer(self, state, planes): ...
    >>> misspelled(Nim())
    ['Nim has a method `observer`, which nothing asks for: did you mean `observe`?']
    """
    kind = type(game)
    known = [name for name, _ in inspect.getmembers(Game, inspect.isfunction)]
    methods = {
        name: function
        for base in reversed(kind.__mro__)
        if not issubclass(Game, base)
        for name, function in _functions(base)
    }
    taken = {*known, *_called(list(methods.values()))}
    hints = []
    for name in methods:
        near = get_close_matches(name, known, 1, ALIKE)
        is_own = name.startswith("_") or name in taken
        if near and not is_own and not _is_written(game, name, *near):
            hints.append(
                f"{kind.__name__} has a method `{name}`, which nothing asks for: did "
                f"you mean `{near[0]}`?"
            )
    return hints


def _is_written(game: Game, name: str, near: str) -> bool:
    """Whether a game has the method that another may have been meant to be.

    One that every game needs may be that of a base, whose place another was to take.
    """
    homes = [next(k for k in type(game).__mro__ if n in vars(k)) for n in (name, near)]
    inherited = homes[0] is not homes[1] and issubclass(*homes)
    return has_own(game, near) and not (near in REQUIRED and inherited)


def _functions(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """What a class defines itself, static and class methods too, by name."""
    for name, value in vars(kind).items():
        function = getattr(value, "__func__", value)
        if inspect.isfunction(function):
            yield name, function


def _called(methods: list[FunctionType]) -> set[str]:
    """All names that methods use, and what else their files define."""
    beside: list[FunctionType] = []
    files = {each.__module__: each.__globals__ for each in methods}
    for module, names in files.items():
        for value in list(names.values()):
            if getattr(value, "__module__", None) != module:
                continue
            if inspect.isfunction(value):
                beside.append(value)
            elif inspect.isclass(value):
                beside += [function for _, function in _functions(value)]
    return {name for each in [*methods, *beside] for name in _names(each.__code__)}


def _names(code: CodeType) -> set[str]:
    inner = [_names(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inner)

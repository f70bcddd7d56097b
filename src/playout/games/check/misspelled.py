"""Methods whose names are almost those of the contract: hints.

A method that a game need not have is not missed where its name is wrong: the default
takes its place.
"""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from types import CodeType, FunctionType

from ..contract.game import Game, has_own

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
    functions = _functions(kind)
    taken = {*known, *_called(functions)}
    hints = []
    for name in (each.__name__ for each in functions):
        near = get_close_matches(name, known, 1, ALIKE)
        if name[0] != "_" and name not in taken and near and not has_own(game, *near):
            hints.append(
                f"{kind.__name__} has a method `{name}`, which nothing asks for: did "
                f"you mean `{near[0]}`?"
            )
    return hints


def _functions(kind: type[Game]) -> list[FunctionType]:
    """The methods that are not the contract's own, those of bases too."""
    return [
        value
        for base in kind.__mro__
        if not issubclass(Game, base)
        for value in vars(base).values()
        if inspect.isfunction(value)
    ]


def _called(methods: list[FunctionType]) -> set[str]:
    """All names that methods use, and the functions that their files define."""
    beside = [
        value
        for each in methods
        for value in each.__globals__.values()
        if inspect.isfunction(value) and value.__module__ == each.__module__
    ]
    return {name for each in [*methods, *beside] for name in _names(each.__code__)}


def _names(code: CodeType) -> set[str]:
    inner = [_names(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inner)

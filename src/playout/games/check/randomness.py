"""Rules and policies that draw random numbers of their own, which no seed reaches."""

from __future__ import annotations

import dis
import linecache
import os
import random
import secrets
from collections.abc import Collection, Iterable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from ...core.errors import RulesError
from ..contract.game import Game

__all__ = ["expect_no_randomness", "place_of_draw"]

#: What sets a game up may draw, by a seed of its own.
_FREE = frozenset({"initial_state", "num_actions", "num_players"})
_MODULES = (random, np.random, secrets)
_SOURCES = (random.Random, np.random.RandomState, np.random.Generator)


def expect_no_randomness(cls: type[Game]) -> None:
    """See that rules draw no random numbers but by the `rng` they are given.

    Raises:
        RulesError: one does; names the line.
    """
    bases = cls.__mro__[: cls.__mro__.index(Game)]
    place = place_of_draw(bases, _FREE | cls.interpreted_methods)
    if place is not None:
        raise RulesError(
            f"{place}: rules draw no random numbers of their own, which no seed could "
            "repeat: take `rng` where a method has it, or let chance move (has_chance)"
        )


def place_of_draw(classes: Iterable[type], free: Collection[str]) -> str | None:
    """Where methods of these classes draw random numbers of their own, if anywhere.

    Args:
        classes: whose own methods are looked at, and the functions that they call.
        free: names of methods that may draw.

    Returns:
        The function, the file, the line and its text; None where nothing is drawn.
    """
    seen: set[FunctionType] = set()
    for base in classes:
        for name, function in vars(base).items():
            if isinstance(function, FunctionType) and name not in free:
                place = _place_in(function, seen)
                if place is not None:
                    return place
    return None


def _place_in(function: FunctionType, seen: set[FunctionType]) -> str | None:
    """The same of a function, and of those beside it that it calls."""
    if function in seen:
        return None
    seen.add(function)
    for value, line in _globals_of(function):
        if _is_random(value):
            file = function.__code__.co_filename
            shown = file if file.startswith("<") else os.path.relpath(file)
            source = linecache.getline(file, line).strip()
            return f"{function.__qualname__}, {shown} line {line}: `{source}`"
        same_room = getattr(value, "__module__", "") == function.__module__
        if isinstance(value, FunctionType) and same_room:
            place = _place_in(value, seen)
            if place is not None:
                return place
    return None


def _is_random(value: Any) -> bool:
    """Whether it is a module of random numbers, a generator, or a method of one."""
    owner = getattr(value, "__self__", value)
    return isinstance(owner, _SOURCES) or any(value is module for module in _MODULES)


def _globals_of(function: FunctionType) -> Iterator[tuple[Any, int]]:
    """Globals that a function names, `np.random` among them, each with its line."""
    line, before = function.__code__.co_firstlineno, None
    for step in dis.get_instructions(function):
        line = step.positions.lineno or line if step.positions else line
        if step.opname == "LOAD_GLOBAL":
            before = function.__globals__.get(str(step.argval))
            yield before, line
        elif before is np and step.argval == "random":
            yield np.random, line
        else:
            before = None

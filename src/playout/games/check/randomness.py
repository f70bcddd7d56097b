"""Rules that draw random numbers of their own, which no seed reaches."""

from __future__ import annotations

import dis
import linecache
import os
import random
import secrets
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np

from ...core.errors import RulesError
from ..contract.game import Game

__all__ = ["expect_no_randomness"]

#: What sets a game up may draw, by a seed of its own.
_FREE = frozenset({"initial_state", "num_actions", "num_players"})
_MODULES = (random, np.random, secrets)
_SOURCES = (random.Random, np.random.RandomState, np.random.Generator)


def expect_no_randomness(cls: type[Game]) -> None:
    """See that rules draw no random numbers but by the `rng` they are given.

    Raises:
        RulesError: one does; names the line.
    """
    seen: set[FunctionType] = set()
    for base in cls.__mro__[: cls.__mro__.index(Game)]:
        for name, function in vars(base).items():
            free = name in _FREE or name in cls.interpreted_methods
            if isinstance(function, FunctionType) and not free:
                _expect_none(function, seen)


def _expect_none(function: FunctionType, seen: set[FunctionType]) -> None:
    """The same for a function, and for those of the rules that it calls."""
    if function in seen:
        return
    seen.add(function)
    for value, line in _globals_of(function):
        if _is_random(value):
            file = function.__code__.co_filename
            shown = file if file.startswith("<") else os.path.relpath(file)
            source = linecache.getline(file, line).strip()
            raise RulesError(
                f"{function.__qualname__}, {shown} line {line}: `{source}`: rules draw "
                "no random numbers of their own, which no seed could repeat: take "
                "`rng` where a method has it, or let chance move (has_chance)"
            )
        same_room = getattr(value, "__module__", "") == function.__module__
        if isinstance(value, FunctionType) and same_room:
            _expect_none(value, seen)


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

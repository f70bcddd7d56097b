"""Copies of environments, and what environments show, to be compared."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..core.errors import RulesError, UsageError, quote
from .failures import object_failure

__all__ = ["LONGEST", "blamed", "copied", "number", "shown", "stepped", "try_copy"]

#: The most actions of a game.
LONGEST = 8192

#: What copies may share: no rule changes it, and it is costly to copy.
_SHARED = (
    "action_space",
    "action_spaces",
    "observation_space",
    "observation_spaces",
    "metadata",
    "spec",
)


def copied(env: Any, memo: dict[int, Any] | None = None) -> Any:
    """A copy of an environment in the state that it is in.

    `copy.deepcopy` is not enough: an environment derived from `EzPickle` is then made
    anew by its constructor, and has forgotten what was played.
    """
    memo = {} if memo is None else memo
    if not hasattr(env, "__dict__") or hasattr(type(env), "__deepcopy__"):
        return copy.deepcopy(env, memo)
    other = memo[id(env)] = object.__new__(type(env))
    own = vars(env)
    for name in _SHARED:
        if name in own:
            memo[id(own[name])] = own[name]
    for name, value in own.items():
        within = name == "env" or "_ezpickle_args" in getattr(value, "__dict__", ())
        vars(other)[name] = (
            memo.get(id(value)) or copied(value, memo)
            if within
            else copy.deepcopy(value, memo)
        )
    return other


def try_copy(name: str, env: Any) -> Any:
    """A copy of an environment.

    Raises:
        UsageError: it cannot be copied; says why.
    """
    try:
        return copied(env)
    except Exception as error:
        raise UsageError(
            f"{name}: the environment cannot be copied (copy.deepcopy): "
            f"{type(error).__name__}: {error}; a search goes back to states that it "
            "has left"
        ) from None


@contextmanager
def blamed(name: str, played: Sequence[Any]) -> Iterator[None]:
    """Add the actions so far to any exception of an environment.

    Args:
        name: of the environment.
        played: the actions until then, which may grow.
    """
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        raise object_failure(name, error, played) from error


def stepped(env: Any, action: int) -> tuple[Any, ...]:
    """What a step of Gymnasium's gives.

    Raises:
        RulesError: it is not what Gymnasium asks for.
    """
    found = env.step(action)
    if not isinstance(found, tuple) or len(found) != 5:
        raise RulesError(
            f"step gives {quote(found)}; it must give five values: observation, "
            "reward, terminated, truncated, info"
        )
    return found


def shown(value: Any) -> Any:
    """An observation in a form that can be compared and hashed.

    >>> shown({"board": np.array([1, 2])}) == shown({"board": [1, 2]})
    True
    """
    if isinstance(value, Mapping):
        return tuple(sorted((str(key), shown(each)) for key, each in value.items()))
    if isinstance(value, tuple):
        return tuple(map(shown, value))
    if isinstance(value, str) or value is None:
        return value
    array = np.asarray(value)
    return array.shape, repr(array.tolist())


def number(what: str, value: Any) -> float:
    """A reward as a finite number.

    Raises:
        RulesError: it is none.

    >>> number("the reward", "high")
    Traceback (most recent call last):
    playout.core.errors.RulesError: the reward is 'high', which is no finite number
    """
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise RulesError(f"{what} is {quote(value)}, which is no finite number")
    return found

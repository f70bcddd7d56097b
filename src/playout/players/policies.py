"""Policies by name: `uct`, `all-children`, `uct(c_uct=1.4)`, `my.py:Mine(c=1.4)`."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ..core.errors import UsageError, quote
from ..core.text.plugins import load_file
from ..core.text.spec import read_parameters, split_call
from ..games.contract.game import Game
from ..search.catalogue import PHASES, policies_of, policy_name
from ..search.defaults import usual_expansion
from ..search.evaluation.evaluator import Evaluator
from ..search.mcts import MCTS
from ..search.presets import preset as preset_policies

__all__ = [
    "UCT_CONSTANT",
    "all_policy_fields",
    "find_policy",
    "make_policies",
    "named_policy",
    "policy_fields",
]

#: A parameter that only selections by UCT have.
UCT_CONSTANT = "c_uct"


def make_policies(
    game: Game,
    values: dict[str, Any],
    transpositions: bool = False,
    evaluator: Evaluator | None = None,
) -> dict[str, Any]:
    """The keywords of `MCTS` for a preset, policies by name, and fields of policies.

    A policy that is named takes the place of the preset's, with its own defaults. A
    constant of UCT names UCT. With transpositions, and with an evaluator, others are
    usual; an evaluator has no rollout, unless one is named, which `MCTS` refuses.
    """
    values = dict(values)
    name = values.pop("preset", None)
    given = {} if name is None else preset_policies(name)
    search = MCTS(game, **given, transpositions=transpositions, evaluator=evaluator)
    usual = policy_fields(type(search.policies.selection))
    if UCT_CONSTANT in values and UCT_CONSTANT not in usual:
        values.setdefault("selection", "uct")
    judged = evaluator is not None and "rollout" not in values
    phases = [phase for phase in PHASES if not (judged and phase == "rollout")]
    chosen: dict[str, Any] = {
        phase: search.choice if phase == "choice" else getattr(search.policies, phase)
        for phase in phases
    }
    taken: set[str] = set()
    for phase in phases:
        if phase in values:
            chosen[phase] = named_policy(phase, values.pop(phase))
        elif phase == "expansion" and name is None:
            evaluated = evaluator is not None and not transpositions
            chosen[phase] = usual_expansion(game, chosen["selection"], evaluated)
        elif phase == "choice" and name is None:
            chosen[phase] = chosen["selection"].usual_choice() or chosen[phase]
        fields = policy_fields(type(chosen[phase]))
        own = {key: values[key] for key in fields if key in values}
        if own:
            chosen[phase] = dataclasses.replace(chosen[phase], **own)
            taken.update(own)
    for key in values:
        if key not in taken:
            used = ", ".join(policy_name(type(policy)) for policy in chosen.values())
            raise UsageError(f"{key} is no parameter of {used}")
    return chosen


def named_policy(phase: str, text: str) -> Any:
    """The policy that a text names, with what stands in its parentheses.

    >>> named_policy("selection", "uct(c_uct=1.4)")
    UCT(c_uct=1.4, first_play=inf)

    Raises:
        UsageError: there is none, or it does not take what is given.
    """
    name, arguments = split_call(phase, text)
    cls = find_policy(phase, name)
    values = read_parameters(name, arguments or "", policy_fields(cls))
    try:
        return cls(**values)
    except TypeError as error:  # a field without a default
        raise UsageError(f"{name}: {error}") from None


def find_policy(phase: str, name: str) -> type[Any]:
    """The policy of this name, or with this word in its name if no other has it.

    >>> find_policy("expansion", "all").__name__
    'AllChildren'
    """
    file, colon, cls = name.partition(".py:")
    if colon:
        return _from_file(phase, Path(f"{file}.py"), cls)
    known = policies_of(phase)
    if name in known:
        return known[name]
    close = [key for key in known if name.lower() in key.split("-")]
    if len(close) != 1:
        raise UsageError(
            f"unknown {phase} {name!r}; known: {', '.join(known)}, and "
            "path/to/file.py:ClassName"
        )
    return known[close[0]]


def _from_file(phase: str, path: Path, name: str) -> type[Any]:
    """A policy of somebody's own."""
    module, base = load_file(path), PHASES[phase]
    found = getattr(module, name, None)
    if not _is_a(found, base) or found is base:
        own = [
            key
            for key, value in vars(module).items()
            if _is_a(value, base) and value.__module__ == module.__name__
        ]
        raise UsageError(
            f"{path} has no {phase} policy {quote(name)}; it has "
            f"{', '.join(own) or f'no class derived from playout.{base.__name__}'}"
        )
    if not dataclasses.is_dataclass(found):
        raise UsageError(
            f"{name} must be a dataclass: put @dataclass(frozen=True) above it"
        )
    return typing.cast(type[Any], found)


def _is_a(value: Any, base: type) -> bool:
    return isinstance(value, type) and issubclass(value, base)


def policy_fields(cls: Any) -> dict[str, Any]:
    """The fields of a policy and their types."""
    kinds = _kinds(cls)
    return {field.name: kinds[field.name] for field in dataclasses.fields(cls)}


def all_policy_fields() -> dict[str, Any]:
    """The fields of all policies that have a name, and their types."""
    fields: dict[str, Any] = {}
    for phase in PHASES:
        for cls in policies_of(phase).values():
            fields |= policy_fields(cls)
    return fields


#: The types of a class's fields; finding them takes as long as making the search.
_kinds: Callable[[Any], dict[str, Any]] = cache(typing.get_type_hints)

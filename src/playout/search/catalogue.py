"""Which policies there are: those that stand in the folders of the phases."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from ..core.jit.compiled import Compiled
from .backup.base import Backup
from .choice import Choice
from .expansion.base import Expansion
from .rollout.base import Rollout
from .selection.base import Selection
from .solver.base import Solver

__all__ = ["PHASES", "policies_of", "policy_name"]

#: The phases of a search by the names of their modules, and what their policies are.
PHASES: dict[str, type[Compiled]] = {
    "selection": Selection,
    "expansion": Expansion,
    "rollout": Rollout,
    "backup": Backup,
    "solver": Solver,
    "choice": Choice,
}


def policies_of(phase: str) -> dict[str, type[Compiled]]:
    """The policies of a phase by name: all dataclasses that its files export.

    >>> list(policies_of("rollout"))
    ['decisive', 'mast', 'nst', 'truncated', 'uniform', 'weighted']
    """
    found: dict[str, type[Compiled]] = {}
    for module in _modules(import_module(f"{__package__}.{phase}")):
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if _is_policy(value, PHASES[phase]):
                found[policy_name(value)] = value
    return dict(sorted(found.items()))


def _modules(phase: ModuleType) -> Iterator[ModuleType]:
    """A phase's modules: those of its folder, or the one that it is."""
    if not hasattr(phase, "__path__"):
        yield phase
        return
    for found in iter_modules(phase.__path__):
        yield import_module(f"{phase.__name__}.{found.name}")


def _is_policy(value: Any, base: type[Compiled]) -> bool:
    is_class = isinstance(value, type) and issubclass(value, base)
    return is_class and dataclasses.is_dataclass(value)


def policy_name(policy: type[Compiled]) -> str:
    """How a policy's class is written in a spec.

    >>> policy_name(Backup)
    'backup'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", policy.__name__).lower()

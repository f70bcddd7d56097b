"""What has to go along when a search or a player is sent to another process."""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from types import ModuleType
from typing import Any

from .errors import UsageError

__all__ = ["pack"]


def pack(value: Any, asked: str) -> bytes:
    """A value as bytes, for `pickle.loads` in any process that has Playout.

    The code of modules that may be missing there goes along.

    Raises:
        UsageError: a part of it cannot be sent.
    """
    import cloudpickle  # takes its time, and few searches need it

    known = cloudpickle.list_registry_pickle_by_value()
    own = [module for module in _own_modules() if module.__name__ not in known]
    for module in own:
        cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps(value))
    except Exception as error:
        raise UsageError(
            f"{asked}: the game or a policy cannot be sent there: {error}"
        ) from None
    finally:
        for module in own:
            cloudpickle.unregister_pickle_by_value(module)


def _own_modules() -> list[ModuleType]:
    """Modules that another process may not find: neither Python's, nor installed."""
    installed = {"playout", *sys.stdlib_module_names, *packages_distributions()}
    return [
        module
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] not in installed
        and getattr(module, "__file__", None) is not None
        and module.__name__ == name
    ]

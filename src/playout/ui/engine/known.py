"""The protocols that Playout speaks as an engine, by name.

Nothing heavy is imported here: an engine's module is when the engine is asked for.
"""

from __future__ import annotations

from pkgutil import iter_modules

from . import protocols

__all__ = ["PROTOCOLS"]

#: The names of the files in `protocols`.
PROTOCOLS = tuple(sorted(each.name for each in iter_modules(protocols.__path__)))

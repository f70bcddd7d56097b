"""How a process of Playout's own is started."""

from __future__ import annotations

import sys

__all__ = ["start_code"]


def start_code(module: str) -> str:
    """Python code that runs `main` of a module, found where this process finds it.

    >>> start_code("json.tool").endswith("from json.tool import main; main()")
    True
    """
    return f"import sys; sys.path[:] = {sys.path!r}; from {module} import main; main()"

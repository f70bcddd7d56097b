"""What a Python file imports from its own folder, read from its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from ..errors import UsageError
from ..files import read_bytes

__all__ = ["own_imports"]


def own_imports(path: str | Path) -> list[Path]:
    """The files of its own folder that a file imports, and those that they import.

    Nothing is run; imports that are put together at run time are not seen.
    """
    first = Path(path).resolve()
    found, waiting = {first}, [first]
    while waiting:
        new = set(_imported(waiting.pop(), first.parent)) - found
        found |= new
        waiting += new
    return sorted(found - {first})


def _imported(file: Path, folder: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(read_bytes(file))
    except (UsageError, SyntaxError, ValueError, RecursionError):
        return  # whoever loads it is told
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files_of(folder, alias.name)
        elif isinstance(node, ast.ImportFrom) and node.level <= len(file.parents):
            base = file.parents[node.level - 1] if node.level else folder
            for alias in node.names:
                yield from _files_of(base, f"{node.module or ''}.{alias.name}")


def _files_of(base: Path, name: str) -> Iterator[Path]:
    """The files of a dotted name: of a module, or of packages and what is in them."""
    for part in filter(None, name.split(".")):
        base = base / part
        for file in (base.with_name(f"{part}.py"), base / "__init__.py"):
            if file.is_file():
                yield file.resolve()

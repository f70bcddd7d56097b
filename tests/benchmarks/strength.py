"""Scripts of `benchmarks/strength`, which import each other by their names alone."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

DIRECTORY = Path(__file__).parents[2] / "benchmarks" / "strength"


def import_strength(name: str) -> ModuleType:
    """The script of a name."""
    sys.path.insert(0, str(DIRECTORY))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(DIRECTORY))

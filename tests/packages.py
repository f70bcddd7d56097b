"""Packages that `make test` can do without: what needs one is skipped where it is not.

Skipped here, and nowhere else, so that pytest's summary has one line for each package.
`.ci/requirements.txt` installs them.
"""

import importlib
import importlib.util
from types import ModuleType

import pytest

#: As it is imported -> as people call it, and how it is installed.
OPTIONAL = {
    "pyspiel": ("OpenSpiel", "playout[openspiel]"),
    "gymnasium": ("Gymnasium", "playout[gymnasium]"),
    "pettingzoo": ("PettingZoo", "playout[pettingzoo]"),
    "pygame": ("PettingZoo's classic games", "playout[pettingzoo]"),
    "torch": ("PyTorch", "playout[learn]"),
    "onnx": ("ONNX", "playout[learn]"),
    "onnxruntime": ("ONNX Runtime", "playout[net]"),
    "ray": ("Ray", "playout[cluster]"),
}


def is_there(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def needed(name: str) -> ModuleType:
    """The package; skips the test, or the module's tests, where it is missing."""
    if not is_there(name):
        called, extra = OPTIONAL.get(name, (name, name))
        reason = f"{called} is not installed (pip install {extra})"
        pytest.skip(reason, allow_module_level=True)
    return importlib.import_module(name)

"""The process that compiles what a search runs, while the search runs interpreted."""

from __future__ import annotations

import pickle
import sys

from ..kernels.policies import Policies
from .background import compile_helpers
from .forest import Forest, streams_for

__all__ = ["main"]


def main() -> None:
    """Compile for the policies that come from standard input, pickled."""
    policies: Policies = pickle.load(sys.stdin.buffer)
    forest = Forest(policies, 0, streams_for(1, 1), 1.0, interpreted=False)
    forest.compile()
    compile_helpers(policies)

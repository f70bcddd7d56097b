"""`pbrain-playout`: the program for Gomoku that tournament managers start."""

from __future__ import annotations

import sys

from ...core.errors import UsageError
from ...core.numba_settings import expect_numba
from .loop import run

__all__ = ["main"]


def main() -> None:
    """`pbrain-playout`, the executable that tournament managers start.

    Its only argument is the player's spec, `mcts` by default.
    """
    spec = "mcts" if len(sys.argv) < 2 else sys.argv[1]
    if len(sys.argv) > 2 or spec in ("-h", "--help"):
        print("usage: pbrain-playout [PLAYER]   (see `playout engine --help`)")
        return
    try:
        expect_numba()
        from .making import engine_maker  # which imports Numba

        run(lambda say: engine_maker("gomocup", None, spec)(say))
    except UsageError as error:
        print(f"pbrain-playout: error: {error}", file=sys.stderr)
        sys.exit(2)

"""How much LLVM optimises what is compiled."""

from __future__ import annotations

from numba import config

__all__ = ["LITTLE", "optimisation"]

#: LLVM's level for what runs so shortly that compiling it takes longer.
LITTLE = 1


def optimisation(checked: bool) -> int:
    """LLVM's level for what is compiled now, 0 to 3.

    It is Numba's setting (NUMBA_OPT in the environment, else 3). Checked code runs for
    some milliseconds, so it is optimised only a little.
    """
    level = int(config.OPT)
    return min(level, LITTLE) if checked else level

"""Settings of Numba, in the environment, with which nothing can be compiled.

Numba or LLVM would fail with an error of its own, or end the process.
"""

from __future__ import annotations

import os
from typing import Any

from .errors import UsageError, quote

__all__ = ["expect_compiler", "expect_numba"]


def expect_numba() -> None:
    """Complain, before Numba is imported, of what keeps it from being so.

    Raises:
        UsageError: says what to change.
    """
    text = os.environ.get("NUMBA_NUM_THREADS", "")
    try:
        threads = int(text)
    except ValueError:  # Numba warns, and takes its default
        return
    if threads < 1:
        raise UsageError(
            f"NUMBA_NUM_THREADS={quote(threads)} in the environment: Numba accepts no "
            "number below 1; unset it (Playout does not use Numba's threads)"
        )


def expect_compiler(settings: Any) -> None:
    """Complain of settings with which Numba does not compile.

    Args:
        settings: Numba's module `numba.core.config`.

    Raises:
        UsageError: says what to change.
    """
    if settings.DISABLE_JIT:
        raise UsageError(
            "NUMBA_DISABLE_JIT is set, so Numba compiles nothing, and this needs "
            "compiled rules; unset it (`MCTS(game, interpreted=True)` searches by "
            "rules that run as plain Python)"
        )
    for feature in (settings.CPU_FEATURES or "").split(","):
        if feature and feature[0] not in "+-":
            raise UsageError(
                "NUMBA_CPU_FEATURES in the environment: a feature begins with + or -, "
                f"as in +avx2,-fma, not {quote(feature)}"
            )

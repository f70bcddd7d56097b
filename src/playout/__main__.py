"""`python -m playout`, and the commands `playout` and `pbrain-playout`."""

from __future__ import annotations

import contextlib
import gc
import os
import signal

__all__ = ["main", "pbrain"]


def main() -> None:
    """The command `playout`."""
    _end_quietly()
    from .ui.cli.main import main as run

    run()


def pbrain() -> None:
    """The command `pbrain-playout`."""
    _end_quietly()
    gc.disable()  # until the rules are compiled: imports make no garbage
    from .ui.engine.pbrain import main as run

    run()


def _end_quietly() -> None:
    """Have Ctrl-C end the process at once, while it cannot yet do so in its own way."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with contextlib.suppress(ValueError):  # this is not the main thread
            signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))


if __name__ == "__main__":
    main()

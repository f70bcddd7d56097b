"""`python -m playout`, and the commands `playout` and `pbrain-playout`."""

from __future__ import annotations

import contextlib
import gc
import os
import signal

__all__ = ["main", "pbrain"]


def main() -> None:
    """The command `playout`."""
    _start()
    from .ui.cli.main import main as run

    run()


def pbrain() -> None:
    """The command `pbrain-playout`."""
    _start()
    from .ui.engine.pbrain import main as run

    run()


def _start() -> None:
    """Have Ctrl-C end the process at once, and imports be quick.

    A command replaces the handler by its own (`ui.cli.ctrl_c`). `pbrain-playout` keeps
    this one: it has no terminal to restore, and always ends by `os._exit`.
    """
    gc.disable()  # imports make no garbage; `start_collecting` ends it
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with contextlib.suppress(ValueError):  # this is not the main thread
            signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))


if __name__ == "__main__":
    main()

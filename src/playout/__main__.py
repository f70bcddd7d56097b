"""`python -m playout` and the command `playout`."""

from __future__ import annotations

import signal
import threading

__all__ = ["main"]


def main() -> None:
    """The console entry point; Ctrl-C ends it quietly before it can do so itself."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    quiet = usual and threading.current_thread() is threading.main_thread()
    if quiet:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .ui.cli.main import main as run

    if quiet:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()

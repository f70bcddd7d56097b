"""`python -m playout` and the command `playout`."""

from __future__ import annotations

import signal

__all__ = ["main"]


def main() -> None:
    """The console entry point; Ctrl-C ends it quietly before it can do so itself."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # not ignored, as behind `nohup`
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .ui.cli.main import main as run

    signal.signal(signal.SIGINT, handler)
    run()


if __name__ == "__main__":
    main()

"""`python -m playout`: the same as the command `playout`."""

from __future__ import annotations

from .ui.cli.main import main

if __name__ == "__main__":
    main()

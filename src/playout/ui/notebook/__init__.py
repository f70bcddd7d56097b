"""A board to play on in a notebook (extra `notebook`).

from playout.ui.notebook import GameBoard
GameBoard("connect-four", "human", "mcts:seconds=1")
"""

from typing import Any

__all__ = ["GameBoard"]


def __getattr__(name: str) -> Any:
    if name != "GameBoard":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from .widget import GameBoard
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "traitlets"):
            raise
        from ...core.errors import UsageError

        raise UsageError(
            "a board in a notebook needs `pip install playout[notebook]`"
        ) from None
    return GameBoard

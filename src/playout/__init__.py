"""Playout: Monte Carlo Tree Search for Python, at native speed, on rules you write.

What is listed in `__all__` is the public door. Names are imported when they are first
used, so that `playout --help` need not wait for the compiler to load.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, whose import Ctrl-C would find unprepared
if TYPE_CHECKING:
    from typing import Any

    from .core.compiled import Compiled, constant, static
    from .core.errors import (
        CompileError,
        IllegalMoveError,
        PlayoutError,
        PositionError,
        RulesError,
        UsageError,
    )
    from .games.board import Board
    from .games.connect_four import ConnectFour
    from .games.counting import divide, perft, random_play
    from .games.game import CHANCE, Actions, Game, State
    from .games.gomoku import Gomoku
    from .games.laws import check_game
    from .games.mnk import MNK, TicTacToe
    from .games.position import Position
    from .games.registry import make_game
    from .games.ultimate_tic_tac_toe import UltimateTicTacToe
    from .search import presets
    from .search.amaf import GRAVE, RAVE
    from .search.backup import Backup, Mean
    from .search.choice import (
        Choice,
        HighestMean,
        MostVisits,
        RobustMax,
        SecureChild,
    )
    from .search.curves import Curves
    from .search.expansion import AllChildren, Expansion, RandomChild
    from .search.history import ProgressiveHistory
    from .search.knowledge import PUCT, ProgressiveBias
    from .search.likeliest import LikeliestFirst
    from .search.limit import Limit
    from .search.mixing import ImplicitMinimax, MaxMix, RobustMix
    from .search.playouts import MAST, NST, Truncated, Weighted
    from .search.result import ActionStatistics, Result
    from .search.rollout import Decisive, Rollout, Uniform
    from .search.search import MCTS
    from .search.selection import ISUCT, UCT, Selection, UCB1Tuned
    from .search.solver import ScoreBounds, Solver, Unsolved
    from .search.solver_maxn import MaxNBounds
    from .search.spread import NormalizedUCT
    from .search.tree import Tree
    from .search.view import TreeView
    from .search.widening import ProgressiveWidening

__version__: str

__all__ = [
    "CHANCE",
    "GRAVE",
    "ISUCT",
    "MAST",
    "MCTS",
    "MNK",
    "NST",
    "PUCT",
    "RAVE",
    "UCT",
    "ActionStatistics",
    "Actions",
    "AllChildren",
    "Backup",
    "Board",
    "Choice",
    "CompileError",
    "Compiled",
    "ConnectFour",
    "Curves",
    "Decisive",
    "Expansion",
    "Game",
    "Gomoku",
    "HighestMean",
    "IllegalMoveError",
    "ImplicitMinimax",
    "LikeliestFirst",
    "Limit",
    "MaxMix",
    "MaxNBounds",
    "Mean",
    "MostVisits",
    "NormalizedUCT",
    "PlayoutError",
    "Position",
    "PositionError",
    "ProgressiveBias",
    "ProgressiveHistory",
    "ProgressiveWidening",
    "RandomChild",
    "Result",
    "RobustMax",
    "RobustMix",
    "Rollout",
    "RulesError",
    "ScoreBounds",
    "SecureChild",
    "Selection",
    "Solver",
    "State",
    "TicTacToe",
    "Tree",
    "TreeView",
    "Truncated",
    "UCB1Tuned",
    "UltimateTicTacToe",
    "Uniform",
    "Unsolved",
    "UsageError",
    "Weighted",
    "check_game",
    "constant",
    "divide",
    "make_game",
    "perft",
    "presets",
    "random_play",
    "static",
]

#: Where each public name lives.
_HOMES = {
    "ActionStatistics": ".search.result",
    "Actions": ".games.game",
    "AllChildren": ".search.expansion",
    "Backup": ".search.backup",
    "Board": ".games.board",
    "CHANCE": ".games.game",
    "Choice": ".search.choice",
    "CompileError": ".core.errors",
    "Compiled": ".core.compiled",
    "ConnectFour": ".games.connect_four",
    "Curves": ".search.curves",
    "Decisive": ".search.rollout",
    "Expansion": ".search.expansion",
    "GRAVE": ".search.amaf",
    "Game": ".games.game",
    "Gomoku": ".games.gomoku",
    "HighestMean": ".search.choice",
    "ISUCT": ".search.selection",
    "IllegalMoveError": ".core.errors",
    "ImplicitMinimax": ".search.mixing",
    "LikeliestFirst": ".search.likeliest",
    "Limit": ".search.limit",
    "MAST": ".search.playouts",
    "MCTS": ".search.search",
    "MNK": ".games.mnk",
    "MaxMix": ".search.mixing",
    "MaxNBounds": ".search.solver_maxn",
    "Mean": ".search.backup",
    "MostVisits": ".search.choice",
    "NST": ".search.playouts",
    "NormalizedUCT": ".search.spread",
    "PUCT": ".search.knowledge",
    "PlayoutError": ".core.errors",
    "Position": ".games.position",
    "PositionError": ".core.errors",
    "ProgressiveBias": ".search.knowledge",
    "ProgressiveHistory": ".search.history",
    "ProgressiveWidening": ".search.widening",
    "RAVE": ".search.amaf",
    "RandomChild": ".search.expansion",
    "Result": ".search.result",
    "RobustMax": ".search.choice",
    "RobustMix": ".search.mixing",
    "Rollout": ".search.rollout",
    "RulesError": ".core.errors",
    "ScoreBounds": ".search.solver",
    "SecureChild": ".search.choice",
    "Selection": ".search.selection",
    "Solver": ".search.solver",
    "State": ".games.game",
    "TicTacToe": ".games.mnk",
    "Tree": ".search.tree",
    "TreeView": ".search.view",
    "Truncated": ".search.playouts",
    "UCB1Tuned": ".search.selection",
    "UCT": ".search.selection",
    "UltimateTicTacToe": ".games.ultimate_tic_tac_toe",
    "Uniform": ".search.rollout",
    "Unsolved": ".search.solver",
    "UsageError": ".core.errors",
    "Weighted": ".search.playouts",
    "check_game": ".games.laws",
    "constant": ".core.compiled",
    "divide": ".games.counting",
    "make_game": ".games.registry",
    "perft": ".games.counting",
    "presets": ".search.presets",
    "random_play": ".games.counting",
    "static": ".core.compiled",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        globals()[name] = _version()
        return globals()[name]
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module(".core.numba_settings", __name__).expect_numba()
    home = import_module(_HOMES[name], __name__)
    value = home if name == "presets" else getattr(home, name)
    globals()[name] = value
    return value


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version(__name__)
    except metadata.PackageNotFoundError:  # run from a tree that is not installed
        return "0+unknown"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""Playout: Monte Carlo Tree Search for Python, at native speed, on rules you write.

`__all__` lists the public names. They are imported when they are first used, so that
`playout --help` need not wait for the compiler to load.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, whose import Ctrl-C would find unprepared
if TYPE_CHECKING:
    from typing import Any

    from .adapters.gymnasium import from_gymnasium
    from .adapters.objects import from_object
    from .adapters.openspiel import from_openspiel
    from .adapters.pettingzoo import from_pettingzoo
    from .core.errors import (
        CompileError,
        EvaluatorError,
        IllegalMoveError,
        PlayoutError,
        PositionError,
        RulesError,
        UsageError,
    )
    from .core.jit.compiled import Compiled, constant, static
    from .core.jit.fallback import InterpretedWarning
    from .games.check.random_games import check_game
    from .games.connect_four.rules import ConnectFour
    from .games.contract.by_search import settle_by_search
    from .games.contract.game import (
        CHANCE,
        SETTLED_AT_LEAST_DRAW,
        SETTLED_AT_MOST_DRAW,
        SETTLED_DRAW,
        SETTLED_LOSS,
        SETTLED_WIN,
        UNSETTLED,
        Actions,
        Game,
        State,
    )
    from .games.drawing.board import Board
    from .games.gomoku.rules import Gomoku
    from .games.positions.counting import divide, perft, random_play
    from .games.positions.position import Position
    from .games.registry import make_game
    from .games.tic_tac_toe.rules import MNK, TicTacToe
    from .games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
    from .players.networks import load_network, save_network
    from .search import presets
    from .search.backup.base import Backup
    from .search.backup.best_return import Max, Mixed
    from .search.backup.mean import Mean
    from .search.backup.minimax_mixing import ImplicitMinimax, MaxMix, RobustMix
    from .search.backup.reward_sum import RewardSum
    from .search.choice import (
        BestSeen,
        Choice,
        HighestMean,
        MostPromising,
        MostVisits,
        RobustMax,
        SecureChild,
        ShareOfVisits,
    )
    from .search.evaluation.dense import DenseNetwork
    from .search.evaluation.evaluator import one_by_one, within
    from .search.evaluation.native import NativeEvaluator
    from .search.expansion.all_children import AllChildren
    from .search.expansion.base import Expansion
    from .search.expansion.best_first import LikeliestFirst
    from .search.expansion.on_evaluation import OnEvaluation
    from .search.expansion.one_child import RandomChild
    from .search.expansion.widening import ProgressiveWidening
    from .search.limit import Limit
    from .search.mcts import MCTS
    from .search.nrpa import NRPA
    from .search.result.curves import Curves
    from .search.result.result import Result
    from .search.result.statistics import ActionStatistics
    from .search.result.view import TreeView
    from .search.rollout.base import Rollout
    from .search.rollout.decisive import Decisive
    from .search.rollout.mast_nst import MAST, NST
    from .search.rollout.truncated import Truncated
    from .search.rollout.uniform import Uniform
    from .search.rollout.weighted import Weighted
    from .search.selection.base import Selection
    from .search.selection.gumbel import Gumbel
    from .search.selection.is_uct import ISUCT
    from .search.selection.normalized_uct import NormalizedUCT
    from .search.selection.progressive_bias import ProgressiveBias
    from .search.selection.progressive_history import ProgressiveHistory
    from .search.selection.puct import PUCT
    from .search.selection.rave import GRAVE, RAVE
    from .search.selection.spuct import SPUCT
    from .search.selection.ucb1_tuned import UCB1Tuned
    from .search.selection.uct import UCT
    from .search.solver.base import Solver, Unsolved
    from .search.solver.exhaustion import Exhaustion
    from .search.solver.max_n import MaxNBounds
    from .search.solver.score_bounds import ScoreBounds
    from .search.tree.tree import Tree

__version__: str

__all__ = [
    "CHANCE",
    "GRAVE",
    "ISUCT",
    "MAST",
    "MCTS",
    "MNK",
    "NRPA",
    "NST",
    "PUCT",
    "RAVE",
    "SETTLED_AT_LEAST_DRAW",
    "SETTLED_AT_MOST_DRAW",
    "SETTLED_DRAW",
    "SETTLED_LOSS",
    "SETTLED_WIN",
    "SPUCT",
    "UCT",
    "UNSETTLED",
    "ActionStatistics",
    "Actions",
    "AllChildren",
    "Backup",
    "BestSeen",
    "Board",
    "Choice",
    "CompileError",
    "Compiled",
    "ConnectFour",
    "Curves",
    "Decisive",
    "DenseNetwork",
    "EvaluatorError",
    "Exhaustion",
    "Expansion",
    "Game",
    "Gomoku",
    "Gumbel",
    "HighestMean",
    "IllegalMoveError",
    "ImplicitMinimax",
    "InterpretedWarning",
    "LikeliestFirst",
    "Limit",
    "Max",
    "MaxMix",
    "MaxNBounds",
    "Mean",
    "Mixed",
    "MostPromising",
    "MostVisits",
    "NativeEvaluator",
    "NormalizedUCT",
    "OnEvaluation",
    "PlayoutError",
    "Position",
    "PositionError",
    "ProgressiveBias",
    "ProgressiveHistory",
    "ProgressiveWidening",
    "RandomChild",
    "Result",
    "RewardSum",
    "RobustMax",
    "RobustMix",
    "Rollout",
    "RulesError",
    "ScoreBounds",
    "SecureChild",
    "Selection",
    "ShareOfVisits",
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
    "from_gymnasium",
    "from_object",
    "from_openspiel",
    "from_pettingzoo",
    "load_network",
    "make_game",
    "one_by_one",
    "perft",
    "presets",
    "random_play",
    "save_network",
    "settle_by_search",
    "static",
    "within",
]

#: Where each public name lives.
_HOMES = {
    "ActionStatistics": ".search.result.statistics",
    "Actions": ".games.contract.game",
    "AllChildren": ".search.expansion.all_children",
    "Backup": ".search.backup.base",
    "BestSeen": ".search.choice",
    "Board": ".games.drawing.board",
    "CHANCE": ".games.contract.game",
    "Choice": ".search.choice",
    "CompileError": ".core.errors",
    "Compiled": ".core.jit.compiled",
    "ConnectFour": ".games.connect_four.rules",
    "Curves": ".search.result.curves",
    "Decisive": ".search.rollout.decisive",
    "DenseNetwork": ".search.evaluation.dense",
    "EvaluatorError": ".core.errors",
    "Exhaustion": ".search.solver.exhaustion",
    "Expansion": ".search.expansion.base",
    "GRAVE": ".search.selection.rave",
    "Game": ".games.contract.game",
    "Gomoku": ".games.gomoku.rules",
    "Gumbel": ".search.selection.gumbel",
    "HighestMean": ".search.choice",
    "ISUCT": ".search.selection.is_uct",
    "IllegalMoveError": ".core.errors",
    "ImplicitMinimax": ".search.backup.minimax_mixing",
    "InterpretedWarning": ".core.jit.fallback",
    "LikeliestFirst": ".search.expansion.best_first",
    "Limit": ".search.limit",
    "MAST": ".search.rollout.mast_nst",
    "MCTS": ".search.mcts",
    "MNK": ".games.tic_tac_toe.rules",
    "Max": ".search.backup.best_return",
    "MaxMix": ".search.backup.minimax_mixing",
    "MaxNBounds": ".search.solver.max_n",
    "Mean": ".search.backup.mean",
    "Mixed": ".search.backup.best_return",
    "MostPromising": ".search.choice",
    "MostVisits": ".search.choice",
    "NRPA": ".search.nrpa",
    "NST": ".search.rollout.mast_nst",
    "NativeEvaluator": ".search.evaluation.native",
    "NormalizedUCT": ".search.selection.normalized_uct",
    "OnEvaluation": ".search.expansion.on_evaluation",
    "PUCT": ".search.selection.puct",
    "PlayoutError": ".core.errors",
    "Position": ".games.positions.position",
    "PositionError": ".core.errors",
    "ProgressiveBias": ".search.selection.progressive_bias",
    "ProgressiveHistory": ".search.selection.progressive_history",
    "ProgressiveWidening": ".search.expansion.widening",
    "RAVE": ".search.selection.rave",
    "RandomChild": ".search.expansion.one_child",
    "Result": ".search.result.result",
    "RewardSum": ".search.backup.reward_sum",
    "RobustMax": ".search.choice",
    "RobustMix": ".search.backup.minimax_mixing",
    "Rollout": ".search.rollout.base",
    "RulesError": ".core.errors",
    "SETTLED_AT_LEAST_DRAW": ".games.contract.game",
    "SETTLED_AT_MOST_DRAW": ".games.contract.game",
    "SETTLED_DRAW": ".games.contract.game",
    "SETTLED_LOSS": ".games.contract.game",
    "SETTLED_WIN": ".games.contract.game",
    "SPUCT": ".search.selection.spuct",
    "ScoreBounds": ".search.solver.score_bounds",
    "SecureChild": ".search.choice",
    "Selection": ".search.selection.base",
    "ShareOfVisits": ".search.choice",
    "Solver": ".search.solver.base",
    "State": ".games.contract.game",
    "TicTacToe": ".games.tic_tac_toe.rules",
    "Tree": ".search.tree.tree",
    "TreeView": ".search.result.view",
    "Truncated": ".search.rollout.truncated",
    "UCB1Tuned": ".search.selection.ucb1_tuned",
    "UCT": ".search.selection.uct",
    "UNSETTLED": ".games.contract.game",
    "UltimateTicTacToe": ".games.ultimate_tic_tac_toe.rules",
    "Uniform": ".search.rollout.uniform",
    "Unsolved": ".search.solver.base",
    "UsageError": ".core.errors",
    "Weighted": ".search.rollout.weighted",
    "check_game": ".games.check.random_games",
    "constant": ".core.jit.compiled",
    "divide": ".games.positions.counting",
    "from_gymnasium": ".adapters.gymnasium",
    "from_object": ".adapters.objects",
    "from_openspiel": ".adapters.openspiel",
    "from_pettingzoo": ".adapters.pettingzoo",
    "load_network": ".players.networks",
    "make_game": ".games.registry",
    "one_by_one": ".search.evaluation.evaluator",
    "perft": ".games.positions.counting",
    "presets": ".search.presets",
    "random_play": ".games.positions.counting",
    "save_network": ".players.networks",
    "settle_by_search": ".games.contract.by_search",
    "static": ".core.jit.compiled",
    "within": ".search.evaluation.evaluator",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        globals()[name] = import_module(".core.version", __name__).version()
        return globals()[name]
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module(".core.numba_settings", __name__).expect_numba()
    home = import_module(_HOMES[name], __name__)
    value = home if name == "presets" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

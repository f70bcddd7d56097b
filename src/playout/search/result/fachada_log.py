"""The log of a search as plain lines, in the form of an older program.

The tic-tac-toe of Fachada et al. (IEEE CoG 2023) prints, after every search, the move
that it plays and then, of every move at the root, W / n and both numbers.
"""

from __future__ import annotations

from ...games.contract.game import Game
from .result import Result

__all__ = ["fachada_log"]


def fachada_log(result: Result, game: Game) -> str:
    """The lines `Selected (r, c) with ratio R after N simulations` and what follows.

    W is the sum of the returns: wins less losses, where a draw counts 0. N is the sum
    of the moves' simulations, which the root's own may exceed by one. A move whose
    result is proven says so: the ratio does not tell, and is not what it is chosen by.

    Args:
        result: of a search.
        game: the rules; a cell of its board is written (row, column), counted from 0 at
            the top left, and a move that is no cell by its name.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> from playout.search.limit import Limit
    >>> from playout.search.mcts import MCTS
    >>> result = MCTS(TicTacToe(), seed=1).search(limit=Limit(simulations=500))
    >>> fachada_log(result, TicTacToe()).partition(" ratio ")[0]
    'Selected (1, 1) with'
    """
    chosen = next(row for row in result.actions if row.action == result.action)
    total = sum(row.visits for row in result.actions)
    lines = [
        f"Selected {_cell(game, chosen.action)} with ratio {chosen.mean:.4f} "
        f"after {total} simulation{'s' * (total != 1)}"
    ]
    for row in result.actions:
        ratio = f"{row.mean:.4f} ({row.value_sum:g}/{row.visits})"
        proof = f", proven {row.proven}" if row.proven else ""
        lines.append(f"{_cell(game, row.action)} -> {ratio}{proof}")
    return "\n".join(lines)


def _cell(game: Game, action: int) -> str:
    cell = game.cell(action)
    return game.action_name(action) if cell is None else f"({cell[0]}, {cell[1]})"

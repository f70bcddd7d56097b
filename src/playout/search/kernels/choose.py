"""Which structure a search grows."""

from __future__ import annotations

from typing import Any

from ...games.contract.game import Game
from .information_sets import InformationSets
from .structure import Structure
from .transpositions import Transpositions

__all__ = ["structure_for"]


def structure_for(game: Game, transpositions: bool) -> Structure[Any]:
    """A graph where one is asked for, information sets where something is hidden.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> structure_for(TicTacToe(), transpositions=True)
    Transpositions()
    """
    if transpositions:
        return Transpositions()
    return InformationSets() if game.has_hidden else Structure()

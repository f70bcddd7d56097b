"""`random` and `greedy`: the players that every other must beat."""

from __future__ import annotations

import math
from abc import abstractmethod
from random import Random

import numpy as np

from ..games.contract.game import Game, has_own
from ..games.contract.units import bounds_of
from ..games.positions.position import Position
from .player import Allowance, Decision, Player

__all__ = [
    "GreedyPlayer",
    "RandomPlayer",
    "greedy",
    "opening",
    "random",
    "urgent_actions",
    "wins",
]


def random(game: Game) -> Player:
    """A uniformly random legal move."""
    return RandomPlayer("random", game)


def greedy(game: Game) -> Player:
    """Win now, else stop the opponent from winning next, else move at random."""
    return GreedyPlayer("greedy", game)


class _Drawing(Player):
    """Draws uniformly from the moves that it deems good enough."""

    def __init__(self, spec: str, game: Game) -> None:
        super().__init__(spec, game)
        self._random = Random()

    def new_game(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, position: Position, allowance: Allowance) -> Decision:
        return Decision(self._random.choice(self.candidates(position)))

    @abstractmethod
    def candidates(self, position: Position) -> list[int]:
        """The moves to draw from."""


class RandomPlayer(_Drawing):
    """Draws from all legal moves."""

    def candidates(self, position: Position) -> list[int]:
        return position.legal_actions()


class GreedyPlayer(_Drawing):
    """Looks one move ahead for itself, and one for its opponent.

    Where a game says what is urgent, as Gomoku does, that is what it draws from;
    elsewhere it tries the moves.
    """

    def candidates(self, position: Position) -> list[int]:
        if urgent := urgent_actions(position):
            return urgent
        if has_own(self.game, "urgent_actions"):
            return position.legal_actions()
        legal = position.legal_actions()
        return wins(position, legal) or self._safe(position, legal) or legal

    def _safe(self, position: Position, legal: list[int]) -> list[int]:
        """The moves after which no other player can win at once."""
        safe, mover = [], position.current_player
        for action in legal:
            position.play(action)
            theirs = not position.is_terminal and not position.is_chance
            theirs = theirs and position.current_player != mover
            if not (theirs and wins(position, position.legal_actions())):
                safe.append(action)
            position.undo()
        return safe


def wins(position: Position, actions: list[int]) -> list[int]:
    """Those of the actions that end the game well for the player to move.

    In a game for one, whose results may all be above 0, that is with the best there is.
    """
    mover, found = position.current_player, []
    alone = position.game.num_players() == 1
    least = bounds_of(position.game).high if alone else math.ulp(0.0)
    for action in actions:
        position.play(action)
        if position.is_terminal and position.returns(mover) >= least:
            found.append(action)
        position.undo()
    return found


def urgent_actions(position: Position) -> list[int]:
    """What the game's `urgent_actions` lists; empty for no restriction."""
    game = position.game
    buffer = np.zeros(max(1, game.num_actions()), dtype=np.int32)
    with np.errstate(over="ignore"):
        count = game.urgent_actions(position.state, buffer)
    return [int(action) for action in buffer[:count]]


def opening(position: Position) -> int | None:
    """A first move without a search: in Gomoku the centre.

    Source: the Group 21 program, which opens there as well.
    """
    game = position.game
    if game.name != "gomoku" or position.actions or position.start_text is not None:
        return None
    board = game.board(position.state)
    assert board is not None
    rows, columns = len(board.cells), len(board.cells[0])
    center = rows // 2 * columns + columns // 2
    return center if center in position.legal_actions() else None

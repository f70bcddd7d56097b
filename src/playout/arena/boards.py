"""`Boards`: the game of every round of a match, where it is drawn anew for each."""

from __future__ import annotations

import functools
from random import Random

from ..games.contract.game import Game
from ..games.registry import make_game
from ..games.variation import check_variation, draw_board
from .openings import Book, Moves, make_book

__all__ = ["Boards"]


class Boards:
    """The games of a match by the number of the round (see `seating`).

    Args:
        game: as on the command line.
        vary: what is drawn anew for every round; None for what `game` leaves to chance.
        seed: what is drawn follows from it.

    >>> Boards("connect-four", "rows=9-12", seed=1).spec(0)
    'connect-four:rows=10'
    >>> Boards("connect-four", None, seed=1).spec(5)
    'connect-four'

    Raises:
        UsageError: the game does not vary so.
    """

    def __init__(self, game: str, vary: str | None, seed: int) -> None:
        self.game, self.vary, self.seed = game, vary or "", seed
        self.varied = bool(vary) or "=random" in game
        if vary is not None:
            check_variation(game, vary)

    def spec(self, round_: int) -> str:
        """The game of a round, as on the command line."""
        if not self.varied:
            return self.game
        return draw_board(self.game, self.vary, Random(f"{self.seed} board {round_}"))

    def game_of(self, round_: int) -> Game:
        """The rules of a round."""
        if not self.varied:
            return self._game
        return make_game(self.spec(round_))

    @functools.cached_property
    def _game(self) -> Game:
        return make_game(self.game)

    def book(self, openings: str | None, game: Game) -> Book:
        """The openings; of boards that vary each has its own, from its own game.

        Args:
            openings: as in `make_book`.
            game: of the first round.
        """
        book = make_book(openings, game, self.seed)
        return _Varied(self, openings, book) if self.varied and openings else book


class _Varied(Book):
    """The opening of a round is one that its board allows."""

    def __init__(self, boards: Boards, openings: str, first: Book) -> None:
        self.boards, self.openings, self.identity = boards, openings, first.identity

    def opening(self, round_: int) -> Moves:
        game = self.boards.game_of(round_)
        book = make_book(self.openings, game, self.boards.seed + round_)
        return book.opening(0 if self.openings.startswith("random:") else round_)

"""`Adviser`: hints and analysis for players and spectators, in every face."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...games.contract.game import Game
from ...games.positions.position import Position
from ...players.answers import ask
from ...players.mcts import MCTSPlayer
from ...players.player import Allowance, Decision
from ...players.registry import make_player, usual_player
from ...search.limit import Limit
from ...search.mcts import MCTS
from ...search.result.result import Result

__all__ = ["Adviser"]


class Adviser:
    """A search that belongs to no player: asking it makes no player stronger.

    It is made and prepared when it is first needed, or by `prepare`. A position is
    given as far as whoever asks may see it, as `Table.seen` has it.

    Args:
        game: the rules.
        spec: of a player that searches; the usual one by default (see `usual_player`).
        seed: of its random numbers; drawn by default.
        clock: monotonic seconds, as of `MCTS`; the search's own by default.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> adviser, game = Adviser(TicTacToe(), seed=1), TicTacToe()
    >>> position = Position.from_moves(game, ["a1", "a2", "b1", "b2"])
    >>> game.action_name(adviser.hint(position, Allowance(simulations=100)).action)
    'c1'
    >>> adviser.analyse(position, Limit(simulations=100)).proven
    'win'
    """

    def __init__(
        self,
        game: Game,
        spec: str | None = None,
        *,
        seed: int | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.game, self.spec = game, spec or usual_player(game)
        self.seed, self.clock = seed, clock
        self._player: MCTSPlayer | None = None

    def prepare(self) -> None:
        """Load what the search runs, or begin to compile it, unless that was done."""
        if self._player is not None:
            return
        player = make_player(self.spec, self.game)
        assert isinstance(player, MCTSPlayer)
        player.get_ready()
        if self.seed is not None:
            player.new_game(self.seed)
        if self.clock is not None:
            player.search.clock = self.clock
        self._player = player

    @property
    def player(self) -> MCTSPlayer:
        """The search as a player, prepared."""
        self.prepare()
        assert self._player is not None
        return self._player

    @property
    def search(self) -> MCTS:
        """The search, whose tree can be looked at."""
        return self.player.search

    def hint(
        self,
        position: Position,
        allowance: Allowance,
        progress: Callable[[Any], Any] | None = None,
    ) -> Decision:
        """Suggest a move.

        Args:
            position: somebody is to move there.
            allowance: what the search may use.
            progress: as in `Allowance`.

        Raises:
            KeyboardInterrupt: the search was interrupted.
        """
        watched = replace(allowance, progress=progress)
        return ask(self.player, position.copy(), watched)

    def analyse(
        self,
        position: Position,
        limit: Limit,
        progress: Callable[[Result], Any] | None = None,
    ) -> Result:
        """Search a position, even where there is only one move.

        Args:
            position: somebody is to move there.
            limit: when to stop.
            progress: as in `MCTS.search`.
        """
        return self.search.search(position, limit, progress, forced_too=True)

    def close(self) -> None:
        """End what the search still does, if it was ever made."""
        if self._player is not None:
            self._player.close()

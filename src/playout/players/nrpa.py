"""`nrpa`: nested rollout policy adaptation as a player, for one-player games."""

from __future__ import annotations

from typing import Annotated

from ..core.text.fields import AtMost
from ..games.contract.game import Game
from ..games.positions.position import Position
from ..search.limit import Limit
from ..search.nrpa import MOST_LEVELS, NRPA
from .mcts import DEFAULT_SECONDS, describe
from .player import LONGEST_SECONDS, Allowance, Decision, Player
from .timing import move_seconds

__all__ = ["NRPAPlayer", "nrpa"]


def nrpa(
    game: Game,
    *,
    level: Annotated[int, AtMost(MOST_LEVELS)] = 2,
    iterations: Annotated[int, AtMost(10**6)] = 50,
    alpha: float = 0.5,
    context: str = "last",
    bias: float | None = None,
    seconds: Annotated[float | None, AtMost(LONGEST_SECONDS)] = None,
    simulations: Annotated[int | None, AtMost(2**32 - 1)] = None,
) -> Player:
    """Nested rollout policy adaptation: it plays the best game that it has seen."""
    search = NRPA(
        game,
        level=level,
        iterations=iterations,
        alpha=alpha,
        context=context,
        bias=bias,
    )
    return NRPAPlayer("nrpa", game, search, seconds, simulations)


class NRPAPlayer(Player):
    """Searches by `NRPA`, and plays the best game that was seen from move to move.

    Args:
        spec: the text that makes it.
        game: the rules.
        search: the search.
        seconds: for a move at most; with neither this nor `simulations`, one.
        simulations: playouts for a move at most.
    """

    def __init__(
        self,
        spec: str,
        game: Game,
        search: NRPA,
        seconds: float | None = None,
        simulations: int | None = None,
    ) -> None:
        super().__init__(spec, game)
        self.search = search
        self.seconds = Allowance(seconds=seconds).seconds
        self.simulations = Allowance(simulations=simulations).simulations
        self._stopped = False

    def prepare(self) -> None:
        self.search.compile()

    def new_game(self, seed: int) -> None:
        self.search.reset(seed)

    def stop(self) -> None:
        self._stopped = True

    def choose(self, position: Position, allowance: Allowance) -> Decision:
        self._stopped = False
        granted = self.granted(allowance)

        def report(result: object) -> bool:
            watcher = granted.progress
            wanted = watcher is None or watcher(result) is not False
            return wanted and not self._stopped

        limit = self._limit(granted, position)
        result = self.search.search(position, limit, progress=report)
        if result.stopped_by == "interrupted":
            raise KeyboardInterrupt
        return Decision(result.action, result, describe(result), result.score)

    def _limit(self, allowance: Allowance, position: Position) -> Limit:
        times = [self.seconds, move_seconds(allowance, position)]
        counts = [self.simulations, allowance.simulations]
        seconds = min((time for time in times if time is not None), default=None)
        most = min((count for count in counts if count is not None), default=None)
        if seconds is most is None:
            seconds = DEFAULT_SECONDS
        return Limit(seconds=seconds, simulations=most)

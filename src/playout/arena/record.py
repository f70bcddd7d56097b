"""`GameRecord`: all that is kept of one finished game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..players.player import FORFEITS

__all__ = ["FORFEITS", "REASONS", "UNFINISHED", "GameRecord"]

#: Why a game ended.
REASONS = ("rules", "adjudicated draw", "resignation", *FORFEITS)
#: What stands in their place in a file with a game that goes on, whose returns are 0.
UNFINISHED = "unfinished"


@dataclass(frozen=True)
class GameRecord:
    """One game; players are listed by seat (0 moves first in most games).

    Attributes:
        game: the game, as on the command line.
        players: `[P]` their specs.
        moves: every move, those of the opening included, as people write them.
        opening: how many of the moves were given and not chosen.
        seconds: `[len(moves)]` time each move took, 0 in the opening.
        comments: `[len(moves)]` the players' remarks, "" in the opening.
        returns: `[P]` the results, in the game's own units.
        reason: one of `REASONS`.
        forfeit: the seat that lost by forfeit or resigned, or None.
        detail: what happened, for a forfeit.
        seed: what the game's random numbers follow from.
        started: UTC, ISO 8601, to the second.
    """

    game: str
    players: tuple[str, ...]
    moves: tuple[str, ...]
    opening: int
    seconds: tuple[float, ...]
    comments: tuple[str, ...]
    returns: tuple[float, ...]
    reason: str = "rules"
    forfeit: int | None = None
    detail: str = ""
    seed: int = 0
    started: str = field(default="", compare=False)

    def after(self, earlier: GameRecord) -> GameRecord:
        """The whole game, where this one leaves out the moves of an earlier record.

        >>> first = GameRecord("g", ("a", "b"), ("1",), 0, (0.5,), ("",), (0.0, 0.0))
        >>> rest = GameRecord("g", ("a", "b"), ("2",), 0, (0.1,), ("hm",), (1.0, -1.0))
        >>> whole = rest.after(first)
        >>> whole.moves, whole.seconds, whole.comments, whole.returns
        (('1', '2'), (0.5, 0.1), ('', 'hm'), (1.0, -1.0))
        """
        return replace(
            self,
            moves=earlier.moves + self.moves,
            seconds=earlier.seconds + self.seconds,
            comments=earlier.comments + self.comments,
        )

    def points(self, seat: int) -> float:
        """A seat's share of the win: 1, or less where others got as much, or 0.

        Of two seats that is 1 for a win, 0.5 for a draw, 0 for a loss.

        >>> record = GameRecord("g", ("a", "b"), (), 0, (), (), (1.0, -1.0))
        >>> record.points(0), record.points(1)
        (1.0, 0.0)
        """
        best = max(self.returns)
        return (self.returns[seat] == best) / self.returns.count(best)

    def result(self) -> str:
        """The seats' shares, as in 1-0, 0.5-0.5; or their payoffs, as in +2 -1 -1.

        Shares are for two seats with returns in [-1, 1] that add up to 0; a return of 1
        is a share of 1.

        >>> GameRecord("g", ("a", "b"), (), 0, (), (), (1.0, -1.0)).result()
        '1-0'
        >>> GameRecord("g", ("a", "b"), (), 0, (), (), (2.0, -2.0)).result()
        '+2 -2'
        """
        plain = len(self.returns) == 2 and max(map(abs, self.returns)) <= 1
        if not plain or sum(self.returns) != 0:
            return " ".join(f"{value or 0.0:+g}" for value in self.returns)
        return "-".join(f"{(value + 1) / 2:g}" for value in self.returns)

"""Where a reader is, and what all readers and writers need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from ...core.errors import PositionError, UsageError
from ...games.contract.game import Game
from ...games.positions.position import Position
from ...games.registry import game_names, make_game
from ..record import FORFEITS, GameRecord

__all__ = ["UNKNOWN", "Place", "game_of", "make_record", "replay", "result_of"]

#: A player whose name the file does not give.
UNKNOWN = "?"


@dataclass(frozen=True)
class Place:
    """A file and a line of it, for messages.

    Attributes:
        file: its name.
        line: counted from 1.
        unfinished: whether games are read, too, that are not over and tell no result.
    """

    file: str
    line: int = 1
    unfinished: bool = False

    def at(self, line: int) -> Place:
        """Another line of the same file."""
        return replace(self, line=line)

    def fail(self, message: str) -> NoReturn:
        """Say what cannot be read here."""
        raise PositionError(f"{self.file}, line {self.line}: {message}")

    def no_result(self, message: str) -> tuple[float, float]:
        """A draw, where the file need not have a result; else an error that says so."""
        if not self.unfinished:
            self.fail(message)
        return 0.0, 0.0


def game_of(record: GameRecord, kind: type[Game], what: str) -> Game:
    """The record's game, which must be of a kind.

    Raises:
        UsageError: it is another game.
    """
    name = record.game.partition(":")[0]
    game = make_game(record.game) if name in game_names() else None
    if not isinstance(game, kind):  # nor is one of a user's own, named by its class
        raise UsageError(f"{what} is for {kind.title}, not for {record.game}")
    if len(record.players) != game.num_players():
        raise UsageError(
            f"{record.game} has {game.num_players()} players, a game {record.players}"
        )
    return game


def replay(game: Game, moves: Iterable[tuple[str | int, Place]]) -> Position:
    """The position after moves, each with the place where it stands.

    Raises:
        PositionError: a move cannot be played; with its place.
    """
    position = Position(game)
    for move, place in moves:
        try:
            position.play(move)
        except UsageError as error:
            place.fail(f"move {len(position.actions) + 1}: {error}")
    return position


def result_of(position: Position) -> tuple[float, float] | None:
    """The result by the rules; None while the game goes on."""
    if not position.is_terminal:
        return None
    return position.returns(0), position.returns(1)


def make_record(
    game: str,
    position: Position,
    returns: Sequence[float],
    reason: str,
    **values: Any,
) -> GameRecord:
    """A record of two players' game; what the file does not tell is left empty."""
    moves = tuple(position.moves)
    loser = None
    if reason in (*FORFEITS, "resignation"):
        loser = 0 if returns[0] < returns[1] else 1
    fields: dict[str, Any] = {
        "players": (UNKNOWN, UNKNOWN),
        "opening": 0,
        "seconds": (0.0,) * len(moves),
        "comments": ("",) * len(moves),
        **values,
    }
    return GameRecord(
        game=game,
        moves=moves,
        returns=tuple(returns),
        reason=reason,
        forfeit=loser,
        **fields,
    )

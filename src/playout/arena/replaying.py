"""The positions of a game that was kept, by the rules that it was played by."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..core.errors import PlayoutError, UsageError
from ..core.text.spec import split_spec
from ..games.positions.position import Position
from ..games.registry import make_game
from .database import damage
from .record import GameRecord
from .store import Store, StoredGame

__all__ = ["games_of", "named_by_file", "positions_of"]


def positions_of(file: str, stored: StoredGame) -> Iterator[Position]:
    """The position at the start of a game, and after each of its moves.

    Raises:
        UsageError: the game is damaged, or played by rules that are not here.
    """
    with Store(file, read_only=True) as store:
        game = named_by_file(stored, games_of(store))
    try:
        position = Position(make_game(game.game))
    except PlayoutError as error:
        where = f"{file}: game {stored.id}"
        raise UsageError(f"{where} is of rules that are not here: {error}") from None
    yield position
    for number, move in enumerate(game.moves, start=1):
        try:
            yield position.play(move)
        except PlayoutError as error:
            raise _fault(file, stored, game, f"move {number}: {error}") from None
    if end := _other_end(position, game):
        raise _fault(file, stored, game, end)


def games_of(store: Store) -> dict[int, str]:
    """The games of a file's matches, as they were named, by the match."""
    games = {m.id: m.settings.get("game") for m in store.matches(lambda _: None)}
    return {number: game for number, game in games.items() if isinstance(game, str)}


def named_by_file(stored: StoredGame, games: Mapping[int, str]) -> GameRecord:
    """The record of a game whose rules stand in a file, named by that file.

    Its own name is that of the class; the match knows where that is.

    Args:
        stored: the game.
        games: of `games_of`.
    """
    path, name, _ = split_spec(games.get(stored.match, ""))
    _, _, parameters = split_spec(stored.record.game)
    text = f"{path}:{name}" + (f":{parameters}" if parameters else "")
    return replace(stored.record, game=text) if path else stored.record


def _other_end(position: Position, game: GameRecord) -> str:
    """What differs where rules ended the game, and these come to another end."""
    if game.reason != "rules":
        return ""
    if not position.is_terminal:
        return "it is not over after its moves"
    found = [*map(position.returns, range(position.game.num_players()))]
    if len(found) == len(game.returns) and all(map(math.isclose, found, game.returns)):
        return ""
    returns = " ".join(f"{each:+g}" for each in found)
    return f"its moves end with {returns}, and its result is {game.result()}"


def _fault(file: str, stored: StoredGame, game: GameRecord, why: str) -> UsageError:
    """Rules in a file may have been changed; Playout's own are what they were."""
    path, _, _ = split_spec(game.game)
    if not path:
        return damage(file, "game", stored.id, why)
    return UsageError(
        f"{file}: game {stored.id} was played by other rules than those that {path} "
        f"has now, or is damaged: {why}"
    )

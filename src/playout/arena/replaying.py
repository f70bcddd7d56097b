"""The positions of a game that was kept, by the rules that it was played by."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ..core.errors import PlayoutError, UsageError
from ..core.text.spec import split_spec
from ..games.positions.position import Position
from ..games.registry import make_game
from .database import damage
from .record import GameRecord
from .store import Store, StoredGame

__all__ = ["positions_of"]


def positions_of(file: str, stored: StoredGame) -> Iterator[Position]:
    """The position at the start of a game, and after each of its moves.

    Raises:
        UsageError: the game is damaged, or played by rules that are not here.
    """
    game, rules = stored.record, _rules_of(file, stored)
    try:
        position = Position(make_game(rules))
    except PlayoutError as error:
        where = f"{file}: game {stored.id}"
        raise UsageError(f"{where} is of rules that are not here: {error}") from None
    yield position
    for number, move in enumerate(game.moves, start=1):
        try:
            yield position.play(move)
        except PlayoutError as error:
            raise _fault(file, stored, rules, f"move {number}: {error}") from None
    if end := _other_end(position, game):
        raise _fault(file, stored, rules, end)


def _rules_of(file: str, stored: StoredGame) -> str:
    """The text of a game's rules: where they are in a file, its match names that."""
    with Store(file, read_only=True) as store:
        matches = store.matches(lambda _: None)
    games = [m.settings.get("game") for m in matches if m.id == stored.match]
    if not games or not isinstance(games[0], str):
        return stored.record.game
    path, name, _ = split_spec(games[0])
    _, _, parameters = split_spec(stored.record.game)
    text = f"{path}:{name}" + (f":{parameters}" if parameters else "")
    return text if path else stored.record.game


def _other_end(position: Position, game: GameRecord) -> str:
    """What differs where rules ended the game, and these come to another end."""
    if game.reason != "rules":
        return ""
    if not position.is_terminal:
        return "it is not over after its moves"
    seats = enumerate(game.returns)
    if all(math.isclose(position.returns(seat), was) for seat, was in seats):
        return ""
    returns = " ".join(f"{position.returns(i):+g}" for i in range(len(game.returns)))
    return f"its moves end with {returns}, and its result is {game.result()}"


def _fault(file: str, stored: StoredGame, rules: str, why: str) -> UsageError:
    """Rules in a file may have been changed; Playout's own are what they were."""
    path, _, _ = split_spec(rules)
    if not path:
        return damage(file, "game", stored.id, why)
    return UsageError(
        f"{file}: game {stored.id} was played by other rules than those that {path} "
        f"has now, or is damaged: {why}"
    )

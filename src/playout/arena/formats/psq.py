"""psq: the file of one game that Piskvork, the manager of Gomocup, writes and opens.

    Piskvorky 15x15, 11:11, 0    width x height, levels (0 is a person), who began
    8,8,120                      x,y from 1,1 at the upper left, milliseconds
    ...
    first                        the players: Black, White
    second
    0                            how it ended: 0 on the board, 15 on time

The rule is not written, so games are read as freestyle; a five that another rule does
not count would be one here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...core.errors import UsageError
from ...games.gomoku.rules import Gomoku, on_board
from ...games.registry import game_spec
from ..record import GameRecord
from .place import UNKNOWN, Place, game_of, make_record, replay, result_of

__all__ = ["read", "write"]

ON_THE_BOARD, ON_TIME = 0, 15
_HEADER = re.compile(r"Piskvorky (\d+)x(\d+), *\d+:\d+, *([01])", flags=re.ASCII)
_MOVE = re.compile(r"(\d{1,3}),(\d{1,3})(?:,(\d{1,9}))?", flags=re.ASCII)


def write(records: Iterable[GameRecord]) -> str:
    """The text of exactly one game.

    Raises:
        UsageError: another number of games, or not one of freestyle Gomoku.
    """
    games = list(records)
    if len(games) != 1:
        raise UsageError(
            f"psq holds one game, not {len(games)}: write to a directory, or choose one"
        )
    record = games[0]
    game = game_of(record, Gomoku, "psq")
    assert isinstance(game, Gomoku)
    if game.rule != "freestyle":
        raise UsageError(f"psq is for the freestyle rule, not for {game.rule}")
    lines = [f"Piskvorky {game.width}x{game.height}, 11:11, 0"]
    for move, seconds in zip(record.moves, record.seconds, strict=True):
        row, column = divmod(game.parse_action(move), game.width)
        lines.append(f"{column + 1},{row + 1},{1000 * seconds:.0f}")
    lines += [" ".join(player.split()) or UNKNOWN for player in record.players]
    lines.append(str(ON_TIME if record.reason == "time" else ON_THE_BOARD))
    return "".join(line + "\n" for line in lines)


def read(text: str, place: Place) -> list[GameRecord]:
    """The game of a text."""
    lines = text.splitlines()
    header = _HEADER.fullmatch(lines[0].strip()) if lines else None
    if header is None:
        place.fail("a psq file begins like this: Piskvorky 15x15, 11:11, 0")
    width, height, _ = map(int, header.groups())
    try:
        game = on_board(height, width)
    except UsageError as error:
        place.fail(str(error))
    count = next((i for i, line in enumerate(lines[1:]) if not _is_move(line)), None)
    rest = [] if count is None else [line.strip() for line in lines[1 + count :]]
    return [_read_game(game, lines[1:][:count], rest, place)]


def _is_move(line: str) -> bool:
    return _MOVE.fullmatch(line.strip()) is not None


def _read_game(
    game: Gomoku, lines: Sequence[str], rest: Sequence[str], place: Place
) -> GameRecord:
    actions, seconds = [], []
    for number, line in enumerate(lines, start=2):
        match = _MOVE.fullmatch(line.strip())
        assert match is not None
        x, y, spent = (int(group or 0) for group in match.groups())
        if not (1 <= x <= game.width and 1 <= y <= game.height):
            place.at(number).fail(
                f"{x},{y} is not a cell; cells are 1,1 to {game.width},{game.height}"
            )
        actions.append(((y - 1) * game.width + x - 1, place.at(number)))
        seconds.append(spent / 1000)
    position = replay(game, actions)
    names, code = _read_end([line for line in rest if line], place.at(len(lines) + 2))
    returns, reason = result_of(position), "rules"
    if returns is None and code == ON_TIME:
        late = position.current_player
        returns, reason = (-1.0, 1.0) if late == 0 else (1.0, -1.0), "time"
    if returns is None:
        here, reason = place.at(len(lines) + 1), "adjudicated draw"
        returns = here.no_result("the game is not over after these moves")
    spec = game_spec(game)
    return make_record(
        spec, position, returns, reason, players=names, seconds=tuple(seconds)
    )


def _read_end(rest: Sequence[str], place: Place) -> tuple[tuple[str, str], int]:
    """The players, and the number at the end; a game against a person has no names."""
    if len(rest) not in (0, 1, 3) or (rest and not re.fullmatch(r"-?\d+", rest[-1])):
        place.fail("after the moves come two names and a number, or only the number")
    code = int(rest[-1]) if rest else ON_THE_BOARD
    return ((rest[0], rest[1]) if len(rest) == 3 else (UNKNOWN, UNKNOWN)), code

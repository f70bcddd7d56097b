"""A game a line, as its moves run together: `columns` (Connect Four), `pos` (Gomoku).

    44455554                 a game that ended on the board
    4445 0-1                 one that did not, with its result: 1-0, 0-1 or 1/2-1/2
    # connect-four:rows=9    the game of the lines below, where it is not the usual one

Columns are digits from 1 at the left, as in Connect Four solvers. `pos` is the notation
of Gomocup's judge and of Yixin's `getpos`: a letter for the column, then the row,
counted from 1 at the *top*, whereas Playout counts rows from the bottom.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...core.errors import UsageError
from ...games.connect_four.rules import ConnectFour
from ...games.contract.game import Game
from ...games.gomoku.rules import Gomoku
from ...games.registry import game_spec, make_game
from ..record import GameRecord
from .place import Place, game_of, make_record, replay, result_of

__all__ = ["Lines", "columns", "pos"]

_RESULTS = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0)}


@dataclass(frozen=True)
class Lines:
    """A format with a line for each game.

    Attributes:
        name: of the format.
        kind: the games that it is for.
        spell: a move as it is written.
        split: the actions that a line names, or None where it does not name moves.
        usual: the game of lines that no comment stands above; the plain one by default.
        make: the game that a comment names; a reader of texts by strangers has its own,
            for `make_game` runs the Python file that a spec names.
    """

    name: str
    kind: type[Game]
    spell: Callable[[Game, int], str]
    split: Callable[[Game, str], list[int] | None]
    usual: Game | None = None
    make: Callable[[str], Game] = make_game

    def write(self, records: Iterable[GameRecord]) -> str:
        """The games as text.

        Raises:
            UsageError: a game that the format is not for.
        """
        text, current = [], game_spec(self.kind())
        for record in records:
            game = game_of(record, self.kind, self.name)
            if record.game != current:
                current = record.game
                text.append(f"# {current}")
            text.append(self._line(game, record))
        return "".join(line + "\n" for line in text)

    def read(self, text: str, place: Place) -> list[GameRecord]:
        """The games of a text; comments that name no game are skipped."""
        records, game = [], self.usual or self.kind()
        for number, line in enumerate(text.splitlines(), start=1):
            line = line.strip()
            if line.startswith("#"):
                game = self._named(line[1:].strip(), place.at(number)) or game
            elif line:
                records.append(self._read_line(game, line, place.at(number)))
        return records

    def _line(self, game: Game, record: GameRecord) -> str:
        here = Place(self.name)
        position = replay(game, [(move, here) for move in record.moves])
        line = "".join(self.spell(game, action) for action in position.actions)
        if not line:
            raise UsageError(f"{self.name} cannot hold a game without moves")
        if result_of(position) == record.returns:
            return line
        return f"{line} {_name_result(record)}"

    def _named(self, spec: str, place: Place) -> Game | None:
        if spec.partition(":")[0] != self.kind.name:
            return None
        try:
            return self.make(spec)
        except UsageError as error:
            place.fail(str(error))

    def _read_line(self, game: Game, line: str, place: Place) -> GameRecord:
        moves, _, written = line.partition(" ")
        actions = self.split(game, moves)
        if actions is None:
            place.fail(f"{moves[:60]!r} are not moves of {game_spec(game)}")
        position = replay(game, [(action, place) for action in actions])
        by_rules, written = result_of(position), written.strip()
        if written and written not in _RESULTS:
            place.fail(f"{written[:40]!r} is not a result: {', '.join(_RESULTS)}")
        returns = _RESULTS[written] if written else by_rules
        if returns is None:
            returns = place.no_result(
                "the game is not over; its result must follow the moves"
            )
        if by_rules not in (None, returns):
            place.fail(f"the result of these moves is not {written}")
        unfinished = "resignation" if any(returns) else "adjudicated draw"
        reason = "rules" if by_rules is not None else unfinished
        return make_record(game_spec(game), position, returns, reason)


def _name_result(record: GameRecord) -> str:
    for name, returns in _RESULTS.items():
        if record.returns == returns:
            return name
    raise UsageError(f"a game cannot end {record.returns} in this format")


def _spell_column(game: Game, action: int) -> str:
    assert isinstance(game, ConnectFour)
    if game.columns > 9:
        raise UsageError(
            f"columns is for boards of up to 9 columns, not {game.columns}"
        )
    return str(action + 1)


def _split_columns(game: Game, text: str) -> list[int] | None:
    assert isinstance(game, ConnectFour)
    if not re.fullmatch(r"[1-9]+", text, flags=re.ASCII):
        return None
    actions = [int(digit) - 1 for digit in text]
    return actions if max(actions) < game.columns else None


def _spell_pos(game: Game, action: int) -> str:
    assert isinstance(game, Gomoku)
    row, column = divmod(action, game.width)
    return f"{chr(ord('a') + column)}{row + 1}"


def _split_pos(game: Game, text: str) -> list[int] | None:
    assert isinstance(game, Gomoku)
    if not re.fullmatch(r"([a-z][1-9][0-9]?)+", text, flags=re.ASCII):
        return None
    cells = [
        (int(row) - 1, ord(letter) - ord("a"))
        for letter, row in re.findall(r"([a-z])([0-9]+)", text)
    ]
    if any(row >= game.height or column >= game.width for row, column in cells):
        return None
    return [row * game.width + column for row, column in cells]


columns = Lines("columns", ConnectFour, _spell_column, _split_columns)
pos = Lines("pos", Gomoku, _spell_pos, _split_pos)

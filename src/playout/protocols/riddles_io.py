"""The protocol of riddles.io (before, TheAIGames), for two of its games.

    settings time_per_move 500            what holds for the whole game
    settings your_botid 0
    update game field .,.,0,...           the board, before every move
    update game macroboard -1,.,0,...     ultimate tic-tac-toe: where one may play
    action move 10000                     the question; milliseconds in the time bank
    place_move 4 4                        the answer: column and row

Four in a Row sends its rows from the top with `;` between, 0 for an empty cell and the
bots' numbers 1 and 2, and is answered `place_disc C`, columns counted from 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..core.errors import PositionError, UsageError
from ..games.connect_four.rules import ConnectFour
from ..games.contract.game import Game
from ..games.positions.position import Position
from ..games.ultimate_tic_tac_toe.rules import UltimateTicTacToe

__all__ = ["ManagerState", "format_move", "read_position"]


@dataclass
class ManagerState:
    """What the manager has said so far; modified in place by `hear`.

    Attributes:
        settings: the newest value of every setting.
        updates: the newest value of every `update game`.
    """

    settings: dict[str, str] = field(default_factory=dict)
    updates: dict[str, str] = field(default_factory=dict)

    def hear(self, line: str) -> int | None:
        """Take a line; returns the milliseconds in the bank where a move is wanted.

        Raises:
            UsageError: the line is none of the protocol's.
        """
        words = line.split()
        if words[:1] == ["settings"] and len(words) >= 3:
            self.settings[words[1]] = " ".join(words[2:])
        elif words[:1] == ["update"] and len(words) >= 4:
            if words[1] == "game":
                self.updates[words[2]] = " ".join(words[3:])
        elif words[:2] == ["action", "move"]:
            return _number(words[2]) if len(words) > 2 else 0
        elif words:
            raise UsageError(f"unknown line {line.strip()[:60]!r}")
        return None

    def number(self, name: str, default: int) -> int:
        """A setting that is a number."""
        return _number(self.settings.get(name, ""), default)


def read_position(game: Game, manager: ManagerState) -> Position:
    """The position that the updates describe, with this bot to move.

    >>> manager = ManagerState(settings={"your_botid": "1"})
    >>> manager.updates["field"] = ";".join(["0,0,0,0,0,0,0"] * 6)
    >>> read_position(ConnectFour(), manager).to_text()[-1]
    'X'

    Raises:
        UsageError: the field is missing, or is not one of this game.
    """
    if "field" not in manager.updates:
        return Position(game)
    if isinstance(game, UltimateTicTacToe):
        return Position(game, _ultimate_text(manager))
    if isinstance(game, ConnectFour):
        return Position(game, _four_text(manager, game))
    raise UsageError("riddles.io has ultimate tic-tac-toe and Connect Four only")


def format_move(game: Game, action: int) -> str:
    """The answer to `action move`."""
    if isinstance(game, UltimateTicTacToe):
        row, column = game.cell(action)
        return f"place_move {column} {row}"
    return f"place_disc {action}"


def _ultimate_text(manager: ManagerState) -> str:
    """The position in our text form: X is bot 0."""
    cells = manager.updates["field"].split(",")
    if len(cells) != 81 or set(cells) - {".", "0", "1"}:
        raise PositionError("field needs 81 cells of . 0 1 with commas between")
    marks = {".": ".", "0": "X", "1": "O"}
    boards = [""] * 9
    for index, cell in enumerate(cells):
        row, column = divmod(index, 9)
        boards[3 * (row // 3) + column // 3] += marks[cell]
    mover = "XO"[manager.number("your_botid", 0) == 1]
    return f"{'/'.join(boards)} {_target(manager)} {mover}"


def _target(manager: ManagerState) -> str:
    """The one board that may be played, - for a free choice."""
    macro = manager.updates.get("macroboard", "").split(",")
    playable = [board for board, owner in enumerate(macro) if owner == "-1"]
    return "abcdefghi"[playable[0]] if len(macro) == 9 and len(playable) == 1 else "-"


def _four_text(manager: ManagerState, game: ConnectFour) -> str:
    """The position in our text form: X is bot 1."""
    rows = [row.split(",") for row in manager.updates["field"].rstrip(";").split(";")]
    if len(rows) != game.rows or any(
        len(row) != game.columns or set(row) - {"0", "1", "2"} for row in rows
    ):
        raise PositionError(
            f"field needs {game.rows} rows of {game.columns} cells 0 1 2"
        )
    text = "/".join("".join(".XO"[int(cell)] for cell in row) for row in rows)
    return f"{text} {'XO'[manager.number('your_botid', 1) == 2]}"


def _number(text: str, default: int = 0) -> int:
    return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else default

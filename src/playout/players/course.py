"""A strategy for the Tsinghua platform, a shared library, as a player.

Every game has a process of its own, as such strategies keep what they know in global
variables, write to standard output and crash; it is killed when its answer is late.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ..core.errors import UsageError
from ..core.start import start_code
from ..games.connect_four.rules import ConnectFour
from ..games.connect_four.text import grid_of
from ..games.contract.game import Game
from ..games.drawing.board import EMPTY
from ..games.positions.position import Position
from ..protocols.course_host import ABOUT, NAME, move_line
from ..protocols.process import ProcessTransport
from ..protocols.transport import Transport
from .dialogues import Dialogue
from .external import ExternalPlayer
from .player import Allowance, PlayerFailure
from .wire import EngineAnswer, Wire

__all__ = ["CourseDialogue", "CoursePlayer"]

#: The course's own time for a move, used where no limit is given.
SECONDS = 3.0
#: Numbers on the board by who a stone belongs to.
OPPONENT, SELF = 1, 2


class CourseDialogue(Dialogue):
    """A line with the board, answered by a cell, which must be where a stone lands."""

    name, greeting, halt = NAME, ABOUT, ""

    game: ConnectFour

    @staticmethod
    def speaks(game: Game) -> bool:
        return isinstance(game, ConnectFour) and game.line == 4

    @staticmethod
    def recognizes(line: str) -> bool:
        return line == NAME

    def new_game(self, wire: Wire, seed: int) -> None:
        """Its process is new: there is nothing to forget."""

    def stop(self, wire: Wire) -> None:
        """A strategy cannot be hurried."""

    def ask(self, wire: Wire, position: Position, allowance: Allowance) -> None:
        grid = grid_of(self.game, position.state)
        self._top = [_top(grid, column) for column in range(self.game.columns)]
        own = "XO"[position.current_player]
        stones = {own: SELF, "XO"[1 - position.current_player]: OPPONENT}
        wire.ask(
            move_line(
                (self.game.rows, self.game.columns),
                self.game.forbidden,
                _last(grid, position),
                self._top,
                [stones.get(mark, 0) for row in grid for mark in row],
            )
        )

    def read(self, wire: Wire, line: str) -> EngineAnswer | None:
        try:
            row, column = map(int, line.split())
        except ValueError:
            return None
        inside = 0 <= column < len(self._top)
        if not inside or row != self._top[column] - 1:
            raise PlayerFailure(
                "illegal move", f"({row}, {column}) is not where a stone lands"
            )
        return EngineAnswer(column)


def _top(grid: list[str], column: int) -> int:
    """One more than the row where a stone lands; 0 in a full column."""
    free = [row for row, marks in enumerate(grid) if marks[column] == EMPTY]
    return max(free, default=-1) + 1


def _last(grid: list[str], position: Position) -> tuple[int, int]:
    """The cell of the last stone; (-1, -1) before any."""
    column = position.last_action
    if column is None:
        return -1, -1
    return next(row for row, marks in enumerate(grid) if marks[column] in "XO"), column


class CoursePlayer(ExternalPlayer):
    """Asks a shared library.

    Args:
        path: of the library.
        game: Connect Four of any size.
        tolerance: as of `ExternalPlayer`, and so the others.

    Raises:
        UsageError: it is another game, or there is no such file.
    """

    allowance = Allowance(seconds=SECONDS)
    dialogues = (CourseDialogue,)

    def __init__(self, path: str, game: Game, *, tolerance: float = 0.5) -> None:
        if not CourseDialogue.speaks(game):
            raise UsageError(
                f"{path}: strategies of the course play connect-four, lines of four"
            )
        if not Path(path).is_file():
            raise UsageError(f"{path}: there is no such file")
        self._played = False
        super().__init__(path, game, tolerance=tolerance, start=_start)
        self.spec = path

    def new_game(self, seed: int) -> None:
        if self._played:
            self.close()
        super().new_game(seed)
        self._played = True

    def close(self) -> None:
        self._played = False
        super().close()


def _start(path: str) -> Transport:
    """A process that holds the library."""
    host = start_code("playout.protocols.course_host")
    return ProcessTransport([sys.executable, "-c", host, str(Path(path).resolve())])

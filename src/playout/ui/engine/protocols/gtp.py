"""Playout as a GTP engine for Go and Gomoku, as Sabaki talks; see `protocols.gtp`."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any, ClassVar

from ....core.errors import PlayoutError, UsageError
from ....games.contract.game import Game
from ....games.positions.position import Position
from ....players.player import Allowance
from ....protocols import gtp as wire
from ..loop import Engine, InputLine
from ..thinker import Ended, Thinker

__all__ = ["GtpEngine"]

#: A whole number of seconds is said to be left: what there is may be a little less.
_OVERHEAD = 0.05
#: The most time that a clock may be given.
_MOST = 10**6
#: Between two lines of an analysis, in hundredths of a second, at least.
_SHORTEST = 5
#: Moves of a line that an analysis shows.
_LINE = 12


class GtpEngine(Engine):
    """One conversation.

    Args:
        say: sends a line.
        thinker: who finds the moves.
        game: Go or Gomoku; `boardsize` changes its size, `komi` Go's komi.
        version: what `version` says.
    """

    default: ClassVar[str] = "go:size=9"
    games: ClassVar[tuple[str, ...]] = ("go", "gomoku")

    def __init__(
        self,
        say: Callable[[str], None],
        thinker: Thinker,
        game: Game,
        version: str = "0",
    ) -> None:
        super().__init__(say)
        self.thinker, self.game, self.version = thinker, game, version
        self.position = Position(game)
        self._marks: list[int] = []  # moves before each that somebody has made
        self.main, self.move_time, self.left = 0.0, 0.0, [-1.0, -1.0]
        self._commands: dict[str, Callable[..., str]] = {
            "protocol_version": lambda line: "2",
            "name": lambda line: "Playout",
            "version": lambda line: self.version,
            "known_command": self._known,
            "list_commands": lambda line: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._size,
            "clear_board": self._clear,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": lambda line, color: self._genmove(line, color, False),
            "kgs-genmove_cleanup": self._genmove,
            "lz-analyze": self._analyze,
            "undo": self._undo,
            "showboard": lambda line: self.position.render(),
            "final_score": self._score,
            "time_settings": self._settings,
            "time_left": self._left,
        }

        self._heard = self._analysis = 0  # numbers of lines: the last, one in work

    # -- what the loop calls -----------------------------------------------------------

    def hear(self, line: InputLine) -> bool:
        """Any line ends an analysis; the line is answered in its turn."""
        self._heard = line.number
        if self._analysis:
            self.thinker.stop(self._analysis)
        return False

    def finish(self) -> None:
        """End an analysis, as no line can come any more."""
        self._heard = 1 << 62
        if self._analysis:
            self.thinker.stop(self._analysis)

    def handle(self, line: InputLine) -> None:
        command = wire.parse_command(line.text)
        if command is None:
            return
        run = self._commands.get(command.name)
        if run is None:
            self._answer(command.identity, "unknown command", failed=True)
            return
        try:
            if run == self._analyze:
                self.say(f"={command.identity}")
                self._analyze(line, *command.arguments)
                self.say("")
            else:
                self._answer(command.identity, run(line, *command.arguments))
        except Ended:
            return
        except PlayoutError as error:
            self._answer(command.identity, str(error), failed=True)
        except TypeError:  # too few words, or too many
            self._answer(command.identity, "syntax error", failed=True)

    def fail(self, line: InputLine, error: Exception) -> None:
        command = wire.parse_command(line.text)
        identity = command.identity if command else ""
        self._answer(identity, "a fault of the engine itself", failed=True)

    def idle(self) -> None:
        self.thinker.prepare(self.game)

    def _answer(self, identity: str, text: str, failed: bool = False) -> None:
        for line in wire.answer(identity, text, failed):
            self.say(line)

    # -- the commands ------------------------------------------------------------------

    def _known(self, line: InputLine, name: str) -> str:
        return "true" if name in self._commands else "false"

    def _quit(self, line: InputLine) -> str:
        self.ended = True
        return ""

    def _size(self, line: InputLine, size: str, *more: str) -> str:
        try:
            self._begin(_changed(self.game, size=int(size)))
        except (ValueError, UsageError):
            raise UsageError("unacceptable size") from None
        return ""

    def _clear(self, line: InputLine) -> str:
        self._begin(self.game)
        return ""

    def _begin(self, game: Game) -> None:
        self.game, self.position, self.left = game, Position(game), [-1.0, -1.0]
        self._marks = []
        self.thinker.new_game(game)

    def _komi(self, line: InputLine, komi: str) -> str:
        """Go's; elsewhere there is none, and what programs send is taken."""
        try:
            value = float(komi)
            if hasattr(self.game, "komi"):
                game = _changed(self.game, komi=value)
                self.position = Position.from_moves(game, self.position.actions)
                self.game = game
        except (ValueError, UsageError):
            raise UsageError("syntax error") from None
        return ""

    def _play(self, line: InputLine, color: str, vertex: str) -> str:
        mover = wire.parse_color(color)
        action = wire.action_of(self.game, self._rows, vertex)
        before = len(self.position.actions)
        try:
            self._turn_of(mover)
            self.position.play(action)
        except UsageError:
            self._go_back(before)
            raise UsageError("illegal move") from None
        self._marks.append(before)
        return ""

    def _genmove(self, line: InputLine, color: str, plays: bool = True) -> str:
        mover = wire.parse_color(color)
        before = len(self.position.actions)
        self._turn_of(mover)
        if self.position.is_terminal:
            self._go_back(before)
            return "pass" if hasattr(self.game, "komi") else "resign"
        allowance = self._allowance(mover, line)
        try:
            decision = self.thinker.think(self.position.copy(), allowance, line.number)
        except Exception:
            self._go_back(before)
            raise
        vertex = wire.vertex_of(self.game, self._rows, decision.action)
        if plays:
            self.position.play(decision.action)
            self._marks.append(before)
        else:
            self._go_back(before)
        self._take_off(mover, time.monotonic() - line.received)
        return vertex

    def _analyze(self, line: InputLine, *words: str) -> str:
        """Tell what every move is worth, until the next line comes.

        The words may be a color, and hundredths of a second between what is told.
        """
        numbers = [int(word) for word in words if word.isdecimal()]
        every = max(numbers[0] if numbers else 50, _SHORTEST) / 100
        told = time.monotonic()

        def watch(result: Any) -> bool:
            nonlocal told
            if time.monotonic() - told >= every:
                told = time.monotonic()
                self._tell(result)
            return self._heard <= line.number

        self._analysis = line.number
        if not self.position.is_terminal:
            allowance = Allowance(seconds=_MOST, analysis=True)
            position = self.position.copy()
            decision = self.thinker.think(position, allowance, line.number, watch=watch)
            self._tell(decision.result)
        while self._heard <= line.number and not self.ended:
            time.sleep(0.02)
        self._analysis = 0
        return ""

    def _tell(self, result: Any) -> None:
        """A line of all moves that were tried, as Leela Zero writes it."""
        if result is None:
            return
        found = []
        for order, one in enumerate(each for each in result.actions if each.visits):
            line = result.pv[:_LINE] if order == 0 else [one.move]
            pv = " ".join(self._vertex(move) for move in line)
            share = round(5000 * (1 + one.mean))
            found.append(
                f"info move {self._vertex(one.move)} visits {one.visits} "
                f"winrate {share} order {order} pv {pv}"
            )
        self.say(" ".join(found))

    def _vertex(self, move: str) -> str:
        return wire.vertex_of(self.game, self._rows, self.game.parse_action(move))

    def _turn_of(self, color: int) -> None:
        """Have it a color's turn: in Go the other one passes."""
        if self.position.is_terminal or self.position.current_player == color:
            return
        if not hasattr(self.game, "komi"):
            raise UsageError(f"it is not {wire.COLORS[color]}'s turn")
        self.position.play("pass")

    def _go_back(self, moves: int) -> None:
        while len(self.position.actions) > moves:
            self.position.undo()

    def _undo(self, line: InputLine) -> str:
        """Take back a move, and the other one's pass where that made it possible."""
        if not self._marks:
            raise UsageError("cannot undo")
        self._go_back(self._marks.pop())
        return ""

    def _score(self, line: InputLine) -> str:
        """Go's by area, with stones as they stand; else who has won."""
        if hasattr(self.game, "komi"):
            lead = float(self.position.state.lead) - self.game.komi
        elif self.position.is_terminal:
            lead = self.position.returns(0)
        else:
            raise UsageError("cannot score")
        if lead == 0:
            return "0"
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"

    def _settings(self, line: InputLine, main: str, byo: str, stones: str) -> str:
        """Seconds for the game, and for every so many moves after that."""
        values = [float(text) for text in (main, byo, stones) if text.isdecimal()]
        if len(values) != 3 or max(values) > _MOST:
            raise UsageError("syntax error")
        self.main, period, count = values
        self.move_time = period / count if count else 0.0
        self.left = [self.main if self.main or self.move_time else -1.0] * 2
        return ""

    def _left(self, line: InputLine, color: str, seconds: str, stones: str) -> str:
        if not (seconds.isdecimal() and stones.isdecimal() and int(seconds) <= _MOST):
            raise UsageError("syntax error")
        left, count = float(seconds), int(stones)
        self.left[wire.parse_color(color)] = left / count if count else left
        if count:
            self.move_time = left / count
        return ""

    # -- thinking ----------------------------------------------------------------------

    @property
    def _rows(self) -> int:
        board: Any = self.position.game.board(self.position.state)
        return len(board.cells)

    def _take_off(self, mover: int, seconds: float) -> None:
        """Note what a move took: not every program tells the time that is left."""
        if self.left[mover] >= 0 and not self.move_time:
            self.left[mover] = max(0.0, self.left[mover] - seconds)

    def _allowance(self, mover: int, line: InputLine) -> Allowance:
        """What the clock leaves; the player's own where none was set."""
        left = self.left[mover]
        lost = time.monotonic() - line.received + _OVERHEAD
        if left < 0:
            return Allowance()
        if self.move_time:
            return Allowance(seconds=max(0.01, self.move_time - lost))
        return Allowance(remaining=max(0.01, left - lost))


def _changed(game: Any, **fields: Any) -> Game:
    """The same game with other parameters."""
    found: Game = dataclasses.replace(game, **fields)
    return found

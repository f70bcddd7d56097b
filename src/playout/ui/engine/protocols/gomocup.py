"""Playout as a program for Gomoku tournaments; `protocols.gomocup` has the words.

The main thread hears END and YXSTOP while it thinks; everything else waits its turn.
A move is always answered: where the clock leaves no time, with little thought.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from ....core.errors import PlayoutError, UsageError
from ....games.contract.game import Game
from ....games.gomoku.rules import Gomoku
from ....games.positions.position import Position
from ....players.player import Allowance, Decision
from ....protocols import gomocup as wire
from ....protocols.gomocup import OPPONENT, OWN, Stone
from ..gomocup_limits import Limits
from ..loop import Engine, InputLine
from ..swap2 import answer_swap2
from ..thinker import Ended, Thinker

__all__ = ["GomocupEngine"]

#: How long START may wait for what every game needs.
START_SECONDS = 3.0
#: Commands that are followed by lines up to DONE.
BLOCKS = ("BOARD", "YXBOARD", "SWAP2BOARD")


class _Refused(Exception):
    """A command that is known, but cannot be done now."""


class GomocupEngine(Engine):
    """One conversation with a manager; it may hold many games.

    Args:
        say: sends a line.
        thinker: who finds the moves.
        version: what ABOUT says.
    """

    default: ClassVar[str] = "gomoku"
    games: ClassVar[tuple[str, ...]] = ("gomoku",)

    def __init__(
        self, say: Callable[[str], None], thinker: Thinker, version: str = "0"
    ) -> None:
        super().__init__(say)
        self.thinker, self.version = thinker, version
        self.limits = Limits()
        self.position: Position | None = None  # None before START
        self._rule = "freestyle"
        self._is_rule_told = False
        self._block: list[str] | None = None  # the lines since BOARD, while it lasts
        self._block_name = ""
        self._commands = {
            "ABOUT": self._about,
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "INFO": self._info,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "PLAY": self._play,
            "TAKEBACK": self._takeback,
            "YXSHOWFORBID": self._show_forbidden,
            "YXHASHCLEAR": self._forget,
        }

    @classmethod
    def check(cls, game: Game) -> None:
        if game != Gomoku():
            raise UsageError("with gomocup the manager chooses the board and the rule")

    # -- what the loop calls -----------------------------------------------------------

    def hear(self, line: InputLine) -> bool:
        word, _ = wire.split_command(line.text)
        if word == "END":
            self.leaving = True
            self.thinker.end()
        elif word == "YXSTOP":
            self.thinker.stop(line.number - 1)
        return word in ("END", "YXSTOP")

    def handle(self, line: InputLine) -> None:
        word, rest = wire.split_command(line.text)
        if not word:
            return
        try:
            if self._block is not None and not self._in_block(word, line):
                return
            if word in BLOCKS:
                self._block, self._block_name = [], word
            elif word in self._commands:
                self._check_complaint(word)
                self._commands[word](rest, line)
            elif word != "DONE":
                self.say("UNKNOWN command")
            else:
                raise _Refused("DONE ends nothing here")
        except Ended:
            pass
        except (_Refused, PlayoutError) as error:
            self.say(f"ERROR {error}")

    def fail(self, line: InputLine, error: Exception) -> None:
        if wire.split_command(line.text)[0] != "INFO":
            self.say("ERROR a fault of the program itself")

    def idle(self) -> None:
        """Prepare, but only when the manager has told the rule.

        Else the code of another rule might have to be compiled first.
        """
        if self.position is not None and self._is_rule_told:
            self.thinker.prepare(self.position.game)

    # -- the commands ------------------------------------------------------------------

    def _about(self, rest: str, line: InputLine) -> None:
        about = {"name": "Playout", "version": self.version}
        self.say(wire.format_about(**about, author="Playout project", country="-"))

    def _start(self, rest: str, line: InputLine) -> None:
        self._new_game(rest)
        self.thinker.wait_warm(START_SECONDS)  # which is on no move's clock
        self.say("OK")

    def _rectstart(self, rest: str, line: InputLine) -> None:
        width, _, height = (part.strip() for part in rest.partition(","))
        if width != height:
            raise _Refused("only square boards are supported")
        self._start(width, line)

    def _restart(self, rest: str, line: InputLine) -> None:
        self._new_game(str(self._board().size))
        self.say("OK")

    def _info(self, rest: str, line: InputLine) -> None:
        key, _, value = rest.partition(" ")
        rule = self.limits.hear(key.lower(), value.strip())
        self._is_rule_told |= rule is not None
        if rule is not None and rule != self._rule:
            self._rule = rule
            if self.position is not None:
                self._change_rule(rule)

    def _begin(self, rest: str, line: InputLine) -> None:
        self._think(line)

    def _turn(self, rest: str, line: InputLine) -> None:
        self._put(self._cell(rest))
        self._think(line)

    def _play(self, rest: str, line: InputLine) -> None:
        """The manager has chosen our move for us."""
        action = self._cell(rest)
        self._put(action)
        self.say(wire.format_cell(action, self._board().size))

    def _takeback(self, rest: str, line: InputLine) -> None:
        position = self._position()
        action = wire.parse_cell(rest, self._board().size)
        if action == position.last_action:
            position.undo()
        else:
            stones = wire.stones_of(position)
            left = [stone for stone in stones if stone.action != action]
            if len(left) == len(stones):
                raise _Refused(f"there is no stone on {rest}")
            swapped = [Stone(s.action, {OWN: OPPONENT}.get(s.owner, OWN)) for s in left]
            self.position = wire.arrange(self._board(), swapped)
        self.say("OK")

    def _show_forbidden(self, rest: str, line: InputLine) -> None:
        cells = sorted(self._board().forbidden(self._position().state))
        self.say("FORBID " + "".join(f"{x:02}{y:02}" for y, x in cells) + ".")

    def _forget(self, rest: str, line: InputLine) -> None:
        if self.position is not None:
            self.thinker.new_game(self.position.game)

    # -- blocks of lines ---------------------------------------------------------------

    def _in_block(self, word: str, line: InputLine) -> bool:
        """Take a line of a block; True where it is a command that breaks it off."""
        assert self._block is not None
        if word == "INFO":
            return True
        if word == "DONE":
            lines, self._block = self._block, None
            self._done(lines, line)
            return False
        if word in wire.COMMANDS:
            self._block = None
            if self._block_name != "YXBOARD":
                self.say(f"ERROR {self._block_name} without DONE")
            return True
        self._block.append(line.text)
        return False

    def _done(self, lines: list[str], line: InputLine) -> None:
        self._check_complaint(self._block_name)
        size = self._board().size
        if self._block_name == "SWAP2BOARD":
            cells = [wire.parse_cell(text, size) for text in lines]
            allowance = self._allowance(line)
            judge = partial(self._consider, line)
            seed = self.thinker.seed
            self.say(answer_swap2(self._board(), cells, judge, allowance, seed))
            self.limits.spend(time.monotonic() - line.received)
            return
        stones = [wire.parse_stone(text, size) for text in lines]
        self.position = wire.arrange(self._board(), stones, self.position)
        if self._block_name == "BOARD":
            self._think(line)

    # -- details -----------------------------------------------------------------------

    def _change_rule(self, rule: str) -> None:
        """Go on by another rule; a position that is illegal by it is given up."""
        game = replace(self._board(), rule=rule)
        try:
            self.position = wire.arrange(game, wire.stones_of(self._position()))
        except PlayoutError:
            self.position = Position(game)

    def _new_game(self, size: str) -> None:
        """Forget everything about the last game but the limits."""
        if not re.fullmatch("[0-9]{1,2}", size) or not 5 <= int(size) <= 22:
            raise _Refused("the size must be 5 to 22")
        game = Gomoku(size=int(size), rule=self._rule)
        self.position = Position(game)
        self.limits.new_game()
        self.thinker.new_game(game)

    def _think(self, line: InputLine) -> None:
        """Find a move, play it and say it."""
        position = self._position()
        if not position.legal_actions():
            raise _Refused("the game is over")
        decision = self._consider(line, position, self._allowance(line))
        position.play(decision.action)
        if decision.comment:
            self.say(f"MESSAGE {decision.comment}")
        self.say(wire.format_cell(decision.action, self._board().size))
        self.limits.spend(time.monotonic() - line.received)

    def _allowance(self, line: InputLine) -> Allowance:
        return self.limits.allowance(time.monotonic() - line.received)

    def _consider(
        self, line: InputLine, position: Position, allowance: Allowance
    ) -> Decision:
        return self.thinker.think(
            position,
            allowance,
            line.number,
            process_bytes=self.limits.process_bytes,
            patience=self.limits.patience(time.monotonic() - line.received),
        )

    def _put(self, action: int) -> None:
        """Put a stone of the player to move, even if it is illegal by these rules."""
        position = self._position()
        if position.is_terminal:
            raise _Refused("the game is over")
        if action in position.legal_actions():
            position.play(action)
            return
        stones = wire.stones_of(position)
        if any(stone.action == action for stone in stones):
            raise _Refused("the cell is not empty")
        turned = [Stone(s.action, {OWN: OPPONENT}.get(s.owner, OWN)) for s in stones]
        turned.append(Stone(action, OPPONENT))
        self.position = wire.arrange(self._board(), turned)

    def _cell(self, text: str) -> int:
        return wire.parse_cell(text, self._board().size)

    def _position(self) -> Position:
        if self.position is None:
            raise _Refused("START comes first")
        return self.position

    def _board(self) -> Gomoku:
        game = self._position().game
        assert isinstance(game, Gomoku)
        return game

    def _check_complaint(self, word: str) -> None:
        """Send the complaint about an INFO, which itself has no answer."""
        if word not in ("INFO", "ABOUT") and (complaint := self.limits.complain()):
            raise _Refused(complaint)

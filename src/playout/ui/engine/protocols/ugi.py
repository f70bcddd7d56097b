"""Playout as a UGI engine for any game of two players; see `protocols.ugi`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ....core.errors import PlayoutError, UsageError
from ....games.contract.game import Game
from ....games.positions.position import Position
from ....players.player import Allowance, Decision
from ....protocols import ugi as wire
from ..loop import Engine, InputLine
from ..thinker import Ended, Thinker

__all__ = ["UgiEngine"]

#: How often the state of the search is reported, in seconds.
INFO_SECONDS = 1.0
#: What `go infinite` and `go depth` may take; the latter also ends at its depth.
FOREVER, DEPTH_SECONDS = 1e6, 10.0
#: Moves of the expected line that are shown.
LINE_MOVES = 12


class UgiEngine(Engine):
    """One conversation about one game.

    Args:
        say: sends a line.
        thinker: who finds the moves.
        game: the game.
        version: part of the name.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        thinker: Thinker,
        game: Game,
        version: str = "0",
    ) -> None:
        super().__init__(say)
        self.check(game)
        self.thinker, self.game, self.version = thinker, game, version
        self.position: Position | None = Position(game)
        self.overhead, self.memory = 30, 0  # in milliseconds, megabytes
        self._thinking = False
        self._heard_stop = 0
        self._commands: dict[str, Callable[[str, InputLine], None]] = {
            "ugi": self._ugi,
            "isready": self._ready,
            "setoption": self._set_option,
            "uginewgame": self._new_game,
            "position": self._set_position,
            "query": self._query,
            "go": self._go,
            "stop": lambda rest, line: None,
        }

    @classmethod
    def check(cls, game: Game) -> None:
        if game.num_players() != 2:
            raise UsageError("ugi is for games of two players only")

    # -- what the loop calls -----------------------------------------------------------

    def hear(self, line: InputLine) -> bool:
        word = line.text.partition(" ")[0]
        if word == "quit":
            self.leaving = True
            self._halt(line.number)
        elif word == "stop":
            self._halt(line.number)
        elif word == "isready" and self._thinking:
            self.say("readyok")
        else:
            return False
        return True

    def handle(self, line: InputLine) -> None:
        word, _, rest = line.text.partition(" ")
        if not word:
            return
        if word not in self._commands:
            self.say("info string unknown command")
            return
        try:
            self._commands[word](rest.strip(), line)
        except Ended:
            pass
        except PlayoutError as error:
            self.say(f"info string {error}")

    def fail(self, line: InputLine, error: Exception) -> None:
        self.say("info string a fault of the engine itself")
        if line.text.startswith("go"):
            self.say(f"bestmove {wire.NO_MOVE}")

    def idle(self) -> None:
        self.thinker.prepare(self.game)

    def finish(self) -> None:
        """End a search without limits, as no `stop` can come any more."""
        self._heard_stop = 1 << 62

    # -- the commands ------------------------------------------------------------------

    def _ugi(self, rest: str, line: InputLine) -> None:
        self.say(f"id name Playout {self.version}")
        self.say("id author Playout project")
        self.say("option name Move Overhead type spin default 30 min 0 max 10000")
        self.say("option name Memory type spin default 0 min 0 max 1000000")
        self.say("ugiok")

    def _ready(self, rest: str, line: InputLine) -> None:
        self.thinker.ready(self.game)
        self.say("readyok")

    def _set_option(self, rest: str, line: InputLine) -> None:
        name, value = wire.parse_option(rest)
        known = {"move overhead": ("overhead", 10_000), "memory": ("memory", 1_000_000)}
        if name.lower() not in known:
            raise UsageError(f"there is no option {name[:40]!r}")
        attribute, most = known[name.lower()]
        if not (value.isascii() and value.isdigit() and len(value) < 9):
            raise UsageError(f"option {name} needs a number from 0 to {most}")
        setattr(self, attribute, min(int(value), most))

    def _new_game(self, rest: str, line: InputLine) -> None:
        self.thinker.new_game(self.game)

    def _set_position(self, rest: str, line: InputLine) -> None:
        self.position = None  # for what cannot be read
        self.position = wire.parse_position(self.game, rest)

    def _query(self, rest: str, line: InputLine) -> None:
        answers = {"gameover": _gameover, "p1turn": _p1turn, "result": _result}
        if rest not in answers:
            raise UsageError("query is followed by gameover, p1turn or result")
        position = self.position
        self.say(f"response {'none' if position is None else answers[rest](position)}")

    def _go(self, rest: str, line: InputLine) -> None:
        """Every `go` gets a `bestmove`, whatever is wrong with it."""
        move = wire.NO_MOVE
        try:
            go = wire.parse_go(rest)
            if self.position is None:
                raise UsageError("there is no position")
            if not self.position.legal_actions():
                raise UsageError("the game is over")
            if self.position.is_chance:
                raise UsageError("chance moves here")
            action = self._think(self.position, go, line).action
            move = wire.format_move(self.game, action)
        except PlayoutError as error:
            self.say(f"info string {error}")
        self.say(f"bestmove {move}")

    # -- thinking ----------------------------------------------------------------------

    def _think(self, position: Position, go: wire.Go, line: InputLine) -> Decision:
        watcher = _Watcher(self.say, self.game, go.depth)

        def watch(result: Any) -> bool:
            return watcher.watch(result) and not (go.infinite and self._is_over(line))

        allowance = self._allowance(position, go, line)
        self._thinking = True
        try:
            decision = self.thinker.think(position, allowance, line.number, watch=watch)
            while go.infinite and not self._is_over(line):
                time.sleep(0.02)
        finally:
            self._thinking = False
        watcher.report(decision.result)
        return decision

    def _allowance(self, position: Position, go: wire.Go, line: InputLine) -> Allowance:
        """What a `go` allows, less what has passed and our overhead."""
        mover = position.current_player
        lost = time.monotonic() - line.received + self.overhead / 1000
        clock, seconds = go.clocks[mover], None
        if go.movetime is not None:
            seconds = max(go.movetime / 1000 - lost, 0.001)
        elif go.infinite:
            seconds = FOREVER
        elif go.depth is not None and clock is None and go.nodes is None:
            seconds = DEPTH_SECONDS
        return Allowance(
            seconds=seconds,
            remaining=None if clock is None else clock / 1000 - lost,
            increment=go.increments[mover] / 1000,
            simulations=None if go.nodes is None else max(1, go.nodes),
            memory=self.memory * 1_000_000 or None,
            analysis=go.infinite,
        )

    def _halt(self, number: int) -> None:
        self._heard_stop = number
        self.thinker.stop(number)

    def _is_over(self, line: InputLine) -> bool:
        """Whether a `stop` came after this line."""
        return self._heard_stop > line.number


class _Watcher:
    """Sends `info` lines, and ends a search that is as deep as was asked."""

    def __init__(
        self, say: Callable[[str], None], game: Game, depth: int | None
    ) -> None:
        self.say, self.game, self.depth = say, game, depth
        self._shown = time.monotonic()

    def watch(self, result: Any) -> bool:
        if time.monotonic() - self._shown >= INFO_SECONDS:
            self._shown = time.monotonic()
            self.report(result)
        return result is None or self.depth is None or result.depth < self.depth

    def report(self, result: Any) -> None:
        if result is None:
            return
        actions = map(self.game.parse_action, result.pv[:LINE_MOVES])
        pv = " ".join(wire.format_move(self.game, action) for action in actions)
        self.say(
            f"info depth {result.depth} nodes {result.simulations} "
            f"time {result.seconds * 1000:.0f} nps {result.simulations_per_second:.0f} "
            f"winrate {result.win_rate:.4f} pv {pv}"
        )


def _gameover(position: Position) -> str:
    return str(position.is_terminal).lower()


def _p1turn(position: Position) -> str:
    return str(position.current_player == 0).lower()


def _result(position: Position) -> str:
    if not position.is_terminal:
        return "none"
    value = position.returns(0)
    return "p1win" if value > 0 else "p2win" if value < 0 else "draw"

"""The manager's side of the protocols in which engines are asked, a class for each.

A `Dialogue` knows what to send and how to read the replies; `ExternalPlayer` waits for
these, measures, and says how an engine failed.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from ..core.errors import UsageError
from ..games.contract.game import Game
from ..games.gomoku.rules import Gomoku
from ..games.positions.position import Position
from ..games.registry import GAMES, game_spec
from ..protocols import gomocup, jsonlines, ugi
from .answers import read_comment, read_value
from .player import Allowance, PlayerFailure
from .timing import move_seconds
from .wire import EngineAnswer, Wire

__all__ = ["PROTOCOLS", "Dialogue"]


class Dialogue(ABC):
    """One protocol, from the manager's side; made anew with every process."""

    #: The protocol's name, a line that every engine may be sent, and how to say stop.
    name: str
    greeting: str
    halt: str

    def __init__(self, game: Game, memory: int | None = None) -> None:
        self.game, self.memory = game, memory

    @staticmethod
    def speaks(game: Game) -> bool:
        """Whether the protocol has this game."""
        return True

    @staticmethod
    @abstractmethod
    def recognizes(line: str) -> bool:
        """Whether a line is the answer to the greeting."""

    @abstractmethod
    def new_game(self, wire: Wire, seed: int) -> None:
        """Tell the engine to forget the last game."""

    @abstractmethod
    def ask(self, wire: Wire, position: Position, allowance: Allowance) -> None:
        """Ask for a move."""

    def stop(self, wire: Wire) -> None:
        """Ask for the answer now."""
        wire.send(self.halt)

    @abstractmethod
    def read(self, wire: Wire, line: str) -> EngineAnswer | None:
        """The move in a reply, None if it is another line.

        Raises:
            PlayerFailure: it is an answer, but not a move.
        """


class GomocupDialogue(Dialogue):
    """START, INFO, then BEGIN, TURN or BOARD."""

    name, greeting, halt = "gomocup", "ABOUT", "YXSTOP"

    game: Gomoku

    def __init__(self, game: Game, memory: int | None = None) -> None:
        super().__init__(game, memory)
        self._told: dict[str, int] = {}
        self._known: list[int] | None = None  # the moves that the engine knows
        self._stopped = False  # an extension, which an engine need not know
        self._remark = ""

    @staticmethod
    def speaks(game: Game) -> bool:
        return isinstance(game, Gomoku) and game.width == game.height

    @staticmethod
    def recognizes(line: str) -> bool:
        return "name" in gomocup.parse_about(line)

    def new_game(self, wire: Wire, seed: int) -> None:
        wire.ask(f"START {self.game.size}")
        wire.need(self._read_ok, "OK to START")
        self._told, self._known = {}, None
        self._tell(wire, "rule", gomocup.rule_number(self.game.rule))
        self._tell(wire, "game_type", 1)
        if self.memory is not None:
            self._tell(wire, "max_memory", self.memory)

    def ask(self, wire: Wire, position: Position, allowance: Allowance) -> None:
        moves, known = list(position.actions), self._known
        follows = position.start_text is None and moves[:-1] == known
        if known is not None and not follows:  # such as after a move was taken back
            self.new_game(wire, 0)
        wire.transport.discard()
        self._tell_limits(wire, allowance)
        self._remark, self._known, self._stopped = "", moves, False
        if follows and moves:
            wire.ask(f"TURN {gomocup.format_cell(moves[-1], self.game.size)}")
        elif stones := gomocup.stones_of(position):
            wire.ask("BOARD")
            for stone in stones:
                cell = gomocup.format_cell(stone.action, self.game.size)
                wire.send(f"{cell},{stone.owner}")
            wire.send("DONE")
        else:
            wire.ask("BEGIN")

    def read(self, wire: Wire, line: str) -> EngineAnswer | None:
        reply = gomocup.read_reply(line, self.game.size)
        if reply.kind == "move":
            return self._answer(reply)
        if reply.kind == "remark":
            self._remark = reply.text
        elif reply.kind == "suggestion":
            wire.send(f"PLAY {reply.text}")
        elif reply.kind == "error" or (reply.kind == "unknown" and not self._stopped):
            raise PlayerFailure("garbage", f"it answered {line.strip()[:200]!r}")
        elif reply.kind == "other":
            wire.strange = reply.text or wire.strange
        return None

    def stop(self, wire: Wire) -> None:
        self._stopped = True
        super().stop(wire)

    def _answer(self, reply: gomocup.Reply) -> EngineAnswer:
        if reply.action is None:
            raise PlayerFailure("garbage", f"{reply.text} is not on the board")
        if self._known is not None:
            self._known.append(reply.action)
        return EngineAnswer(reply.action, self._remark)

    def _read_ok(self, line: str) -> bool | None:
        reply = gomocup.read_reply(line, self.game.size)
        if reply.kind in ("error", "unknown"):
            raise PlayerFailure("garbage", f"START was answered {line.strip()[:200]!r}")
        return True if reply.kind == "ok" else None

    def _tell_limits(self, wire: Wire, allowance: Allowance) -> None:
        if allowance.seconds is not None:
            self._tell(wire, "timeout_turn", max(1, _milliseconds(allowance.seconds)))
        if allowance.simulations is not None:
            self._tell(wire, "max_node", allowance.simulations)
        if (left := allowance.remaining) is not None:
            if "timeout_match" not in self._told:
                self._tell(wire, "timeout_match", max(1, _milliseconds(left)))
            self._tell(wire, "time_increment", _milliseconds(allowance.increment))
            wire.send(f"INFO time_left {_milliseconds(left)}")

    def _tell(self, wire: Wire, key: str, value: int) -> None:
        """Say what has changed."""
        if self._told.get(key) != value:
            wire.send(f"INFO {key} {value}")
            self._told[key] = value


class UgiDialogue(Dialogue):
    """position, go, bestmove."""

    name, greeting, halt = "ugi", "ugi", "stop"

    def __init__(self, game: Game, memory: int | None = None) -> None:
        super().__init__(game, memory)
        self._remark = ""

    @staticmethod
    def recognizes(line: str) -> bool:
        return line.strip() == "ugiok"

    def new_game(self, wire: Wire, seed: int) -> None:
        wire.ask("uginewgame")
        wire.send("isready")
        wire.need(lambda line: line.strip() == "readyok" or None, "readyok")

    def ask(self, wire: Wire, position: Position, allowance: Allowance) -> None:
        self._remark = ""
        wire.ask(ugi.format_position(position))
        wire.send(ugi.format_go(_go(allowance, position)))

    def read(self, wire: Wire, line: str) -> EngineAnswer | None:
        if (move := ugi.parse_best_move(line)) is not None:
            return EngineAnswer(_action(self.game, move, ugi.parse_move), self._remark)
        if line.startswith("info "):
            self._remark = line.removeprefix("info ").strip()
        else:
            wire.strange = line.strip() or wire.strange
        return None


class JsonDialogue(Dialogue):
    """Playout's own JSON lines."""

    name = "jsonl"
    greeting = '{"id":"hello","action":"query_version"}'
    halt = '{"action":"terminate_all"}'

    def __init__(self, game: Game, memory: int | None = None) -> None:
        super().__init__(game, memory)
        self._number = 0

    @staticmethod
    def recognizes(line: str) -> bool:
        return "version" in (_object(line) or {})

    def new_game(self, wire: Wire, seed: int) -> None:
        self._number += 1
        query = jsonlines.Query("new_game", self._number, seed=seed)
        wire.ask(jsonlines.format_query(query))
        wire.need(self._mine, "answer to new_game")

    def ask(self, wire: Wire, position: Position, allowance: Allowance) -> None:
        self._number += 1
        limit = {
            name: value
            for name in ("seconds", "remaining", "increment", "simulations", "memory")
            if (value := getattr(allowance, name)) is not None
        }
        query = jsonlines.Query(
            "analyze",
            self._number,
            game=game_spec(self.game) if self.game.name in GAMES else None,
            moves=tuple(position.moves),
            position=position.start_text,
            limit=limit,
        )
        wire.ask(jsonlines.format_query(query))

    def read(self, wire: Wire, line: str) -> EngineAnswer | None:
        reply = self._mine(line)
        if reply is None or reply.get("isDuringSearch") is True:
            if _object(line) is None:
                wire.strange = line.strip() or wire.strange
            return None
        if not isinstance(move := reply.get("best"), str):
            raise PlayerFailure("garbage", f"it answered {line[:200]!r}")
        comment = reply.get("comment")
        return EngineAnswer(
            _action(self.game, move, lambda game, text: game.parse_action(text)),
            "" if comment is None else read_comment(comment),
            read_value(reply.get("value")),
        )

    def _mine(self, line: str) -> dict[str, Any] | None:
        reply = _object(line)
        mine = reply is not None and reply.get("id") == self._number
        return reply if mine else None


#: Protocols by name.
PROTOCOLS: dict[str, type[Dialogue]] = {
    cls.name: cls for cls in (GomocupDialogue, UgiDialogue, JsonDialogue)
}


def _go(allowance: Allowance, position: Position) -> ugi.Go:
    """UGI has either a time for the move or clocks; with both we compute a time."""
    left = allowance.remaining
    if allowance.seconds is not None:
        seconds = move_seconds(allowance, position) if left is not None else None
        seconds = allowance.seconds if seconds is None else seconds
        movetime = max(1, _milliseconds(seconds))
        return ugi.Go(movetime=movetime, nodes=allowance.simulations)
    if left is None:
        return ugi.Go(nodes=allowance.simulations)
    clock, increment = _milliseconds(left), _milliseconds(allowance.increment)
    return ugi.Go((clock, clock), (increment, increment), nodes=allowance.simulations)


def _milliseconds(seconds: float) -> int:
    return math.floor(1000 * seconds)


def _action(game: Game, text: str, parse: Callable[[Game, str], int]) -> int:
    try:
        return parse(game, text)
    except UsageError:
        shown = f"{text[:80]!r} is not a move"
        raise PlayerFailure("garbage", shown) from None


def _object(line: str) -> dict[str, Any] | None:
    try:
        return jsonlines.parse_line(line)
    except jsonlines.QueryError:
        return None

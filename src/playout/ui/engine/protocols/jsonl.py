"""Playout as an analysis engine with JSON lines; `docs/protocols.md` describes it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar

from ....core.errors import PlayoutError
from ....games.contract.game import Game
from ....games.positions.position import Position
from ....games.registry import game_spec, make_game
from ....players.player import Allowance, Decision
from ....protocols import jsonlines as wire
from ....protocols.jsonlines import Query, QueryError
from ..loop import LONGEST_LINE, Engine, InputLine, note
from ..thinker import Ended, Thinker

__all__ = ["JsonEngine"]


class JsonEngine(Engine):
    """Answers queries in the order in which they came; any of them may be ended early.

    Args:
        say: sends a line.
        thinker: who finds the moves.
        game: what queries are about that name no game.
        version: what `query_version` says.
        named: whether somebody has asked for this game; one that nobody may ask about
            is not prepared, as that of another would have to wait.
    """

    default: ClassVar[str] = "connect-four"
    kept_games: ClassVar[int] = 4

    def __init__(
        self,
        say: Callable[[str], None],
        thinker: Thinker,
        game: Game,
        version: str = "0",
        named: bool = True,
    ) -> None:
        super().__init__(say)
        self.thinker, self.game, self.version = thinker, game, version
        self.named = named
        self._games = {game_spec(game): game}
        self._lock = threading.Lock()
        self._open: dict[str | int, int] = {}  # analyses by id: the number of the line
        self._terminated: set[int] = set()
        self._actions: dict[str, Callable[[Query, InputLine], None]] = {
            "analyze": self._analyze,
            "query_position": self._query_position,
            "query_version": self._query_version,
            "new_game": self._new_game,
            "terminate": lambda query, line: None,
            "terminate_all": lambda query, line: None,
        }

    # -- what the loop calls -----------------------------------------------------------

    def hear(self, line: InputLine) -> bool:
        """Note which analyses there are, and end those that are to end."""
        if not line.text:
            return True
        if line.cut:
            return False
        try:
            query = wire.parse_query(wire.parse_line(line.text))
        except QueryError:
            return False  # answered in its turn
        with self._lock:
            if query.action == "analyze" and query.id is not None:
                self._open.setdefault(query.id, line.number)
            ending = query.action in ("terminate", "terminate_all")
            if ending:
                self._terminated.update(
                    number
                    for id, number in self._open.items()
                    if query.action == "terminate_all" or id == query.terminate
                )
        if ending:
            named = {} if query.terminate is None else {"terminateId": query.terminate}
            self.say(line_of(query, **named))
        return ending

    def handle(self, line: InputLine) -> None:
        try:
            if line.cut:
                raise QueryError(f"a line has at most {LONGEST_LINE:,} bytes")
            query = wire.parse_query(wire.parse_line(line.text))
            self._actions[query.action](query, line)
        except QueryError as error:
            self.say(wire.format_line(error.to_dict()))
        except Ended:
            pass

    def fail(self, line: InputLine, error: Exception) -> None:
        message = (
            str(error) if isinstance(error, PlayoutError) else type(error).__name__
        )
        id = None
        try:
            id = wire.parse_query(wire.parse_line(line.text)).id
        except QueryError:
            note("a line that cannot be read made an error")
        self.say(wire.format_line(QueryError(message, id=id).to_dict()))

    def idle(self) -> None:
        if self.named:
            self.thinker.prepare(self.game)

    # -- the actions -------------------------------------------------------------------

    def _analyze(self, query: Query, line: InputLine) -> None:
        assert query.id is not None
        if self._open.get(query.id) != line.number:
            raise QueryError("an analysis with this id is under way", "id", query.id)
        try:
            position = wire.read_position(self._game(query), query)
            if not position.legal_actions():
                raise QueryError("the game is over", "moves", query.id)
            if position.is_chance:
                raise QueryError("chance moves here", "moves", query.id)
            if line.number in self._terminated:
                self.say(line_of(query, isDuringSearch=False, noResults=True))
                return
            decision = self._think(position, query, line)
            self.say(self._final(query, position, decision))
        finally:
            with self._lock:
                self._open.pop(query.id, None)
                self._terminated.discard(line.number)

    def _think(self, position: Position, query: Query, line: InputLine) -> Decision:
        shown = time.monotonic()

        def watch(result: Any) -> bool:
            nonlocal shown
            every, now = query.report_every, time.monotonic()
            if every is not None and result is not None and now - shown >= every:
                shown = now
                self.say(line_of(query, isDuringSearch=True, **result.to_dict()))
            return line.number not in self._terminated

        limit: dict[str, Any] = dict(query.limit or {})
        allowance = Allowance(**limit, analysis=True)
        return self.thinker.think(position, allowance, line.number, watch=watch)

    def _final(self, query: Query, position: Position, decision: Decision) -> str:
        facts: dict[str, Any] = {
            "game": game_spec(position.game),
            "moves": position.moves,
            "best": position.game.action_name(decision.action),
            "value": decision.value,
            "comment": decision.comment,
        }
        found = {} if decision.result is None else decision.result.to_dict()
        return line_of(query, isDuringSearch=False, **{**facts, **found})

    def _query_position(self, query: Query, line: InputLine) -> None:
        game = self._game(query)
        position = wire.read_position(game, query)
        over = position.is_terminal
        players = range(game.num_players())
        self.say(
            line_of(
                query,
                game=game_spec(game),
                moves=position.moves,
                position=position.to_text(),
                player=None if over else position.current_player,
                legal=[game.action_name(a) for a in position.legal_actions()],
                over=over,
                returns=[position.returns(p) for p in players] if over else None,
                board=position.render(),
            )
        )

    def _query_version(self, query: Query, line: InputLine) -> None:
        game = game_spec(self.game)
        self.say(line_of(query, name="Playout", version=self.version, game=game))

    def _new_game(self, query: Query, line: InputLine) -> None:
        self.thinker.new_game(self._game(query), query.seed)
        self.say(line_of(query))

    def _game(self, query: Query) -> Game:
        """The game that a query is about, which is never loaded from a file."""
        if query.game is None:
            return self.game
        if query.game not in self._games:
            if ".py" in query.game:
                raise QueryError("games of files are not loaded", "game", query.id)
            try:
                self._games[query.game] = make_game(query.game)
            except PlayoutError as error:
                raise QueryError(str(error), "game", query.id) from None
        return self._games[query.game]


def line_of(query: Query, **facts: Any) -> str:
    """An answer: the id and action of the query, then what there is to say."""
    head = {"id": query.id, "action": query.action}
    if query.action == "analyze":
        del head["action"]
    return wire.format_line({k: v for k, v in head.items() if v is not None} | facts)

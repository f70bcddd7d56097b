"""`GameTask`: all it takes to play one game, anywhere; `GameRunner`: what plays it."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ..core.errors import PlayoutError, UsageError
from ..core.jit.native import on_compile
from ..games.check.bounds import is_own
from ..games.contract.game import Game
from ..games.positions.native_position import NativePosition
from ..games.positions.position import Position
from ..games.registry import make_game
from ..players.player import Allowance, Decision, Player
from ..players.registry import make_player
from .blame import failure_of
from .clock import TimeControl
from .record import FORFEITS, GameRecord
from .session import Conduct, Session, player_seed

__all__ = ["GameRunner", "GameTask", "Listener"]

#: A game, a role and a player, as texts: what may stay from one game to the next.
_Key = tuple[str, int, str]

#: How many players that a game does not need wait for the next ones.
MOST_KEPT = 8


@dataclass(frozen=True)
class GameTask:
    """One game of a match; plain values, so that it can be sent to another process.

    Attributes:
        match: the identity of the match it belongs to.
        number: of the game in its match, from 0.
        game: the game, as on the command line.
        players: by seat, as on the command line.
        roles: by seat, the player's number in the match: 0 is A, 1 is B; see
            `seating.roles_of`. A player's random numbers follow from its role, and no
            two roles share a tree.
        opening: the given moves.
        seed: of the round of games.
        time: the limits.
        conduct: tolerances and adjudication.
    """

    match: str
    number: int
    game: str
    players: tuple[str, ...]
    roles: tuple[int, ...]
    opening: tuple[str, ...] = ()
    seed: int = 0
    time: TimeControl = field(default_factory=TimeControl)
    conduct: Conduct = field(default_factory=Conduct)


class Listener:
    """Is told what goes on in a game; this one does nothing, as nobody listens."""

    def thinking(self, seat: int, limit: float, record: GameRecord) -> None:
        """A player's code runs now, which must end within `limit` seconds.

        Args:
            seat: the player's.
            limit: seconds.
            record: the game so far, without the moves that were told before.
        """

    def answered(self) -> None:
        """It has ended; the rules run until a player is asked again."""

    def compiling(self, label: str) -> None:
        """Compiling begins; it is on nobody's clock."""

    def compiled(self) -> None:
        """Compiling has ended."""


class GameRunner:
    """Where games are played, one after the other; players stay for the next game.

    >>> players = ("random", "random")
    >>> task = GameTask("", 0, "tic-tac-toe", players, (0, 1), opening=("b2",))
    >>> with GameRunner() as runner:
    ...     record = runner.play(task)
    >>> record.moves[0], record.opening, record.reason
    ('b2', 1, 'rules')
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self.listener = listener or Listener()
        self._players: dict[_Key, Player] = {}
        self._broken: set[_Key] = set()
        self._game: tuple[str, Game] | None = None
        self._match: str | None = None
        self._compile_seconds = 0.0

    def __enter__(self) -> GameRunner:
        on_compile(self._compile_begins)
        return self

    def __exit__(self, *_: object) -> None:
        on_compile(None)
        self._dismiss(list(self._players))

    def prepare(self, task: GameTask) -> None:
        """Make the players of a task and let them prepare.

        Raises:
            UsageError: a player cannot be made or started.
        """
        self._dismiss_others(task)
        for seat in range(len(task.players)):
            self.player(task, seat)

    def play(self, task: GameTask) -> GameRecord:
        """Play a game; players that are new here prepare first, off the clock.

        Raises:
            RulesError: the rules have failed.
            UsageError: the game or the opening is not there any more.
        """
        self._dismiss_others(task)
        session = Session(
            self.game(task.game),
            [_LazyPlayer(self, task, seat) for seat in range(len(task.players))],
            time=task.time,
            conduct=task.conduct,
            opening=task.opening,
            seed=task.seed,
            seeds=[player_seed(task.seed, role) for role in task.roles],
            clock=self._clock,
        )
        if is_own(session.game):
            moves = session.position.actions
            session.position = NativePosition.from_moves(session.game, moves)
        told = 0

        def watch(seat: int, limit: float) -> None:
            nonlocal told
            self.listener.thinking(seat, limit, session.record(since=told))
            told = len(session.position.actions)

        session.watch = watch
        session.answered = self.listener.answered
        record = session.run()
        if record.forfeit is not None and record.reason in FORFEITS:
            self._broken.add(_key(task, record.forfeit))
        return record

    def game(self, spec: str) -> Game:
        """The game that a text names; made once."""
        if self._game is None or self._game[0] != spec:
            self._game = spec, make_game(spec)
        return self._game[1]

    def player(self, task: GameTask, seat: int) -> Player:
        """The player of a seat, prepared; one that failed is made anew."""
        key = _key(task, seat)
        if key in self._broken:
            self._dismiss([key])
        if key not in self._players:
            player = make_player(task.players[seat], self.game(task.game))
            self._players[key] = player
            self._broken.add(key)  # until it has shown that it can be started
            _start(player)
            self._broken.discard(key)
        self._players[key] = self._players.pop(key)  # the latest
        return self._players[key]

    def _dismiss_others(self, task: GameTask) -> None:
        """End the players of another match, and all but the latest of this one.

        Those may come again. Where every pair of games has a board of its own there is
        no end of them, each with its tree.
        """
        wanted = {_key(task, seat) for seat in range(len(task.players))}
        others = [key for key in self._players if key not in wanted]
        if task.match and task.match == self._match:
            others = others[:-MOST_KEPT]
        self._match = task.match
        self._dismiss(others)

    def _dismiss(self, keys: list[_Key]) -> None:
        for key in keys:
            self._broken.discard(key)
            with contextlib.suppress(Exception):
                self._players.pop(key).close()

    def _clock(self) -> float:
        """Seconds that stand still while rules are compiled."""
        return time.perf_counter() - self._compile_seconds

    def _compile_begins(self, label: str) -> Callable[[], None]:
        started = time.perf_counter()
        self.listener.compiling(label)

        def ends() -> None:
            self._compile_seconds += time.perf_counter() - started
            self.listener.compiled()

        return ends


class _LazyPlayer(Player):
    """A seat's player that is made when its game begins: a failure then loses it."""

    def __init__(self, runner: GameRunner, task: GameTask, seat: int) -> None:
        super().__init__(task.players[seat], runner.game(task.game))
        self._fetch = functools.partial(runner.player, task, seat)
        self._player: Player | None = None

    def new_game(self, seed: int) -> None:
        self._player = self._fetch()
        self._player.new_game(seed)

    def choose(self, position: Position, allowance: Allowance) -> Decision:
        assert self._player is not None
        return self._player.choose(position, allowance)


def _start(player: Player) -> None:
    """Let a player prepare.

    Raises:
        UsageError: it cannot; says who, and why.
    """
    try:
        player.prepare()
    except PlayoutError:
        raise
    except (Exception, SystemExit) as error:
        why = failure_of(error)
        raise UsageError(f"{player.spec} cannot be started: {why}") from error


def _key(task: GameTask, seat: int) -> _Key:
    return task.game, task.roles[seat], task.players[seat]

"""`Host`: runs the game at a table for the screen: who thinks now, what is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from textual.message import Message

from ...arena.clock import TimeControl
from ...arena.table import Table
from ...arena.values import Values
from ...games.contract.game import Game
from ...players.player import Allowance, Player
from ...search.result.result import Result
from .messages import Answered, Moment, Thought
from .thinking_thread import ThinkingThread

__all__ = ["Host", "HostSettings"]

#: Between two moves of programs that play each other, in seconds.
WATCH_DELAY = 0.6


@dataclass(frozen=True)
class HostSettings:
    """What is played, by whom and how; the same for every game of a session.

    Attributes:
        game: the rules.
        seats: a player's spec for every seat, `human` for people.
        search: the spec of the search that gives hints and analyses.
        allowance: what programs may use for a move, and a hint.
        time: clocks; none by default.
        seed: of dice and players.
        at_once: whether programs answer before all that they run is compiled.
        delay: seconds between two moves of programs that play each other.
        clock: monotonic seconds.
        moves: already played in the first game.
    """

    game: Game
    seats: Sequence[str]
    search: str = "mcts"
    allowance: Allowance = field(default_factory=Allowance)
    time: TimeControl | None = None
    seed: int = 0
    at_once: bool = False
    delay: float = WATCH_DELAY
    clock: Callable[[], float] = perf_counter
    moves: Sequence[str] = ()


class Host:
    """The table, and the thinking that goes on about it.

    Args:
        settings: what is played.
        post: sends a message to the screen; called on any thread.

    Attributes:
        table: the game.
        values: the win rates for the graph.
        analysing: whether positions are searched while people think.
        playing: whether programs that play each other go on.
        stepping: whether they make one move now.
        thought: the last result of a search of this position; None without.
    """

    def __init__(
        self, settings: HostSettings, post: Callable[[Message], object]
    ) -> None:
        self.settings, self.game = settings, settings.game
        self.seats, self.games = list(settings.seats), 0
        self.analysing, self.playing, self.stepping = False, True, False
        self.thought: Result | None = None
        self.thinker = ThinkingThread(
            settings.game, settings.search, settings.allowance, settings.seed, post
        )
        self._begin()

    def _begin(self) -> None:
        settings = self.settings
        self.table = Table(
            settings.game,
            self.seats,
            time=settings.time,
            allowance=settings.allowance,
            moves=() if self.games else settings.moves,
            seed=settings.seed + self.games * len(self.seats),
            clock=settings.clock,
            at_once=settings.at_once,
        )
        self.values = Values(settings.game)
        self.thought = None

    # -- who thinks --------------------------------------------------------------------

    @property
    def watched(self) -> bool:
        """Whether only programs play."""
        return not self.table.people

    @property
    def moment(self) -> Moment:
        """The position that players and searches think about now."""
        return self.games, self.table.version

    @property
    def program_wanted(self) -> bool:
        """Whether a program is to move, and shall."""
        on = self.playing or self.stepping or not self.watched
        return self.table.waits_for_program and on

    def go_on(self) -> None:
        """Have the player or the analysis that is to think now begin."""
        self.thinker.stop()
        if self.program_wanted:
            self.thinker.prepare(self.table, self.moment)
        elif self.analysing and not self.table.over:
            self.thinker.analyse(self.table.seen.copy(), self.moment)

    def ask(self, moment: Moment) -> None:
        """Ask the program that is prepared, if that is still wanted."""
        if moment == self.moment and self.program_wanted:
            self.thinker.ask(self.table.turn(), moment)

    def hear(self, message: Thought) -> bool:
        """Note what a search has found; whether it is about this position."""
        if message.moment != self.moment or message.result is None or self._secret:
            return False
        self.thought = message.result
        self._learn(message.result)
        return True

    def take(self, message: Answered) -> bool:
        """Play what a program has answered, if that is still wanted."""
        if message.moment != self.moment:
            return False
        result = getattr(message.answer.decision, "result", None)
        if result is not None and not self._secret:
            self._learn(result)
        self.stepping = False
        self._change(lambda: self.table.take(message.answer, message.moment[1]))
        self.thought = None if self.table.hides else result
        return True

    @property
    def _secret(self) -> bool:
        """Whether people must not see what is thought now."""
        return self.table.hides and self.table.waits_for_program

    def _learn(self, result: Result) -> None:
        position = self.table.position
        self.values.learn(
            {
                "ply": len(position.actions),
                "visits": result.visits,
                "proven": result.proven,
                "win_rate": result.win_rate,
                "to_move": position.current_player,
            }
        )

    # -- what a person does ------------------------------------------------------------

    def play(self, move: str | int) -> None:
        """A person's move.

        Raises:
            UsageError: it is no person's turn, or there is no such move.
        """
        self._change(lambda: self.table.play(move))

    def undo(self) -> None:
        """Take back the last move of a person, and what came after it.

        Raises:
            UsageError: there is none, or moves are final, as something is hidden.
        """
        self._change(self.table.take_back)

    def redo(self) -> None:
        """Play again what was taken back.

        Raises:
            UsageError: nothing was, or moves are final, as something is hidden.
        """
        self._change(self.table.redo)

    def resign(self) -> None:
        """The person gives up.

        Raises:
            UsageError: no person plays, or the game is over.
        """
        self._change(self.table.resign)

    def call_time(self) -> bool:
        """Whether the clock of the person to move has just run out."""
        return self.table.call_time()

    def new_game(self) -> None:
        """Begin again, with the same players in the same seats."""
        self.thinker.stop()
        self._close(self.table)
        self.games += 1
        self._begin()

    def swap(self) -> None:
        """Everybody takes the next seat, in the middle of the game.

        Raises:
            UsageError: a person would see what was hidden from them.
        """
        seats = self.seats[1:] + self.seats[:1]
        self._change(lambda: self._seat(seats))
        self.seats = seats

    def _seat(self, seats: Sequence[str]) -> None:
        for player in self.table.replace(seats, self.table.make_players(seats)):
            self._close(player)

    def _close(self, left: Player | Table) -> None:
        """Close who may still be thinking: a program that does not hear ends at once.

        And again when it has thought, for it may have begun to ponder meanwhile.
        """
        left.close()
        self.thinker.then(left.close)

    def pause(self) -> None:
        """Stop programs that play each other, or let them go on."""
        self.playing, self.stepping = not self.playing, False

    def step(self) -> None:
        """Have the programs make one move, and then wait."""
        self.playing, self.stepping = False, True
        self.go_on()

    def hint(self) -> None:
        """Look for a good move for the person to move."""
        self.thinker.hint(self.table.seen.copy(), self.moment)

    def close(self) -> None:
        """End all thinking, and the players."""
        self.thinker.close()
        self.table.close()

    def _change(self, do: Callable[[], object]) -> None:
        before = list(self.table.position.actions)
        do()
        self.thought = None
        self.values.follow(before, self.table)

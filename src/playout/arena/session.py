"""`Session`: one game with its clocks and its history, between players or with people.

The session asks whoever is to move, measures the time where the player sits, and sees
to it that a player which fails loses the game and nothing else.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple

from ..core.errors import UsageError, counted
from ..games.check.bounds import is_own
from ..games.check.finished import expect_finished
from ..games.contract.game import CHANCE, Game
from ..games.positions.dice import roll
from ..games.positions.position import Position
from ..games.registry import game_spec
from ..players.answers import expect_legal
from ..players.player import Decision, Player, PlayerFailure
from .adjudication import Adjudication
from .blame import failure_of, fault_of_rules, judging
from .clock import Clock, TimeControl
from .forfeits import returns_without
from .record import GameRecord
from .turn import Answer, Turn

__all__ = ["Conduct", "Session"]


@dataclass(frozen=True)
class Conduct:
    """How strictly a game is run.

    Attributes:
        tolerance: seconds by which an answer may be late, at least 0.
        grace: seconds beyond that until a player that does not answer is ended.
        patience: seconds until a player without a time limit is ended.
        adjudication: when a game is ended early; never, by default.
    """

    tolerance: float = 0.2
    grace: float = 2.0
    patience: float = 600.0
    adjudication: Adjudication = field(default_factory=Adjudication)

    def __post_init__(self) -> None:
        for name in ("tolerance", "grace", "patience"):
            if not 0 <= getattr(self, name) < 1e9:
                raise UsageError(
                    f"{name} must be at least 0 seconds, not {getattr(self, name)}"
                )


@dataclass(frozen=True)
class _Ply:
    """A move of the game as it went, and what undoing it restores."""

    mover: int
    decision: Decision
    seconds: float
    clock: float | None


class _End(NamedTuple):
    """What ended a game before its rules did."""

    reason: str
    forfeit: int | None = None
    detail: str = ""
    clock: float | None = None  # of the seat that lost, before it ran out


class Session:
    """A game in progress.

    Args:
        game: the rules.
        players: by seat; None where moves come through `play`, as a person's do.
        time: the limits of every player.
        conduct: tolerances and adjudication.
        opening: the first moves, which no one is asked for.
        seed: what the dice and the players' random numbers follow from.
        seeds: by seat, instead of those that follow from `seed`.
        clock: monotonic seconds.

    Attributes:
        position: the position now.
        clocks: by seat.
        watch: called before a player's code runs, with its seat and the seconds after
            which its answer would be too late; None by default.
        answered: called when it has ended; what runs then is the rules.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> session = Session(TicTacToe(), [None, None], opening=["b2"])
    >>> session.play("a1").play("a2").undo().position.moves
    ['b2', 'a1']
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Player | None],
        *,
        time: TimeControl | None = None,
        conduct: Conduct | None = None,
        opening: Sequence[str] = (),
        seed: int = 0,
        seeds: Sequence[int] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        if len(players) != game.num_players():
            raise UsageError(
                f"{game_spec(game)} has {counted(game.num_players(), 'seat')}, "
                f"not {len(players)}"
            )
        self.game, self.players, self.seed = game, list(players), seed
        self.seeds = seeds or [player_seed(seed, seat) for seat in range(len(players))]
        self.conduct, self.clock = conduct or Conduct(), clock
        self.position = Position.from_moves(game, opening)
        self.opening = len(self.position.actions)
        control = time or TimeControl()
        self.clocks = [Clock(control, self.conduct.tolerance) for _ in players]
        self.watch: Callable[[int, float], None] | None = None
        self.answered: Callable[[], None] = lambda: None
        self._plies: list[_Ply] = []
        self._undone: list[_Ply] = []
        self._said: list[tuple[int, float | None]] = []  # by whom, of the value
        self._early: _End | None = None
        self._started = datetime.now(UTC).isoformat(timespec="seconds")
        self._play_chance()

    # -- playing -----------------------------------------------------------------------

    def run(self) -> GameRecord:
        """Play to the end; every seat must have a player.

        Raises:
            RulesError: the rules have failed, which is no player's fault.
        """
        with judging(self.position):
            self.start()
            while not self.over:
                self.step()
            record = self.record()
            if not is_own(self.game):
                ended = record.returns if self._early is None else None
                expect_finished(self.game, self.position.actions, ended)
            return record

    def start(self) -> None:
        """Tell the players that a game begins; off the clock."""
        for seat, player in enumerate(self.players):
            if player is None or self.over:
                continue
            if self.watch is not None:
                self.watch(seat, math.inf)
            try:
                player.new_game(self.seeds[seat])
            except (Exception, SystemExit) as error:
                self._fail(seat, error)
            self.answered()

    def step(self) -> None:
        """Ask the player to move, and play its answer.

        Raises:
            UsageError: the game is over, or a person is to move.
        """
        turn = self.turn()
        if self.watch is not None:
            self.watch(turn.seat, self.clocks[turn.seat].limit)
        answer = turn.ask()
        if not isinstance(answer.decision, PlayerFailure):
            self.answered()
        self.take(answer)

    def turn(self) -> Turn:
        """The player that is to move; `take` takes what it answers to `ask`.

        Raises:
            UsageError: the game is over, or a person is to move.
        """
        seat = self._mover()
        player = self.players[seat]
        if player is None:
            raise UsageError(f"no player has seat {seat}; its moves come by play()")
        position, allowance = self.position.seen_by(seat), self.clocks[seat].allowance()
        if allowance.limited:  # else the player keeps to its own by itself
            allowance = allowance.at_most(player.allowance)
        return Turn(seat, player, position, allowance, self.clock)

    def take(self, answer: Answer) -> None:
        """Play what the player to move has answered; a failure loses the game."""
        try:
            decision = self._expect_answer(answer.decision)
        except PlayerFailure as failure:
            self._lose(answer.seat, failure)
        else:
            self._undone.clear()
            self._answer(answer.seat, decision, answer.seconds)

    def play(self, move: str | int, seconds: float = 0.0) -> Session:
        """A move from outside for the seat to move; the time is taken off its clock.

        Raises:
            UsageError: the game is over, or there is no such move.
        """
        seat = self._mover()
        action = self.position.find(move)
        self._undone.clear()
        self._answer(seat, Decision(action), seconds)
        return self

    def run_out(self, seconds: float) -> Session:
        """The seat to move has not moved in so long, and its time is over."""
        seat = self._mover()
        clock, before = self.clocks[seat], self.clocks[seat].remaining
        clock.spend(seconds)
        self._lose(seat, _late(clock, seconds, "no move"), before)
        return self

    def can_undo(self, seats: Sequence[int] = ()) -> bool:
        """Whether there is something that `undo` takes back; dice alone are not.

        Args:
            seats: only what players of these seats have done counts; all by default.
        """
        made = {ply.mover for ply in self._plies} - {CHANCE}
        return self._early is not None or bool(made & {*seats} if seats else made)

    def undo(self) -> Session:
        """Take a player's last move back, and give its time back to the clock.

        What chance did since is taken back with it; the same dice would fall again.
        What ended the game early, as a resignation did, is taken back alone.

        Raises:
            UsageError: there is nothing to take back.
        """
        if self._early is not None:
            early, self._early = self._early, None
            if early.clock is not None and early.forfeit is not None:
                self.clocks[early.forfeit].remaining = early.clock
            return self
        if not self.can_undo():
            raise UsageError("there is no move to take back")
        while (ply := self._plies.pop()).mover == CHANCE:
            self.position.undo()
        self.position.undo()
        self.clocks[ply.mover].remaining = ply.clock
        self._said.pop()
        self._undone.append(ply)
        return self

    def redo(self) -> Session:
        """Play the move again that was taken back last.

        Raises:
            UsageError: none was, or another was played since, or the game was ended.
        """
        if not self._undone:
            raise UsageError("there is no move to play again")
        ply = self._undone.pop()
        self._answer(ply.mover, ply.decision, ply.seconds)
        return self

    @property
    def num_undone(self) -> int:
        """How many moves `redo` can play again."""
        return len(self._undone)

    def resign(self, seat: int) -> Session:
        """End the game as lost for a seat."""
        if not self.over:
            self._end(_End("resignation", seat))
        return self

    # -- what became of it -------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self._early is not None or self.position.is_terminal

    def record(self, since: int = 0) -> GameRecord:
        """The game so far; its returns are 0 until it is over.

        Args:
            since: leave out so many of the first moves; see `GameRecord.after`.
        """
        given = max(0, self.opening - since)
        plies = self._plies[max(0, since - self.opening) :]
        end = self._early or _End("rules")
        return GameRecord(
            game=game_spec(self.game),
            players=tuple("human" if p is None else p.spec for p in self.players),
            moves=tuple(map(self.game.action_name, self.position.actions[since:])),
            opening=self.opening,
            seconds=(0.0,) * given + tuple(round(ply.seconds, 6) for ply in plies),
            comments=("",) * given + tuple(p.decision.comment for p in plies),
            returns=self._returns(),
            reason=end.reason,
            forfeit=end.forfeit,
            detail=end.detail,
            seed=self.seed,
            started=self._started,
        )

    def _returns(self) -> tuple[float, ...]:
        count = len(self.players)
        if self._early is not None:
            return returns_without(self.game, self._early.forfeit)
        if not self.position.is_terminal:
            return (0.0,) * count
        return tuple(self.position.returns(player) for player in range(count))

    # -- details -----------------------------------------------------------------------

    def _expect_answer(self, decision: Decision | PlayerFailure) -> Decision:
        if isinstance(decision, PlayerFailure):
            raise decision
        expect_legal(self.position, decision.action)
        return decision

    def _mover(self) -> int:
        if self.over:
            raise UsageError("the game is over")
        return self.position.current_player

    def _answer(self, seat: int, decision: Decision, seconds: float) -> None:
        """Play a legal answer, unless it came too late."""
        clock = self.clocks[seat]
        before = clock.remaining
        if not clock.spend(seconds):
            self._lose(seat, _late(clock, seconds), before)
            return
        self.position.play(decision.action)
        played = replace(decision, result=None)  # which is large, and not recorded
        self._plies.append(_Ply(seat, played, seconds, before))
        self._said.append((seat, decision.value))
        self._play_chance()
        if not self.position.is_terminal:
            plies = len(self.position.actions)
            if verdict := self.conduct.adjudication.verdict(self._said, plies):
                self._end(_End(*verdict))

    def _play_chance(self) -> None:
        """Roll the dice, so that the game is over or someone has to move."""
        for action in roll(self.position, self.seed):
            self._plies.append(_Ply(CHANCE, Decision(action), 0.0, None))

    def _fail(self, seat: int, error: BaseException) -> None:
        """Have a seat lose by an exception, unless the rules have raised it."""
        if (fault := fault_of_rules(self.game, error)) is not None:
            raise fault
        self._lose(seat, failure_of(error))

    def _lose(
        self, seat: int, failure: PlayerFailure, clock: float | None = None
    ) -> None:
        self._end(_End(failure.reason, seat, failure.detail, clock))

    def _end(self, how: _End) -> None:
        """End the game early; what was taken back is not played again in it."""
        self._undone.clear()
        self._early = how


def _late(clock: Clock, seconds: float, what: str = "answered") -> PlayerFailure:
    said = f"{what} after {seconds:.3f} s"
    if clock.remaining is not None and clock.remaining < 0:
        return PlayerFailure("time", f"{said}, when its clock had run out")
    return PlayerFailure("time", f"{said} of {clock.control.seconds:g} s")


def player_seed(seed: int, seat: int) -> int:
    """The seed of a seat's player, unrelated to those of the other seats."""
    return (seed * 0x9E3779B1 + seat * 0x85EBCA77 + 1) % 2**32

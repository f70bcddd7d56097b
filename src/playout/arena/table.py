"""`Table`: a game between people and programs, for every face.

It decides who sits where, whose turn it is, and how far undo and redo go; a face only
shows it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ..core.errors import UsageError
from ..games.contract.game import Game
from ..games.positions.position import Position
from ..players.player import Allowance, Player, PlayerFailure
from ..players.reasons import urgent_reason
from ..players.registry import make_player
from .clock import TimeControl
from .hidden import expect_taking_back, expect_views, is_binding
from .record import GameRecord
from .session import Session
from .turn import Answer, Turn

__all__ = ["HUMAN", "Table"]

#: The spec of a seat whose moves come from outside.
HUMAN = "human"


class Table:
    """A game, and who plays it; players may change in the middle.

    Every change raises `version`. A program is asked apart from the table, as on
    another thread; its answer counts only if nothing has changed since.

    Args:
        game: the rules.
        seats: for every seat a player's spec, `human` for people, or a player that is
            prepared already; it may have several seats, and whoever made it closes it.
        time: clocks; none by default.
        allowance: what a program that is made here may use for a move.
        moves: from the start, already played.
        seed: of dice and players.
        seeds: of the players by seat, instead of those that follow from `seed`.
        clock: monotonic seconds.
        make: how players are made.
        at_once: have programs answer before all that they run is compiled; see
            `Player.get_ready`.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> table = Table(TicTacToe(), ["human", "greedy"]).play("b2")
    >>> table.prepare()
    >>> table.take(table.turn().ask(), table.version)
    True
    >>> table.take_back().position.moves
    []
    >>> len(table.redo().position.moves)
    2
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str | Player],
        *,
        time: TimeControl | None = None,
        allowance: Allowance | None = None,
        moves: Sequence[str] = (),
        seed: int = 0,
        seeds: Sequence[int] | None = None,
        clock: Callable[[], float] = time.perf_counter,
        make: Callable[..., Player] = make_player,
        at_once: bool = False,
    ) -> None:
        self.game, self.allowance, self.clock = game, allowance, clock
        self._make, self.at_once = make, at_once
        self._given = [seat for seat in seats if isinstance(seat, Player)]
        players = [
            seat if isinstance(seat, Player) else self._player(seat) for seat in seats
        ]
        self._at_end: list[str] | None = None
        self.specs = [HUMAN if one is None else one.spec for one in players]
        given = moves if game.has_chance else ()  # else they may be taken back
        self.session = Session(
            game,
            players,
            time=time,
            opening=given,
            seed=seed,
            seeds=seeds,
            clock=clock,
        )
        if not game.has_chance:
            for action in Position.from_moves(game, moves).actions:
                self.session.play(action)
        self.version = 0
        self.since = clock()
        self._prepared: set[int] = set()  # seats that know of the game

    # -- what there is -----------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position now; not to be modified."""
        return self.session.position

    @property
    def over(self) -> bool:
        return self.session.over

    @property
    def mover(self) -> int | None:
        """The seat to move; None when the game is over."""
        return None if self.over else self.position.current_player

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return _people(self.specs)

    @property
    def people_at_end(self) -> list[int]:
        """The same, but of a game that is over as it ended, whoever sits there now."""
        return _people(self._at_end or self.specs)

    def record(self) -> GameRecord:
        """The game so far; of one that is over, by whom it was played to its end."""
        return replace(self.session.record(), players=tuple(self._at_end or self.specs))

    @property
    def waits_for_program(self) -> bool:
        return self.mover is not None and self.mover not in self.people

    @property
    def hides(self) -> bool:
        """Whether there is anything that a person must not see."""
        return self.game.has_hidden and not self.over and bool(self.people)

    @property
    def binding(self) -> bool:
        """Whether moves are final, as they show what is hidden (see `hidden`)."""
        return is_binding(self.game, self.people)

    @property
    def viewer(self) -> int | None:
        """Whose view is shown: the mover's if a person, else the first person's."""
        if not self.people:
            return None
        return self.mover if self.mover in self.people else self.people[0]

    @property
    def seen(self) -> Position:
        """The position as far as whoever looks may see it; not to be modified."""
        viewer = self.viewer
        if not self.hides or viewer is None:
            return self.position
        return self.position.seen_by(viewer)

    def remaining(self) -> list[float | None]:
        """Seconds on the clocks now; None without clocks."""
        left = [clock.remaining for clock in self.session.clocks]
        if (seat := self.mover) is not None and (before := left[seat]) is not None:
            left[seat] = before - (self.clock() - self.since)
        return left

    def position_at(self, ply: int) -> Position:
        """A copy of the position after so many moves.

        Raises:
            UsageError: there were fewer.
        """
        count = len(self.position.actions)
        if not 0 <= ply <= count:
            raise UsageError(f"there are 0 to {count} moves to look at, not {ply}")
        position = self.position.copy()
        for _ in range(count - ply):
            position.undo()
        return position

    # -- programs ----------------------------------------------------------------------

    @property
    def unprepared(self) -> list[int]:
        """The seats of programs that `prepare` has not been called for."""
        return sorted({*range(len(self.specs))} - self._prepared - {*self.people})

    def prepare(self, seat: int | None = None) -> None:
        """Compile what a program needs, and tell it of the game; once for each.

        A program that has several seats hears of the game once.

        Args:
            seat: whose program; by default that of the one to move.
        """
        seat = self.mover if seat is None else seat
        player = None if seat is None else self.session.players[seat]
        if seat is None or player is None or seat in self._prepared:
            return
        if not self._is_given(player):
            (player.get_ready if self.at_once else player.prepare)()
        player.new_game(self.session.seeds[seat])
        # Somebody else may have taken the seat meanwhile.
        seated = enumerate(self.session.players)
        self._prepared.update(seat for seat, one in seated if one is player)

    def turn(self) -> Turn:
        """The program to move, to be asked; its time begins.

        Raises:
            UsageError: the game is over, or a person is to move.
        """
        self.since = self.clock()
        return self.session.turn()

    def take(self, answer: Answer, version: int) -> bool:
        """Play a program's answer, unless the table has changed since this version."""
        if version != self.version:
            return False
        self.session.take(self._explained(answer))
        self._changed()
        return True

    def _explained(self, answer: Answer) -> Answer:
        """The answer, its remark with what a must-play list has seen."""
        decision = answer.decision
        if isinstance(decision, PlayerFailure):
            return answer
        why = urgent_reason(self.position, decision)
        said = ", ".join(filter(None, (decision.comment, why)))
        return replace(answer, decision=replace(decision, comment=said))

    # -- people ------------------------------------------------------------------------

    def play(self, move: str | int) -> Table:
        """A person's move; the time since it was their turn is theirs.

        Raises:
            UsageError: it is a program's turn, the game is over, or there is no such
                move.
        """
        if self.waits_for_program:
            raise UsageError("it is not your turn: a program is to move")
        self.session.play(move, self.clock() - self.since)
        return self._changed()

    def call_time(self) -> bool:
        """End the game if the clock of the person to move has run out."""
        seat = self.mover
        if seat is None or seat not in self.people:
            return False
        if self.clock() - self.since <= self.session.clocks[seat].limit:
            return False
        self.session.run_out(self.clock() - self.since)
        self._changed()
        return True

    def take_back(self) -> Table:
        """Undo so many moves that a person is to move again; one, among programs.

        Raises:
            UsageError: there is nothing to take back, or moves are final (`hidden`).
        """
        expect_taking_back(self.game, self.people)
        self.session.undo()
        while self.people and self.waits_for_program and self._can_undo():
            self.session.undo()
        return self._changed()

    def redo(self) -> Table:
        """Play again what was taken back last, up to a person's turn.

        Raises:
            UsageError: nothing was taken back, or moves are final (`hidden`).
        """
        expect_taking_back(self.game, self.people)
        self.session.redo()
        while self.people and self.waits_for_program and self.session.num_undone:
            self.session.redo()
        return self._changed()

    def go_back_to(self, ply: int) -> Table:
        """Undo all moves after so many; they can be played again.

        Raises:
            UsageError: there were fewer, or moves are final (`hidden`).
        """
        self.position_at(ply)  # complains
        if len(self.position.actions) == ply:
            return self
        expect_taking_back(self.game, self.people)
        while len(self.position.actions) > ply and self._can_undo():
            self.session.undo()
        return self._changed()

    def resign(self) -> Table:
        """The person to move gives up, or the only person there is.

        Raises:
            UsageError: the game is over, or no person plays.
        """
        if self.over:
            raise UsageError("the game is over")
        if not self.people:
            raise UsageError("only a person can resign, and none plays")
        seat = self.mover if self.mover in self.people else self.people[0]
        assert seat is not None
        self.session.resign(seat)
        return self._changed()

    def seat(self, specs: Sequence[str]) -> Table:
        """Change the players; one that stays keeps what it knows.

        Raises:
            UsageError: a spec that no player has, another number of them, or a person
                would see what was hidden from them (see `hidden`).
        """
        for player in self.replace(specs, self.make_players(specs)):
            player.close()
        return self

    def make_players(self, specs: Sequence[str]) -> dict[int, Player | None]:
        """The players of the seats that are to change; takes long, changes nothing.

        Raises:
            UsageError: as of `seat`.
        """
        if len(specs) != len(self.specs):
            raise UsageError(f"there are {len(self.specs)} seats, not {len(specs)}")
        self._expect_views(specs)
        changed = [seat for seat, spec in enumerate(specs) if spec != self.specs[seat]]
        return {seat: self._player(specs[seat]) for seat in changed}

    def replace(
        self, specs: Sequence[str], made: Mapping[int, Player | None]
    ) -> list[Player]:
        """Seat players from `make_players`; those that left are returned, to be closed.

        Raises:
            UsageError: as of `seat`, where the game has gone on meanwhile.
        """
        self._expect_views(specs)
        players = self.session.players
        left = [players[seat] for seat in made]
        for seat, player in made.items():
            players[seat] = player
            self._prepared.discard(seat)
        self._at_end = self._at_end or (self.specs if self.over else None)
        self.specs = list(specs)
        self.version += 1  # which gives the player to move no more time
        return self._own(left)

    def stand_in(self, player: Player) -> Table:
        """Give the seats of people to a player that knows of the game.

        That is for when nobody is there: what was hidden from them may then be shown.
        """
        self._given.append(player)
        for seat in self.people:
            self.session.players[seat] = player
            self.specs[seat] = player.spec
            self._prepared.add(seat)
        return self._changed()

    def close(self) -> None:
        """End the players that were made here."""
        for player in self._own(self.session.players):
            player.close()

    # -- details -----------------------------------------------------------------------

    def _player(self, spec: str) -> Player | None:
        if spec == HUMAN:
            return None
        return self._make(spec, self.game, allowance=self.allowance)

    def _is_given(self, player: Player) -> bool:
        """Whether a player was given, and not made here."""
        return any(player is given for given in self._given)

    def _own(self, players: Sequence[Player | None]) -> list[Player]:
        """The players among these that were made here."""
        return [one for one in players if one is not None and not self._is_given(one)]

    def _expect_views(self, specs: Sequence[str]) -> None:
        if self.position.actions and not self.over:
            expect_views(self.game, self.people, _people(specs))

    def _can_undo(self) -> bool:
        return len(self.position.actions) > self.session.opening

    def _changed(self) -> Table:
        self._at_end = None
        self.version += 1
        self.since = self.clock()
        return self


def _people(specs: Sequence[str]) -> list[int]:
    return [seat for seat, spec in enumerate(specs) if spec == HUMAN]

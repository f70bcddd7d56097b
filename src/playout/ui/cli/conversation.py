"""A game as lines of text: the board, a prompt, a move or a command, an answer."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import click

from ...arena.table import HUMAN, Table
from ...core.errors import UsageError
from ...games.contract.game import Game
from ...games.contract.names import in_a_row
from ...games.positions.position import Position
from ...players.player import Allowance, Decision, Player, PlayerFailure
from ...players.reasons import urgent_reason
from ...search.result.fachada_log import fachada_log
from ..common.adviser import Adviser
from ..common.messages import one_line
from ..common.words import label_of, movers, name_of, result_of, seen_moves
from .prompt_words import AFTER_THE_END, HELP, LEAVING
from .terminal import is_terminal, show_compiling, use_color
from .thinking import Interrupts, think

__all__ = ["Conversation"]

#: A search's log: with Connect Four's board it fits a terminal of 80 x 24.
LOG_ROWS, LOG_WIDTH = 8, 80
#: A game that is only reported shows its board after so many moves.
BOARD_EVERY = 10


class _Leave(Exception):
    """The player has had enough."""


class Conversation:
    """Games between people and players, or of players to watch, as lines of text.

    Seats, secrecy, undo, dice and seeds are the table's.

    Args:
        game: the rules.
        seats: who plays, in order, and is prepared; None is a person.
        search: the spec of what answers `hint`: a search of its own, so that asking
            makes no player stronger; it also plays where no one is there.
        allowance: what players may use for a move.
        seed: what is random in the games follows from it; drawn if None.
        plain: the search's log is in the form of `fachada_log`.
        moves: already played in the first game.
    """

    def __init__(
        self,
        game: Game,
        seats: list[Player | None],
        search: str,
        allowance: Allowance,
        seed: int | None = None,
        plain: bool = False,
        moves: Sequence[str] = (),
    ) -> None:
        self.game, self.seats, self.search = game, seats, search
        self.plain = plain
        self.allowance = self.hurried = allowance
        self.seed = secrets.randbits(32) if seed is None else seed
        self.given = moves
        self.table = self._begin()
        self.shows_log = True
        self.heard_anything = False
        self.explained: set[str] = set()
        self.brief = False  # one line for a move, and the board now and then
        self.interrupts = Interrupts()
        self._commands = {
            "undo": self.undo,
            "regret": self.undo,
            "hint": self.hint,
            "moves": self.list_moves,
            "steps": self.list_steps,
            "board": self.show_board,
            "log": self.toggle_log,
            "help": self.help,
            "?": self.help,
            "quit": self.leave,
            "q": self.leave,
            "exit": self.leave,
        }

    def _begin(self) -> Table:
        """A new game; the players' seeds are the game's and those after it."""
        players = list(dict.fromkeys(one for one in self.seats if one is not None))
        return Table(
            self.game,
            [HUMAN if one is None else one for one in self.seats],
            moves=self.given,
            seed=self.seed,
            seeds=[
                self.seed if one is None else self.seed + players.index(one)
                for one in self.seats
            ],
        )

    @property
    def position(self) -> Position:
        """The position now; not to be modified."""
        return self.table.position

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return self.table.people

    @cached_property
    def adviser(self) -> Adviser:
        """What gives hints, and plays where no one is there."""
        adviser = Adviser(self.game, self.search, seed=self.seed)
        with show_compiling():
            adviser.prepare()
        return adviser

    def run(self) -> None:
        """Play until the people leave, or a game that is only watched is over."""
        self.say(self.greeting())
        try:
            self.play_game()
            while self.people and self.wants_another():
                self.seats = self.seats[1:] + self.seats[:1]
                self.seed, self.given = self.seed + len(self.seats), ()
                self.table = self._begin()
                self.say(self.greeting(again=True))
                self.play_game()
        except _Leave:
            self.say("Goodbye.")

    def play_game(self) -> None:
        """One game, from its start to its end."""
        for seat in self.table.unprepared:
            self.table.prepare(seat)
        self.say_chance(len(self.given))
        if not self.table.waits_for_program:
            self.show_board()
        self.play_on()

    def play_on(self) -> None:
        """The rest of the game, and how it has ended."""
        while not self.table.over:
            if self.table.waits_for_program:
                self.program_turn()
            else:
                self.human_turn()
        record = self.table.session.record()
        if record.forfeit is not None:
            why = PlayerFailure(record.reason, record.detail)
            self.say(f"{self.name(record.forfeit)} loses: {one_line(str(why))}")
            return
        if self.brief:
            self.show_board()
        self.say(self.outcome())

    def watch(self) -> None:
        """Let a player take the people's seats; from now on all players hurry."""
        self.say("No one is there to answer: the program plays both sides.\n")
        players = [player for player in self.seats if player is not None]
        self.table.stand_in(players[0] if players else self.adviser.player)
        self.allowance, self.brief = self.hurried, True

    # -- turns -------------------------------------------------------------------------

    def human_turn(self) -> None:
        """Ask until a move is played, a command changes whose turn it is, or EOF."""
        text = self.ask(f"Your move ({self.label(self.position.current_player)}): ")
        if text is None:
            if self.heard_anything or is_terminal(sys.stdin):
                raise _Leave
            self.watch()
            return
        self.heard_anything, self.interrupts.count = True, 0
        if not (text := text.strip()):
            return
        if command := self.command_of(text.casefold()):
            command()
            return
        ply = len(self.position.actions)
        try:
            self.table.play(text)
        except UsageError as error:
            self.say(f"{self.briefly(one_line(str(error)))} (or type help)")
        else:
            self.say_chance(ply + 1)
            if self.table.binding and len(self.people) > 1:
                self.say("Whoever is next types board to see it.")
            else:
                self.show_board()

    def command_of(self, text: str) -> Callable[[], None] | None:
        """What a word asks for; a move of that name goes before, unless / does."""
        names = map(self.game.action_name, self.position.legal_actions())
        if text in self._commands and text in map(str.casefold, names):
            return None
        return self._commands.get(text.removeprefix("/"))

    def program_turn(self) -> None:
        """Let a player move; show what it found, then the board."""
        turn = replace(self.table.turn(), allowance=self.allowance)
        ply = len(self.position.actions) + 1
        answer = think(
            turn.ask, turn.player, turn.position, turn.allowance, self.interrupts
        )
        self.table.take(answer, self.table.version)
        decision = answer.decision
        if isinstance(decision, PlayerFailure) or len(self.position.actions) < ply:
            return  # it has lost the game
        if self.brief:
            self.report(turn.seat, decision, self.table.position_at(ply))
            self.say_chance(ply)
            return
        result = decision.result
        if result is not None and self.shows_log and not self.table.binding:
            shown = result.show(LOG_ROWS, LOG_WIDTH)
            self.say(fachada_log(result, self.game) if self.plain else shown)
        self.say(self.announcement(turn.seat, decision, turn.position))
        self.say_chance(ply)
        self.show_board()

    def say_chance(self, ply: int) -> None:
        """Tell what chance drew after `ply` moves."""
        for action in self.position.actions[ply:]:
            if not self.table.binding or self.game.is_public(action):
                self.say(f"Chance: {self.game.action_name(action)}")

    def report(self, seat: int, decision: Decision, after: Position) -> None:
        """A move and its log in a few lines, and the board from time to time.

        Args:
            seat: who has moved.
            decision: the move.
            after: the position after it, before anything that chance does.
        """
        count = len(after.actions)
        before = after.copy().undo()
        self.say(f"{count:>3}. {self.announcement(seat, decision, before)}")
        if decision.result is not None and self.shows_log:
            shown = decision.result.show_briefly(LOG_ROWS, indent=5)
            self.say(fachada_log(decision.result, self.game) if self.plain else shown)
        if count % BOARD_EVERY == 0 and not after.is_terminal:
            self.say("")
            self.show_board(after)

    def announcement(self, seat: int, decision: Decision, before: Position) -> str:
        """The player, its move, its value and the expected answers, as text."""
        said = f"{self.name(seat)} plays {self.game.action_name(decision.action)}"
        if self.table.binding:
            public = self.game.is_public(decision.action)
            return f"{said}." if public else f"{self.name(seat)} has moved."
        remark = decision.comment
        if decision.result is not None:
            remark = decision.result.shown_value
        said = f"{said} ({one_line(remark)})" if remark else said
        why = urgent_reason(before, decision)
        return f"{said}: {one_line(why)}" if why else said

    # -- commands ----------------------------------------------------------------------

    def undo(self) -> None:
        """Go back to the last turn of a person, unless moves are final."""
        moved = {*movers(self.position)} & {*self.people}
        if not (moved or self.table.binding):
            self.say("There is no move of yours to take back.")
            return
        try:
            self.table.take_back()
        except UsageError as error:
            self.say(one_line(str(error)))
        else:
            self.show_board()

    def hint(self) -> None:
        """Suggest a move, by a search with the limits of the players."""
        adviser, seen, allowance = self.adviser, self.table.seen, self.allowance
        decision = think(
            lambda progress: adviser.hint(seen, allowance, progress),
            adviser.player,
            seen,
            allowance,
            self.interrupts,
        )
        move = self.game.action_name(decision.action)
        result = decision.result
        sure = decision.comment if result is None else result.units.tell(result.value)
        self.say(f"Hint: {move} ({sure})")

    def list_moves(self) -> None:
        names = map(self.game.action_name, self.position.legal_actions())
        self.say("Legal moves: " + in_a_row(names))

    def list_steps(self) -> None:
        """The moves of the game, and who made them."""
        steps = zip(movers(self.position), seen_moves(self.table), strict=True)
        lines = [
            f"{number:>3}. {'Chance' if mover < 0 else self.name(mover)} {move}"
            for number, (mover, move) in enumerate(steps, start=1)
        ]
        self.say("\n".join(lines) or "There are no moves yet.")

    def show_board(self, position: Position | None = None) -> None:
        shown = self.table.seen if position is None else position
        self.say(shown.render(color=use_color()) + "\n")

    def help(self) -> None:
        legal = self.position.legal_actions()
        some = [legal[len(legal) // 2], legal[-1]]
        names = dict.fromkeys(map(self.game.action_name, some))
        self.say(HELP.format(examples=" or ".join(names)))

    def toggle_log(self) -> None:
        self.shows_log = not self.shows_log
        self.say("The log is " + ("shown." if self.shows_log else "hidden."))

    def leave(self) -> None:
        raise _Leave

    # -- words -------------------------------------------------------------------------

    def greeting(self, again: bool = False) -> str:
        """Who plays."""
        help_ = "" if again else " Type help for help."
        if len(self.people) == 1:
            return f"You are {self.label(self.people[0])}.{self.network()}{help_}"
        if self.people:
            seats = " and ".join(self.label(seat) for seat in self.people)
            return f"People play {seats}.{help_}"
        if len(set(self.seats)) == 1:
            return f"The program plays both sides.{self.network()}"
        return "\n".join(
            f"{self.label(seat)}: {player.spec}"
            for seat, player in enumerate(self.seats)
            if player is not None
        )

    def network(self) -> str:
        """That the program has a network; in some games it has if nobody is named."""
        specs = {player.spec for player in self.seats if player is not None}
        spec = specs.pop() if len(specs) == 1 else ""
        return f" The program is {spec}." if spec.startswith("net:") else ""

    def outcome(self) -> str:
        """The result as a sentence."""
        returns = [*map(self.position.returns, range(self.game.num_players()))]
        return result_of(self.game, returns, self.people)

    def wants_another(self) -> bool:
        """Ask until it is said; what is taken back is played on with first."""
        while True:
            answer = self.ask("Play again? [y/n] ")
            if answer is None or (word := answer.strip().lower()) in LEAVING:
                raise _Leave
            if word in ("y", "yes"):
                return True
            if word.removeprefix("/") in AFTER_THE_END:
                self._commands[word.removeprefix("/")]()
                if not self.table.over:
                    self.play_on()
            else:
                self.say("Please answer y or n, or type undo.")

    def briefly(self, message: str) -> str:
        """A message without its second part if that was shown before."""
        wrong, _, accepted = message.partition("; ")
        if accepted in self.explained:
            return wrong
        self.explained.add(accepted)
        return message

    def name(self, player: int) -> str:
        return name_of(self.game, player)

    def label(self, player: int) -> str:
        return label_of(self.position, player)

    def say(self, text: str) -> None:
        click.echo(text, color=use_color() or None)

    def ask(self, prompt: str) -> str | None:
        """A line from the person; None at the end of the input.

        Where no one types, the answer is shown after the prompt, as if it were typed.
        """
        if is_terminal(sys.stdin) and is_terminal(sys.stdout):
            try:
                return input(prompt)
            except EOFError:
                self.say("")
                return None
        click.echo(prompt, nl=False)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        self.say(one_line(line))
        return line or None

"""A game as a conversation: the board, a prompt, a move or a command, an answer."""

from __future__ import annotations

import secrets
import sys

import click

from ...arena.hidden import expect_taking_back, is_binding
from ...core.errors import UsageError
from ...games.contract.game import Game
from ...games.positions.dice import roll
from ...games.positions.position import Position
from ...players.answers import expect_legal
from ...players.player import Allowance, Decision, Player, PlayerFailure
from ...players.registry import make_player
from ..common.messages import one_line
from ..common.words import label_of, name_of, result_of
from .terminal import is_terminal, show_compiling, use_color
from .thinking import Interrupts, think

__all__ = ["Conversation"]

HELP = """\
Type a move, such as {examples}, or
  undo    take back your last move and the program's answer
  hint    let the search suggest a move
  moves   list the legal moves
  board   show the board again
  log     show the search's log after its moves, or no longer
  help    show this
  quit    leave (so do q, Ctrl-D and Ctrl-C)"""

#: Answers that end the evening.
LEAVING = ("n", "no", "q", "quit", "exit")
#: A search's log: with Connect Four's board it fits a terminal of 80 x 24.
LOG_ROWS, LOG_WIDTH = 8, 80
#: A game that is only reported shows its board after so many moves.
BOARD_EVERY = 10


class _Leave(Exception):
    """The player has had enough."""


class Conversation:
    """Games between people and players, or of players to watch.

    Args:
        game: the rules.
        seats: who plays, in order; None is a person.
        search: the spec of what answers `hint`: a search of its own, so that asking
            makes no player stronger; it also plays where no one is there.
        allowance: what players may use for a move.
        seed: what is random in the games follows from it; drawn if None.
    """

    def __init__(
        self,
        game: Game,
        seats: list[Player | None],
        search: str,
        allowance: Allowance,
        seed: int | None = None,
    ) -> None:
        self.game, self.seats, self.search = game, seats, search
        self.allowance = self.hurried = allowance
        self.seed = secrets.randbits(32) if seed is None else seed
        self.position = Position(game)
        self.shows_log = True
        self.heard_anything = False
        self.explained: set[str] = set()
        self.brief = False  # a line a move, the board now and then
        self.interrupts = Interrupts()
        self._helper: Player | None = None
        self._commands = {
            "undo": self.undo,
            "hint": self.hint,
            "moves": self.list_moves,
            "board": self.show_board,
            "log": self.toggle_log,
            "help": self.help,
            "?": self.help,
            "quit": self.leave,
            "q": self.leave,
            "exit": self.leave,
        }

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.seats) if player is None]

    @property
    def is_secret(self) -> bool:
        """Whether the people must not see everything."""
        return is_binding(self.game, self.people)

    @property
    def seen(self) -> Position:
        """What may be shown: to the person to move, or to the first while none is."""
        if not self.is_secret:
            return self.position
        mover = self.position.current_player
        return self.position.seen_by(mover if mover in self.people else self.people[0])

    @property
    def helper(self) -> Player:
        """The search that gives hints, made when it is first needed."""
        if self._helper is None:
            self._helper = make_player(self.search, self.game)
            with show_compiling():
                self._helper.prepare()
            self._helper.new_game(self.seed)
        return self._helper

    def run(self) -> None:
        """Play until the people leave, or a game that is only watched is over."""
        self.say(self.greeting())
        try:
            self.play_game()
            while self.people and self.wants_another():
                self.seats = self.seats[1:] + self.seats[:1]
                self.seed += len(self.seats)
                self.position = Position(self.game)
                self.say(self.greeting(again=True))
                self.play_game()
        except _Leave:
            self.say("Goodbye.")

    def play_game(self) -> None:
        """One game, from the current position to its end."""
        players = dict.fromkeys(one for one in self.seats if one is not None)
        for number, one in enumerate(players):
            one.new_game(self.seed + number)
        self.play_chance()
        if self.position.current_player in self.people:
            self.show_board()
        while not self.position.is_terminal:
            seat = self.position.current_player
            player = self.seats[seat]
            try:
                if player is None:
                    self.human_turn()
                else:
                    self.player_turn(player)
            except PlayerFailure as failure:
                self.say(f"{self.name(seat)} loses: {one_line(str(failure))}")
                return
        if self.brief:
            self.show_board()
        self.say(self.outcome())

    def watch(self) -> None:
        """Hand the people's seats over to a player; all hurry now."""
        self.say("No one is there to answer: the program plays both sides.\n")
        players = [player for player in self.seats if player is not None]
        stand_in = players[0] if players else self.helper
        self.seats = [stand_in if one is None else one for one in self.seats]
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
        if command := self._commands.get(text.lower()):
            command()
            return
        try:
            self.position.play(text)
        except UsageError as error:
            self.say(f"{self.briefly(one_line(str(error)))} (or type help)")
        else:
            self.play_chance()
            if self.is_secret and len(self.people) > 1:
                self.say("Whoever is next types board to see it.")
            else:
                self.show_board()

    def player_turn(self, player: Player) -> None:
        """Let a player think and play; what it found, then the board."""
        decision = think(player, self.position, self.allowance, self.interrupts)
        seat = self.position.current_player
        self.position.play(expect_legal(self.position, decision.action))
        if self.brief:
            self.report(seat, decision)
            self.play_chance()
            return
        if decision.result is not None and self.shows_log and not self.is_secret:
            self.say(decision.result.show(LOG_ROWS, LOG_WIDTH))
        self.say(self.announcement(seat, decision))
        self.play_chance()
        self.show_board()

    def play_chance(self) -> None:
        """Roll the dice until it is someone's turn, and say what they show.

        They follow from the seed and the number of moves: taking a move back and
        playing it again does not change them.
        """
        for action in roll(self.position, self.seed):
            if not self.is_secret:
                self.say(f"Chance: {self.game.action_name(action)}")

    def report(self, seat: int, decision: Decision) -> None:
        """A move and its log in a few lines, and the board from time to time."""
        count = len(self.position.actions)
        self.say(f"{count:>3}. {self.announcement(seat, decision)}")
        if decision.result is not None and self.shows_log:
            self.say(decision.result.show_briefly(LOG_ROWS, indent=5))
        if count % BOARD_EVERY == 0 and not self.position.is_terminal:
            self.say("")
            self.show_board()

    def announcement(self, seat: int, decision: Decision) -> str:
        """Who played what, and what the player thinks of it."""
        if self.is_secret:
            return f"{self.name(seat)} has moved."
        said = f"{self.name(seat)} plays {self.game.action_name(decision.action)}"
        remark = decision.comment
        if decision.result is not None:
            remark = f"{decision.result.win_rate:.1%}"
        return f"{said} ({one_line(remark)})" if remark else said

    # -- commands ----------------------------------------------------------------------

    def undo(self) -> None:
        """Go back to the last turn of a person, unless moves stand."""
        try:
            expect_taking_back(self.game, self.people)
        except UsageError as error:
            self.say(one_line(str(error)))
            return
        earlier = self.position.copy()
        while earlier.actions:
            earlier.undo()
            if earlier.current_player in self.people:
                self.position = earlier
                self.show_board()
                return
        self.say("There is no move of yours to take back.")

    def hint(self) -> None:
        """Suggest a move, by a search with the limits of the players."""
        decision = think(self.helper, self.position, self.allowance, self.interrupts)
        move = self.game.action_name(decision.action)
        result = decision.result
        sure = decision.comment if result is None else f"win rate {result.win_rate:.1%}"
        self.say(f"Hint: {move} ({sure})")

    def list_moves(self) -> None:
        names = map(self.game.action_name, self.position.legal_actions())
        self.say("Legal moves: " + " ".join(names))

    def show_board(self) -> None:
        self.say(self.seen.render(color=use_color()) + "\n")

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
            return f"You are {self.label(self.people[0])}.{help_}"
        if self.people:
            seats = " and ".join(self.label(seat) for seat in self.people)
            return f"People play {seats}.{help_}"
        if len(set(self.seats)) == 1:
            return "The program plays both sides."
        return "\n".join(
            f"{self.label(seat)}: {player.spec}"
            for seat, player in enumerate(self.seats)
            if player is not None
        )

    def outcome(self) -> str:
        """The result as a sentence."""
        players = range(self.game.num_players())
        returns = [self.position.returns(player) for player in players]
        return result_of(self.game, returns, self.people)

    def wants_another(self) -> bool:
        while True:
            answer = self.ask("Play again? [y/n] ")
            if answer is None or answer.strip().lower() in LEAVING:
                raise _Leave
            if answer.strip().lower() in ("y", "yes"):
                return True
            self.say("Please answer y or n.")

    def briefly(self, message: str) -> str:
        """A message without its second half where that was said before."""
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

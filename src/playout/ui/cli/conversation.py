"""A game as a conversation: the board, a prompt, a move or a command, an answer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...games.board import Board
from ...games.game import Game
from ...games.position import Position
from .failure import one_line
from .program import Program
from .terminal import is_terminal, use_color

if TYPE_CHECKING:
    from ...search.limit import Limit

__all__ = ["Conversation"]

HELP = """\
Type a move, such as {examples}, or
  undo    take back your last move and the program's answer
  hint    let the search suggest a move
  moves   list the legal moves
  board   show the board again
  log     show the search's log after its moves, or no longer
  help    show this
  quit    leave (so do Ctrl-D and Ctrl-C)"""


class _Leave(Exception):
    """The player has had enough."""


class Conversation:
    """Games between a person and a program, or of a program against itself.

    Args:
        program: what plays the other sides.
        hints: what answers `hint`: a search of its own, so that asking does not make
            the program stronger.
        human: the player that the person is; None lets the program play all.
    """

    def __init__(self, program: Program, hints: Program, human: int | None) -> None:
        self.program, self.hints, self.human = program, hints, human
        self.game: Game = program.search.game
        self.position = Position(self.game)
        self.shows_log = True
        self.heard_anything = False
        self.watch_limit: Limit = program.limit
        self._commands = {
            "undo": self.undo,
            "hint": self.hint,
            "moves": self.list_moves,
            "board": self.show_board,
            "log": self.toggle_log,
            "help": self.help,
            "?": self.help,
            "quit": self.leave,
            "exit": self.leave,
        }

    def run(self) -> None:
        """Play until the person leaves, or a game that is only watched is over."""
        if self.human is None:
            self.watch("The program plays both sides.")
        else:
            self.say(f"You are {self.label(self.human)}. Type help for help.")
        try:
            self.play_game()
            while self.human is not None and self.wants_another():
                self.human = (self.human + 1) % self.game.num_players()
                self.position = Position(self.game)
                self.program.search.reset()
                self.say(f"You are {self.label(self.human)}.")
                self.play_game()
        except _Leave:
            self.say("Goodbye.")

    def play_game(self) -> None:
        """One game, from the current position to its end."""
        if self.position.current_player == self.human:
            self.show_board()
        while not self.position.is_terminal:
            if self.position.current_player == self.human:
                self.human_turn()
            else:
                self.program_turn()
        self.say(self.outcome())

    def watch(self, reason: str) -> None:
        """Hand the person's side over to the program, which now hurries."""
        self.human = None
        self.program.limit = self.watch_limit
        self.say(reason)

    # -- turns -------------------------------------------------------------------------

    def human_turn(self) -> None:
        """Ask until a move is played, a command changes whose turn it is, or EOF."""
        text = self.ask(f"Your move ({self.label(self.position.current_player)}): ")
        if text is None:
            if self.heard_anything or is_terminal(sys.stdin):
                raise _Leave
            self.watch("No one is there to answer: the program plays both sides.")
            return
        self.heard_anything = True
        if not (text := text.strip()):
            return
        if command := self._commands.get(text.lower()):
            command()
            return
        try:
            self.position.play(text)
        except UsageError as error:
            self.say(f"{one_line(str(error))} (or type help)")
        else:
            self.show_board()

    def program_turn(self) -> None:
        """Let the program think and play; its log, then the board."""
        who = self.name(self.position.current_player)
        opening = self.program.opening(self.position)
        if opening is not None:
            self.position.play(opening)
            self.say(f"{who} opens in the centre: {self.position.moves[-1]}\n")
        else:
            result = self.program.think(self.position)
            self.position.play(result.action)
            if self.shows_log:
                self.say(f"{result}\n")
            self.say(f"{who} plays {result.move} ({result.win_rate:.1%})\n")
        self.show_board()

    # -- commands ----------------------------------------------------------------------

    def undo(self) -> None:
        """Go back to the person's last turn."""
        earlier = self.position.copy()
        while earlier.actions:
            earlier.undo()
            if earlier.current_player == self.human:
                self.position = earlier
                self.show_board()
                return
        self.say("There is no move of yours to take back.")

    def hint(self) -> None:
        """Suggest a move, by a search with the program's own limits."""
        result = self.hints.think(self.position)
        self.say(f"Hint: {result.move} (win rate {result.win_rate:.1%})")

    def list_moves(self) -> None:
        names = map(self.game.action_name, self.position.legal_actions())
        self.say("Legal moves: " + " ".join(names))

    def show_board(self) -> None:
        self.say(self.position.render(color=use_color()) + "\n")

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

    def outcome(self) -> str:
        """The result as a sentence."""
        players = range(self.game.num_players())
        returns = [self.position.returns(player) for player in players]
        winners = [player for player in players if returns[player] > 0]
        if len(returns) > 1 and len(winners) == 1:
            if winners[0] == self.human:
                return "You win!"
            return f"{self.name(winners[0])} wins."
        if not any(returns):
            return "Draw."
        shown = (f"{self.name(p)} {returns[p]:+.2f}" for p in players)
        return "Result: " + ", ".join(shown) + "."

    def wants_another(self) -> bool:
        while True:
            answer = self.ask("Play again? [y/n] ")
            if answer is None or answer.strip().lower() in ("n", "no", "quit", "exit"):
                raise _Leave
            if answer.strip().lower() in ("y", "yes"):
                return True
            self.say("Please answer y or n.")

    def name(self, player: int) -> str:
        names = self.game.player_names
        return names[player] if player < len(names) else f"Player {player + 1}"

    def label(self, player: int) -> str:
        """A player's name, and the mark on the board if that is another."""
        name = self.name(player)
        board = self.game.board(self.position.state, None)
        marks = board.marks if isinstance(board, Board) else ()
        mark = marks[player] if player < len(marks) else name
        return name if mark == name else f"{name}, {mark}"

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

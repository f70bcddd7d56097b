"""`GameBoard`: a game in a notebook, between people and programs.

The rules, the players and undo are the table's; the page shows what it is sent and
sends back what is clicked. While a program thinks, the notebook's kernel is busy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ...arena.table import HUMAN, Table
from ...core.errors import PlayoutError, UsageError
from ...core.rng import make_rng
from ...games.check.soundness import expect_game
from ...games.contract.game import Game
from ...games.drawing.board import Board
from ...games.drawing.picture import draw_board
from ...games.positions.cells import routes_of
from ...games.positions.position import Position
from ...games.registry import make_game
from ...players.player import Allowance
from ..common.adviser import Adviser
from ..common.picking import Picking
from ..common.words import ending_of, label_of

__all__ = ["GameBoard"]

HERE = Path(__file__).parent


class GameBoard(anywidget.AnyWidget):
    """A board to click on, in Jupyter and wherever its widgets are shown.

    Programs answer at once; where no person plays, `step` asks for one move.

    Args:
        game: the rules, or their text as on the command line.
        players: a player's text for every seat; by default you against the one that
            gives hints.
        seconds: the most for a program's move, whatever its text says.
        seed: of dice and players.

    Attributes:
        picture: the board as SVG, or what the game shows instead.
        moves: the legal moves that have no cells on the board, or those that the cells
            which were clicked may mean.
        status: whose turn it is, how the game ended, a hint, or what was wrong.
        steps: whether only programs play, and `step` has one of them move.

    >>> GameBoard("tic-tac-toe", "human", "human").play("b2").position.moves
    ['b2']
    """

    _esm = HERE / "board.js"
    _css = HERE / "board.css"
    picture = traitlets.Unicode().tag(sync=True)
    moves = traitlets.List(traitlets.Unicode()).tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    steps = traitlets.Bool().tag(sync=True)

    def __init__(
        self, game: Game | str, *players: str, seconds: float = 1.0, seed: int = 0
    ) -> None:
        self._game = make_game(game) if isinstance(game, str) else game
        expect_game(self._game)
        make_rng(seed)  # refuses what is no seed
        seats = self._game.num_players()
        self._allowance, self._seed = Allowance(seconds=seconds), seed
        self._adviser = Adviser(self._game, seed=seed)
        self._seats = list(players) or [HUMAN, *[self._adviser.spec] * (seats - 1)]
        self._table = self._begin()
        self._picking = Picking()
        super().__init__()
        self.on_msg(self._hear)
        self._go_on()

    @property
    def position(self) -> Position:
        """A copy of the position, as far as the person who looks may see it."""
        return self._table.seen.copy()

    # -- what can be done --------------------------------------------------------------

    def play(self, move: str | int) -> GameBoard:
        """A person's move, and the answer.

        Raises:
            UsageError: it is no person's turn, or there is no such move.
        """
        self._table.play(move)
        return self._go_on()

    def step(self) -> GameBoard:
        """A move of the program that is to move.

        Raises:
            UsageError: none is.
        """
        self._ask()
        return self._show()

    def undo(self) -> GameBoard:
        """Take back the last move of a person, and what came after.

        Raises:
            UsageError: there is none, or moves are final, as something is hidden.
        """
        self._table.take_back()
        return self._show()

    def redo(self) -> GameBoard:
        """Play again what was taken back.

        Raises:
            UsageError: nothing was, or moves are final, as something is hidden.
        """
        self._table.redo()
        return self._show()

    def new(self) -> GameBoard:
        """Begin again."""
        self._table.close()
        self._seed += len(self._seats)
        self._table = self._begin()
        return self._go_on()

    def hint(self) -> str:
        """A good move, by a search.

        Raises:
            UsageError: the game is over.
        """
        if self._table.over:
            raise UsageError("the game is over")
        decision = self._adviser.hint(self._table.seen, self._allowance)
        move = self._game.action_name(decision.action)
        self._show(f"Hint: {move} ({decision.comment})")
        return move

    def close(self) -> None:
        """Remove the board, and end its players."""
        if hasattr(self, "_table"):  # else it could not be made
            self._table.close()
            self._adviser.close()
        super().close()

    # -- details -----------------------------------------------------------------------

    def _begin(self) -> Table:
        return Table(
            self._game,
            self._seats,
            allowance=self._allowance,
            seed=self._seed,
            at_once=True,
        )

    def _go_on(self) -> GameBoard:
        """Let programs answer until a person is to move."""
        while self._table.people and self._table.waits_for_program:
            self._show()
            self._ask()
        return self._show()

    def _ask(self) -> None:
        self._table.prepare()
        self._table.take(self._table.turn().ask(), self._table.version)

    def _hear(self, _: Any, content: dict[str, Any], buffers: Any = None) -> None:
        """What is clicked on the page."""
        commands = {
            "undo": self.undo,
            "redo": self.redo,
            "new": self.new,
            "step": self.step,
        }
        what = content.get("do")
        try:
            if what == "play":
                self.play(str(content.get("move")))
            elif what == "pick":
                self._pick(content.get("cell"))
            elif what == "hint":
                self.hint()
            elif what in commands:
                commands[what]()
        except PlayoutError as error:
            self._show(str(error))

    def _pick(self, cell: Any) -> None:
        """A cell was clicked, as [row, column]; None lets go of those before."""
        pair = isinstance(cell, list) and len(cell) == 2
        if not pair or not all(isinstance(index, int) for index in cell):
            self._picking.clear()
        elif (action := self._picking.click((cell[0], cell[1]))) is not None:
            self.play(action)
            return
        asked = "Which move?" if self._picking.choices else ""
        self._draw(asked or ("Where to?" if self._picking.picked else ""))

    def _show(self, said: str = "") -> GameBoard:
        seen, mine = self._table.seen, self._table.mover in self._table.people
        board = self._game.board(seen.state, seen.last_action)
        self._picking = Picking(routes_of(seen, board) if mine else None)
        return self._draw(said)

    def _draw(self, said: str) -> GameBoard:
        seen, picking, name = self._table.seen, self._picking, self._game.action_name
        board = self._game.board(seen.state, seen.last_action)
        with self.hold_sync():  # the page draws once
            self.picture = seen.render() if board is None else self._drawn(board)
            self.moves = [name(action) for action in picking.by_name]
            self.status = said or self._usual()
            self.steps = not self._table.people and not self._table.over
        return self

    def _drawn(self, board: Board) -> str:
        picking, name = self._picking, self._game.action_name
        actions = {cell: picking.move_at(cell) for cell in board.places}
        moves = {cell: name(a) for cell, a in actions.items() if a is not None}
        picks = {cell for cell in board.places if picking.can_click(cell)}
        return draw_board(board, self._game.title, moves, None, picks, picking.picked)

    def _usual(self) -> str:
        table = self._table
        if table.mover is not None:
            label = label_of(table.position, table.mover)
            mine = table.mover in table.people
            return f"Your move ({label})." if mine else f"{label} is to move."
        return ending_of(self._game, table.session.record(), table.people_at_end)

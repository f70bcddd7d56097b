"""The move that a person means by pointing at a cell of the board."""

from __future__ import annotations

from ..drawing.board import BLOCKED, EMPTY, Board, Cell
from .position import Position

__all__ = ["moves_by_cell"]


def moves_by_cell(position: Position) -> dict[Cell, int]:
    """The legal actions by the cells that stand for them.

    A cell is a move's own, as `Game.cell` says; where stones fall, every empty cell of
    a column means that column. Empty where the moves of a game are not cells.

    >>> from playout.games.connect_four.rules import ConnectFour
    >>> cells = moves_by_cell(Position.from_moves(ConnectFour(), ["4"]))
    >>> cells[0, 3], cells[4, 3], (5, 3) in cells
    (3, 3, False)
    """
    game = position.game
    board = game.board(position.state, position.last_action)
    if board is None or position.is_chance:
        return {}
    legal = position.legal_actions()
    named = {game.cell(action): action for action in legal}
    if None not in named:
        return {cell: action for cell, action in named.items() if cell is not None}
    return _falling(position, board, legal)


def _falling(position: Position, board: Board, legal: list[int]) -> dict[Cell, int]:
    """The cells above where each stone comes to lie, where that is a column each.

    A closed cell among them is jumped over.
    """
    if position.game.num_actions() != len(board.cells[0]):
        return {}
    found: dict[Cell, int] = {}
    tried = position.copy()
    for action in legal:
        after = position.game.board(tried.play(action).state, action)
        tried.undo()
        if after is None or after.last is None:
            return {}
        row, column = after.last
        for above in range(row + 1):
            mark = board.cells[above][column]
            if mark not in (EMPTY, BLOCKED) or (above, column) in found:
                return {}
            if mark == EMPTY:
                found[above, column] = action
    return found

"""Which cells of the board a person clicks, one after another, to play a move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ..drawing.board import BLOCKED, EMPTY, Board, Cell
from .position import Position

__all__ = ["Route", "Routes", "routes_of"]

#: The cells of a move, in order.
Route: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True)
class Routes:
    """How the legal moves of a position are played by clicks.

    Attributes:
        moves: the actions by their cells; several where a person must say which.
        elsewhere: the actions that have no place on the board, ascending.
        stands_for: as in `Board`.
        falls: whether stones fall, so that any empty cell of a column plays the column.
    """

    moves: Mapping[Route, tuple[int, ...]] = field(default_factory=dict)
    elsewhere: tuple[int, ...] = ()
    stands_for: Mapping[Cell, Cell] = field(default_factory=dict)
    falls: bool = False

    @property
    def by_action(self) -> dict[int, Route]:
        """The cells of every action; of a column, the one where the stone lies."""
        known = {
            action: route
            for route in sorted(self.moves)
            for action in self.moves[route]
        }
        return {**dict.fromkeys(self.elsewhere, ()), **known}


def routes_of(position: Position, board: Board | None) -> Routes:
    """The legal actions by their `action_cells`.

    Where stones fall, a column is played by each of its empty cells. Where chance is
    to move, nobody plays anything.

    Args:
        position: whose legal actions.
        board: what is drawn of it; None where nothing is.

    >>> from playout.games.connect_four.rules import ConnectFour
    >>> position = Position.from_moves(ConnectFour(), ["4"])
    >>> routes = routes_of(position, position.game.board(position.state))
    >>> routes.moves[(0, 3),], routes.moves[(4, 3),], ((5, 3),) in routes.moves
    ((3,), (3,), False)
    >>> routes.by_action[3]
    ((4, 3),)
    """
    legal = [] if position.is_chance else position.legal_actions()
    if board is None:
        return Routes(elsewhere=tuple(legal))
    places = set(board.places)
    moves: dict[Route, tuple[int, ...]] = {}
    elsewhere = []
    for action in legal:
        route = position.game.action_cells(action)
        if route and places.issuperset(route):
            moves[route] = (*moves.get(route, ()), action)
        else:
            elsewhere.append(action)
    if elsewhere and not moves and (falling := _falling(position, board, legal)):
        return Routes(
            {(cell,): (action,) for cell, action in falling.items()}, falls=True
        )
    return Routes(moves, tuple(elsewhere), board.stands_for)


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

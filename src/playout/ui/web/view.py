"""Positions and games in the form that the page gets."""

from __future__ import annotations

from ...arena.table import Table
from ...games.contract.game import Game
from ...games.drawing.board import EMPTY, Board
from ...games.positions.position import Position
from ..common.words import ending_of, movers, names_of
from .models import BoardView, Outcome

__all__ = ["board_view", "cells_of", "labels", "outcome", "seen_board", "seen_moves"]

#: Players who are called as the page draws them: as discs of two colours.
DRAWN = {"connect-four": ["Red", "Yellow"]}


def labels(game: Game) -> list[str]:
    """How the page calls the players, by seat."""
    return DRAWN.get(game.name) or names_of(game)


def board_view(position: Position) -> BoardView:
    """All that is drawn of a position.

    >>> from playout.games.connect_four.rules import ConnectFour
    >>> board_view(Position.from_moves(ConnectFour(), ["4"])).legal[3]
    ('4', 4, 3)
    """
    game = position.game
    board = game.board(position.state, position.last_action)
    legal = [] if position.is_chance else position.legal_actions()
    over = not legal
    drawn = board or Board(cells=())
    drops = board is not None and bool(legal) and game.cell(legal[0]) is None
    return BoardView(
        ply=len(position.actions),
        to_move=None if over else position.current_player,
        cells=list(drawn.cells),
        marks=list(drawn.marks),
        row_labels=list(drawn.row_labels),
        column_labels=list(drawn.column_labels),
        last=drawn.last,
        winning=sorted(drawn.winning),
        forbidden=sorted(drawn.forbidden),
        block=drawn.block,
        blocks=list(drawn.blocks),
        drops=drops,
        legal=_legal(position, legal, board, drops),
        caption=drawn.caption,
        text=position.render() if board is None else "",
    )


def _legal(
    position: Position, legal: list[int], board: Board | None, drops: bool
) -> list[tuple[str, int, int]]:
    """Every move with its cell: the one it names, or where its stone comes to lie."""
    game, moves = position.game, []
    tried = position.copy() if drops else position
    for action in legal:
        cell = None
        if drops and board is not None and _are_columns(game, board):
            cell = _landing(board, action)
        elif drops:
            after = game.board(tried.play(action).state, action)
            cell = None if after is None else after.last
            tried.undo()
        elif board is not None:
            cell = game.cell(action)
        row, column = (-1, -1) if cell is None else cell
        moves.append((game.action_name(action), row, column))
    return moves


def _are_columns(game: Game, board: Board) -> bool:
    """Whether there are as many actions as columns; they are these where they drop."""
    return game.num_actions() == len(board.column_labels)


def _landing(board: Board, column: int) -> tuple[int, int] | None:
    """The lowest empty cell of a column, where there is one."""
    rows = [row for row, cells in enumerate(board.cells) if cells[column] == EMPTY]
    return (rows[-1], column) if rows else None


def seen_board(table: Table) -> BoardView:
    """The board as the person to move, or the only one, may see it."""
    seen = board_view(table.seen)
    if not table.hides:
        return seen
    mine = table.mover in table.people
    return seen.model_copy(
        update={
            "ply": len(table.position.actions),
            "to_move": table.mover,
            "legal": seen.legal if mine else [],
        }
    )


def seen_moves(table: Table) -> list[str]:
    """The moves; other people's and programs' are a question mark if hidden."""
    moves = table.position.moves
    if not table.hides:
        return moves
    made, viewer = movers(table.position), table.viewer
    return [
        move if mover == viewer else "?"
        for move, mover in zip(moves, made, strict=True)
    ]


def outcome(table: Table) -> Outcome | None:
    """How the game ended; None while it goes on."""
    if not table.over:
        return None
    record = table.session.record()
    best = max(record.returns)
    winners = [seat for seat, value in enumerate(record.returns) if value == best]
    return Outcome(
        returns=list(record.returns),
        winner=winners[0] if len(winners) == 1 and best > 0 else None,
        text=ending_of(table.game, record, table.people, labels(table.game)),
    )


def cells_of(game: Game) -> dict[str, tuple[int, int]]:
    """The cell of every move by its name; where stones fall, row -1 and the column.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> cells_of(TicTacToe())["a1"]
    (2, 0)
    """
    board = game.board(Position(game).state)
    if board is None:
        return {}
    found = {}
    for action in range(game.num_actions()):
        cell = game.cell(action)
        falls = cell is None and _are_columns(game, board)
        if cell is not None or falls:
            found[game.action_name(action)] = cell or (-1, action)
    return found

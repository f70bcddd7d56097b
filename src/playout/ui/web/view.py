"""Positions and games in the form that the page gets."""

from __future__ import annotations

from ...arena.table import Table
from ...games.contract.game import Game
from ...games.drawing.board import Board, Cell
from ...games.drawing.pieces import piece_image
from ...games.positions.cells import routes_of
from ...games.positions.position import Position
from ..common.words import ending_of, names_of, winner_of
from .models import BoardView, Outcome

__all__ = ["board_view", "cells_of", "labels", "outcome", "seen_board"]

#: A page is not told the cells of more moves than these.
MOST_ACTIONS = 20_000
#: Players who are called as the page draws them: as discs of two colours.
DRAWN = {"connect-four": ["Red", "Yellow"]}


def labels(game: Game) -> list[str]:
    """How the page calls the players, by seat."""
    return DRAWN.get(game.name) or names_of(game)


def board_view(position: Position, over: bool = False) -> BoardView:
    """All that is drawn of a position.

    Args:
        position: the position.
        over: whether the game has been given up there.

    >>> from playout.games.connect_four.rules import ConnectFour
    >>> board_view(Position.from_moves(ConnectFour(), ["4"])).legal[3]
    ('4', ((4, 3),))
    """
    game, last = position.game, position.last_action
    board = game.board(position.state, last)
    drawn = board or Board(cells=())
    routes = routes_of(position, board)
    by_action = routes.by_action
    return BoardView(
        ply=len(position.actions),
        to_move=position.current_player if by_action else None,
        cells=list(drawn.cells),
        marks=list(drawn.marks),
        row_labels=list(drawn.row_labels),
        column_labels=list(drawn.column_labels),
        labels_below=drawn.labels_below,
        last=drawn.last,
        trail=[] if board is None or last is None else _trail(game, drawn, last),
        winning=sorted(drawn.winning),
        forbidden=sorted(drawn.forbidden),
        playable=sorted(drawn.playable),
        names=[(*cell, name) for cell, name in drawn.names.items()],
        block=drawn.block,
        blocks=list(drawn.blocks),
        layout=drawn.layout,
        style=drawn.style,
        dark=drawn.dark,
        edges=drawn.edges,
        ground=piece_image(drawn.ground) if drawn.ground else None,
        points=[(*cell, *point) for cell, point in drawn.points.items()],
        lines=list(drawn.lines),
        texts={
            mark: text for mark, text in drawn.pieces.items() if not piece_image(text)
        },
        images=_images(drawn),
        owners=dict(drawn.owners),
        stands_for=list(drawn.stands_for.items()),
        drops=routes.falls,
        legal=[
            (game.action_name(action), by_action[action])
            for action in sorted(by_action)
        ],
        caption=drawn.text_below(over),
        text=position.render() if board is None else "",
    )


def _images(board: Board) -> dict[str, str]:
    """The pieces that are pictures, as addresses that hold all of them."""
    found = {mark: piece_image(piece) for mark, piece in board.pieces.items()}
    return {mark: image for mark, image in found.items() if image is not None}


def _trail(game: Game, board: Board, last: int) -> list[Cell]:
    """Where the last move came from and what it passed, but for where it ended."""
    cells = game.action_cells(last)
    return [cell for cell in cells[:-1] if cell != board.last]


def seen_board(table: Table) -> BoardView:
    """The board as the person to move, or the only one, may see it."""
    seen = board_view(table.seen, table.over)
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


def outcome(table: Table) -> Outcome | None:
    """How the game ended; None while it goes on."""
    if not table.over:
        return None
    record = table.session.record()
    return Outcome(
        returns=list(record.returns),
        winner=winner_of(table.game, record.returns),
        text=ending_of(table.game, record, table.people_at_end, labels(table.game)),
    )


def cells_of(game: Game) -> dict[str, list[Cell]]:
    """The cells of every move by its name; where stones fall, row -1 and the column.

    Of a game with more than `MOST_ACTIONS`, none are told.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> cells_of(TicTacToe())["a1"]
    [(2, 0)]
    """
    position = Position(game)
    board = game.board(position.state)
    if board is None or game.num_actions() > MOST_ACTIONS:
        return {}
    falls = routes_of(position, board).falls
    found = {}
    for action in range(game.num_actions()):
        cells = [(-1, action)] if falls else list(game.action_cells(action))
        if cells:
            found[game.action_name(action)] = cells
    return found

"""What faces say about a game: who plays, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from ..games.board import Board
from ..games.game import Game
from ..games.position import Position

__all__ = ["label_of", "movers", "name_of", "result_of"]


def name_of(game: Game, seat: int) -> str:
    """How people call a player.

    >>> from playout.games.gomoku import Gomoku
    >>> name_of(Gomoku(), 0), name_of(Gomoku(), 2)
    ('Black', 'Player 3')
    """
    names = game.player_names
    return names[seat] if seat < len(names) else f"Player {seat + 1}"


def label_of(position: Position, seat: int) -> str:
    """A player's name, and the mark on the board if that is another.

    >>> from playout.games.gomoku import Gomoku
    >>> label_of(Position(Gomoku()), 0)
    'Black, X'
    """
    name = name_of(position.game, seat)
    board = position.game.board(position.state, None)
    marks = board.marks if isinstance(board, Board) else ()
    mark = marks[seat] if seat < len(marks) else name
    return name if mark == name else f"{name}, {mark}"


def result_of(game: Game, returns: Sequence[float], people: Sequence[int]) -> str:
    """The result of a game as a sentence.

    >>> from playout.games.mnk import TicTacToe
    >>> result_of(TicTacToe(), (1.0, -1.0), [0]), result_of(TicTacToe(), (0, 0), [])
    ('You win!', 'Draw.')
    """
    winners = [seat for seat, value in enumerate(returns) if value > 0]
    if len(returns) > 1 and len(winners) == 1:
        if winners == list(people):
            return "You win!"
        return f"{name_of(game, winners[0])} wins."
    if not any(returns):
        return "Draw."
    shown = (
        f"{name_of(game, seat)} {value:+.2f}" for seat, value in enumerate(returns)
    )
    return "Result: " + ", ".join(shown) + "."


def movers(position: Position) -> list[int]:
    """Who made each move; -1 where chance did."""
    start = position.copy()
    found: list[int] = []
    while start.actions:
        start.undo()
        found.append(start.current_player)
    return found[::-1]

"""Why a move of Gomoku must be played: what the must-play list has seen, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..contract.game import State
from .lines import DOWN, EDGE, RIGHT
from .text import grid_of
from .threats import fives, fours, open_fours

__all__ = ["why_urgent"]

#: Looks at a row of both players' stones; see `threats`.
Find = Callable[[Any, State, int], Any]


def why_urgent(game: Any, state: State, action: int) -> str:
    """What a move of `find_urgent` does about what.

    >>> from playout.games.gomoku.rules import Gomoku
    >>> from playout.games.positions.position import Position
    >>> game = Gomoku(size=9)
    >>> position = Position.from_moves(game, "e5 a1 f5 a9 g5".split())
    >>> why_urgent(game, position.state, position.find("d5"))
    'answers the open three at E5, F5, G5'
    """
    me = int(state.player)
    threats = _cells(game, state, fives, 1 - me)
    if threats:
        return f"answers the four at {_stones(game, state, threats[0], 1 - me)}"
    if action in _cells(game, state, open_fours, me):
        return "makes an open four"
    threats = _cells(game, state, open_fours, 1 - me)
    if not threats:
        return ""
    three = f"the open three at {_stones(game, state, threats[0], 1 - me)}"
    if action in _cells(game, state, fours, me):
        return f"makes a four, sooner than {three}"
    return f"answers {three}"


def _cells(game: Any, state: State, find: Find, player: int) -> list[int]:
    """The cells that a search of rows finds for a player, who may play there."""
    found = []
    for row in range(game.height):
        bits = int(find(game, state, row + EDGE)) >> game.lane * player
        cells = (
            row * game.width + column
            for column in range(game.width)
            if bits >> column & 1
        )
        found += [cell for cell in cells if game.allows(state, player, cell)]
    return found


def _stones(game: Any, state: State, cell: int, player: int) -> str:
    """The names of the stones that a stone on a cell would make a row with."""
    grid = grid_of(game, state)
    rows = [
        _row(grid, divmod(cell, game.width), step, "XO"[player])
        for step in zip(DOWN, RIGHT, strict=True)
    ]
    longest = max(rows, key=len)
    return ", ".join(game.action_name(y * game.width + x) for y, x in longest)


def _row(
    grid: list[str], cell: tuple[int, int], step: tuple[int, int], mark: str
) -> list[tuple[int, int]]:
    """A player's stones on both sides of a cell, in one direction."""
    found = []
    for sign in (-1, 1):
        y, x = cell[0] + sign * step[0], cell[1] + sign * step[1]
        while 0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x] == mark:
            found.append((y, x))
            y, x = y + sign * step[0], x + sign * step[1]
    return sorted(found)

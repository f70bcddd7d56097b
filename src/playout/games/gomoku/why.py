"""Why a move of Gomoku must be played, or wins: what has been seen, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..contract.game import State
from .fours import FOUND, find_fours
from .lines import DOWN, EDGE, RIGHT
from .text import grid_of
from .threats import fives, fours, open_fours
from .work import LAST, key_of, new_work, place

__all__ = ["why_settled", "why_urgent"]

#: Positions that are looked at for a reason: these are slow, as nothing is compiled.
_NODES = 60

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


def why_settled(game: Any, state: State, action: int) -> str:
    """By which fours a move of `settle` wins, or what it threatens.

    >>> from playout.games.gomoku.rules import Gomoku
    >>> from playout.games.positions.position import Position
    >>> game = Gomoku(size=9)
    >>> moves = "e5 a1 f5 d5 g5 a9 e6 c1 e7 h1"
    >>> position = Position.from_moves(game, moves.split())
    >>> game.why_settled(position.state, position.find("h5"))
    'wins by fours: H5, then E8'
    """
    me, name = int(state.player), game.action_name
    ends = _cells_after(game, state, action, me)
    if not ends:
        line = _line_after(game, state, [action], me)
        return f"wins by threats: {name(action)} threatens {_then(game, line)}"
    line = [] if len(ends) > 1 else _line_after(game, state, [action, ends[0]], me)
    return f"wins by fours: {_then(game, [action, *line])}"


def _cells_after(game: Any, state: State, action: int, player: int) -> list[int]:
    """Where a player makes a five after a move."""
    place(game, state, player, action)
    found = _cells(game, state, fives, player)
    place(game, state, player, action)
    return found


def _line_after(game: Any, state: State, moves: list[int], player: int) -> list[int]:
    """A player's fours that win after some moves, by turns; none if it is not seen."""
    for index, cell in enumerate(moves):
        place(game, state, player ^ (index & 1), cell)
    work, table = new_work(game, _NODES), np.zeros(0, np.uint64)
    key = key_of(game, state)
    found = find_fours(game, state, work, table, player, key, _NODES) == FOUND
    for index, cell in enumerate(moves):
        place(game, state, player ^ (index & 1), cell)
    return [int(c) for c in work.line[: work.numbers[LAST] + 1 : 2]] if found else []


def _then(game: Any, cells: list[int]) -> str:
    """Moves in words: `H9, then I8, J7`; dots if there are none."""
    names = [game.action_name(cell) for cell in cells] or ["..."]
    return ", ".join(names[:1]) + (
        ", then " + ", ".join(names[1:]) if names[1:] else ""
    )


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

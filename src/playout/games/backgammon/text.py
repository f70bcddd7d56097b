"""Backgammon as people read and write it: moves, the board, positions.

People count the points as White does, 24 to 1, so that a move has the same name whoever
looks. On the board they run along the bottom and back along the top:

    13 14 15 16 17 18  bar  19 20 21 22 23 24
    12 11 10  9  8  7  bar   6  5  4  3  2  1
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ...core.errors import PositionError, quote
from ..contract.game import State
from ..drawing.board import Board, Cell

__all__ = ["cells_of", "draw", "name_move", "read_move", "read_state", "state_text"]

_BAR, _OFF, _ALL = 25, 0, 15
_MARKS = "WB"
#: Rows of the board: five checkers of a point above, five below, a gap between.
_ROWS, _HIGH = 11, 5
_BAR_COLUMN, _OFF_COLUMN = 6, 13
_COUNTS = "0123456789ABCDEF"

_POINT = r"[1-9]|1\d|2[0-4]"
_MOVE = re.compile(rf"(bar|{_POINT})/(off|{_POINT})(?::([1-6]))?", re.ASCII)
_CHECKERS = re.compile(rf"(bar|{_POINT})(?:x(\d{{1,2}}))?", re.ASCII)
_DICE = re.compile(r"([1-6])(?:-([1-6])|x([1-4]))?", re.ASCII)


def _seen(player: int, point: int) -> int:
    """A player's point as White counts it, or the reverse."""
    return point if player == 0 else _BAR - point


def name_move(player: int, point: int, die: int) -> str:
    """The name of a move; a die that is larger than needed is said.

    >>> name_move(0, 24, 6), name_move(1, 25, 5), name_move(1, 4, 6)
    ('24/18', 'bar/5', '21/off:6')
    """
    start = "bar" if point == _BAR else str(_seen(player, point))
    if point > die:
        return f"{start}/{_seen(player, point - die)}"
    return f"{start}/off" if point == die else f"{start}/off:{die}"


def read_move(text: str) -> tuple[int, int, int] | None:
    """The player, its own point and the die of a move; None if there is no such one.

    White moves to lower points and Black to higher ones.
    """
    found = _MOVE.fullmatch(text)
    if found is None:
        return None
    start, to = found[1], found[2]
    if start == "bar":
        player = 0 if to != "off" and int(to) > 12 else 1
    elif to == "off":
        player = 0 if int(start) <= 12 else 1
    else:
        player = 0 if int(to) < int(start) else 1
    point = _BAR if start == "bar" else _seen(player, int(start))
    end = _OFF if to == "off" else _seen(player, int(to))
    die = int(found[3]) if found[3] else point - end
    fits = die == point - end or (end == _OFF and die > point)
    return (player, point, die) if fits and 1 <= die <= 6 else None


def _cell(player: int, point: int) -> Cell:
    """The cell where the first checker of a player's point lies."""
    if point in (_BAR, _OFF):
        above = player == (0 if point == _BAR else 1)
        column = _BAR_COLUMN if point == _BAR else _OFF_COLUMN
        return 0 if above else _ROWS - 1, column
    seen = _seen(player, point)
    place = seen - 13 if seen > 12 else 12 - seen
    column = place + 1 if place >= _BAR_COLUMN else place
    return 0 if seen > 12 else _ROWS - 1, column


def cells_of(player: int, point: int, die: int) -> tuple[Cell, Cell]:
    """From where and to where a move leads, on the board as `draw` draws it."""
    return _cell(player, point), _cell(player, max(_OFF, point - die))


def draw(state: State, last: Cell | None, names: tuple[str, ...]) -> Board:
    """The board; of more than five checkers the fifth says how many there are."""
    rows = [[" "] * (_OFF_COLUMN + 1) for _ in range(_ROWS)]
    for row in (*range(_HIGH), *range(_ROWS - _HIGH, _ROWS)):
        rows[row] = list("......|......_")
    for player, mark in enumerate(_MARKS):
        for point in range(_BAR + 1):
            count = int(state.checkers[player, point])
            row, column = _cell(player, point)
            down = 1 if row == 0 else -1
            for height in range(min(count, _HIGH)):
                rows[row + down * height][column] = mark
            if count > _HIGH:
                rows[row + down * (_HIGH - 1)][column] = _COUNTS[count]
    upper = {(_HIGH, column): str(place) for place, column in _upper_points()}
    labels = ("12", "11", "10", "9", "8", "7", "bar", "6", "5", "4", "3", "2", "1")
    return Board(
        cells=tuple("".join(row) for row in rows),
        marks=tuple(_MARKS),
        column_labels=(*labels, "off"),
        names=upper,
        last=last,
        style="counters",
        dark=1,
        pieces={"|": "", "_": ""},
        ground=_ground(),
        stands_for={
            (end + way * height, column): (end, column)
            for end, way in ((0, 1), (_ROWS - 1, -1))
            for height in range(1, _HIGH)
            for column in range(_OFF_COLUMN + 1)
        },
        caption=_caption(state, names),
    )


def _upper_points() -> list[tuple[int, int]]:
    """The points above, each with its column."""
    columns = [*range(_BAR_COLUMN), *range(_BAR_COLUMN + 1, _OFF_COLUMN)]
    return list(enumerate(columns, start=13))


@lru_cache
def _ground() -> str:
    """The board under the checkers: triangles, the bar, a tray, upper numbers."""
    points = []
    for point, column in _upper_points():
        for base, tip, shade in ((0, 4.8, point + 1), (_ROWS, _ROWS - 4.8, point)):
            points.append(
                f'<path d="M{column + 0.05:g} {base}h.9L{column + 0.5:g} {tip:g}Z" '
                f'fill="{("#a8552f", "#e6d2a6")[shade % 2]}"/>'
            )
        points.append(
            f'<text x="{column + 0.5:g}" y="5.6" font-size=".36" fill="#fff" '
            f'text-anchor="middle" font-family="sans-serif">{point}</text>'
        )
    dark = "".join(
        f'<rect x="{column}" width="1" height="{_ROWS}" fill="#4b3524"/>'
        for column in (_BAR_COLUMN, _OFF_COLUMN)
    )
    width = _OFF_COLUMN + 1
    return (
        f'<svg viewBox="0 0 {width} {_ROWS}" preserveAspectRatio="none">'
        f'<rect width="{width}" height="{_ROWS}" fill="#2f6b4f"/>'
        f"{dark}{''.join(points)}</svg>"
    )


def _caption(state: State, names: tuple[str, ...]) -> str:
    """What is to be done, and how far both have to go."""
    pips = [
        sum(point * int(state.checkers[player, point]) for point in range(_BAR + 1))
        for player in (0, 1)
    ]
    gone = " and ".join(f"{names[player]} {pips[player]}" for player in (0, 1))
    dice = _dice_text(state)
    todo = f"{names[state.player]}: {dice}; " if dice else ""
    return f"{todo}pips: {gone}"


def _dice_text(state: State) -> str:
    """The dice that are to be used: `6-5`, `5`, or `4x3`; empty if there are none."""
    high, low, left = (int(n) for n in (*state.dice, state.left))
    if left == 0:
        return ""
    if high == low:
        return f"{high}x{left}"
    return f"{high}-{low}" if low else str(high)


def state_text(state: State) -> str:
    """See `Backgammon.state_to_text`."""
    parts = []
    for player in (0, 1):
        held = [(p, int(state.checkers[player, p])) for p in range(_BAR, 0, -1)]
        names = [
            f"{'bar' if point == _BAR else point}{f'x{count}' if count > 1 else ''}"
            for point, count in held
            if count
        ]
        parts.append(",".join(names) or "off")
    mover = _MARKS[state.player] if state.player >= 0 else "-"
    return " ".join([*parts, mover, _dice_text(state)]).strip()


def read_state(text: str) -> tuple[list[list[int]], tuple[int, int], int, int]:
    """The points of all checkers of both, the dice, checkers to move, who moves.

    Raises:
        PositionError: see `Backgammon.state_from_text`.
    """
    words = text.split()
    if len(words) not in (3, 4) or words[2] not in ("W", "B", "-"):
        raise _error(text)
    checkers = [_read_checkers(text, word) for word in words[:2]]
    player = ("W", "B").index(words[2]) if words[2] != "-" else -1
    white, black = ([p for p in points if 0 < p < _BAR] for points in checkers)
    if set(white) & {_BAR - point for point in black}:
        raise PositionError(f"{quote(text)}: both have checkers on one point")
    if all(points.count(_OFF) == _ALL for points in checkers):
        raise PositionError(f"{quote(text)}: both have brought all checkers off")
    if len(words) == 3:
        return checkers, (0, 0), 0, player
    dice = _DICE.fullmatch(words[3])
    over = any(points.count(_OFF) == _ALL for points in checkers)
    if dice is None or player < 0 or over or dice[1] == dice[2]:
        raise _error(text)
    one = int(dice[1])
    if dice[3]:
        return checkers, (one, one), int(dice[3]), player
    other = int(dice[2]) if dice[2] else 0
    return checkers, (max(one, other), min(one, other)), 2 if other else 1, player


def _read_checkers(text: str, word: str) -> list[int]:
    points: list[int] = []
    for part in word.split(",") if word != "off" else ():
        found = _CHECKERS.fullmatch(part)
        if found is None:
            raise _error(text)
        point = _BAR if found[1] == "bar" else int(found[1])
        points += [point] * int(found[2] or 1)
    if len(points) > _ALL:
        raise PositionError(f"{quote(text)}: a player has {_ALL} checkers")
    return points + [_OFF] * (_ALL - len(points))


def _error(text: Any) -> PositionError:
    return PositionError(
        f"not a position: {quote(text)}; expected White's checkers, Black's, each "
        "counted from its own side (24x2,13x5,bar or off), who moves (W, B or -), and "
        "the dice if they are rolled (6-5, 5, 4x3)"
    )

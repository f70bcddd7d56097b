"""Connect Four's lines as parts that a network looks up, beside a slow twin."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.connect_four.parts import pieces_of
from playout.games.connect_four.rules import ConnectFour
from playout.games.positions.position import Position
from tests.games.connect_four.boards import board_sizes


@kernel
def show(game: Any, states: Any, parts: Any) -> int:
    game.observe_parts(states[0], parts)
    return 0


def parts_of(position: Position, interpreted: bool = False) -> list[int]:
    parts = np.full(position.game.parts_shape()[0], -1, np.int32)
    arguments = position.game, Rows(position.array), parts
    run = show.function if interpreted else show.compile(*arguments)
    with np.errstate(over="ignore"):
        run(*arguments)
    return parts.tolist()


def contents_of(position: Position) -> dict[tuple[int, int], int]:
    """What is in every cell (column, height), from the board as people see it."""
    game = position.game
    rows = game.state_to_text(position.state).split(" ")[0].split("/")[::-1]
    mover = "XO"[position.current_player]
    found = {}
    for column in range(game.columns):
        for height in range(game.rows):
            mark = rows[height][column]
            found[column, height] = 0 if mark in ".#" else 1 if mark == mover else 2
    for column in range(game.columns):
        empty = [h for h in range(game.rows) if rows[h][column] == "."]
        if empty:
            found[column, empty[0]] = 3
    return found


@board_sizes
def test_each_part_is_the_number_of_what_is_in_its_cells(board: dict) -> None:
    rng = random.Random(2)
    game = ConnectFour(**board)
    pieces = list(pieces_of(game.rows, game.columns, game.line))
    assert game.parts_shape()[0] == len(pieces)
    firsts: dict[int, int] = {}
    for played in range(12):
        position = Position(game)
        for _ in range(5 * played):
            if not position.is_terminal:
                position.play(rng.choice(position.legal_actions()))
        found = parts_of(position)
        assert found == parts_of(position, interpreted=True)
        contents = contents_of(position)
        for part, (_, piece) in enumerate(pieces):
            kind = sum(contents[cell] * 4**place for place, cell in enumerate(piece))
            first = firsts.setdefault(part, found[part] - kind)
            assert found[part] - kind == first
    assert firsts == dict(enumerate(game.first_kinds.tolist()))


def test_kinds_are_shared_by_parts_of_one_sort_alone() -> None:
    game = ConnectFour()
    pieces = list(pieces_of(6, 7, 4))
    sorts = [(direction, len(piece)) for direction, piece in pieces]
    firsts = game.first_kinds.tolist()
    assert len(set(zip(sorts, firsts, strict=True))) == len(set(sorts)) == 5
    sizes = [4 ** len(piece) for _, piece in pieces]
    ends = zip(firsts, sizes, strict=True)
    ranges = sorted({(first, first + size) for first, size in ends})
    assert [end for _, end in ranges[:-1]] == [first for first, _ in ranges[1:]]
    assert ranges[-1][1] == game.parts_shape()[1]


@pytest.mark.parametrize(
    ("rows", "columns", "line"), [(6, 7, 4), (9, 12, 4), (8, 9, 6)]
)
def test_every_line_lies_in_a_part(rows: int, columns: int, line: int) -> None:
    pieces = [set(piece) for _, piece in pieces_of(rows, columns, line)]
    for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for x in range(columns):
            for y in range(rows):
                cells = {(x + n * dx, y + n * dy) for n in range(line)}
                if all(0 <= a < columns and 0 <= b < rows for a, b in cells):
                    assert any(cells <= piece for piece in pieces)
    assert all(len(piece) <= 7 for piece in pieces)


def test_a_mirrored_board_has_the_same_columns_and_diagonals() -> None:
    game = ConnectFour()
    moves = "4453361"
    mirror = "".join(str(8 - int(move)) for move in moves)
    sorts = [direction for direction, _ in pieces_of(6, 7, 4)]

    def of(sort: str, moves: str) -> list[int]:
        found = parts_of(Position.from_moves(game, moves))
        return [kind for kind, each in zip(found, sorts, strict=True) if each == sort]

    assert of("column", mirror) == of("column", moves)[::-1]
    assert sorted(of("diagonal", mirror)) == sorted(of("diagonal", moves))
    assert of("row", mirror) != of("row", moves)

"""Renju's fouls on shapes from textbooks, and on crowded boards."""

from __future__ import annotations

import random

import numpy as np
import pytest

from playout.core.jit.rows import Rows
from playout.games.gomoku.rules import Gomoku
from playout.games.positions.position import Position
from tests.games.gomoku.games import KNOWN, legal_natively, oracle_from_text


@pytest.mark.parametrize("name", KNOWN["fouls"])
def test_renju_shapes(name):
    """Textbook shapes: the cells marked b are forbidden, those marked w are not."""
    rows = KNOWN["fouls"][name]
    marked = {(y, x): c for y, row in enumerate(rows) for x, c in enumerate(row)}
    text = "/".join(rows).replace("b", ".").replace("w", ".")
    game, oracle = Gomoku(9, "renju"), oracle_from_text(text + " X", "renju")
    forbidden = game.forbidden(Position(game, text + " X").state)
    assert {cell for cell in forbidden if marked[cell] == "w"} == set()
    assert {cell for cell, mark in marked.items() if mark == "b"} <= forbidden
    empties = [divmod(cell, 9) for cell in oracle.empties()]
    assert forbidden == {cell for cell in empties if oracle.foul(*cell)}
    assert game.forbidden(Position(game, text + " O").state) == frozenset()


def test_renju_fouls_on_crowded_boards():
    """Random boards, many of whose fouls hang on fouls two and three stones later."""
    game = Gomoku(9, "renju")
    buffer = np.zeros(81, dtype=np.int32)
    native = legal_natively.compile(game, Rows(Position(game).array), buffer)
    rng = random.Random(11)
    deeper = 0
    for _ in range(60):
        cells = rng.choices(".XO", weights=(12, 5, 2), k=81)
        text = "/".join("".join(cells[i : i + 9]) for i in range(0, 81, 9)) + " X"
        oracle = oracle_from_text(text, "renju")
        if any(oracle.wins_at(*divmod(i, 9)) for i in range(81) if cells[i] != "."):
            continue
        count = native(game, Rows(Position(game, text).array), buffer)
        assert buffer[:count].tolist() == oracle.legal(), text
        deeper += oracle.excused
    assert deeper > 20  # threes that only a foul further on made unreal


def test_renju_black_without_a_move_draws():
    """Every empty cell is forbidden: the game ends, and nobody has won."""
    game = Gomoku(7, "renju")
    text = "XXX.XXX/OOOXOOO/OXOXOXO/XOXOXOX/OOXOXOO/XOXOXOX/OXOXOXO X"
    position = Position(game, text)
    assert position.is_terminal
    assert position.returns(0) == position.returns(1) == 0.0
    assert position.legal_actions() == []

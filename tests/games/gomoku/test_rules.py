"""Gomoku's five rules against a slow oracle, and lines of every length.

Also of `games/gomoku/lines.py`.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from playout import check_game
from playout.core.errors import UsageError
from playout.core.jit.rows import Rows
from playout.games.gomoku.rules import RULES, Gomoku
from playout.games.positions.counting import perft
from playout.games.positions.position import Position
from playout.games.registry import game_spec, make_game
from tests.games.gomoku.games import choose, oracle_from_text, play_natively
from tests.oracles.gomoku_oracle import Oracle

# -- rules -----------------------------------------------------------------------------


CASES = [
    *((5, rule, 6) for rule in RULES),
    *((9, rule, 4) for rule in RULES),
    (7, "renju", 6),
    (15, "freestyle", 4),
    (15, "renju", 1),
    (16, "standard", 1),
    (22, "caro", 1),
]


@pytest.mark.optimised
@pytest.mark.parametrize(("size", "rule", "games"), CASES)
def test_random_games_against_oracle(size, rule, games):
    play_beside_oracle(Gomoku(size, rule), size, size, games)


#: Boards that are not square: narrow words and wide ones, low and high.
OBLONG = [(5, 12, "freestyle", 3), (12, 6, "renju", 3), (6, 17, "caro", 2)]


@pytest.mark.parametrize(("rows", "columns", "rule", "games"), OBLONG)
def test_games_on_boards_that_are_not_square(rows, columns, rule, games):
    """The laws are compiled for the widest only, which takes longest."""
    game = Gomoku(rule=rule, rows=rows, columns=columns)
    play_beside_oracle(game, rows, columns, games)
    check_game(game, games=1, compiled=columns == 17)


def test_a_square_is_one_game_however_it_is_written():
    assert Gomoku(rows=9, columns=9) == Gomoku(9)
    assert Gomoku(9, rows=9) == Gomoku(9)
    assert game_spec(Gomoku(rows=9, columns=9)) == "gomoku:size=9"
    assert game_spec(Gomoku(12, rows=9)) == "gomoku:rows=9,columns=12"
    assert make_game("gomoku:rows=9,columns=12") == Gomoku(12, rows=9)
    for sizes in ({"rows": 4}, {"columns": 23}, {"rows": -1}):
        with pytest.raises(UsageError, match="must be 5 to 22"):
            Gomoku(**sizes)


def play_beside_oracle(game, rows, columns, games):
    """Compiled rules and the oracle agree at every ply."""
    rule = game.rule
    states = np.zeros(1, dtype=game.state_dtype())
    buffer = np.zeros(rows * columns, dtype=np.int32)
    seen = np.zeros(5, dtype=np.int64)
    native = play_natively.compile(game, Rows(states), -1, buffer, seen)
    for number in range(games):
        rng = random.Random(f"{columns} {rule} {number}")
        states[:] = Position(game).array
        grid = [["."] * columns for _ in range(rows)]
        oracle, action = Oracle(columns, rule, grid), -1
        while True:
            native(game, Rows(states), action, buffer, seen)
            legal = oracle.legal()
            assert buffer[: seen[0]].tolist() == legal
            assert seen[1] == (not legal)
            assert seen[2] == "XO".index(oracle.mover)
            if not legal:
                break
            action = choose(oracle, legal, rng, clustered=number % 2 == 1)
            oracle.play(action)
        assert tuple(seen[3:]) == (oracle.result(0), oracle.result(1))


@pytest.mark.parametrize("rule", RULES)
def test_interpreted_games_against_oracle(rule):
    """Interpreted rules agree too, and the text form gives the state back."""
    game, oracle, rng = Gomoku(5, rule), Oracle(5, rule), random.Random(3)
    position = Position(game)
    while legal := oracle.legal():
        assert position.legal_actions() == legal
        assert not position.is_terminal
        text = position.to_text()
        assert text.split() == ["/".join(map("".join, oracle.grid)), oracle.mover]
        assert Position(game, text).array.tobytes() == position.array.tobytes()
        action = rng.choice(legal)
        oracle.play(action)
        position.play(action)
    assert position.is_terminal
    assert position.returns(0) == oracle.result(0)
    again = Position(game, position.to_text())
    assert again.array.tobytes() == position.array.tobytes()


def test_laws():
    """Of a large board, interpreted; `check/test_laws.py` has smaller ones compiled."""
    check_game(Gomoku(16, "caro"), games=1, compiled=False)


@pytest.mark.optimised
def test_perft_from_the_start():
    assert [perft(Gomoku(5), depth) for depth in range(4)] == [1, 25, 600, 13800]


@pytest.mark.optimised
@pytest.mark.parametrize("rule", RULES)
def test_perft_near_the_end_against_oracle(rule):
    """Depth 3 from a position where both can win, so that paths end early."""
    text = "XXXX..O/OOOO..X/X.O.X.O/O.X.O.X/.XO.XX./O.XO.O./X.O.X.O X"
    assert perft(Gomoku(7, rule), 3, Position(Gomoku(7, rule), text)) == oracle_perft(
        oracle_from_text(text, rule), 3
    )


def oracle_perft(oracle: Oracle, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for action in oracle.legal():
        grid = [row[:] for row in oracle.grid]
        following = Oracle(oracle.size, oracle.rule, grid, oracle.mover)
        following.play(action)
        count += oracle_perft(following, depth - 1)
    return count


# -- what wins -------------------------------------------------------------------------


#: A row of 9 with an empty cell (_) to play on; the rules by which the mover then wins.
ROWS = [
    ("XXXX_....", "X", RULES),
    ("OOOO_....", "O", RULES),
    ("XX_XX....", "X", RULES),
    (".XXX_XX..", "X", ("freestyle", "caro-8")),
    (".OOO_OO..", "O", ("freestyle", "renju", "caro-8")),
    ("OXX_XXO..", "X", ("freestyle", "standard", "renju")),
    ("XOO_OOX..", "O", ("freestyle", "standard", "renju")),
    ("OXX_XX.O.", "X", RULES),
    ("XX_XXO...", "X", RULES),
    ("OXXX_XXO.", "X", ("freestyle", "caro-8")),
    ("XXXX_XXXX", "X", ("freestyle", "caro-8")),
    # played at one end: what closes the five may stand at the other, or not at all
    ("OXXXX_O..", "X", ("freestyle", "standard", "renju")),
    ("OXXXX_...", "X", RULES),
    ("O_XXXXO..", "X", ("freestyle", "standard", "renju")),
    ("._XXXXO..", "X", RULES),
    ("_XXXXO...", "X", RULES),
    ("...O_XXXX", "X", RULES),
    (".XX_X....", "X", ()),
]


@pytest.mark.parametrize("rule", RULES)
def test_rows_that_win(rule):
    """Every row of the table, across, down, and along both diagonals, at all edges."""
    game = Gomoku(9, rule)
    for row, mover, winners in ROWS:
        for cells in lines():
            grid = [["."] * 9 for _ in range(9)]
            for (y, x), mark in zip(cells, row, strict=True):
                grid[y][x] = mark.replace("_", ".")
            text = "/".join(map("".join, grid)) + " " + mover
            y, x = cells[row.index("_")]
            oracle = oracle_from_text(text, rule)
            assert oracle.winning(9 * y + x, mover) == (rule in winners)
            position = Position(game, text)
            if 9 * y + x in position.legal_actions():
                position.play(9 * y + x)
                won = (
                    position.is_terminal and position.returns("XO".index(mover)) == 1.0
                )
                assert won == (rule in winners)
            else:
                assert (rule, mover, winners) == ("renju", "X", ("freestyle", "caro-8"))


def lines() -> list[list[tuple[int, int]]]:
    """Lines of nine cells on the board of nine, in four directions."""
    straight = [[(k, i) for i in range(9)] for k in (0, 4, 8)]
    straight += [[(i, k) for i in range(9)] for k in (0, 4, 8)]
    return [*straight, [(i, i) for i in range(9)], [(i, 8 - i) for i in range(9)]]


def test_the_last_cell():
    """A full board is a draw; a line made by the last stone wins."""
    drawn = "XXOXO/OOXOX/XXOXO/OOXOX/XXOX. X"
    assert Position(Gomoku(5), drawn).play("E1").returns(0) == 0.0
    won = "XXOXX/OOXOX/XXOOX/OOXOX/XXOX. X"
    assert Position(Gomoku(5), won).play("E1").returns(0) == 1.0

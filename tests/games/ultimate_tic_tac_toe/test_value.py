"""What ultimate tic-tac-toe knows at a glance, against slow and obvious twins.

Of `games/ultimate_tic_tac_toe/chances.py`, `games/ultimate_tic_tac_toe/value.py`,
`games/ultimate_tic_tac_toe/weights.py` and `games/ultimate_tic_tac_toe/threats.py`.
"""

from __future__ import annotations

import functools
import random

import numpy as np
import pytest

from playout import Position, UltimateTicTacToe
from playout.games.ultimate_tic_tac_toe.chances import FIRST_LINE, SWAPPED, TERNARY
from playout.games.ultimate_tic_tac_toe.threats import outlook
from playout.games.ultimate_tic_tac_toe.value import lead_of_mover
from playout.games.ultimate_tic_tac_toe.weights import REST, UNIT, WORTH

LINES = ("abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg")
VARIANTS = [
    UltimateTicTacToe(),
    UltimateTicTacToe(variant="first-board"),
    UltimateTicTacToe(variant="first-board", nine_board=True),
    UltimateTicTacToe(variant="count"),
    UltimateTicTacToe(variant="play-on"),
]


def number_of(marks: str) -> int:
    return sum(3**cell * ".XO".index(mark) for cell, mark in enumerate(marks))


def marks_of(number: int) -> str:
    return "".join(".XO"[number // 3**cell % 3] for cell in range(9))


def has_line(marks: str, mark: str) -> bool:
    return any(all(marks["abcdefghi".index(c)] == mark for c in row) for row in LINES)


def put(marks: str, cell: int, mark: str) -> str:
    return marks[:cell] + mark + marks[cell + 1 :]


@functools.cache
def first_line(marks: str) -> float:
    """The probability that X makes the first line: by plain recursion."""
    if has_line(marks, "X"):
        return 1.0
    if has_line(marks, "O") or "." not in marks:
        return 0.0
    total = 0.0
    for mark, other in ("XO", "OX"):
        empty = [cell for cell in range(9) if marks[cell] == "."]
        wins = [cell for cell in empty if has_line(put(marks, cell, mark), mark)]
        blocks = [cell for cell in empty if has_line(put(marks, cell, other), other)]
        cells = wins or blocks or empty
        total += sum(first_line(put(marks, c, mark)) for c in cells) / len(cells) / 2
    return total


def test_the_table_of_local_boards():
    rng = random.Random(1)
    for number in [0, *rng.sample(range(3**9), 60)]:
        assert FIRST_LINE[number] == pytest.approx(first_line(marks_of(number)))


def test_a_board_is_hopeless_exactly_where_no_line_is_open():
    """All 19,683: a chance of 0 proves that the player cannot make a line."""
    for number in range(3**9):
        marks = marks_of(number)
        if has_line(marks, "O"):
            continue
        open_for_x = has_line(marks.replace(".", "X"), "X")
        assert (FIRST_LINE[number] > 0) == open_for_x
        assert FIRST_LINE[number] + FIRST_LINE[SWAPPED[number]] < 1 + 1e-12
    assert all(number_of(marks_of(n)) == n for n in range(0, 3**9, 97))
    assert TERNARY[0b101] == number_of("X.X......")


def test_the_worth_of_boards_counts_lines():
    """X has won a and b, O has d: c is worth its row; a diagonal; half a column."""
    boards = "XX.O....."
    expected = 1.0 + REST**2 + REST**2
    assert WORTH[9 * number_of(boards) + 2] / UNIT == pytest.approx(expected, abs=0.01)
    for_o = REST**2
    swapped = number_of(boards.translate(str.maketrans("XO", "OX")))
    assert WORTH[9 * swapped + 8] / UNIT == pytest.approx(2 * for_o, abs=0.01)


def random_positions(game: UltimateTicTacToe, games: int, last: int) -> list[Position]:
    """The positions shortly before the ends of random games."""
    rng, found = random.Random(games), []
    for _ in range(games):
        position = Position(game)
        while not position.is_terminal:
            position.play(rng.choice(position.legal_actions()))
        moves = position.actions
        for plies in range(max(0, len(moves) - last), len(moves)):
            found.append(Position.from_moves(game, moves[:plies]))
    return found


def wins_at_once(position: Position) -> bool:
    """Whether a move ends the game by a line, of boards or, if one wins, in a board."""
    player = position.current_player
    for action in position.legal_actions():
        state = position.copy().play(action).state
        boards = int(state.boards[player])
        marks = "".join("X" if boards >> board & 1 else "." for board in range(9))
        if has_line(marks, "X") or (boards and position.game.variant == "first-board"):
            return True
    return False


def slow_outlook(position: Position) -> int:
    if wins_at_once(position):
        return 1
    after = [position.copy().play(action) for action in position.legal_actions()]
    lost = all(not child.is_terminal and wins_at_once(child) for child in after)
    return -1 if lost else 0


@pytest.mark.parametrize("game", VARIANTS, ids=str)
def test_outlook_is_what_all_moves_and_answers_show(game: UltimateTicTacToe):
    seen = set()
    for position in random_positions(game, 32, last=3):
        expected = slow_outlook(position)
        assert outlook(game, position.state) == expected, position.to_text()
        value = game.evaluate(position.state, position.current_player)
        assert value == expected if expected else -1 < value < 1
        seen.add(expected)
    assert seen == {-1, 0, 1}


def test_nobody_leads_where_no_line_can_be_made():
    """Every line of boards holds boards of both players or a drawn one."""
    x, o, dead = "XXX......", "OOO......", "XOXXOOOXX"
    text = "/".join([x, o, x, o, dead, o, ".........", x, o]) + " g X"
    game = UltimateTicTacToe()
    assert lead_of_mover(game, Position(game, text).state) == 0.0
    counted = UltimateTicTacToe(variant="count")
    assert lead_of_mover(counted, Position(counted, text).state) != 0.0


@pytest.mark.parametrize(
    ("before", "better", "worse"),
    [
        ("XX......./........./.../", "ac", "ad"),  # wins the board
        ("OO......./........./.../", "ac", "ad"),  # blocks one
    ],
)
def test_weights_of_moves(before: str, better: str, worse: str):
    boards = [part for part in before.split("/") if len(part) == 9]
    text = "/".join(boards + ["." * 9] * (9 - len(boards))) + " a X"
    for game in (VARIANTS[0], VARIANTS[1]):
        position = Position(game, text)
        weight = {
            name: game.prior(position.state, game.parse_action(name))
            for name in (better, worse)
        }
        assert weight[better] > weight[worse] > 0.0


def test_a_free_choice_is_a_gift():
    """Board b is X's, so a move to cell b lets O play anywhere."""
    text = "/".join(["." * 9, "XXX......", *["." * 9] * 7]) + " a X"
    game = UltimateTicTacToe()
    position = Position(game, text)
    weights = [game.prior(position.state, action) for action in range(9)]
    assert np.argmin(weights) == 1


def test_the_reason_of_an_urgent_move_names_the_board():
    """O has two boards of a row and two cells of its third; board d sets it free."""
    o, x = "OOO......", "XXX......"
    text = "/".join([o, o, "OO.......", x, *["." * 9] * 5]) + " c X"
    game = UltimateTicTacToe()
    position = Position(game, text)
    buffer = np.zeros(81, dtype=np.int32)
    count = game.urgent_actions(position.state, buffer)
    names = [game.action_name(action) for action in buffer[:count]]
    assert names == ["cc", "ce", "cf", "cg", "ch", "ci"]
    why = game.why_urgent(position.state, int(buffer[0]))
    assert why == "keeps the opponent from winning in board c"

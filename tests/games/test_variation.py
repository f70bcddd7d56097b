"""Boards that are drawn: by a spec that says `random`, and by what varies."""

from random import Random

import pytest

from playout import UsageError, make_game
from playout.games.registry import draw_parameters
from playout.games.variation import check_variation, covers, draw_board
from tests.toys import Nim

BOARDS = "rows=9-12,columns=9-12,forbidden=random"


def test_every_cell_may_be_forbidden():
    spec = "connect-four:rows=3,columns=2,forbidden=random"
    specs = [draw_parameters(spec, Random(seed)) for seed in range(60)]
    drawn = {make_game(each).forbidden for each in specs}
    assert drawn == {(row, column) for row in range(3) for column in range(2)}
    assert make_game(spec).forbidden in drawn


def test_what_is_written_before_or_after_counts_for_the_cell():
    for spec in (
        "connect-four:forbidden=random,rows=12",
        "connect-four:rows=12,forbidden=random",
    ):
        specs = [draw_parameters(spec, Random(seed)) for seed in range(99)]
        rows = {make_game(each).forbidden[0] for each in specs}
        assert max(rows) == 11


def test_boards_are_drawn_evenly_and_by_their_seed():
    boards = [
        make_game(draw_board("connect-four", BOARDS, Random(n))) for n in range(300)
    ]
    sizes = {(board.rows, board.columns) for board in boards}
    assert sizes == {(r, c) for r in range(9, 13) for c in range(9, 13)}
    assert all(board.forbidden != (-1, -1) for board in boards)
    again = draw_board("connect-four", BOARDS, Random(7))
    assert make_game(again) == boards[7]


@pytest.mark.parametrize(
    ("spec", "vary", "said"),
    [
        ("connect-four", "rows=9-13", "rows must be 1 to 12"),
        ("connect-four", "rows=12-9", "empty range"),
        ("connect-four", "depth=1-2", "unknown parameter 'depth'"),
        ("connect-four", "rows", "expected what varies"),
        ("connect-four", "rows=9-12,rows=9-12", "each once"),
        ("connect-four", "rows=random", "rows must be a whole number"),
        ("tic-tac-toe", "forbidden=random", "unknown parameter"),
    ],
)
def test_what_cannot_vary(spec, vary, said):
    with pytest.raises(UsageError, match=said):
        check_variation(spec, vary)


def test_the_games_that_a_ladder_is_for():
    ladder = f"connect-four:{BOARDS}"
    assert covers(ladder, make_game("connect-four:rows=9,columns=12,forbidden=1/1"))
    assert not covers(ladder, make_game("connect-four:rows=9,columns=12,line=5"))
    assert not covers(ladder, make_game("connect-four"))
    assert not covers(ladder, make_game("gomoku"))
    assert covers("connect-four", make_game("connect-four"))


def test_a_ladder_may_be_for_a_users_game():
    assert covers("Nim", Nim())
    assert not covers("Nim", Nim(stones=5))
    assert covers("Nim:stones=4-9", Nim(stones=5))
    assert not covers("Nim:stones=4-9", Nim(stones=5, most=2))

"""Openings: drawn at random, and read from files in three formats."""

import re

import numpy as np
import pytest

from playout import ConnectFour, Gomoku, Position, TicTacToe, UsageError
from playout.arena.openings import RandomBook, make_book
from playout.games.registry import make_game

from ..games_for_boards import ManyWords
from ..toys import Nim


def read(tmp_path, text, game, prefix=""):
    path = tmp_path / "openings.txt"
    path.write_text(text, encoding="utf-8")
    return make_book(f"{prefix}{path}", game, 0)


def test_no_openings():
    assert make_book(None, TicTacToe(), 0).opening(7) == ()


class PaddedNim(Nim):
    """Nim with bytes between the fields of its states, and behind them."""

    def state_dtype(self):
        return np.dtype([("player", "i1"), ("left", "i4"), ("end", "i1")], align=True)


@pytest.mark.parametrize(
    ("game", "number"), [(Gomoku(7), 49), (TicTacToe(), 9), (PaddedNim(), 3)]
)
def test_every_opening_is_drawn_once(game, number):
    assert RandomBook(game, plies=1, seed=1).count(1000) == number


@pytest.mark.parametrize(
    ("game", "plies"),
    [(TicTacToe(), 3), (ConnectFour(), 6), (Gomoku(size=9), 4), (Nim(), 3)],
)
def test_random_openings_are_distinct_and_undecided(game, plies):
    book = make_book(f"random:plies={plies}", game, 1)
    openings = [book.opening(pair) for pair in range(15)]
    ends = set()
    for moves in openings:
        position = Position.from_moves(game, moves)
        assert len(position.actions) == plies
        ends.add(position.to_text())
        mover = position.current_player
        for action in position.legal_actions():
            position.play(action)
            assert not (position.is_terminal and position.returns(mover) > 0)
            position.undo()
    assert len(ends) == len(set(openings))
    if not isinstance(game, Nim):  # which has only so many positions
        assert len(ends) == 15


def test_random_openings_follow_from_the_seed_alone():
    first, again, other = (
        make_book("random:plies=4", ConnectFour(), seed) for seed in (1, 1, 2)
    )
    backwards = [again.opening(pair) for pair in reversed(range(20))]
    assert [first.opening(pair) for pair in range(20)] == backwards[::-1]
    assert first.opening(0) != other.opening(0)


def test_random_openings_begin_again_when_there_are_no_more():
    book = make_book("random:plies=1", TicTacToe(), 0)
    assert len({book.opening(pair) for pair in range(9)}) == 9
    assert book.opening(9) == book.opening(0)
    assert book.opening(1000) == book.opening(1000 % 9)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("random:plies=9", "decided after 9 moves"),
        ("random:plies=0", "at least 1"),
        ("random:plies=x", "expected random:plies=N"),
        ("random:4", "expected random:plies=N"),
        ("nowhere.txt", "No such file"),
        ("pos:nowhere.txt", "No such file"),
    ],
)
def test_wrong_specs(spec, message):
    with pytest.raises(UsageError, match=message):
        make_book(spec, TicTacToe(), 0).opening(0)


def test_a_file_of_moves(tmp_path):
    book = read(tmp_path, "# two\nb2 a1\n\n  a1b2c3  \n", TicTacToe())
    assert [book.opening(pair) for pair in range(3)] == [
        ("b2", "a1"),
        ("a1", "b2", "c3"),
        ("b2", "a1"),
    ]


def test_columns_run_together(tmp_path):
    assert read(tmp_path, "4455", ConnectFour()).opening(0) == ("4", "4", "5", "5")


def test_moves_whose_names_have_blanks(tmp_path):
    book = read(tmp_path, "take 2 take 3\ntake 1\n", ManyWords())
    assert book.opening(0) == ("take 2", "take 3")
    assert book.opening(1) == ("take 1",)
    with pytest.raises(UsageError, match="line 1: move 2"):
        read(tmp_path, "take 2 take 301\n", ManyWords())


def test_gomocup_offsets(tmp_path):
    """dx,dy from floor(size / 2), y downwards; H8 is the centre of 15x15."""
    text = "0,0, 1,0, 0,1\n-7,-7, 7,7\n"
    book = read(tmp_path, text, Gomoku())
    assert book.opening(0) == ("H8", "I8", "H7")
    assert book.opening(1) == ("A15", "O1")
    assert read(tmp_path, "0,0", Gomoku(size=20), "offset:").opening(0) == ("K10",)


def test_pos_notation(tmp_path):
    """Letters from the left, numbers from the top: the reverse of the board's."""
    book = read(tmp_path, "h8i9a1\n", Gomoku())
    assert book.opening(0) == ("H8", "I7", "A15")
    assert read(tmp_path, "a1", Gomoku(), "pos:").opening(0) == ("A15",)


def test_gomoku_moves_are_ours_where_they_are_apart(tmp_path):
    assert read(tmp_path, "h8 a1", Gomoku()).opening(0) == ("H8", "A1")
    assert read(tmp_path, "7,7 8,8", Gomoku()).opening(0) == ("H8", "I7")


@pytest.mark.parametrize(
    ("text", "game", "message"),
    [
        ("b2 b2", TicTacToe(), "line 1: move 2: b2 cannot be played"),
        ("b2\nz9", TicTacToe(), "line 2: move 1"),
        ("# nothing", TicTacToe(), "holds no opening"),
        ("a1 b1 a2 b2 a3", TicTacToe(), "the game is over"),
        ("0,0, 8,0", Gomoku(), "line 1: move 2: '8,0' is no cell that is free here"),
        ("0,0, 0,0", Gomoku(), "line 1: move 2: '0,0' is no cell that is free here"),
        ("h8h99", Gomoku(), "line 1: move 2: 'h99' is no cell that is free here"),
        ("0,0, 8", Gomoku(), "not a list dx,dy"),
    ],
)
def test_wrong_files(tmp_path, text, game, message):
    with pytest.raises(UsageError, match=message) as error:
        read(tmp_path, text, game)
    assert "openings.txt" in str(error.value)


def test_what_gives_more_variety_is_found_out(tmp_path):
    """The advice names what would help; there is none if nothing would."""
    game = TicTacToe()
    assert "plies=2 gives" in make_book(None, game, 0).advice(game, 30)
    few = make_book("random:plies=1", game, 0)
    assert few.advice(game, 5) == ""  # there are nine
    assert "plies=3 gives" in few.advice(game, 30)
    small = make_game("mnk:m=2,n=3,k=3")  # all of its openings are found soon
    late = make_book("random:plies=4", small, 0)
    assert re.fullmatch(
        "there are only .* openings of 4 moves", late.advice(small, 3000)
    )
    file = read(tmp_path, "b2\na1\nb2", game)
    assert file.advice(game, 2) == ""
    assert "holds 2 different openings" in file.advice(game, 3)


def test_formats_of_gomoku_are_for_gomoku(tmp_path):
    with pytest.raises(UsageError, match="is for gomoku"):
        read(tmp_path, "0,0", TicTacToe(), "offset:")


def test_no_text(tmp_path):
    path = tmp_path / "book.bin"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not a text file"):
        make_book(str(path), TicTacToe(), 0)


def test_identity_is_that_of_the_openings(tmp_path):
    first = read(tmp_path, "b2 a1\n", TicTacToe()).identity
    same = read(tmp_path, "# the same\n b2  a1", TicTacToe()).identity
    other = read(tmp_path, "b2 a2\n", TicTacToe()).identity
    assert first == same != other

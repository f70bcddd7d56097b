"""Connect Four's opening book: proven, complete along best play, small."""

from __future__ import annotations

import functools
import random

import numpy as np
import pytest

from playout import SETTLED_AT_LEAST_DRAW, SETTLED_WIN, UNSETTLED
from playout.games.connect_four import book
from playout.games.connect_four.rules import ConnectFour
from playout.games.positions.position import Position

GAME = ConnectFour()
#: The last ply with a move of the book, of either player.
LAST_PLIES = 10, 9


def said(moves):
    position = Position.from_moves(GAME, moves)
    return GAME.book(position.state)


@functools.cache
def reached(moves):
    """The position after these moves; who plays on takes a copy."""
    return reached(moves[:-1]).copy().play(moves[-1]) if moves else Position(GAME)


@functools.cache
def known_after(start):
    """What the book says where it is followed from these moves on, by moves."""
    known = {}
    follow(Position.from_moves(GAME, start), start, known)
    return known


def follow(position, moves, known):
    known[moves] = outcome, action = GAME.book(position.state)
    if outcome == UNSETTLED:
        del known[moves]
    elif len(moves) + 2 <= LAST_PLIES[len(moves) % 2]:
        position.play(action)
        for reply in position.legal_actions():
            position.play(reply)
            if not position.is_terminal:
                follow(position, "".join(position.moves), known)
            position.undo()
        position.undo()


def wins_at_once(position):
    for action in position.legal_actions():
        position.play(action)
        won = position.is_terminal and position.returns(1 - position.current_player) > 0
        position.undo()
        if won:
            return True
    return False


def test_it_is_small_sorted_and_has_each_position_once():
    entries = book.load()
    assert book.FILE.stat().st_size < 200_000
    keys = entries >> np.uint64(5)
    assert np.all(keys[1:] > keys[:-1])
    assert np.all((entries >> np.uint64(2) & np.uint64(7)) < 7)
    assert np.all((entries & np.uint64(3)) < 2)


def test_the_first_player_wins_from_the_empty_board_and_the_centre():
    """Allis 1988 and Allen 1988."""
    assert said("") == (SETTLED_WIN, 3)


@pytest.mark.parametrize("column", "123567")
def test_the_second_player_wins_the_outer_columns_and_draws_beside_the_centre(column):
    expected = SETTLED_AT_LEAST_DRAW if column in "35" else SETTLED_WIN
    assert said(column)[0] == expected


@pytest.mark.parametrize("start", ["", "1", "2", "3", "5", "6", "7"])
def test_it_knows_all_that_can_follow_and_never_gives_the_result_away(start):
    """The opponent may play anything, and a win stays a win."""
    known = known_after(start)
    assert len(known) > 100
    for moves, (outcome, action) in known.items():
        position = reached(moves).copy().play(action)
        assert not position.is_terminal
        goes_on = len(moves) + 2 <= LAST_PLIES[len(moves) % 2]
        for reply in position.legal_actions() if goes_on else ():
            position.play(reply)
            assert not position.is_terminal, moves
            after, _ = known.get("".join(position.moves), (None, None))
            expected = {outcome, SETTLED_WIN}
            assert after in expected or wins_at_once(position), (moves, reply)
            position.undo()


def test_a_position_and_its_mirror_image_are_one():
    rng = random.Random(4)
    for moves, (outcome, action) in rng.sample(list(known_after("").items()), 100):
        turned = "".join(str(8 - int(column)) for column in moves)
        theirs, other = said(turned)
        own_image = Position.from_moves(GAME, moves).array == (
            Position.from_moves(GAME, turned).array
        )
        assert theirs == outcome
        assert other == (action if own_image else 6 - action)


def test_perfect_play_agrees():
    """A sample of positions late enough to be solved in a moment."""
    bitbully = pytest.importorskip("bitbully")
    solver, rng = bitbully.BitBully(), random.Random(7)
    late = [
        (moves, *said)
        for start in ("", "1", "2", "3")
        for moves, said in known_after(start).items()
        if len(moves) >= 7
    ]
    for moves, outcome, action in rng.sample(late, 25):
        board = bitbully.Board([int(column) - 1 for column in moves])
        score = solver.score_all_moves(board)[action]
        assert score > 0 if outcome == SETTLED_WIN else score >= 0, moves


def test_other_boards_have_none():
    for board in (
        {"rows": 7},
        {"columns": 6},
        {"line": 5},
        {"forbidden": (0, 0)},
    ):
        game = ConnectFour(**board)
        assert game.book(Position(game).state) == (UNSETTLED, -1)


def test_what_is_not_in_it_is_not_known():
    assert said("4") == (UNSETTLED, -1)  # a lost position
    assert said("4444443333335") == (UNSETTLED, -1)


def test_packed_is_what_is_read(monkeypatch, tmp_path):
    position = Position.from_moves(GAME, "71")
    stones = position.state.stones
    key, turned = book.book_key(int(stones[0, 0]), int(position.state.occupied[0]))
    path = tmp_path / "book.npy"
    np.save(path, book.packed({key: (2, 1), key + 1: (0, 0)}))
    monkeypatch.setattr(book, "FILE", path)
    book.load.cache_clear()
    try:
        assert said("71") == (SETTLED_WIN, 4 if turned else 2)
        assert said("17") == (SETTLED_WIN, 2 if turned else 4)
        assert said("") == (UNSETTLED, -1)
    finally:
        book.load.cache_clear()

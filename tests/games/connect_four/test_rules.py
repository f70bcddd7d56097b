"""Connect Four's rules against counts, an oracle and known values."""

from __future__ import annotations

import random

import numpy as np
import pytest

from playout import check_game
from playout.core.errors import IllegalMoveError
from playout.core.jit.rows import Rows
from playout.games.connect_four.rules import ConnectFour
from playout.games.positions.counting import divide, perft
from playout.games.positions.position import Position
from tests.games.connect_four.boards import (
    BOARDS,
    KNOWN,
    board_sizes,
    count_games,
    sized,
    step_natively,
)
from tests.oracles.connect_four_oracle import ConnectFourOracle

# -- counts ----------------------------------------------------------------------------


@pytest.mark.optimised
def test_perft_of_the_usual_board():
    counts = [perft(ConnectFour(), depth) for depth in range(10)]
    assert counts == KNOWN["perft_7x6"]


@pytest.mark.optimised
def test_divide_adds_up():
    parts = divide(ConnectFour(), 7)
    assert list(parts) == list(range(7))
    assert sum(parts.values()) == KNOWN["perft_7x6"][7]
    assert [parts[a] for a in range(7)] == [parts[6 - a] for a in range(7)]


@pytest.mark.optimised
@pytest.mark.parametrize("known", KNOWN["forbidden_perft"], ids=str)
def test_perft_with_a_forbidden_cell(known):
    game = sized(known, tuple(known["forbidden"]))
    for depth, count in enumerate(known["counts"]):
        if count < 5_000_000:
            assert perft(game, depth) == count


@pytest.mark.optimised
@pytest.mark.parametrize("known", KNOWN["forbidden_games"], ids=str)
def test_whole_games_with_a_forbidden_cell(known):
    game = sized(known, tuple(known["forbidden"]))
    plies = game.max_game_length()
    states = np.zeros(plies + 1, dtype=game.state_dtype())
    states[0] = Position(game).array[0]
    buffers = np.zeros((plies + 1, game.num_actions()), dtype=np.int32)
    counts = np.zeros((2, plies + 1), dtype=np.int64)
    arguments = game, Rows(states), buffers, counts[0], counts[1]
    assert count_games.compile(*arguments)(*arguments) == known["games"]


def test_distinct_positions_by_ply():
    counts = [len(level) for level in levels(ConnectFour(), 4)]
    assert counts == KNOWN["positions_by_ply_7x6"][:5]


@pytest.mark.parametrize("known", KNOWN["positions"], ids=str)
def test_all_positions_of_a_small_board(known):
    game = sized(known)
    found = levels(game, game.max_game_length())
    assert sum(map(len, found)) == known["count"]


def levels(game, plies):
    """The distinct positions at each ply."""
    found = [{b"": Position(game)}]
    for _ in range(plies):
        following = {}
        for position in found[-1].values():
            for action in position.legal_actions():
                key = position.play(action).array.tobytes()
                if key not in following:
                    following[key] = position.copy()
                position.undo()
        found.append(following)
    return found


# -- against the oracle ----------------------------------------------------------------


@board_sizes
def test_random_games_against_oracle(board):
    """Interpreted, compiled and the oracle agree at every ply, also on what is urgent.

    On small boards the urgent moves end games early, so some games avoid them.
    """
    game = ConnectFour(**board)
    rng = random.Random(str(board))
    states = np.zeros(1, dtype=game.state_dtype())
    buffer = np.zeros(game.num_actions(), dtype=np.int32)
    step = step_natively.compile(game, Rows(states), buffer, 0)
    for number in range(4) if game.max_game_length() < 50 else [1]:
        position, oracle = Position(game), ConnectFourOracle(**board)
        action = -1
        states[:] = position.array
        while True:
            count = step(game, Rows(states), buffer, action)
            assert states.tobytes() == position.array.tobytes()
            legal, urgent = oracle.legal(), oracle.urgent()
            assert position.legal_actions() == legal
            assert position.is_terminal == (not legal)
            if not legal or len(position.actions) % 5 == 0:
                assert position.to_text() == oracle.text()
                again = Position(game, oracle.text())
                assert again.array.tobytes() == position.array.tobytes()
            if not legal:
                break
            assert buffer[:count].tolist() == urgent
            assert game.urgent_actions(position.state, buffer) == len(urgent)
            assert buffer[: len(urgent)].tolist() == urgent
            quiet = [a for a in legal if a not in oracle.wins_at(oracle.mover)]
            action = rng.choice((quiet or legal) if number % 2 else legal)
            position.play(action)
            oracle.play(action)
        for player in (0, 1):
            assert position.returns(player) == oracle.returns(player)


@pytest.mark.parametrize("board", [BOARDS[0], BOARDS[4], BOARDS[9]], ids=str)
def test_laws_hold(board):
    assert check_game(ConnectFour(**board), games=3).positions > 20


# -- known values ----------------------------------------------------------------------


@pytest.mark.parametrize("known", KNOWN["late_positions"], ids=lambda k: k["columns"])
def test_scores_of_late_positions(known):
    """Pons' scores: 22 minus the winner's stones at the end, negative for a loss."""
    position = Position(ConnectFour(), known["columns"])
    assert not position.is_terminal
    stones = sum(mark in "XO" for mark in position.to_text()[:-1])
    assert stones == len(known["columns"])
    assert score(position, stones, {}) == known["score"]


def score(position, stones, known):
    """The score for the player to move, by plain negamax on the game's own rules."""
    key = position.array.tobytes()
    if key in known:
        return known[key]
    best = -42
    for action in position.legal_actions():
        mover = position.current_player
        position.play(action)
        if not position.is_terminal:
            value = -score(position, stones + 1, known)
        elif position.returns(mover) > 0:
            value = 22 - (stones // 2 + 1)
        else:
            value = 0
        position.undo()
        best = max(best, value)
    known[key] = best
    return best


# -- edges -----------------------------------------------------------------------------


def test_a_full_board_without_a_line_is_a_draw():
    position = Position.from_moves(ConnectFour(4, 4), "432131114423423")
    assert not position.is_terminal
    assert position.legal_actions() == [1]
    position.play("2")
    assert position.is_terminal
    assert position.legal_actions() == []
    assert [position.returns(player) for player in (0, 1)] == [0.0, 0.0]


def test_the_last_cell_may_win():
    position = Position.from_moves(ConnectFour(4, 4), "212243343142413")
    assert not position.is_terminal
    assert position.legal_actions() == [0]
    position.play("1")
    assert position.legal_actions() == []
    assert [position.returns(player) for player in (0, 1)] == [-1.0, 1.0]


def test_columns_jump_over_the_forbidden_cell():
    game = ConnectFour(4, 4, forbidden=(2, 1))
    position = Position.from_moves(game, ["2", "2"])
    assert position.to_text() == "..../.O../.#../.X.. X"
    position.play("2")
    assert 1 not in position.legal_actions()


def test_a_forbidden_bottom_cell_lifts_its_column():
    position = Position(ConnectFour(4, 4, forbidden=(3, 0))).play("1")
    assert position.to_text() == "..../..../X.../#... O"


def test_a_forbidden_top_cell_fills_its_column_early():
    game = ConnectFour(4, 4, forbidden=(0, 3))
    position = Position.from_moves(game, ["4", "4", "4"])
    assert position.to_text() == "...#/...X/...O/...X O"
    assert position.legal_actions() == [0, 1, 2]


def test_the_forbidden_cell_belongs_to_nobody():
    game = ConnectFour(4, 5, forbidden=(3, 1))
    position = Position.from_moves(game, "1133445")
    assert not position.is_terminal  # X . X X X with the forbidden cell between


def test_longer_lines_win_too():
    position = Position(ConnectFour(), "/".join(["......."] * 5 + ["XXX.XXX X"]))
    position.play("4")
    assert position.returns(0) == 1.0
    assert len(position.game.board(position.state).winning) == 7


@pytest.mark.parametrize(
    "text",
    [
        # the top of one column and the bottom of the next are not neighbours
        "......./......./......./X....../X....../X..OOOX O",
        "XX...../OX...../OO...../XO...../OX...../OXXX.OO X",
    ],
)
def test_lines_do_not_run_around_the_edge(text):
    assert not Position(ConnectFour(), text).is_terminal


def test_every_column_of_a_line_in_several_words():
    """On 12 columns a line lies in two words of bits; all its parts win."""
    for first in range(9):
        game = ConnectFour(9, 12)
        cells = ["."] * 12
        cells[first : first + 3] = "XXX"
        rows = ["." * 12] * 8 + ["".join(cells)]
        position = Position(game, "/".join(rows) + " X")
        assert position.play(str(first + 4)).returns(0) == 1.0


def test_full_columns_and_finished_games_are_refused():
    position = Position.from_moves(ConnectFour(), "444444")
    with pytest.raises(IllegalMoveError, match="legal are 1 2 3 5 6 7"):
        position.play("4")
    position = Position.from_moves(ConnectFour(), "1212121")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        position.play("3")

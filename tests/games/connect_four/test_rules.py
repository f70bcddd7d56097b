"""Connect Four against counts, an oracle, known values, and itself."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from playout.core.errors import IllegalMoveError, PositionError, UsageError
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.check.laws import check_game
from playout.games.connect_four.rules import ConnectFour
from playout.games.contract.game import uniform_rollout
from playout.games.positions.counting import divide, perft, random_play
from playout.games.positions.position import Position
from tests.oracles.connect_four_oracle import ConnectFourOracle

DATA = Path(__file__).parents[2] / "data"
KNOWN = json.loads((DATA / "connect_four.json").read_text(encoding="utf-8"))

#: One word of bits and several; short and long lines; the forbidden cell at the bottom,
#: inside, and at the top.
BOARDS = [
    {},
    {"rows": 4, "columns": 4, "forbidden": (2, 1)},
    {"rows": 4, "columns": 4, "forbidden": (3, 0)},
    {"rows": 4, "columns": 4, "forbidden": (0, 3)},
    {"rows": 9, "columns": 12, "forbidden": (4, 3)},
    {"rows": 5, "columns": 5, "line": 3},
    {"rows": 9, "columns": 9, "line": 5, "forbidden": (8, 8)},
    {"rows": 12, "columns": 12},
    {"rows": 7, "columns": 8},
    {"rows": 6, "columns": 9, "forbidden": (0, 8)},
    {"rows": 5, "columns": 10, "line": 3},
    {"rows": 4, "columns": 12},
]
#: Those of one word; all but the last have a rollout of their own.
NARROW = [board for board in BOARDS if ConnectFour(**board).words == 1]
board_sizes = pytest.mark.parametrize(
    "board", BOARDS, ids=lambda board: ",".join(f"{k}={v}" for k, v in board.items())
)


@kernel
def step_natively(game, states, actions, action):
    """Apply an action unless it is negative; the number of urgent actions."""
    if action >= 0:
        game.apply(states[0], action)
    return 0 if game.is_terminal(states[0]) else game.urgent_actions(states[0], actions)


@kernel
def count_games(game, states, buffers, counts, tried):
    """How many games there are to their ends, over a stack of states."""
    ended = 0
    level = 0
    counts[0] = game.legal_actions(states[0], buffers[0])
    tried[0] = 0
    while level >= 0:
        if tried[level] == counts[level]:
            level -= 1
            continue
        action = buffers[level, tried[level]]
        tried[level] += 1
        states[level + 1] = states[level]
        game.apply(states[level + 1], action)
        if game.is_terminal(states[level + 1]):
            ended += 1
        else:
            level += 1
            counts[level] = game.legal_actions(states[level], buffers[level])
            tried[level] = 0
    return ended


# -- counts ----------------------------------------------------------------------------


def test_perft_of_the_usual_board():
    counts = [perft(ConnectFour(), depth) for depth in range(10)]
    assert counts == KNOWN["perft_7x6"]


def test_divide_adds_up():
    parts = divide(ConnectFour(), 7)
    assert list(parts) == list(range(7))
    assert sum(parts.values()) == KNOWN["perft_7x6"][7]
    assert [parts[a] for a in range(7)] == [parts[6 - a] for a in range(7)]


@pytest.mark.parametrize("known", KNOWN["forbidden_perft"], ids=str)
def test_perft_with_a_forbidden_cell(known):
    game = sized(known, tuple(known["forbidden"]))
    for depth, count in enumerate(known["counts"]):
        if count < 5_000_000:
            assert perft(game, depth) == count


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


def sized(known, forbidden=(-1, -1), **more):
    return ConnectFour(known["rows"], known["columns"], forbidden=forbidden, **more)


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


# -- random play -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "generic"), [(0, False), (0, True), (1, False), (2, True)]
)
def test_random_play_frequencies(case, generic):
    """Every frequency within 5.5 standard errors: false alarms below 1e-6 in all.

    That is 4e-8 for each of 14 frequencies. Boards of several words have no rollout of
    their own. The known numbers are estimates too: their error is allowed for.
    """
    known = KNOWN["random_play"][case]
    games = 200_000
    play = random_play(sized(known), games, seed=5, generic=generic)
    shares = {"first": play.wins[0], "second": play.wins[1], "draw": play.draws}
    for name, count in shares.items():
        if name not in known:
            continue
        chance = known[name]
        error = math.sqrt(chance * (1 - chance) / games)
        assert abs(count / games - chance) < 5.5 * error + 0.001, name
    # A game's length has a standard deviation of about 10.5 moves (12x12) at most.
    assert abs(play.mean_plies - known["plies"]) < 5.5 * 12 / math.sqrt(games) + 0.05


@pytest.mark.parametrize("generic", [False, True])
def test_random_play_with_a_forbidden_cell_is_exact(generic):
    """Chi-squared with 2 degrees of freedom; 30 has a false-alarm rate of 3e-7.

    On 3 rows, 4 columns and lines of 3 the oracle computes the chances exactly.
    """
    board = {"rows": 3, "columns": 4, "line": 3, "forbidden": (1, 2)}
    chances = exact_chances(board)
    assert sum(chances) == 1
    games = 500_000
    play = random_play(ConnectFour(**board), games, seed=9, generic=generic)
    terms = [
        (count - games * float(p)) ** 2 / (games * float(p))
        for count, p in zip([*play.wins, play.draws], chances, strict=True)
    ]
    assert sum(terms) < 30.0, (play, chances)


def exact_chances(board):
    """The chances that X wins, that O wins, and of a draw, in uniformly random play."""

    @cache
    def chances(text):
        oracle = ConnectFourOracle(**board)
        oracle.grid = [list(row) for row in text.split()[0].split("/")]
        oracle.mover = "XO".index(text[-1])
        legal = oracle.legal()
        if not legal:
            winner = oracle.winner()
            return tuple(Fraction(winner == who) for who in (0, 1, -1))
        parts = []
        for column in legal:
            row = oracle.landing_row(column)
            oracle.play(column)
            parts.append(chances(oracle.text()))
            oracle.grid[row][column] = "."
            oracle.mover = 1 - oracle.mover
        return tuple(sum(part) / len(legal) for part in zip(*parts, strict=True))

    return chances(ConnectFourOracle(**board).text())


@pytest.mark.parametrize("board", NARROW, ids=str)
def test_rollout_draws_as_the_generic_one_does(board):
    """The same seed gives the same games: the two differ in speed alone."""
    game = ConnectFour(**board)
    own = random_play(game, 2_000, seed=3)
    generic = random_play(game, 2_000, seed=3, generic=True)
    assert (own.wins, own.draws, own.mean_plies) == (
        generic.wins,
        generic.draws,
        generic.mean_plies,
    )


@kernel
def roll_out(game, states, buffer, rng, own):
    if own:
        game.rollout(states[0], buffer, rng)
    else:
        uniform_rollout(game, states[0], buffer, rng)


@pytest.mark.parametrize("board", NARROW, ids=str)
@pytest.mark.parametrize("plies", [0, 1, 10, 999])
def test_a_rollout_leaves_the_state_that_the_generic_one_does(board, plies):
    """From the start, from later positions, and from finished ones."""
    game = ConnectFour(**board)
    for seed in range(10):
        position, chance = Position(game), random.Random(seed)
        for _ in range(plies):
            if position.is_terminal:
                break
            position.play(chance.choice(position.legal_actions()))
        left = []
        for own in (True, False):
            states = position.array.copy()
            buffer = np.zeros(game.num_actions(), dtype=np.int32)
            arguments = (game, Rows(states), buffer, make_rng(seed), own)
            roll_out.compile(*arguments)(*arguments)
            left.append(states.tobytes())
        assert left[0] == left[1]
        if position.is_terminal:
            assert left[0] == position.array.tobytes()


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


# -- for people ------------------------------------------------------------------------


def test_playthroughs():
    """A win on the usual board, and a draw around a forbidden cell, as text."""
    lines = [
        *playthrough(ConnectFour(), "2316442111453771232"),
        *playthrough(ConnectFour(4, 4, forbidden=(2, 1)), "111323321442443"),
    ]
    expected = DATA / "playthroughs" / "connect_four.txt"
    assert lines == expected.read_text(encoding="utf-8").splitlines()


def playthrough(game, moves):
    position = Position(game)
    for move in [None, *moves]:
        if move:
            position.play(move)
        names = [game.action_name(action) for action in position.legal_actions()]
        yield f"move: {move or 'none'}"
        yield from position.render().splitlines()
        yield position.to_text()
        yield f"legal: {' '.join(names) or 'none'}"
    yield f"returns: {position.returns(0)} {position.returns(1)}"


@board_sizes
def test_names_read_back(board):
    game = ConnectFour(**board)
    for action in range(game.num_actions()):
        assert game.parse_action(game.action_name(action)) == action


@pytest.mark.parametrize("text", ["", "0", "8", "-1", "a", "4.0", "²", "４", "99" * 9])
def test_bad_columns_say_what_is_accepted(text):
    with pytest.raises(UsageError, match="columns are 1 to 7"):
        ConnectFour().parse_action(text)


def test_positions_by_the_columns_played():
    position = Position(ConnectFour(), "44455")
    assert position.to_text() == Position.from_moves(ConnectFour(), "44455").to_text()


EMPTY_ROW = "......."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a position"),
        ("nonsense", "not a position"),
        ("/".join([EMPTY_ROW] * 6), "X or O to move"),
        ("/".join([EMPTY_ROW] * 5) + " X", "6 rows of 7 cells"),
        ("/".join([EMPTY_ROW] * 7) + " X", "6 rows of 7 cells"),
        ("/".join([EMPTY_ROW] * 5 + ["........ X"]), "6 rows of 7 cells"),
        ("/".join([EMPTY_ROW] * 5 + ["....... Z"]), "X or O to move"),
        ("/".join([EMPTY_ROW] * 5 + ["...x... X"]), "6 rows of 7 cells"),
        ("/".join([EMPTY_ROW] * 5 + ["...#... X"]), "forbidden cell"),
        (
            "/".join([EMPTY_ROW] * 4 + ["X......", EMPTY_ROW]) + " O",
            "floats in column 1",
        ),
        ("/".join([EMPTY_ROW] * 4 + ["XXXX...", "OOOO... X"]), "both players"),
        ("4444444", "move 7 .4.: cannot be played"),
        ("1212121" + "3", "move 8 .3.: the game was over before"),
    ],
)
def test_bad_positions_say_what_is_wrong(text, message):
    with pytest.raises(PositionError, match=message):
        Position(ConnectFour(), text)


def test_the_text_must_show_the_forbidden_cell():
    game = ConnectFour(4, 4, forbidden=(2, 1))
    for text in (
        "..../..../..../.... X",
        "..../..../.#../.#.. X",
        "..../..../#.../.... X",
    ):
        with pytest.raises(PositionError, match="forbidden cell"):
            Position(game, text)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rows": 0}, "rows must be 1 to 12"),
        ({"rows": 13}, "rows must be 1 to 12"),
        ({"columns": 13}, "columns must be 1 to 12"),
        ({"line": 1}, "line must be 2 to 12"),
        ({"forbidden": (6, 0)}, "0/0 at the top left to 5/6"),
        ({"forbidden": (0, 7)}, "0/0 at the top left to 5/6"),
        ({"forbidden": (-1, 0)}, "forbidden must be row/column"),
        ({"forbidden": (1, 2, 3)}, "forbidden must be a tuple of 2 values"),
    ],
)
def test_bad_parameters_say_what_is_accepted(parameters, message):
    with pytest.raises(UsageError, match=message):
        ConnectFour(**parameters)


def test_full_columns_and_finished_games_are_refused():
    position = Position.from_moves(ConnectFour(), "444444")
    with pytest.raises(IllegalMoveError, match="legal are 1 2 3 5 6 7"):
        position.play("4")
    position = Position.from_moves(ConnectFour(), "1212121")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        position.play("3")

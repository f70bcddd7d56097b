"""Connect Four's own rollouts, against chances that are reckoned exactly.

Also of the generic ones, `games/contract/at_random.py`; the decisive ones, in
`games/connect_four/decisive.py`, are compared with a slow twin.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.connect_four.rules import ConnectFour
from playout.games.contract.game import uniform_rollout
from playout.games.positions.counting import random_play
from playout.games.positions.position import Position
from tests.games.connect_four.boards import KNOWN, NARROW, board_sizes, sized
from tests.oracles.connect_four_oracle import ConnectFourOracle

pytestmark = pytest.mark.optimised


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


def positions_of(game):
    """Some positions after random moves, from the start to the end of a game."""
    for seed in range(25):
        position, chance = Position(game), random.Random(seed)
        for _ in range(seed):
            if position.is_terminal:
                break
            position.play(chance.choice(position.legal_actions()))
        yield position


def ending(rollout, game, position, seed=7):
    """How many moves it played, the state that it left, and its random numbers."""
    states, rng = position.array.copy(), make_rng(seed)
    buffer = np.zeros(game.num_actions(), dtype=np.int32)
    with np.errstate(over="ignore"):
        plies = rollout(game, Rows(states), buffer, rng)
    return int(plies), states.tobytes(), int(rng.state[0])


def play_decisively(game, states, buffer, rng):
    return game.decisive_rollout(states[0], buffer, rng)


def cells_above(game, state, column):
    """The rows, from the ground, that the next stones of a column would fill."""
    word, shift = game.place(column)
    filled = int(state.occupied[word]) >> shift
    return [row for row in range(game.rows) if not filled >> row & 1]


def moves_to_draw_from(game, state):
    """The columns, cell by cell."""
    above = {n: cells_above(game, state, n) for n in range(game.columns)}
    legal = [n for n in above if above[n]]

    def completes(player, column, step):
        rows = above[column]
        return step < len(rows) and game.wins(state, player, column, rows[step])

    mover, other = state.player, 1 - state.player
    for player in (mover, other):
        decisive = [n for n in legal if completes(player, n, 0)]
        if decisive:
            return decisive
    safe = [n for n in legal if not completes(other, n, 1)]
    if not safe:
        return legal
    twice = [n for n in safe if completes(mover, n, 1) and completes(mover, n, 2)]
    return twice or [n for n in safe if not completes(mover, n, 1)] or safe


def play_cell_by_cell(game, states, buffer, rng):
    state, plies = states[0], 0
    while not game.is_terminal(state):
        moves = moves_to_draw_from(game, state)
        game.apply(state, moves[rng.below(len(moves))])
        plies += 1
    return plies


@board_sizes
def test_a_decisive_rollout_keeps_its_threats(board):
    """Also from won positions and full boards, where nothing is played."""
    game = ConnectFour(**board)
    for position in positions_of(game):
        own = ending(play_decisively, game, position)
        assert own == ending(play_cell_by_cell, game, position)
        if position.is_terminal:
            assert own[:2] == (0, position.array.tobytes())


@pytest.mark.parametrize("board", [{}, {"rows": 9, "columns": 12, "forbidden": (4, 3)}])
def test_a_compiled_decisive_rollout_plays_as_an_interpreted_one(board):
    game = ConnectFour(**board)
    start = Rows(Position(game).array), np.zeros(game.num_actions(), dtype=np.int32)
    native = kernel(play_decisively).compile(game, *start, make_rng(1))
    for position in positions_of(game):
        own = ending(native, game, position)
        assert own == ending(play_decisively, game, position)

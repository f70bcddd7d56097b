"""Gomoku's own rollout against the generic one and known frequencies.

Also of `games/contract/at_random.py`.
"""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.contract.game import uniform_rollout
from playout.games.gomoku.rules import RULES, Gomoku
from playout.games.positions.counting import random_play
from playout.games.positions.position import Position
from tests.games.gomoku.games import (
    DEVIATIONS,
    KNOWN,
    legal_natively,
    rollout_natively,
)

pytestmark = pytest.mark.optimised


@pytest.mark.parametrize("generic", [False, True])
@pytest.mark.parametrize(("size", "games"), [(15, 60_000), (9, 100_000)])
def test_random_play_frequencies(size, games, generic):
    """Published frequencies within 4.9 deviations, 5e-5 for their own rounding.

    False alarms: under one in a million for each figure, and the seed is fixed.
    """
    known = KNOWN["uniform_random_play"][str(size)]
    played = random_play(Gomoku(size), games, seed=1, generic=generic)
    for name, number in zip(
        ("black", "white", "draw"), (*played.wins, played.draws), strict=True
    ):
        share = known[name]
        deviation = math.sqrt(share * (1 - share) / games)
        assert abs(number / games - share) <= DEVIATIONS * deviation + 5e-5
    spread = {15: 40.0, 9: 16.5}[size]  # of a game's length; measured, rounded up
    assert abs(played.mean_plies - known["plies"]) < DEVIATIONS * spread / games**0.5


@pytest.mark.parametrize("rule", RULES)
def test_a_rollout_of_a_finished_game_changes_nothing(rule):
    game = Gomoku(5, rule)
    position = Position(game, "XXXXX/OOOO./...../...../..... O")
    before, buffer = position.array.tobytes(), np.zeros(25, dtype=np.int32)
    assert game.rollout(position.state, buffer, make_rng(1)) == 0
    assert position.array.tobytes() == before
    assert position.returns(0) == 1.0


@kernel
def roll_out_generically(game, states, actions, rng):
    return uniform_rollout(game, states[0], actions, rng)


@pytest.mark.parametrize(
    ("size", "rule"),
    [(15, "freestyle"), (16, "standard"), (9, "caro"), (17, "caro-8"), (5, "caro-8")],
)
def test_a_rollout_plays_the_game_of_the_generic_one(size, rule):
    """From the start and after some moves; from the same seed the same state."""
    game, draw = Gomoku(size, rule), random.Random(size)
    buffer = np.zeros(size**2, dtype=np.int32)
    blank = Rows(np.zeros(1, dtype=game.state_dtype()))
    own = rollout_natively.compile(game, blank, buffer, make_rng(0))
    generic = roll_out_generically.compile(game, blank, buffer, make_rng(0))
    empty = Position(game).array
    for seed in range(3000):
        start = empty.copy()
        with np.errstate(over="ignore"):
            for cell in draw.sample(range(size**2), seed % 4):
                game.apply(Rows(start)[0], cell)
        ends = [Rows(start.copy()) for _ in range(2)]
        plies = own(game, ends[0], buffer, make_rng(seed))
        assert generic(game, ends[1], buffer, make_rng(seed)) == plies
        assert ends[0].array.tobytes() == ends[1].array.tobytes()


@pytest.mark.parametrize(
    ("size", "rule"), [(15, "freestyle"), (9, "standard"), (9, "caro")]
)
def test_rollout_leaves_a_finished_state(size, rule):
    """The state after a rollout is that of its board, byte for byte."""
    game = Gomoku(size, rule)
    states = np.zeros(1, dtype=game.state_dtype())
    buffer, rng = np.zeros(size * size, dtype=np.int32), make_rng(2)
    native = rollout_natively.compile(game, Rows(states), buffer, rng)
    for _ in range(10):
        states[:] = Position(game).array
        plies = native(game, Rows(states), buffer, rng)
        finished = Rows(states)[0]
        text = game.state_to_text(finished)
        assert sum(text.count(mark) for mark in "XO") == plies + 1  # and the mover's
        assert Position(game, text).array.tobytes() == states.tobytes()
        assert game.is_terminal(finished)


def test_interpreted_rollout_is_the_compiled_one():
    game = Gomoku(5)
    states = np.zeros(2, dtype=game.state_dtype())
    states[:] = Position(game).array
    buffer = np.zeros(25, dtype=np.int32)
    native = rollout_natively.compile(game, Rows(states), buffer, make_rng(1))
    with np.errstate(over="ignore"):
        plies = game.rollout(Rows(states)[1], buffer, make_rng(1))
    assert native(game, Rows(states), buffer, make_rng(1)) == plies
    assert states[0].tobytes() == states[1].tobytes()


@pytest.mark.parametrize("size", [5, 15, 16, 17, 22])
def test_a_rollout_draws_several_stones_from_each_number(size):
    golden = 0x9E3779B97F4A7C15  # what one number adds to the stream's state
    game = Gomoku(size)
    states = np.zeros(2, dtype=game.state_dtype())
    states[:] = Position(game).array
    buffer, streams = np.zeros(size**2, dtype=np.int32), [make_rng(7), make_rng(7)]
    native = rollout_natively.compile(game, Rows(states), buffer, streams[0])
    plies = native(game, Rows(states), buffer, streams[0])
    with np.errstate(over="ignore"):
        assert game.rollout(Rows(states)[1], buffer, streams[1]) == plies
    assert states[0].tobytes() == states[1].tobytes()
    assert streams[0].state == streams[1].state
    used = (int(streams[0].state[0]) - int(make_rng(7).state[0])) % 2**64
    stones = min(12 * math.ceil(plies / 12), size**2)  # blocks of twelve
    each = 4 if size <= 16 else 2
    assert used * pow(golden, -1, 2**64) % 2**64 == math.ceil(stones / each)


@pytest.mark.parametrize("size", [5, 8, 9, 15, 16, 17, 22])
def test_empty_cells_are_listed_within_the_buffer(size):
    """Compiled, eight places are written at once; there may be no more than cells."""
    game = Gomoku(size, rule="standard")
    draw = random.Random(size)
    for stones in (0, 1, 5, size**2 // 2, size**2 - 3):
        position, free = Position(game), list(range(size**2))
        while not position.is_terminal and size**2 - len(free) < stones:
            position.play(free.pop(draw.randrange(len(free))))
        expected = [] if position.is_terminal else free
        guarded = np.full(size**2 + 16, -7, dtype=np.int32)
        states, buffer = Rows(position.array.copy()), guarded[: size**2]
        count = legal_natively.compile(game, states, buffer)(game, states, buffer)
        assert buffer[:count].tolist() == expected == list(position.legal_actions())
        assert (guarded[size**2 :] == -7).all()

"""Rollouts cell by cell: as in memory, or not at all."""

import copy
from dataclasses import dataclass

import numpy as np
import pytest

from playout import MCTS, Game, Limit
from playout.core.jit.fallback import run_interpreted
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.contract.cell_by_cell import (
    Listing,
    NotByCell,
    state_class,
    uniform_rollout_in_python,
)
from playout.games.contract.game import uniform_rollout
from playout.games.contract.in_python import in_python
from playout.games.positions.position import Position

pytestmark = pytest.mark.filterwarnings("ignore::playout.InterpretedWarning")

DTYPE = np.dtype(
    [
        ("cells", "i1", (2, 3)),
        ("words", "u8", (2,)),
        ("parts", "f4", (2,)),
        ("flags", "?", (2,)),
        ("count", "u1"),
        ("word", "u8"),
        ("share", "f4"),
        ("done", "?"),
    ]
)


@dataclass(frozen=True)
class Stacks(Game):
    """Put a stone on one of six stacks; a stack of two is full. The first wins by luck.

    What is played is mixed into every field, so that a number which wraps, or is
    rounded, otherwise changes the game.
    """

    way: str = ""

    def num_actions(self):
        return 6

    def max_game_length(self):
        return 12

    def state_dtype(self):
        return DTYPE

    def initial_state(self, state):
        state.words[0] = 3

    def current_player(self, state):
        return state.count % 2

    def legal_actions(self, state, actions):
        count = 0
        for row in range(2):
            for column in range(3):
                if abs(state.cells[row, column]) < 2:
                    actions[count] = 3 * row + column
                    count += 1
        if self.way == "slices":
            actions[:count] = actions[:count].copy()
        if self.way == "shrinks" and count > 2:
            actions[:count] = list(actions)[:count]
            actions[1:1] = []
        return count

    def apply(self, state, action):
        row, column = divmod(action, 3)
        state.cells[row, column - 3] += 1
        state.words[row] = state.words[row] * np.uint64(0x9E3779B97F4A7C15)
        state.word = state.words[-1] ^ np.uint64(action)
        state.parts[row] += action / 7
        state.share = state.parts[row] * 3
        state.flags[row] = action
        state.count -= 1  # from 0 to 255
        if self.way == "sums":
            state.done = state.cells.sum() == 12
        elif self.way == "row":
            state.done = False
            state.cells[row][column] -= 0

    def is_terminal(self, state):
        return state.count == 244 or state.done

    def returns(self, state, player):
        first = 1.0 if int(state.words[0] >> np.uint64(60)) % 2 else -1.0
        return first if player == 0 else -first


def rolled_out(play, game, seed, array):
    """What a rollout did: its plies, the state that it left, its random numbers."""
    rng = make_rng(seed)
    with np.errstate(over="ignore"):
        plies = play(game, array, rng)
    return int(plies), array.tobytes(), int(rng.state[0])


def in_memory(game, array, rng):
    actions = np.zeros(game.num_actions(), dtype=np.int32)
    return uniform_rollout(game, Rows(array)[0], actions, rng)


def by_cell(game, array, rng):
    state = state_class(game.state_dtype())(array)
    plies = uniform_rollout_in_python(game, state, Listing(game.num_actions()), rng)
    state.write(array)
    return plies


@pytest.mark.parametrize("seed", range(12))
def test_a_rollout_is_as_in_memory(seed):
    found = []
    for play in (in_memory, by_cell):
        position = Position(Stacks())
        for action in range(seed // 4):
            position.play(action)
        found.append(rolled_out(play, Stacks(), seed, position.array.copy()))
    assert found[0] == found[1]


@pytest.mark.parametrize("way", ["sums", "row", "slices", "shrinks"])
def test_rules_that_ask_for_more_are_refused(way):
    array = Position(Stacks()).array.copy()
    with pytest.raises((NotByCell, TypeError)):
        rolled_out(by_cell, Stacks(way), 1, array)


@pytest.mark.parametrize("way", ["", "sums", "row", "slices"])
def test_the_tree_is_that_of_all_in_python(way):
    """Whether rollouts are played by cell, or in memory after one that was refused."""
    run_interpreted(Stacks, "as a test")

    def figures(**options):
        result = MCTS(Stacks(way), seed=3, **options).search(
            limit=Limit(simulations=60)
        )
        return [(one.move, one.visits, one.mean) for one in result.actions]

    assert figures() == figures(interpreted=True)


def test_who_is_refused_once_is_not_asked_again():
    for way, goes_on in (("", True), ("sums", False)):
        game = in_python(Stacks(way))
        answers = vars(game)["called"]["rollout_at"].__self__
        array = Position(Stacks()).array.copy()
        arguments = Rows(array)[0], np.zeros(6, dtype=np.int32), make_rng(1)
        with np.errstate(over="ignore"):
            assert game.rollout(*arguments) == 12
        assert (answers._by_cell is not None) is goes_on


@pytest.mark.parametrize(
    "use",
    """len(cells); list(cells); sorted(cells); sum(cells); max(cells); repr(cells)
    str(cells); bool(cells); copy.copy(cells); copy.deepcopy(cells); abs(cells); -cells
    np.array(cells); np.asarray(cells); np.sum(cells); np.any(cells); np.copy(cells)
    np.count_nonzero(cells); cells == 1; 1 in cells; cells + 1; 2 * cells; cells | cells
    np.int8(2) * cells; cells.shape; cells.items(); cells.__class__; [*cells]; cells[0]
    cells[0, 0:2]; cells[2, 0]; cells[-3, 0]; cells[0, 0, 0]; list(zip(*cells))
    state.other; state["count"]; cells < 1; 1 > cells; divmod(cells, 2); f"{cells}"
    cells.__setitem__((0, 0), [1]); cells.__setitem__(0, 1)
    cells.__setitem__((0, slice(2)), 1); setattr(state, "cells", 1)
    setattr(state, "other", 1); setattr(state, "count", "one")""".replace(
        "\n", ";"
    ).split(";"),
)
def test_all_but_single_numbers_is_refused(use):
    """Nothing is silently something else than it is of an array."""
    state = state_class(DTYPE)(np.zeros(1, DTYPE))
    names = {"state": state, "cells": state.cells, "copy": copy, "np": np}
    with pytest.raises((NotByCell, TypeError, AttributeError)):
        eval(use.strip(), names)


def test_a_state_within_a_state_has_no_cells():
    assert state_class(np.dtype([("inner", [("left", "i4")])])) is None
    assert state_class(np.dtype([("left", ">i4")])) is None

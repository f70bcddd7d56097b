"""Faults are told by short games."""

from dataclasses import dataclass

import numpy as np
import pytest

from playout import Game, check_game
from playout.games.check.broken_rules import BrokenRules
from tests.toys import Nim


def path_of(game: Game) -> list[int]:
    with pytest.raises(BrokenRules) as caught:
        check_game(game, games=200, compiled=False)
    return list(caught.value.path)


@dataclass(frozen=True)
class Wide(Game):
    """Forty cells; the rules fail once the cells 5, 17 and 30 are taken."""

    def num_actions(self):
        return 40

    def max_game_length(self):
        return 40

    def state_dtype(self):
        return np.dtype([("taken", "u8"), ("moves", "i4")])

    def initial_state(self, state):
        state.moves = 0

    def current_player(self, state):
        return state.moves % 2

    def legal_actions(self, state, actions):
        count = 0
        for cell in range(40):
            if not self.has(state, cell):
                actions[count] = cell
                count += 1
        return count

    def has(self, state, cell):
        return state.taken >> np.uint64(cell) & np.uint64(1) != np.uint64(0)

    def apply(self, state, action):
        state.taken |= np.uint64(1) << np.uint64(action)
        state.moves += 1

    def is_terminal(self, state):
        wanted = self.has(state, 5) and self.has(state, 17) and self.has(state, 30)
        return state.moves == 40 or wanted

    def returns(self, state, player):
        return 0.0


def test_moves_are_left_out_where_there_are_too_many_to_try() -> None:
    """40 * 39 * 38 sequences of three moves are not tried, yet the three are found."""
    assert sorted(path_of(Wide())) == [5, 17, 30]


@dataclass(frozen=True)
class LateFault(Nim):
    """The fault is at 10 stones of 21, which four moves lead to."""

    def current_player(self, state):
        return 7 if state.left == 10 else state.player


def test_near_faults_are_found_by_trying_all() -> None:
    assert len(path_of(LateFault())) == 4
    assert path_of(LateFault(stones=10)) == []


@dataclass(frozen=True)
class TwoFaults(LateFault):
    """One is nearer; each is told by its own sequence."""

    def legal_actions(self, state, actions):
        count = super().legal_actions(state, actions)
        if state.left == 1:
            actions[0] = 3
        return count


def test_only_the_same_fault_counts() -> None:
    found = path_of(TwoFaults())
    assert len(found) in (4, 7)

"""Legal actions by their index: what games have of their own, and what they inherit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    UCT,
    ConnectFour,
    Limit,
    Position,
    RandomChild,
    Uniform,
    Unsolved,
    UsageError,
    check_game,
)
from playout.core.jit.rows import Rows
from playout.games.registry import make_game
from tests.toys import Nim

SPECS = (
    "connect-four",
    "connect-four:rows=9,columns=12,forbidden=4/3",
    "connect-four:rows=4,columns=5,forbidden=3/2",
    "gomoku:size=5",
    "gomoku:rows=6,columns=22",
    "gomoku:size=7,rule=renju",
    "gomoku:size=19,rule=caro",
    "tic-tac-toe",
)


@pytest.mark.parametrize("spec", SPECS)
def test_they_say_what_the_list_says(spec: str) -> None:
    """At every position of ten random games; of large boards one is enough."""
    game, draw = make_game(spec), np.random.default_rng(1)
    games = 10 if game.num_actions() < 100 else 1
    buffer = np.zeros(game.num_actions(), dtype=np.int32)
    with np.errstate(over="ignore"):
        for _ in range(games):
            position = Position(game)
            while True:
                legal = position.legal_actions()
                state = Rows(position.array)[0]
                count = game.count_legal(state, buffer)
                assert count == len(legal)
                assert [game.nth_legal(state, buffer, n) for n in range(count)] == legal
                for index, action in enumerate(legal):
                    assert game.index_of(state, buffer, count, action) == index
                if not legal:
                    break
                position.play(int(draw.choice(legal)))


def test_the_games_that_need_no_list() -> None:
    assert make_game("connect-four").has_indices
    assert make_game("gomoku").has_indices
    assert not Nim().has_indices


@dataclass(frozen=True)
class EvenColumns(ConnectFour):
    """Other actions are legal than its parent can number."""

    def legal_actions(self, state: Any, actions: Any) -> int:
        count = 0
        for column in range(0, 7, 2):
            if self.is_open(state, column):
                actions[count] = column
                count += 1
        return count if state.winner < 0 else 0

    def is_open(self, state: Any, column: int) -> bool:
        stone = self.landing(state, 0) >> np.uint64(7 * column) & np.uint64(127)
        return stone != np.uint64(0)

    def is_terminal(self, state: Any) -> bool:
        for column in range(0, 7, 2):
            if self.is_open(state, column):
                return state.winner >= 0
        return True


def test_who_writes_other_legal_actions_does_not_inherit_their_numbers() -> None:
    game = EvenColumns()
    assert not game.has_indices
    plain = {"selection": UCT(), "rollout": Uniform(), "solver": Unsolved()}
    search = MCTS(game, expansion=RandomChild(urgent="never"), seed=1, **plain)
    search.search(limit=Limit(simulations=500))
    tree = search.tree
    actions = tree.nodes.array["action"][: tree.num_nodes]
    visited = tree.nodes.array["visits"][: tree.num_nodes] > 0
    assert set(actions[visited].tolist()) == {0, 2, 4, 6}


@dataclass(frozen=True)
class Same(ConnectFour):
    """Keeps the legal actions, and so the numbers."""

    def returns(self, state: Any, player: int) -> float:
        return super().returns(state, player)


def test_who_keeps_the_legal_actions_keeps_their_numbers() -> None:
    assert Same().has_indices
    assert Same.nth_legal is ConnectFour.nth_legal


class Three:
    """No game, but what one may inherit."""

    def count_legal(self, state: Any, actions: Any) -> int:
        return min(3, int(state.left))

    def nth_legal(self, state: Any, actions: Any, n: int) -> int:
        return n + 1

    def index_of(self, state: Any, actions: Any, count: int, action: int) -> int:
        return action - 1


@dataclass(frozen=True)
class OfBoth(Three, Nim):
    """The three come from elsewhere."""


class One:
    nth_legal = Three.nth_legal


class Even:
    legal_actions = EvenColumns.legal_actions
    is_open = EvenColumns.is_open


@dataclass(frozen=True)
class EvenFirst(Even, ConnectFour):
    """The legal actions come from elsewhere."""


def test_classes_that_are_mixed_in_count_as_well() -> None:
    assert OfBoth().has_indices
    assert check_game(OfBoth(), games=3).games == 3
    assert not EvenFirst().has_indices
    with pytest.raises(UsageError, match="One has nth_legal of its own and needs"):

        class OneAlone(One, ConnectFour):
            pass


def test_one_of_the_three_alone_is_refused() -> None:
    with pytest.raises(UsageError, match="needs count_legal and index_of, too"):

        class Half(Nim):
            def nth_legal(self, state: Any, actions: Any, n: int) -> int:
                return n + 1

"""What was seen to its end is not entered again (`search/solver/exhaustion.py`)."""

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

from playout import MCTS, ConnectFour, Game, Limit, Position, UsageError
from playout.games.more.tsp import Tour, shortest_tour
from playout.search.solver.exhaustion import Exhaustion
from playout.search.tree.nodes import CLOSED, ROOT

GAME = Tour(cities=6)
#: More than enough: 120 tours, below 326 nodes.
PLENTY = Limit(simulations=2_000)


def best_after(action):
    """The best return of all tours that begin so."""
    returns = []
    for line in itertools.permutations(Position(GAME).legal_actions()):
        if line[0] == action:
            position = Position(GAME)
            for each in line:
                position.play(each)
            returns.append(position.returns(0))
    return max(returns)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_small_puzzle_is_seen_to_the_end(threads):
    result = MCTS(GAME, seed=1, threads=threads).search(limit=PLENTY)
    assert result.best_return == pytest.approx(-shortest_tour(GAME))
    assert result.simulations < PLENTY.simulations
    assert result.stopped_by == "proven"


def test_the_slow_twin_sees_the_same():
    fast, slow = (
        MCTS(GAME, seed=1, interpreted=twin).search(limit=PLENTY)
        for twin in (False, True)
    )
    assert fast.best_line == slow.best_line
    assert fast.simulations == slow.simulations


@pytest.mark.parametrize("rank", [0, -1])
def test_after_any_move_the_best_of_what_is_left_is_found(rank):
    search = MCTS(GAME, seed=1)
    search.search(limit=PLENTY)
    actions = sorted(Position(GAME).legal_actions(), key=best_after, reverse=True)
    search.advance(actions[rank])
    result = search.search(limit=PLENTY)
    assert result.best_return == pytest.approx(best_after(actions[rank]))


@dataclass(frozen=True)
class Corridor(Game):
    """Leave at once for 1, later for nothing, or go to the end for 4. No bounds."""

    length: int = 5

    zero_sum = False
    return_range = None

    def num_players(self):
        return 1

    def num_actions(self):
        return 2

    def max_game_length(self):
        return self.length

    def state_dtype(self):
        return np.dtype([("steps", "i4"), ("left", "i1")])

    def initial_state(self, state):
        state.steps = 0

    def current_player(self, state):
        return 0

    def legal_actions(self, state, actions):
        actions[0] = 0
        actions[1] = 1
        return 0 if self.is_terminal(state) else 2

    def apply(self, state, action):
        if action == 0:
            state.left = 1
        else:
            state.steps += 1

    def is_terminal(self, state):
        return state.left == 1 or state.steps == self.length

    def returns(self, state, player):
        if state.left == 0:
            return 4.0
        return 1.0 if state.steps == 0 else 0.0


def test_a_move_touches_no_memory_that_is_not_in_use():
    """Two gigabytes are reserved: to write to all of them takes seconds."""
    search = MCTS(GAME, seed=1, interpreted=True)
    search.search(limit=Limit(simulations=50, nodes=10_000))
    below = search.tree.subtree(ROOT, 10_000)
    rows = below.nodes.array
    rows["proven"][below.num_nodes :] = CLOSED
    assert (rows["proven"][: below.num_nodes] & CLOSED).any()
    search.policies.solver.reroot(below)
    assert not (rows["proven"][: below.num_nodes] & CLOSED).any()
    assert (rows["proven"][below.num_nodes :] == CLOSED).all()


@pytest.mark.parametrize("interpreted", [False, True])
def test_without_bounds_it_closes_and_proves_nothing(interpreted):
    """UCT alone stays at the door in five of six searches: 0 was all it saw inside."""
    search = MCTS(Corridor(), seed=0, interpreted=interpreted)
    for seed in range(20):
        search.reset(seed=seed)
        result = search.search(limit=Limit(simulations=200))
        assert (result.action, result.best_return) == (1, 4.0)
        assert result.proven is None
        assert all(row.proven is None for row in result.actions)
        assert result.stopped_by == "proven"  # all six lines were seen
        assert result.simulations < 20


def test_without_bounds_there_is_no_largest_return_to_be_proven():
    with pytest.raises(UsageError, match=r"Exhaustion\(proves=False\), the default"):
        MCTS(Corridor(), solver=Exhaustion())


def test_it_is_for_puzzles():
    with pytest.raises(UsageError, match="games of one player"):
        MCTS(ConnectFour(), solver=Exhaustion())

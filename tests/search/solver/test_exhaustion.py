"""What was seen to its end is not entered again (`search/solver/exhaustion.py`)."""

import itertools

import pytest

from playout import MCTS, ConnectFour, Limit, Position, UsageError
from playout.games.more.tsp import Tour, shortest_tour
from playout.search.solver.exhaustion import Exhaustion

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


def test_it_is_for_puzzles():
    with pytest.raises(UsageError, match="games of one player"):
        MCTS(ConnectFour(), solver=Exhaustion())

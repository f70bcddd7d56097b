"""What is kept of the games that a search of a puzzle has seen."""

import numpy as np
import pytest

from playout import (
    MCTS,
    Limit,
    MostVisits,
    Position,
    UsageError,
)
from playout.games.more.game_2048 import Game2048
from playout.games.more.tsp import Tour
from playout.search.best_line import BestLine, NoLine, line_keeper

from ..toys import Nim

GAME = Tour(cities=6, seed=3)


def replayed(game, before, result):
    end = Position.from_moves(game, [*before, *result.best_line])
    assert end.is_terminal
    return end.returns(0)


def test_only_puzzles_have_a_best_line():
    assert isinstance(line_keeper(GAME), BestLine)
    assert isinstance(line_keeper(Nim()), NoLine)
    assert not isinstance(line_keeper(Game2048()), BestLine)
    result = MCTS(Nim(), seed=1, interpreted=True).search(limit=Limit(simulations=20))
    assert result.best_line == ()
    assert result.best_return is None
    assert "best_line" not in result.to_dict()
    assert "best seen" not in str(result)


def test_the_best_line_is_played_shown_and_replays_to_its_return():
    search = MCTS(GAME, seed=1, interpreted=True)
    result = search.search(limit=Limit(simulations=100))
    assert replayed(GAME, [], result) == result.best_return
    assert result.move == result.best_line[0]
    assert result.to_dict()["best_line"] == list(result.best_line)
    assert f"best seen: {result.best_return:.10g} by" in str(result)
    assert max(row.mean for row in result.actions) <= result.best_return


def test_no_game_that_was_seen_was_better():
    seen = []

    class Watching(Tour):
        def returns(self, state, player):
            seen.append(super().returns(state, player))
            return seen[-1]

    search = MCTS(Watching(cities=6, seed=3), seed=1, interpreted=True)
    result = search.search(limit=Limit(simulations=60))
    assert result.best_return == max(seen)


def test_it_is_kept_while_it_is_followed_and_forgotten_where_it_is_left():
    search = MCTS(GAME, seed=1, interpreted=True)
    first = search.search(limit=Limit(simulations=100))
    search.advance(first.move)
    second = search.search(limit=Limit(simulations=1))
    assert second.best_return >= first.best_return
    other = next(row.move for row in second.actions if row.move != second.move)
    search.advance(other)
    third = search.search(limit=Limit(simulations=5))
    assert replayed(GAME, [first.move, other], third) == third.best_return
    search.reset(seed=1)
    again = search.search(Position(GAME), Limit(simulations=100))
    assert (again.best_return, again.best_line) == (first.best_return, first.best_line)


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"trees": 2}])
def test_it_holds_with_threads_trees_and_little_memory(options):
    search = MCTS(GAME, seed=1, **options)
    result = search.search(limit=Limit(simulations=2000, nodes=40))
    assert replayed(GAME, [], result) == result.best_return


def test_interpreted_and_compiled_see_the_same_games():
    found = [
        MCTS(GAME, seed=2, interpreted=interpreted).search(limit=Limit(simulations=80))
        for interpreted in (True, False)
    ]
    assert found[0].best_line == found[1].best_line
    assert found[0].actions == found[1].actions


def test_a_choice_of_ones_own_decides_without_it():
    search = MCTS(GAME, seed=1, choice=MostVisits(), interpreted=True)
    result = search.search(limit=Limit(simulations=100))
    most = result.actions[0].visits
    assert next(r.visits for r in result.actions if r.move == result.move) == most


def test_what_cannot_be_said_of_puzzles_is_refused():
    with pytest.raises(UsageError, match="early_stop is for the choice MostVisits"):
        MCTS(GAME, early_stop=True)
    with pytest.raises(UsageError, match="games of two players"):
        MCTS(GAME, transpositions=True)


def test_a_line_of_a_game_that_was_cut_off_does_not_count():
    keeper = line_keeper(GAME)
    assert keeper.line() is None
    keeper.follow(1)
    assert keeper.line() is None
    keeper.best.array["value"], keeper.best.array["length"] = 0.5, 2
    keeper.actions[:2] = np.array([3, 1])
    keeper.follow(3)
    assert keeper.line() == (0.5, (1,))
    keeper.follow(2)
    assert keeper.line() is None

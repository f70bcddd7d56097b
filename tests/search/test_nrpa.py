"""Nested rollout policy adaptation, the search, what it runs, and the player.

Of `search/kernels/adaptation.py` and `players/nrpa.py`.
"""

import itertools

import numpy as np
import pytest

from playout import Limit, Position, UsageError
from playout.games.contract.units import units_of
from playout.games.more.samegame import SameGame
from playout.games.more.tsp import Tour, shortest_tour
from playout.players.player import Allowance
from playout.players.registry import make_player
from playout.search.kernels.adaptation import weigh
from playout.search.nrpa import CONTEXTS, NRPA

from ..toys import Nim

GAME = Tour(cities=6, seed=3)
SMALL = {"level": 2, "iterations": 5, "table_bits": 8, "seed": 1}


def run(simulations=60, **options):
    search = NRPA(GAME, **{**SMALL, **options})
    return search, search.search(limit=Limit(simulations=simulations))


def test_it_finds_the_shortest_tour_of_a_few_cities():
    _, result = run(400, interpreted=True)
    assert result.best_return == pytest.approx(-shortest_tour(GAME))
    end = Position.from_moves(GAME, result.best_line)
    assert end.returns(0) == result.best_return == result.value
    assert result.move == result.best_line[0]
    assert result.simulations == 400 == sum(row.visits for row in result.actions)
    assert result.stopped_by == "simulations"
    assert "best seen" in str(result)


def test_values_are_shares_of_the_games_own_range():
    """As in any other search; otherwise every result would be a certain win."""
    result = run(40, interpreted=True)[1]
    assert result.units == units_of(GAME)
    assert {row.units for row in result.actions} == {result.units}
    assert 0 < result.win_rate < 1


@pytest.mark.parametrize("context", CONTEXTS)
def test_interpreted_and_compiled_do_the_same(context):
    if context != "last":  # one compile is enough for the suite; all run interpreted
        assert run(40, context=context, interpreted=True)[1].best_line
        return
    found = [run(60, context=context, interpreted=each) for each in (True, False)]
    assert found[0][1].best_line == found[1][1].best_line
    assert found[0][1].actions == found[1][1].actions
    weights = [search._search.weights for search, _ in found]
    assert np.allclose(weights[0], weights[1])


def test_chunks_do_not_change_what_is_found():
    whole, one = run(30, interpreted=True)
    parts = NRPA(GAME, **SMALL, interpreted=True)
    for _ in range(3):
        other = parts.search(limit=Limit(simulations=10))
    assert one.best_line == other.best_line
    assert whole._search.weights.tobytes() == parts._search.weights.tobytes()


def test_a_level_is_shifted_towards_its_best_game_as_in_the_paper():
    """One step by hand: alpha for the action, less its share for all legal ones."""
    search = NRPA(
        GAME,
        level=1,
        iterations=50,
        alpha=0.5,
        context="none",
        table_bits=12,
        seed=1,
        interpreted=True,
    )
    search.search(limit=Limit(simulations=1))
    line = search._search.best_line()
    state = search._search.states[0]
    expected = dict.fromkeys(range(GAME.cities), 0.0)
    left = [1, 2, 3, 4, 5]
    for action in line:
        expected[action] += 0.5
        for each in left:
            expected[each] -= 0.5 / len(left)
        left.remove(action)
    size = 1 << 12
    for action in range(1, GAME.cities):
        with np.errstate(over="ignore"):
            code = search._search.code(state, -1, action)
        assert search._search.weights[size + code] == pytest.approx(expected[action])


def test_the_best_game_is_kept_while_it_is_followed():
    search, first = run(100, interpreted=True)
    position = Position(GAME)
    for _ in first.best_line[:-1]:
        result = search.search(position, Limit(simulations=1))
        assert result.best_return >= first.best_return
        position.play(result.move)
    fresh = Position.from_moves(GAME, ["f"])
    assert search.search(fresh, Limit(simulations=3)).visits == 3


def test_limits_and_whoever_watches_end_it():
    search, _ = run(10, interpreted=True)
    ticks = itertools.count()
    search.clock = lambda: float(next(ticks))
    assert search.search(limit=Limit(seconds=20)).stopped_by == "seconds"
    told = search.search(limit=Limit(seconds=10**6), progress=lambda result: False)
    assert told.stopped_by == "callback"
    last = Position.from_moves(GAME, ["b", "c", "d", "e"])
    assert search.search(last, Limit(seconds=10**6)).stopped_by == "only move"


def test_what_it_cannot_search_is_refused():
    with pytest.raises(UsageError, match="games of one player"):
        NRPA(Nim())
    for wrong in ({"level": 9}, {"level": 0}, {"alpha": 0}, {"table_bits": 30}):
        with pytest.raises(UsageError):
            NRPA(GAME, **wrong)
    with pytest.raises(UsageError, match="context must be one of"):
        NRPA(GAME, context="all")
    for wrong in (-1.0, np.inf, "much"):
        with pytest.raises(UsageError, match="bias must be"):
            NRPA(SameGame(), bias=wrong)
    with pytest.raises(UsageError, match="prior of their own"):
        NRPA(GAME, bias=1.0)


def test_actions_are_drawn_by_the_games_prior_as_well():
    """With equal weights chances go by p^bias; SameGame's p is 1 or 0.001."""
    game = SameGame(rows=4, columns=4, colors=2, instance=3)
    for bias in (0.0, 0.5, 1.0):
        search = NRPA(game, bias=bias, interpreted=True)._search
        state = search.states[0]
        with np.errstate(over="ignore"):
            count = weigh(search, state, -1, 1)
        priors = [game.prior(state, int(each)) for each in search.actions[:count]]
        assert min(priors) == 0.001
        assert max(priors) == 1.0
        expected = np.cumsum(np.array(priors) ** bias)
        assert search.chances[:count] == pytest.approx(expected)
    assert NRPA(game)._search.informed
    assert not NRPA(GAME)._search.informed


def test_an_informed_search_runs_compiled_as_interpreted():
    game = SameGame(rows=4, columns=4, colors=3)
    found = [
        NRPA(game, **SMALL, interpreted=each).search(limit=Limit(simulations=60))
        for each in (True, False)
    ]
    assert found[0].best_line == found[1].best_line
    assert found[0].actions == found[1].actions


def test_the_player_plays_the_best_game_it_has_seen():
    player = make_player("nrpa:simulations=50,iterations=5", GAME)
    player.search.interpreted = True
    player.new_game(1)
    position, seen = Position(GAME), []
    while not position.is_terminal:
        decision = player.choose(position, Allowance())
        seen.append(decision.result.best_return)
        assert -1 <= decision.value <= 1
        position.play(decision.action)
    assert position.returns(0) == seen[-1] == max(seen)
    with pytest.raises(UsageError, match="nrpa: nested rollout policy adaptation is"):
        make_player("nrpa", Nim())

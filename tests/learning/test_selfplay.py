import tempfile
from pathlib import Path

import numpy as np
import pytest

from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.learning.config import TrainConfig
from playout.learning.selfplay import SelfPlay
from playout.players.networks import save_network
from tests.networks import arrays

CONFIG = TrainConfig(simulations=8, games_at_once=8, random_share=0.5, random_moves=4)


def play(config, seed=1, steps=20):
    source = SelfPlay(TicTacToe(), config, 1, seed)
    with tempfile.TemporaryDirectory() as folder:
        save_network(folder, arrays(), {"game": "tic-tac-toe"})
        source.use(Path(folder) / "net.npz")
    lessons = [lesson for _ in range(steps) for lesson in source.step()]
    assert 0 < source.network_seconds < source.seconds
    return lessons


@pytest.fixture(scope="module")
def lessons():
    return play(CONFIG)


def test_a_game_teaches_what_was_played(lessons):
    """States are those that the moves lead to, policies are of legal moves."""
    assert len(lessons) > 8
    for lesson in lessons:
        position = Position(TicTacToe())
        at_random = len(lesson.moves) - len(lesson.states)
        assert 0 <= at_random <= CONFIG.random_moves
        for index, move in enumerate(lesson.moves):
            if index >= at_random:
                state, policy = (
                    part[index - at_random] for part in (lesson.states, lesson.policies)
                )
                assert state == position.array[0]
                assert set(np.flatnonzero(policy)) <= set(position.legal_actions())
                assert policy.sum() == pytest.approx(1, abs=0.01)
            position.play(move)
        assert position.is_terminal
        assert lesson.returned == position.returns(0)


def test_some_games_begin_at_random_and_no_two_are_alike(lessons):
    at_random = [len(x.moves) - len(x.states) for x in lessons]
    assert {0, 1} <= {min(n, 1) for n in at_random}
    assert len({x.moves for x in lessons}) > 0.7 * len(lessons)


def test_values_are_those_of_the_result_or_of_the_search(lessons):
    for lesson in play(TrainConfig(simulations=8, games_at_once=4, value_mix=0.0)):
        players = lesson.states["player"]
        assert (lesson.values == np.where(players == 0, 1, -1) * lesson.returned).all()
    searched = play(TrainConfig(simulations=8, games_at_once=4, value_mix=1.0))
    last = [lesson.values[-1] for lesson in searched if lesson.returned]
    assert set(last) == {1.0}  # a move that wins is proven


def test_seeds_decide():
    few = TrainConfig(simulations=4, games_at_once=4)
    one, same, other = (play(few, seed, 10) for seed in (1, 1, 2))
    assert [x.moves for x in one] == [x.moves for x in same]
    assert [x.moves for x in one] != [x.moves for x in other]

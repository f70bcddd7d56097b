"""Games that are played turned round are the same games."""

import numpy as np
import pytest

from playout.games.positions.position import Position
from playout.games.registry import make_game

GAMES = {
    "tic-tac-toe": 7,
    "mnk:m=3,n=4,k=3": 3,
    "connect-four:rows=4,columns=5": 1,
    "connect-four:rows=4,columns=5,forbidden=1/2": 1,  # in the middle
    "ultimate-tic-tac-toe": 7,
    "gomoku:size=5,rule=renju": 7,
    "gomoku:rows=5,columns=6": 3,
}


@pytest.mark.parametrize("spec", GAMES)
def test_a_turned_game_is_the_same_game(spec):
    game = make_game(spec)
    found = game.symmetries()
    assert len(found) == GAMES[spec]
    assert len({tuple(each.planes) for each in found}) == len(found)
    for number, each in enumerate(found):
        play_both(game, each, np.random.default_rng(number))


def play_both(game, symmetry, rng):
    """Play at random, and the same turned round; compare all that can be seen."""
    after = np.argsort(symmetry.actions)  # what an action is called when it is turned
    one, other = Position(game), Position(game)
    while True:
        assert (planes(one).ravel()[symmetry.planes] == planes(other).ravel()).all()
        legal = one.legal_actions()
        assert sorted(after[legal].tolist()) == other.legal_actions()
        if not legal:
            assert one.returns(0) == other.returns(0)
            return
        action = int(rng.choice(legal))
        one.play(action)
        other.play(int(after[action]))


def planes(position):
    found = np.zeros(position.game.observation_shape(), np.float32)
    position.game.observe(position.state, found)
    return found

"""Rules beyond Numba beside a native tree: the same tree as all in Python."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from playout import MCTS, PUCT, InterpretedWarning, Limit, Position, make_game
from playout.core.jit.compiled import compiled_type
from playout.core.jit.fallback import run_interpreted
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.contract.in_python import in_python
from tests.toys import Nim

pytestmark = pytest.mark.filterwarnings("ignore::playout.InterpretedWarning")
FEW = {1: (1,), 2: (1, 2)}


@dataclass(frozen=True)
class NimOfADict(Nim):
    """Its rules are beyond Numba; a move may fail."""

    stones: int = 9
    faulty: bool = False

    def legal_actions(self, state, actions):
        takes = FEW.get(state.left, (1, 2, 3)) if state.left else ()
        for i, take in enumerate(takes):
            actions[i] = take
        return len(takes)

    def apply(self, state, action):
        if self.faulty and state.left == 4:
            raise KeyError("four")
        state.left -= action
        state.player = 1 - state.player

    def prior(self, state, action):
        return 4.0 - action

    def evaluate(self, state, player):
        return 0.25 if state.player == player else -0.25


def test_the_tree_is_that_of_all_in_python():
    def figures(search):
        result = search.search(limit=Limit(simulations=150))
        return [(one.move, one.visits, one.mean) for one in result.actions]

    game = NimOfADict()
    run_interpreted(NimOfADict, "as a test")
    native = MCTS(game, seed=5, selection=PUCT())
    whole = MCTS(game, seed=5, selection=PUCT(), interpreted=True)
    assert figures(native) == figures(whole)
    assert native.interpreted
    assert native.policies.game is game


@kernel
def ask_all(game, states, actions, rng, answers):
    """Every method of a game of chance, or of hidden information."""
    state = states[0]
    if game.has_hidden:
        game.apply(state, 4)
        game.determinize(state, 1, rng)
        game.hide(state, 1)
        answers[0] = game.current_player(state)
    if game.has_chance:
        game.apply(state, 0)
        drawn = game.sample_chance(state, actions, rng)
        answers[0] = game.chance_probability(state, drawn)
        game.apply(state, drawn)
        answers[1] = drawn
    answers[2] = game.legal_actions(state, actions)
    answers[3] = game.evaluate(state, 1)
    answers[4] = game.rollout(state, actions, rng)
    answers[5] = game.returns(state, 1)
    answers[6] = game.urgent_actions(state, actions)


@pytest.mark.parametrize("game", [make_game("pig"), make_game("phantom-tic-tac-toe")])
def test_chance_and_what_is_hidden(game):
    found = []
    for rules in (game, in_python(game)):
        states = np.zeros(1, game.state_dtype())
        game.initial_state(Rows(states)[0])
        actions, rng = np.zeros(game.num_actions(), np.int32), make_rng(3)
        arguments = rules, Rows(states), actions, rng, np.zeros(7)
        play = ask_all if rules is game else ask_all.compile(*arguments)
        with np.errstate(over="ignore"):
            play(*arguments)
        found.append((states.tobytes(), arguments[-1].tolist(), rng.state[0]))
    assert found[0] == found[1]


def test_what_a_rule_raises_comes_through_and_the_search_goes_on():
    game = NimOfADict(faulty=True)
    run_interpreted(NimOfADict, "as a test")
    search = MCTS(game, seed=1, selection=PUCT())
    with pytest.raises(KeyError, match="four"):
        search.search(limit=Limit(simulations=500))
    position = Position(game).play("3")
    with pytest.raises(KeyError, match="four"):
        search.search(position, Limit(simulations=500))


def test_a_class_that_cannot_be_compiled_finds_its_way_by_itself():
    @dataclass(frozen=True)
    class Another(NimOfADict):
        pass

    search = MCTS(Another(), seed=1, selection=PUCT())
    with pytest.warns(InterpretedWarning):
        assert search.search(limit=Limit(simulations=300)).move == "1"


def test_it_is_made_anew_in_another_process():
    game = pickle.loads(pickle.dumps(in_python(make_game("pig"))))
    assert (game.num_players(), game.zero_sum, game.has_chance) == (2, True, True)
    mine = in_python(NimOfADict())
    assert type(mine).__module__ == NimOfADict.__module__
    assert compiled_type(mine) == compiled_type(in_python(Other()))


@dataclass(frozen=True)
class Other(NimOfADict):
    """Other rules, by the same compiled code."""

    stones: int = 5

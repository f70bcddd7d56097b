"""Hidden information: nobody looks at it, and everybody decides by what it knows."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from playout import MCTS, Limit, Position, UsageError
from playout.core.rows import Rows
from playout.games.game import Game
from playout.games.phantom import PhantomTicTacToe
from playout.search.expansion import AllChildren
from playout.search.hidden import GROUND
from playout.search.rollout import Uniform
from playout.search.selection import ISUCT, UCT
from playout.search.solver import MaxNBounds, ScoreBounds, Unsolved, default_solver
from playout.search.tree import ROOT


@dataclass(frozen=True)
class Pennies(Game):
    """The first player lays a coin under its hand, the second guesses its side.

    `side` is 2 where it is not known.
    """

    has_hidden: ClassVar[bool] = True

    def num_actions(self):
        return 2

    def max_game_length(self):
        return 2

    def state_dtype(self):
        return np.dtype([("ply", "i1"), ("side", "i1"), ("guess", "i1")])

    def initial_state(self, state):
        state.guess = -1

    def current_player(self, state):
        return state.ply % 2

    def legal_actions(self, state, actions):
        actions[0] = 0
        actions[1] = 1
        return 2 if state.ply < 2 else 0

    def apply(self, state, action):
        if state.ply == 0:
            state.side = action
        else:
            state.guess = action
        state.ply += 1

    def is_terminal(self, state):
        return state.ply == 2

    def returns(self, state, player):
        return 1.0 if (state.guess == state.side) == (player == 1) else -1.0

    def hide(self, state, player):
        if player == 1 and state.ply == 1:
            state.side = 2

    def determinize(self, state, player, rng):
        if player == 1 and state.ply == 1:
            state.side = rng.below(2)


def rows(search: MCTS) -> Any:
    return search.tree.nodes.array[: search.tree.num_nodes]


def sets(search: MCTS) -> int:
    """How many information sets there are behind the root."""
    return len(search.tree.children(GROUND))


def test_a_guess_is_a_guess() -> None:
    """Whichever side the coin shows, the second player stands at one node."""
    search = MCTS(Pennies(), seed=1)
    first = search.search(limit=Limit(simulations=5000))
    assert sets(search) == 1
    position = Position.from_moves(Pennies(), ["1"])
    guess = search.search(position, Limit(simulations=20_000))
    assert abs(guess.value) < 5 / np.sqrt(20_000)  # five standard errors
    assert first.proven is guess.proven is None


def test_a_single_observer_takes_the_other_to_know_what_it_knows() -> None:
    """SO-ISMCTS fears an opponent who sees through its hand."""
    search = MCTS(Pennies(), seed=1, selection=ISUCT(observers="one"))
    assert search.search(limit=Limit(simulations=2000)).value < -0.8
    assert sets(search) == 2


@pytest.mark.parametrize("observers", ["many", "one"])
def test_the_truth_makes_no_difference(observers: str) -> None:
    """Two states that look the same to X give the same tree, bit for bit."""
    trees = []
    for text in ("..O/.X./... X", ".../.X./..O X", ".../.x./O.. X"):
        search = MCTS(
            PhantomTicTacToe(),
            seed=3,
            interpreted=True,
            selection=ISUCT(observers=observers),
        )
        search.search(Position(search.game, text), Limit(simulations=60))
        trees.append(rows(search).tobytes())
    assert trees[0] == trees[1] == trees[2]


@pytest.mark.parametrize("observers", ["many", "one"])
def test_the_slow_twin_grows_the_same_tree(observers: str) -> None:
    trees = []
    for interpreted in (True, False):
        policy = ISUCT(observers=observers)
        search = MCTS(
            PhantomTicTacToe(), seed=5, interpreted=interpreted, selection=policy
        )
        search.search(limit=Limit(simulations=150))
        trees.append(rows(search).tolist())
    assert trees[0] == trees[1]


def test_visits_and_offers_add_up() -> None:
    """A set is visited as often as its actions, which are offered at least as often."""
    search = MCTS(PhantomTicTacToe(), seed=2, selection=ISUCT())
    search.search(limit=Limit(simulations=5000))
    nodes = rows(search)
    for node in range(len(nodes)):
        children = search.tree.children(node)
        moves = children[nodes["action"][children] >= 0]
        if node == GROUND or not len(moves):
            continue
        assert nodes["visits"][node] == nodes["visits"][moves].sum()
        assert (nodes["offers"][moves] >= nodes["visits"][moves]).all()
        assert (nodes["offers"][moves] <= nodes["visits"][node]).all()
    moves = search.tree.children(ROOT)
    assert nodes["visits"][ROOT] == 5000
    assert nodes["offers"][moves].max() == 5000  # all are legal whatever is hidden


def test_a_full_tree_goes_on() -> None:
    search = MCTS(PhantomTicTacToe(), seed=2)
    result = search.search(limit=Limit(simulations=5000, nodes=40))
    assert (result.simulations, result.nodes <= 40) == (5000, True)
    more = search.search(limit=Limit(simulations=500, nodes=400))
    assert 40 < more.nodes <= 400


def test_the_score_by_hand() -> None:
    """5 of 10, offered 50 times: 0.5 + 2 sqrt(ln 50 / 10)."""
    row = np.zeros(1, dtype=[("visits", "u4"), ("value_sum", "f8"), ("offers", "u4")])
    row[0] = (10, 5.0, 50)
    policy = ISUCT(c_uct=2.0)
    assert policy.score(Rows(row)[0], 0.0) == pytest.approx(0.5 + 2 * 0.6254617)
    policy.offer(Rows(row)[0])
    assert row["offers"][0] == 51


def test_what_is_default_and_what_is_refused() -> None:
    game = PhantomTicTacToe()
    assert MCTS(game).policies.selection == ISUCT()
    assert isinstance(default_solver(game), Unsolved)
    for solver in (ScoreBounds(), MaxNBounds()):
        with pytest.raises(UsageError, match="nothing where information is hidden"):
            MCTS(game, solver=solver)
    with pytest.raises(UsageError, match=r"AllChildren\(.*\) does not work where"):
        MCTS(game, expansion=AllChildren())
    with pytest.raises(UsageError, match="observers must be many or one"):
        ISUCT(observers="two")

    @dataclass(frozen=True)
    class Noting(Uniform):
        uses_actions: ClassVar[bool] = True

    with pytest.raises(UsageError, match=r"Noting\(.*\) does not work where"):
        MCTS(game, rollout=Noting())
    MCTS(game, selection=UCT(), seed=1, interpreted=True).search(
        limit=Limit(simulations=20)
    )

"""The search that is cut at the leaf grows the tree of the search that is not."""

from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    PUCT,
    UCT,
    AllChildren,
    LikeliestFirst,
    Limit,
    OnEvaluation,
    Position,
    RandomChild,
    Truncated,
    Unsolved,
    one_by_one,
)
from playout.core.jit.rows import Rows
from playout.games.more.kuhn_poker import KuhnPoker
from playout.search.tree.nodes import OWNED, ROOT
from tests.search.support import walk
from tests.search.trees import ROUNDING
from tests.toys import Coins, Knowing, Nim, ThreeWays, TwiceNim

SIMULATIONS = 60


def tree_of(search: MCTS) -> list[Any]:
    tree = search.tree
    return [tree.nodes.array[: tree.num_nodes].tolist(), tree.info.array.tolist()]


def played_out(search: MCTS) -> Any:
    """An evaluator that plays a rollout, by the search's own random numbers."""
    game = search.game
    actions = np.zeros(game.num_actions(), dtype=np.int32)

    def evaluate(states: Any) -> Any:
        rng = search._forest.teams[0].works[0].rng
        ends = states.copy()
        with np.errstate(over="ignore"):
            for end in Rows(ends):
                game.rollout(end, actions, rng)
        players = range(game.num_players())
        return [[game.returns(end, p) for p in players] for end in Rows(ends)], None

    return evaluate


def judged(game: Any, per_player: bool) -> Any:
    """An evaluator that says what the game's own `evaluate` and `prior` say."""

    @one_by_one
    def evaluate(state: Any) -> Any:
        mover = game.current_player(state)
        value = game.evaluate(state, mover)
        values = [game.evaluate(state, p) for p in range(game.num_players())]
        priors = [game.prior(state, a) for a in range(game.num_actions())]
        return values if per_player else value, priors

    return evaluate


def pair(game: Any, interpreted: bool, **policies: Any) -> tuple[MCTS, MCTS]:
    """A search, and one whose evaluator plays the same rollouts."""
    keywords = {"selection": UCT(), "seed": 3, "interpreted": interpreted, **policies}
    whole = MCTS(game, **keywords)
    steps = MCTS(game, evaluator=one_by_one(print), **keywords)  # type: ignore[arg-type]
    steps._forest.teams[0].evaluation.evaluator = played_out(steps)
    return whole, steps


def expect_equal_growth(whole: MCTS, steps: MCTS, times: int = SIMULATIONS) -> None:
    for _ in range(times):
        for search in (whole, steps):
            search.search(limit=Limit(simulations=1), forced_too=True)
        assert tree_of(whole) == tree_of(steps)


GROWN: dict[str, tuple[Any, dict[str, Any]]] = {
    "one child": (Knowing(), {"expansion": RandomChild()}),
    "likeliest first": (
        Knowing(),
        {"selection": PUCT(), "expansion": LikeliestFirst()},
    ),
    "all children, unsolved": (
        Knowing(),
        {"expansion": AllChildren(visit_all=False), "solver": Unsolved()},
    ),
    "two moves in a row": (TwiceNim(), {"expansion": RandomChild()}),
    "three players": (ThreeWays(), {"expansion": RandomChild()}),
    "chance": (Coins(), {"expansion": RandomChild()}),
    "hidden": (KuhnPoker(), {"selection": None}),
}


@pytest.mark.parametrize("name", GROWN)
def test_with_rollouts_from_outside_the_tree_is_the_same(name: str) -> None:
    """All columns are compared after every simulation."""
    game, policies = GROWN[name]
    position = Position(game)
    while position.is_chance:
        position.play(position.legal_actions()[0])
    whole, steps = pair(game, True, **policies)
    for search in (whole, steps):
        search.go_to(position)
    expect_equal_growth(whole, steps)


def test_compiled_the_tree_is_the_same_too() -> None:
    whole, steps = pair(Knowing(), False, expansion=RandomChild())
    slow, _ = pair(Knowing(), True, expansion=RandomChild())
    slow.search(limit=Limit(simulations=SIMULATIONS))
    expect_equal_growth(whole, steps)
    assert tree_of(slow) == tree_of(steps)


@pytest.mark.parametrize("per_player", [False, True])
@pytest.mark.parametrize("noise", [0.0, 0.25])
def test_with_values_and_priors_from_outside_the_tree_is_the_same(
    per_player: bool, noise: float
) -> None:
    """The other search has the game's own `evaluate` as its rollout."""
    keywords: Any = {
        "seed": 3,
        "selection": PUCT(noise=noise),
        "expansion": OnEvaluation(),
        "interpreted": True,
    }
    whole = MCTS(Knowing(), rollout=Truncated(rollout_plies=0), **keywords)
    steps = MCTS(Knowing(), evaluator=judged(Knowing(), per_player), **keywords)
    expect_equal_growth(whole, steps)


@pytest.fixture(scope="module")
def eight() -> MCTS:
    return MCTS(Knowing(), evaluator=judged(Knowing(), False), batch=8, seed=5)


def test_a_batch_leaves_nothing_behind(eight: MCTS) -> None:
    """Virtual losses are taken off, no leaf waits, and all visits add up."""
    eight.reset(5)
    result = eight.search(limit=Limit(simulations=400))
    assert result.simulations == 400
    nodes = eight.tree.nodes.array
    for node in walk(eight.tree):
        row, below = nodes[node], nodes[eight.tree.children(node)]
        assert row["owner"] != OWNED
        own = int(row["visits"]) - int(below["visits"].sum())
        assert own >= 0 if row["proven"] else own in (0, 1)
        assert abs(row["value_sum"]) <= row["visits"] + 1e-9
        if len(below):
            shares = below["prior"].astype(float)
            assert shares.sum() == pytest.approx(1.0, rel=ROUNDING)


def test_the_tree_depends_on_the_seed_and_not_on_the_clock(eight: MCTS) -> None:
    """Batches do not depend on how often the clock is read."""
    trees = []
    for chunks in ([200], [1, 3, 60, 136]):
        eight.reset(5)
        eight.compile()
        eight._forest.make_room(Limit(simulations=200), eight._position)
        forest = eight._forest
        with forest:
            for until in np.cumsum(chunks).tolist():
                forest.grow([until], [200], None)
        trees.append(tree_of(eight))
    assert trees[0] == trees[1]


def test_all_children_of_a_leaf_are_one_batch() -> None:
    sizes = []

    def evaluate(states: Any) -> Any:
        sizes.append(len(states))
        return np.zeros(len(states)), None

    search = MCTS(
        Nim(), evaluator=evaluate, expansion=AllChildren(), seed=1, interpreted=True
    )
    search.search(limit=Limit(simulations=3), forced_too=True)
    assert sizes == [3]
    assert search.tree.nodes.array["visits"][ROOT] == 3

"""Dense networks in the search: what they say, and the trees that grow by them.

Also of `search/evaluation/layers.py`, `search/evaluation/planes.py`,
`search/evaluation/native.py` and `search/evaluation/judged.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    AllChildren,
    ConnectFour,
    Gumbel,
    Limit,
    NativeEvaluator,
    Position,
    ProgressiveWidening,
    RulesError,
    TicTacToe,
    UsageError,
    one_by_one,
)
from playout.core.jit.compiled import compiled_type
from playout.search.evaluation.dense import DenseNetwork
from playout.search.expansion.best_first import LikeliestFirst
from tests.networks import arrays, expected
from tests.search.trees import ROUNDING
from tests.toys import Nim

GAME = TicTacToe()
NETWORK = DenseNetwork.of(arrays(), GAME)
FEW = Limit(simulations=60)


def tree_of(search: MCTS) -> list[Any]:
    return search.tree.nodes.array[: search.tree.num_nodes].tolist()


def states(count: int) -> list[Position]:
    rng, found = np.random.default_rng(3), []
    while len(found) < count:
        position = Position(GAME)
        for _ in range(int(rng.integers(0, 6))):
            if not position.is_terminal:
                position.play(int(rng.choice(position.legal_actions())))
        if not position.is_terminal:
            found.append(position)
    return found


def said_of(position: Position, network: Any = NETWORK) -> tuple[float, Any]:
    """What is said of a state where the search is: its value, and all priors."""
    tables = network.tables(GAME)
    network.judge(GAME, position.state, tables)
    network.weigh(GAME, position.state, tables)
    mover = position.current_player
    value = network.value(GAME, position.state, tables, mover)
    assert network.value(GAME, position.state, tables, 1 - mover) == -value
    return value, [network.prior(tables, action) for action in range(9)]


@one_by_one
def asked(state: Any) -> Any:
    """The same network as an evaluator in Python."""
    tables = NETWORK.tables(GAME)
    NETWORK.judge(GAME, state, tables)
    NETWORK.weigh(GAME, state, tables)
    value = NETWORK.value(GAME, state, tables, GAME.current_player(state))
    return value, [NETWORK.prior(tables, action) for action in range(9)]


@pytest.mark.parametrize("hidden", [(32, 16), (33,), (8, 40, 8)])
def test_it_says_what_the_textbook_says(hidden: Any) -> None:
    """Interpreted, compiled, and by NumPy for many states at once."""
    given = arrays(hidden=hidden)
    network = DenseNetwork.of(given, GAME)
    positions = states(20)
    planes = np.zeros((len(positions), 2, 3, 3), np.float32)
    for row, position in zip(planes, positions, strict=True):
        GAME.observe(position.state, row)
    values, logits = expected(given, planes)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    together, priors = network(planes)
    assert together[:, 0] == pytest.approx(values, abs=1e-5)
    assert priors / priors.sum(axis=1, keepdims=True) == pytest.approx(shares, abs=1e-5)
    for position, value, share in zip(positions, values, shares, strict=True):
        found, weights = said_of(position, network)
        assert found == pytest.approx(value, abs=1e-5)
        assert np.divide(weights, sum(weights)) == pytest.approx(share, abs=1e-5)
    assert np.std(values) > 0.05


@pytest.fixture(scope="module")
def native() -> MCTS:
    search = MCTS(GAME, evaluator=NETWORK, seed=1)
    search.search(limit=FEW, forced_too=True)
    return search


def test_it_grows_the_tree_of_the_same_evaluator_in_python(native: MCTS) -> None:
    """The trees are compared node for node, interpreted too."""
    steps = MCTS(GAME, evaluator=asked, seed=1, interpreted=True)
    plain = MCTS(GAME, evaluator=NETWORK, seed=1, interpreted=True)
    for search in (steps, plain):
        search.search(limit=FEW, forced_too=True)
        assert tree_of(search) == tree_of(native)


@pytest.mark.parametrize(
    "policies",
    [
        {"selection": Gumbel(considered=4)},
        {"expansion": ProgressiveWidening()},
        {"expansion": AllChildren(visit_all=False)},
    ],
)
def test_all_that_asks_for_priors_asks_it(policies: Any) -> None:
    """Children get the network's priors, scaled to the actions that were expanded."""
    network = MCTS(GAME, evaluator=NETWORK, seed=1, interpreted=True, **policies)
    network.search(limit=FEW, forced_too=True)
    nodes = network.tree.nodes.array
    _, priors = said_of(Position(GAME))
    rows = nodes[network.tree.children(0)]
    shares = np.array(priors)[rows["action"]] / sum(priors)
    assert rows["prior"].tolist() == pytest.approx(shares.tolist(), rel=ROUNDING)


def test_likeliest_first_makes_the_likeliest_children() -> None:
    keywords: Any = {"evaluator": NETWORK, "seed": 1, "interpreted": True}
    search = MCTS(GAME, expansion=LikeliestFirst(), **keywords)
    search.search(limit=Limit(simulations=2), forced_too=True)
    children = search.tree.nodes.array[search.tree.children(0)]
    _, priors = said_of(Position(GAME))
    best = np.argsort(priors)[::-1][: len(children)]
    assert children["action"].tolist() == best.tolist()
    assert children["prior"].tolist() == pytest.approx(
        np.sort(priors)[::-1][: len(best)] / sum(priors), rel=ROUNDING
    )


def test_other_numbers_are_not_compiled_anew() -> None:
    other = DenseNetwork.of(arrays(seed=2), GAME)
    deeper = DenseNetwork.of(arrays(hidden=(64, 32, 32)), GAME)
    kinds = {compiled_type(network) for network in (NETWORK, other, deeper)}
    assert len(kinds) == 1


def test_threads_share_it(native: MCTS) -> None:
    search = MCTS(GAME, evaluator=NETWORK, seed=1, threads=2)
    result = search.search(limit=Limit(simulations=4000))
    assert result.simulations >= 4000 or result.proven is not None


def test_what_is_proven_is_proven_with_it_too() -> None:
    position = Position.from_moves(GAME, ["a1", "b1", "a2", "b2"])
    search = MCTS(GAME, evaluator=NETWORK, seed=1, interpreted=True)
    result = search.search(position, Limit(simulations=300))
    assert (result.move, result.proven) == ("a3", "win")


@dataclass(frozen=True)
class Points(TicTacToe):
    """Tic-tac-toe for points: 10 for a win, 0 for a loss."""

    zero_sum = False
    return_range = (0.0, 10.0)

    def returns(self, state: Any, player: int) -> float:
        return 5.0 + 5.0 * TicTacToe.returns(self, state, player)


def test_values_are_in_the_games_own_units() -> None:
    given = {**arrays(), "wv": np.zeros((16, 2)), "bv": np.array([0.0, 9.0])}
    network: Any = DenseNetwork.of(given, Points())
    tables, state = network.tables(Points()), Position(Points()).state
    network.judge(Points(), state, tables)
    assert network.value(Points(), state, tables, 0) == pytest.approx(5.0)
    assert network.value(Points(), state, tables, 1) == pytest.approx(10.0)
    values, _ = network(np.zeros((1, 2, 3, 3), np.float32))
    assert values.tolist() == [[pytest.approx(5.0), pytest.approx(10.0)]]


# -- mistakes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"wp": None}, "there is no array 'wp'; a dense network has w1, b1"),
        ({"w1": np.zeros((17, 32))}, "w1 is of shape .17, 32.; .* 18 rows"),
        ({"wp": np.zeros((16, 8))}, "wp is of shape .16, 8.; .* and 9 columns"),
        ({"wv": np.zeros((16, 3))}, "wv .* and 1 or 2 columns"),
        ({"b2": np.zeros(3)}, "b2 is of shape .3., .* a bias for each column"),
        (
            {"b1": np.full(32, np.nan)},
            "b1 holds other things than numbers from -1e.30 to 1e.30",
        ),
        ({"bp": np.array(["a"] * 9)}, "bp holds other things"),
        ({"w4": np.ones((16, 16))}, "w4 is of no layer: there is no array 'w3'"),
        ({"w2": None, "wv": np.ones((32, 1))}, "b2 is of no layer: .* no array 'w2'"),
    ],
)
def test_arrays_that_make_no_network_are_told(change: Any, said: str) -> None:
    given = {k: v for k, v in {**arrays(), **change}.items() if v is not None}
    with pytest.raises(UsageError, match=said):
        DenseNetwork.of(given, GAME)


def test_a_tensor_that_numpy_cannot_read_is_told() -> None:
    class Tensor:
        def __array__(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    with pytest.raises(UsageError, match="bv cannot be read as an array: Can't call"):
        DenseNetwork.of(arrays() | {"bv": Tensor()}, GAME)


def test_a_game_that_shows_nothing_has_no_network() -> None:
    with pytest.raises(UsageError, match=r"needs a game that has observe\(\)"):
        DenseNetwork.of(arrays(), Nim())
    with pytest.raises(UsageError, match="takes 18 numbers, and connect-four shows"):
        MCTS(ConnectFour(), evaluator=NETWORK)


def test_it_has_no_batches() -> None:
    with pytest.raises(UsageError, match="DenseNetwork is compiled into the search"):
        MCTS(GAME, evaluator=NETWORK, batch=4)


@dataclass(frozen=True)
class Reaching(NativeEvaluator):
    """Reads a number that its array may not have."""

    numbers: Any
    place: int = 0

    def value(self, game: Any, state: Any, tables: Any, player: int) -> float:
        found = self.numbers[self.place]
        return found if player == 0 else -found


@pytest.mark.first_look
def test_an_evaluator_of_others_is_tried_with_every_index_checked() -> None:
    """Compiled without checks, it would read memory outside the array."""
    numbers = np.array([0.25, 0.5])
    good = MCTS(GAME, evaluator=Reaching(numbers, 1), seed=1)
    assert good.search(limit=Limit(simulations=20)).simulations == 20
    bad = MCTS(GAME, evaluator=Reaching(numbers, 2), seed=1)
    with pytest.raises(RulesError, match=r"Reaching\.value, .* line"):
        bad.search(limit=Limit(simulations=20))

"""Networks that see a state in parts: what they say, and the searches that ask them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    Limit,
    Position,
    RulesError,
    TicTacToe,
    UltimateTicTacToe,
    UsageError,
    check_game,
)
from playout.search.evaluation.parts import (
    MOST_OF_A_PART,
    NO_KIND,
    SPREAD,
    PartsNetwork,
    PartsPolicyNetwork,
)
from playout.search.expansion.best_first import LikeliestFirst
from playout.search.rollout.truncated import Truncated
from tests.networks import expected_of_parts, parts_arrays

GAME = UltimateTicTacToe()
MOVES = [
    *["ee", "ea", "ab", "bb", "be", "eg", "gd", "db", "bd"],
    *["df", "fe", "ec", "ci", "ib", "bf", "fc", "ca", "aa"],
]


def said_of(network: PartsNetwork, position: Position, tables: Any = None) -> Any:
    """What is said where the search is: the values, and shares of legal actions."""
    game, state = position.game, position.state
    tables = network.tables(game) if tables is None else tables
    network.judge(game, state, tables)
    network.weigh(game, state, tables)
    values = [network.value(game, state, tables, player) for player in range(2)]
    priors = [GAME.prior(state, action) for action in position.legal_actions()]
    if network.has_priors:
        priors = [network.prior(tables, action) for action in position.legal_actions()]
    return np.array(values), np.array(priors) / sum(priors)


def textbook(given: Any, position: Position) -> Any:
    """The same, by the textbook."""
    game, legal = position.game, position.legal_actions()
    parts = np.zeros(9, np.int32)
    game.observe_parts(position.state, parts)
    values, logits = expected_of_parts(given, parts)
    if len(values) == 1:
        values = np.array([values[0], -values[0]])
        values = values[:: 1 if position.current_player == 0 else -1]
    own = np.array([GAME.prior(position.state, action) for action in legal])
    priors = own * np.exp(logits + np.zeros(81))[legal]
    return values, priors / priors.sum()


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"hidden": (40, 70, 8)},
        {"values": 2},
        {"policy": True},
        {"policy": True, "hidden": (40, 8)},
        {"policy": True, "hidden": (8, 70, 5), "values": 2},
    ],
)
def test_it_says_what_the_textbook_says(form: Any) -> None:
    """A row of the table for each part, side by side, through the layers.

    A policy head sees the rows and all hidden layers, and multiplies the game's own
    priors.
    """
    given, position = parts_arrays(GAME, **form), Position(GAME)
    network, found, shares = PartsNetwork.of(given, GAME), [], []
    assert isinstance(network, PartsPolicyNetwork) == ("policy" in form)
    tables = network.tables(GAME)
    for move in MOVES:
        position.play(move)
        values, priors = said_of(network, position, tables)
        wanted_values, wanted_priors = textbook(given, position)
        assert values == pytest.approx(wanted_values, abs=1e-5)
        assert priors == pytest.approx(wanted_priors, abs=1e-5)
        found.append(values[0])
        own = np.array(
            [GAME.prior(position.state, action) for action in position.legal_actions()]
        )
        shares.append(np.abs(priors - own / own.sum()).max())
    assert np.std(found) > 0.05
    assert (max(shares) > 0.05) == ("policy" in form)


def test_the_games_own_priors_and_policies_go_with_it() -> None:
    """As it says nothing of actions, a search differs from the default in leaves."""
    usual, search = MCTS(GAME, seed=1), MCTS(GAME, evaluator=network(), seed=1)
    assert search.policies.selection == usual.policies.selection
    assert isinstance(search.policies.expansion, LikeliestFirst)
    assert isinstance(usual.policies.rollout, Truncated)
    priors = []
    for each in (search, usual):
        each.search(limit=Limit(simulations=400))
        first = each.tree.nodes.array[each.tree.children(0)]
        priors.append(dict(zip(first["action"], first["prior"], strict=True)))
    shared = set(priors[0]) & set(priors[1])
    assert len(shared) > 3
    assert all(priors[0][action] == priors[1][action] for action in shared)


@pytest.mark.parametrize(
    "form",
    [{"hidden": (33, 8, 70)}, {"hidden": (20,), "policy": True, "values": 2}],
)
def test_compiled_it_grows_the_tree_that_plain_python_does(form: Any) -> None:
    """With layers of any width, of which the last is wider than a vector or not."""
    trees, net = [], PartsNetwork.of(parts_arrays(GAME, **form), GAME)
    for interpreted in (False, True):
        search = MCTS(GAME, evaluator=net, seed=1, interpreted=interpreted)
        search.search(limit=Limit(simulations=60))
        trees.append(search.tree.nodes.array[: search.tree.num_nodes].tolist())
    assert trees[0] == trees[1]
    assert len(trees[0]) > 50


def network(policy: bool = False) -> PartsNetwork:
    return PartsNetwork.of(parts_arrays(GAME, policy=policy), GAME)


@pytest.mark.parametrize("policy", [False, True])
def test_what_is_kept_of_parts_changes_nothing(policy: bool) -> None:
    """A value is the same, bit for bit, whatever was judged before; so is a prior."""
    net = network(policy)
    position, tables, found = Position(GAME), net.tables(GAME), []
    for move in [*MOVES, None]:
        kept, fresh = said_of(net, position, tables), said_of(net, position)
        assert all((one == other).all() for one, other in zip(kept, fresh, strict=True))
        found.append(kept[0][0])
        if move is not None:
            position.play(move)
    assert len(set(found)) == len(found)
    assert (tables.keys != NO_KIND).sum() > 20


def kinds_in_one_place() -> list[int]:
    """Ten kinds whose rows are kept in the same place of a part."""
    places = np.arange(39_369, dtype=np.int64) * SPREAD >> 16
    return np.flatnonzero(places & (MOST_OF_A_PART - 1) == 7)[:10].tolist()


@dataclass(frozen=True)
class InOnePlace(UltimateTicTacToe):
    """All parts are of kinds that are kept in one place, others after every move."""

    def observe_parts(self, state: Any, parts: Any) -> None:
        stones = sum(int(row).bit_count() for row in state.stones.ravel())
        kinds = kinds_in_one_place()
        for part in range(9):
            parts[part] = kinds[(part + stones) % 10]


@pytest.mark.parametrize("policy", [False, True])
def test_rows_in_the_same_place_are_told_apart(policy: bool) -> None:
    """Those of one state, and those of states before it."""
    game, given = InOnePlace(), parts_arrays(GAME, policy=policy)
    network, position = PartsNetwork.of(given, game), Position(game)
    tables = network.tables(game)
    assert len(tables.keys) == 9 * MOST_OF_A_PART
    for move in MOVES:
        position.play(move)
        for found, wanted in zip(
            said_of(network, position, tables), textbook(given, position), strict=True
        ):
            assert found == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("policy", [False, True])
def test_compiled_and_interpreted_grow_the_same_tree(policy: bool) -> None:
    trees = []
    for interpreted in (False, True):
        search = MCTS(GAME, evaluator=network(policy), seed=1, interpreted=interpreted)
        search.search(Position.from_moves(GAME, MOVES), Limit(simulations=60))
        trees.append(search.tree.nodes.array[: search.tree.num_nodes].tolist())
    assert trees[0] == trees[1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"parts": np.zeros((5, 3))},
            "parts is of shape \\[5, 3\\]; here it must be \\[39369, K\\]",
        ),
        (
            {"w1": np.zeros((4, 8))},
            "w1 is of shape \\[4, 8\\]; here it must have 27 row",
        ),
        ({"wv": None}, "there is no array 'wv'"),
        ({"wp": np.zeros((8, 81)), "bp": np.zeros(81)}, "there is no array 'ws'"),
        (
            {"wp": np.zeros((5, 81)), "bp": np.zeros(81)},
            "wp is of shape \\[5, 81\\]; here it must have 8 rows",
        ),
        ({"ws": np.zeros((27, 81)), "bp": np.zeros(81)}, "there is no array 'wp'"),
        ({"w1": np.full((27, 8), 1e29)}, "parts and what it is multiplied by are too"),
    ],
)
def test_arrays_that_make_no_network(changes: Any, said: str) -> None:
    given = {**parts_arrays(GAME), **changes}
    given = {name: each for name, each in given.items() if each is not None}
    with pytest.raises(UsageError, match=said):
        PartsNetwork.of(given, GAME)


def test_a_game_without_parts() -> None:
    with pytest.raises(UsageError, match="needs a game that has observe_parts"):
        PartsNetwork.of(parts_arrays(GAME), TicTacToe())
    with pytest.raises(UsageError, match="needs a game that has observe_parts"):
        MCTS(TicTacToe(), evaluator=network())


@dataclass(frozen=True)
class Beyond(UltimateTicTacToe):
    """Rules that break law 16 once somebody has won a board."""

    beyond: int = 40_000

    def observe_parts(self, state: Any, parts: Any) -> None:
        for part in range(9):
            parts[part] = self.beyond if state.boards[0] != 0 else 0


@pytest.mark.parametrize("beyond", [40_000, -1])
def test_a_kind_that_there_is_not(beyond: int) -> None:
    with pytest.raises(RulesError, match="law 16: observe_parts writes other kinds"):
        check_game(Beyond(beyond=beyond))
    tables = network().tables(GAME)
    boards = ["XXX......", *8 * ["........."]]
    position = Position(Beyond(beyond=beyond), "/".join(boards) + " - O")
    network().judge(position.game, position.state, tables)
    assert np.isfinite(tables.sums).all()
    assert (tables.keys != NO_KIND).sum() == 9


@dataclass(frozen=True)
class MoreActions(UltimateTicTacToe):
    def num_actions(self) -> int:
        return 200


def test_a_game_with_other_actions_than_the_policy_has() -> None:
    MCTS(MoreActions(), evaluator=network())
    with pytest.raises(UsageError, match="knows 81 actions, and this game has 200"):
        MCTS(MoreActions(), evaluator=network(policy=True))

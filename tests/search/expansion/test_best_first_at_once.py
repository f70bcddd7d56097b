"""`LikeliestFirst` where it makes several children at a time, and with a network."""

from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    PUCT,
    LikeliestFirst,
    Limit,
    Position,
    TicTacToe,
    Truncated,
    Unsolved,
    UsageError,
)
from playout.search.evaluation.dense import DenseNetwork
from playout.search.tree.nodes import ROOT
from tests.networks import arrays
from tests.search.expansion.test_best_first import ONE, RankedFives, visited


@pytest.mark.parametrize("at_once", [1, 2, 4])
def test_with_a_network_it_visits_what_is_visited_where_all_are_made(
    at_once: int,
) -> None:
    """The network judges other states between one child of a node and the next."""
    game, trees = TicTacToe(), []
    given = arrays(game)
    network = DenseNetwork.of({**given, "wp": given["wp"] / 4}, game)
    for expansion in (ONE, LikeliestFirst(at_once=at_once)):
        policies: dict[str, Any] = {"selection": PUCT(4.0), "expansion": expansion}
        search = MCTS(game, evaluator=network, interpreted=True, **policies)
        search.search(limit=Limit(simulations=300), forced_too=True)
        trees.append(visited(search))
        children = search.tree.children(ROOT)
        assert (search.tree.nodes.array["visits"][children] > 0).sum() > 5
    assert trees[0] == trees[1]
    assert len(trees[0]) > 200


@pytest.mark.parametrize("at_once", [1, 2, 4])
def test_a_kept_subtree_has_what_it_had(at_once: int) -> None:
    """After a move the tree below it stands as it was, wherever its blocks are now."""
    game = RankedFives(size=7)
    policies: dict[str, Any] = {
        "selection": PUCT(first_play=0.5),
        "expansion": LikeliestFirst(at_once=at_once),
        "rollout": Truncated(rollout_plies=0),
        "solver": Unsolved(),
    }
    search = MCTS(game, interpreted=True, **policies)
    search.search(Position.from_moves(game, ["d4", "d5"]), Limit(simulations=300))
    before = visited(search)
    children = search.tree.children(ROOT)
    assert len(children) > 8
    nodes = search.tree.nodes.array
    action = int(nodes["action"][children[np.argmax(nodes["visits"][children])]])
    search.advance(game.action_name(action))
    below = {path[1:]: row for path, row in before.items() if path[:1] == (action,)}
    assert visited(search) == below
    assert len(below) > 10


@pytest.mark.parametrize("nodes", [None, 90])
@pytest.mark.parametrize("at_once", [2, 4])
def test_several_children_at_a_time_compiled_as_interpreted(
    at_once: int, nodes: int | None
) -> None:
    """Also where the tree is full, and where its subtree is kept."""
    trees = []
    for interpreted in (False, True):
        search = MCTS(
            TicTacToe(),
            selection=PUCT(),
            expansion=LikeliestFirst(at_once=at_once),
            seed=1,
            interpreted=interpreted,
        )
        position = Position(search.game)
        for _ in range(2):
            result = search.search(position, Limit(simulations=200, nodes=nodes))
            trees.append(search.tree.nodes.array[: search.tree.num_nodes].tolist())
            position.play(result.action)
    assert trees[:2] == trees[2:]
    assert len(trees[0]) > 50


def test_how_many_may_be_a_number_of_numpys() -> None:
    assert repr(LikeliestFirst(at_once=np.int64(4))) == repr(LikeliestFirst(at_once=4))


@pytest.mark.parametrize("at_once", [0, 3, 8])
def test_children_are_made_by_one_two_or_four(at_once: int) -> None:
    with pytest.raises(UsageError, match=f"1, 2 or 4, not {at_once}"):
        LikeliestFirst(at_once=at_once)

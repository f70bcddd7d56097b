"""What is copied of a tree's top says the same as the tree."""

import pickle
from typing import Any

import pytest

from playout import MCTS, ConnectFour, Limit, TicTacToe, Unsolved, make_game
from playout.core.rng import make_rng
from playout.search.result.excerpt import line_below, top_of
from playout.search.result.statistics import root_statistics
from playout.search.result.summary import principal_variation
from playout.search.tree.nodes import ROOT

SEARCHES: dict[str, dict[str, Any]] = {
    "tree": {"game": ConnectFour()},
    "ties": {"game": TicTacToe(), "solver": Unsolved()},
    "graph": {"game": TicTacToe(), "transpositions": True},
    "information sets": {"game": make_game("phantom-tic-tac-toe")},
    "chance": {"game": make_game("pig")},
}


def searched(kind: str, simulations: int = 2000) -> MCTS:
    search = MCTS(seed=1, **SEARCHES[kind])
    search.search(limit=Limit(simulations=simulations))
    return search


@pytest.mark.parametrize("kind", SEARCHES)
def test_the_top_has_the_root_and_its_moves(kind: str) -> None:
    search = searched(kind)
    top = pickle.loads(pickle.dumps(top_of(search.tree, spare=3)))
    assert root_statistics(search.position, top) == root_statistics(
        search.position, search.tree
    )
    assert top.nodes.array.dtype == search.tree.nodes.array.dtype
    assert len(top.nodes) == 1 + len(search.tree.children(ROOT))
    assert (top.visits, top.num_bytes) == (search.tree.visits, search.tree.num_bytes)
    assert top.num_nodes == search.tree.num_nodes - 3
    assert top.info[0].max_depth == search.tree.info[0].max_depth


@pytest.mark.parametrize("kind", SEARCHES)
@pytest.mark.parametrize("simulations", [30, 2000])
def test_the_line_is_the_trees_with_any_seed(kind: str, simulations: int) -> None:
    search = searched(kind, simulations)
    position, tree = search.position, search.tree
    for child in map(int, tree.children(ROOT)):
        copy = pickle.loads(pickle.dumps(line_below(tree, child)))
        for seed in range(5):
            rngs = make_rng(seed), make_rng(seed)
            line = principal_variation(position, copy, ROOT, rngs[0])
            assert line == principal_variation(position, tree, child, rngs[1])
            assert rngs[0].state[0] == rngs[1].state[0]


def test_before_the_first_simulation_there_is_a_root_alone() -> None:
    search = MCTS(TicTacToe(), seed=1)
    search.search(limit=Limit(simulations=1))
    search.tree.clear(1)
    top = top_of(search.tree)
    assert (len(top.nodes), top.visits, len(top.children(ROOT))) == (1, 0, 0)
    assert top.info[0].root_mover == 1

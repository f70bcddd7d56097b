"""The table of nodes: what was entered is found, however many chains there are."""

from typing import Any

import numpy as np
import pytest

from playout import MCTS, Limit, make_game
from playout.core.jit.native import kernel
from playout.search.tree.hash_index import (
    FIRST_CHAINS,
    MANY_CHAINS,
    MORE_CHAINS,
    TableTree,
    enter,
    find_key,
)
from playout.search.tree.nodes import NO_NODE, TableColumns, node_dtype

DTYPE = node_dtype(*TableColumns.columns)


@kernel
def enter_all(tree: TableTree, keys: Any) -> int:
    """Enter nodes 1, 2, ... under these keys; returns how many are found then."""
    for index in range(len(keys)):
        enter(tree, index + 1, keys[index])
    found = 0
    for index in range(len(keys)):
        found += find_key(tree, keys[index]) == index + 1
    return found


def keys_of(count: int) -> Any:
    """Different keys; every eighth has the low bits of the one before."""
    keys = np.random.default_rng(1).permutation(1 << 20)[:count].astype(np.uint64)
    keys[1::8] = keys[:-1:8] | np.uint64(1 << 40)
    return keys


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("count", [1, FIRST_CHAINS, FIRST_CHAINS + 1, 9000])
def test_all_that_was_entered_is_found(count: int, compiled: bool) -> None:
    tree, keys = TableTree.with_table(100_000, DTYPE), keys_of(count)
    run = enter_all.compile(tree, keys) if compiled else enter_all
    assert run(tree, keys) == count
    assert find_key(tree, np.uint64(1 << 50)) == NO_NODE
    chains, entered = tree.used.tolist()
    assert entered == count <= chains < FIRST_CHAINS + MORE_CHAINS * count
    tree.clear(0)
    assert not tree.table.any()
    assert tree.used.tolist() == [FIRST_CHAINS, 0]
    assert run(tree, keys) == count


def test_a_large_table_has_all_chains_that_there_is_room_for() -> None:
    tree, keys = TableTree.with_table(10_000_000, DTYPE), keys_of(MANY_CHAINS + 1)
    enter_all.compile(tree, keys)(tree, keys[:-1])
    assert tree.used.tolist() == [MANY_CHAINS, MANY_CHAINS]
    tree.clear(0)
    assert enter_all.compile(tree, keys)(tree, keys) == len(keys)
    assert tree.used.tolist() == [len(tree.table), len(keys)]


def test_a_tree_with_little_room_has_few_chains() -> None:
    tree, keys = TableTree.with_table(100, DTYPE), keys_of(99)
    assert enter_all(tree, keys) == 99
    assert tree.used[0] == len(tree.table) == 16


@pytest.mark.parametrize(
    ("game", "options"),
    [("tic-tac-toe", {"transpositions": True}), ("phantom-tic-tac-toe", {})],
)
def test_a_small_search_takes_little_memory(game: str, options: Any) -> None:
    search = MCTS(make_game(game), seed=1, **options)
    found = search.search(limit=Limit(simulations=100))
    rows = found.nodes * search.tree.nodes.array.itemsize
    assert found.tree_bytes == rows + 4 * FIRST_CHAINS

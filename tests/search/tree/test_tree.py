"""The tree: layout, growth, copies, counters.

Also of `search/tree/children.py`, `search/tree/nodes.py` and `search/tree/subtree.py`.
"""

from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    UCT,
    AllChildren,
    ConnectFour,
    Limit,
    Position,
    RandomChild,
    TicTacToe,
    Tree,
    Unsolved,
    UsageError,
)
from playout.core.jit.rows import Rows
from playout.search.solver.bounds import lower_of, upper_of
from playout.search.tree.children import (
    MOST,
    add_child,
    block_size,
    last_block,
    last_of_block,
    link_block,
    link_parts,
    next_block,
    room_behind,
)
from playout.search.tree.nodes import (
    AS_ACTION,
    BOUNDS,
    CLOSED,
    EXHAUSTED,
    FREE,
    LATER_PRIOR,
    MAX_VISITS,
    NO_NODE,
    OWNED,
    PROOF_COLUMNS,
    QUARTERS,
    ROOT,
    TRUNK,
    node_dtype,
)
from tests.search.support import walk

#: Nodes of trees: two have half of a link each, four a quarter, one the whole.
HALVES, QUARTERED, WHOLE = (
    node_dtype(*PROOF_COLUMNS, *columns)
    for columns in ((), (QUARTERS,), (LATER_PRIOR,))
)


def grown(simulations: int = 3000, seed: int = 1, **policies: Any) -> MCTS:
    search = MCTS(TicTacToe(), seed=seed, solver=Unsolved(), **policies)
    search.search(limit=Limit(simulations=simulations))
    return search


@pytest.mark.parametrize(
    ("num_actions", "size"), [(7, 22), (254, 22), (255, 25), (32766, 25), (32767, 31)]
)
def test_a_node_is_as_wide_as_the_actions_of_the_game(
    num_actions: int, size: int
) -> None:
    plain = node_dtype(num_actions=num_actions)
    assert plain.itemsize == size
    assert np.iinfo(plain["num_legal"]).max > num_actions
    proving = node_dtype(*PROOF_COLUMNS, num_actions=num_actions)
    assert proving.itemsize == size + 3
    assert node_dtype(("prior", "f4"), num_actions=num_actions).itemsize == size + 4
    noting = node_dtype(("noted", AS_ACTION), num_actions=num_actions)
    assert noting["noted"] == noting["action"] == noting["num_legal"]


def test_a_new_node_has_more_actions_to_try_than_any_count_says() -> None:
    for num_actions in (254, 255, 32767):
        tree = Tree.reserve(1, node_dtype(num_actions=num_actions))
        assert tree.nodes[ROOT].num_legal > num_actions


def test_values_stand_first_and_wide_columns_before_narrow_ones() -> None:
    fields = node_dtype(("mark", "i1"), ("prior", "f8")).fields
    assert fields is not None
    assert [fields[name][1] for name in ("value_sum", "prior", "mark")] == [0, 8, 16]


@pytest.mark.parametrize("owner", [FREE, OWNED, TRUNK])
def test_who_owns_a_node_proves_nothing_of_it(owner: int) -> None:
    """Where nothing is proven, what reads `proven` reads the byte of `owner`."""
    row = Rows(np.zeros(1, node_dtype()))[0]
    row.owner = owner
    assert (lower_of(row.proven), upper_of(row.proven)) == (-1, 1)
    assert row.proven & (BOUNDS | CLOSED | EXHAUSTED) == 0


@pytest.mark.parametrize("following", [0, 1, 2**16 - 1, 2**16, 2**31 - 1])
@pytest.mark.parametrize(("dtype", "least"), [(HALVES, 2), (QUARTERED, 4), (WHOLE, 1)])
def test_a_link_stands_in_the_smallest_block(
    dtype: Any, least: int, following: int
) -> None:
    nodes = Rows(np.zeros(least + 2, dtype))
    assert block_size(nodes, 0, 9) == least
    link_block(nodes, 1, following)
    assert next_block(nodes, 1) == following
    assert nodes[0].link == nodes[least + 1].link == 0


@pytest.mark.parametrize("legal", [1, 2, 3, 7, 9, 81, 225, 484])
@pytest.mark.parametrize("dtype", [HALVES, QUARTERED, WHOLE])
def test_blocks_fill_up_exactly(dtype: Any, legal: int) -> None:
    nodes = Rows(np.zeros(1, dtype))
    room, blocks = 0, 0
    while room < legal:
        size = block_size(nodes, room, legal)
        assert 1 <= size <= legal - room
        assert size <= max(link_parts(nodes), 2, room // 2)
        assert size <= MOST or link_parts(nodes) == 1
        room += size
        blocks += 1
    assert room == legal
    if link_parts(nodes) > 1:
        assert blocks <= 2 + 4 * np.log(max(2, legal)) + legal // MOST


def test_blocks_of_whole_links_are_a_sixteenth_of_all_before() -> None:
    nodes = Rows(np.zeros(1, WHOLE))
    for before in range(484):
        assert block_size(nodes, before, 10**4) == max(1, before // 16)


@pytest.mark.parametrize("dtype", [HALVES, QUARTERED, WHOLE])
def test_children_are_added_behind_the_last_block(dtype: Any) -> None:
    """One by one to 60, and again to a node whose children are gone."""
    tree = Tree.reserve(1000, dtype)
    for _ in range(2):
        tree.nodes[ROOT].num_legal = 60
        assert last_block(tree, ROOT) == (NO_NODE, 0)
        made: list[int] = []
        for action in range(60):
            block, before = last_block(tree, ROOT)
            first, room = room_behind(tree, ROOT, block, before)
            assert room == len(set(range(first, first + room)) - set(made)) >= 1
            tree.nodes[first].action = action
            tree.nodes[ROOT].num_children += 1
            made.append(first)
            assert tree.children(ROOT).tolist() == made
            block, before = last_block(tree, ROOT)
            assert last_of_block(tree.nodes[ROOT], block, before) == made[-1]
            assert made[before] == block
        tree.nodes[ROOT].num_children = 0
        tree.nodes[ROOT].first_child = NO_NODE


@pytest.mark.parametrize("platform", ["linux", "elsewhere"])
def test_there_is_room_before_the_first_node(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prefetch of a node without children stays inside the tree's own memory."""
    monkeypatch.setattr("sys.platform", platform)
    nodes = Tree.reserve(100).nodes.array
    assert len(nodes) == 100
    memory = np.frombuffer(nodes.base, dtype=np.uint8)
    assert memory.ctypes.data <= nodes.ctypes.data - nodes.itemsize
    assert nodes.ctypes.data + nodes.nbytes <= memory.ctypes.data + memory.nbytes
    if platform == "linux":
        assert nodes.ctypes.data % 64 == 0


@pytest.mark.parametrize("dtype", [HALVES, QUARTERED, WHOLE])
def test_children_keep_their_numbers_as_more_are_made(dtype: Any) -> None:
    tree = Tree.reserve(200, dtype)
    tree.nodes[ROOT].num_legal = 60
    made = [add_child(tree, ROOT, action) for action in range(60)]
    assert len(set(made)) == 60
    assert tree.children(ROOT).tolist() == made
    assert tree.nodes.array["action"][made].tolist() == list(range(60))


def test_a_full_tree_makes_no_more_children() -> None:
    tree = Tree.reserve(5)
    tree.nodes[ROOT].num_legal = 9
    made = [add_child(tree, ROOT, action) for action in range(9)]
    assert made.count(NO_NODE) == 5
    assert tree.info[0].full == 1
    assert tree.num_nodes == 5


@pytest.mark.parametrize("expansion", [RandomChild(), AllChildren(threshold=4)])
def test_visits_add_up_everywhere(expansion: Any) -> None:
    """N(node) = sum of N(children) + the rollouts from the node itself."""
    search = grown(expansion=expansion)
    tree, game = search.tree, search.game
    nodes = tree.nodes.array
    positions = {ROOT: Position(game)}
    for node in walk(tree):
        position = positions.pop(node)
        children = tree.children(node)
        own = int(nodes["visits"][node]) - int(nodes["visits"][children].sum())
        if node == ROOT:
            assert own == 0
        elif position.is_terminal:
            assert len(children) == 0
        elif len(children) and isinstance(expansion, RandomChild):
            assert own == 1
        elif len(children):
            assert own == expansion.threshold
        for child in children:
            positions[int(child)] = position.copy().play(int(nodes["action"][child]))


def test_values_stay_within_their_visits() -> None:
    nodes = grown().tree.nodes.array
    used = nodes[walk(grown().tree)]
    assert (np.abs(used["value_sum"]) <= used["visits"]).all()


@pytest.mark.parametrize("move", ["b2", "a1", "c1"])
def test_the_kept_subtree_has_the_old_statistics(move: str) -> None:
    search = grown()
    old = search.tree
    action = search.game.parse_action(move)
    children = old.children(ROOT)
    (kept,) = children[old.nodes.array["action"][children] == action]

    def shape(tree: Tree, node: int) -> list[tuple[Any, ...]]:
        return [
            tree.nodes.array[n][
                ["visits", "value_sum", "num_children", "num_legal"]
            ].item()
            for n in walk(tree, node)
        ]

    expected = shape(old, int(kept))
    search.advance(move)
    assert shape(search.tree, ROOT) == expected
    assert search.tree.num_nodes < old.num_nodes
    before = int(search.tree.nodes[ROOT].visits)
    result = search.search(limit=Limit(simulations=500))
    assert result.simulations == 500
    assert result.visits == before + 500


def test_an_opponents_move_and_a_take_back_and_a_foreign_position() -> None:
    search = grown()
    follow = Position.from_moves(TicTacToe(), ["b2", "a1"])
    assert search.search(follow, Limit(simulations=100)).visits > 100  # kept
    back = Position.from_moves(TicTacToe(), ["b2"])
    assert search.search(back, Limit(simulations=100)).visits == 100  # afresh
    foreign = Position.from_moves(TicTacToe(), ["c3", "a2"])
    assert search.search(foreign, Limit(simulations=100)).visits == 100
    assert search.search(foreign, Limit(simulations=100)).visits == 200  # goes on


def test_advancing_to_a_move_without_a_child_starts_afresh() -> None:
    search = MCTS(TicTacToe(), seed=1)
    search.search(limit=Limit(simulations=2))
    tried = {row.move for row in search.search(limit=Limit(simulations=1)).actions}
    other = next(m for m in ("a1", "a2", "a3", "b1") if m not in tried)
    search.advance(other)
    assert search.tree.nodes[ROOT].visits == 0
    assert search.search(limit=Limit(simulations=50)).visits == 50


def test_a_special_root_keeps_no_subtree() -> None:
    """An inner node's children would not be the moves that must be tried at a root."""
    search = MCTS(TicTacToe(), expansion=RandomChild(urgent="root"), seed=1)
    search.search(limit=Limit(simulations=3000))
    for move in ("a1", "c3", "a2"):
        search.advance(move)
    result = search.search(limit=Limit(simulations=200))
    assert [row.move for row in result.actions] == ["a3"]


def test_the_tree_stops_growing_at_its_limit_and_the_search_goes_on() -> None:
    search = MCTS(ConnectFour(), seed=1)
    result = search.search(limit=Limit(simulations=20_000, nodes=500))
    assert result.simulations == 20_000
    assert result.nodes <= 500
    assert result.stopped_by == "simulations"
    small = MCTS(ConnectFour(), seed=1).search(limit=Limit(simulations=5000, nodes=1))
    assert {row.visits > 0 for row in small.actions} == {True}  # the root's moves fit
    assert len(small.actions) == 7
    bytes_limit = MCTS(ConnectFour(), seed=1).search(
        limit=Limit(simulations=5000, memory=32_000)
    )
    assert bytes_limit.tree_bytes <= 32_000


def test_without_seconds_or_simulations_a_full_tree_ends_the_search() -> None:
    result = MCTS(ConnectFour(), seed=1).search(limit=Limit(nodes=2000))
    assert result.stopped_by == "tree full"
    assert 1900 < result.nodes <= 2000


def test_counters_go_past_two_to_the_31() -> None:
    search = grown(2000)
    nodes = search.tree.nodes.array
    children = search.tree.children(ROOT)
    big = 2**31 + 5
    nodes["visits"][ROOT] = big + int(nodes["visits"][children[1:]].sum())
    nodes["visits"][children[0]] = big
    nodes["value_sum"][children[0]] = 0.25 * big
    before = nodes["visits"][ROOT].item()
    result = search.search(limit=Limit(simulations=1000))
    assert result.visits == before + 1000
    assert (
        abs(nodes["value_sum"][children[0]] / nodes["visits"][children[0]] - 0.25)
        < 1e-6
    )


def test_sums_are_exact_at_a_hundred_million_visits() -> None:
    """A float32 sum would not change any more when a thousand returns are added."""
    search = grown(6000)
    nodes = search.tree.nodes.array
    child = search.tree.children(ROOT)[0]
    others = search.tree.children(ROOT)[1:]
    nodes["visits"][child] = 100_000_000
    nodes["value_sum"][child] = 90_000_000.0  # so good that it is always chosen
    nodes["visits"][ROOT] = 100_000_000 + int(nodes["visits"][others].sum())
    search.search(limit=Limit(simulations=1000))
    assert nodes["visits"][child] == 100_001_000
    change = nodes["value_sum"][child] - 90_000_000.0
    assert change == int(change)
    assert 0 < abs(change) <= 1000


def test_the_visit_counter_stops_the_search_at_its_end() -> None:
    search = grown(500)
    nodes = search.tree.nodes.array
    nodes["visits"][ROOT] = MAX_VISITS - 100
    nodes["visits"][search.tree.children(ROOT)[0]] = MAX_VISITS - 1000
    result = search.search(limit=Limit(simulations=5000))
    assert result.stopped_by == "visits"
    assert result.visits == MAX_VISITS


@pytest.mark.optimised
def test_a_million_simulations_take_at_most_40_bytes_each() -> None:
    search = MCTS(
        ConnectFour(), selection=UCT(), seed=1, expansion=RandomChild(urgent="never")
    )
    result = search.search(limit=Limit(simulations=1_000_000))
    assert result.tree_bytes <= 40 * result.simulations


def test_the_memory_of_a_graph_includes_its_table() -> None:
    search = MCTS(ConnectFour(), seed=1, transpositions=True)
    limit = Limit(simulations=20_000, memory=100_000)
    assert 90_000 < search.search(limit=limit).tree_bytes <= 100_000


def test_a_kept_tree_larger_than_the_limit_is_given_up() -> None:
    """The limit is in nodes or in bytes; a tree that fits keeps its statistics."""
    search = MCTS(ConnectFour(), seed=1)
    large = search.search(limit=Limit(simulations=20_000))
    assert large.nodes > 19_000
    kept = search.search(limit=Limit(simulations=1000, nodes=large.nodes + 2000))
    assert kept.visits == 21_000
    for limit, most in (
        (Limit(simulations=1000, nodes=500), 500),
        (Limit(simulations=1000, memory=16_000), 500),
    ):
        search.search(limit=Limit(simulations=20_000))
        small = search.search(limit=limit)
        assert small.visits == small.simulations == 1000
        assert small.nodes <= most
        assert len(search.tree.nodes) <= most


def test_a_subtree_larger_than_the_limit_is_given_up() -> None:
    search = MCTS(ConnectFour(), seed=1)
    best = search.search(limit=Limit(simulations=20_000)).move
    search.advance(best)
    assert search.tree.num_nodes > 500
    result = search.search(limit=Limit(simulations=1000, nodes=500))
    assert result.nodes <= 500
    assert result.visits == 1000


def test_a_subtree_needs_room_for_its_tree() -> None:
    tree = grown(300).tree
    with pytest.raises(UsageError, match="needs at least that capacity"):
        tree.subtree(ROOT, 5)

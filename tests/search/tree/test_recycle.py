"""A full tree keeps its best part, without bias (docs/checklist.md, row 11)."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    UCT,
    AllChildren,
    ConnectFour,
    Game,
    Limit,
    Position,
    RandomChild,
    TicTacToe,
    Tree,
    Unsolved,
)
from playout.search.solver.bounds import is_proven
from playout.search.tree.nodes import FULL, ROOM, ROOT, STUCK
from playout.search.tree.recycle import (
    NUM_CLASSES,
    class_of,
    keep_below,
    keep_best,
    recycle,
    room_below,
)
from tests.search.support import board_of, minimax, walk

#: Yellow, to move, wins by 4 alone: three in a row, open on one side.
WON_BY_FOUR = "112233"


def grown(nodes: int, simulations: int = 20_000, **keywords: Any) -> MCTS:
    search = MCTS(ConnectFour(), **{"seed": 1, "solver": Unsolved(), **keywords})
    search.search(limit=Limit(simulations=simulations, nodes=nodes))
    return search


def statistics(tree: Tree) -> dict[tuple[int, ...], tuple[Any, ...]]:
    """What is known of every visited node, by the moves that lead there."""
    found, stack = {}, [(ROOT, ())]
    while stack:
        node, path = stack.pop()
        row = tree.nodes.array[node]
        names = ["visits", "value_sum", "num_legal", "proven", "num_children"]
        found[path] = row[names].item()
        for child in tree.children(node):
            action = int(tree.nodes.array["action"][child])
            stack.append((int(child), (*path, action)))
    return found


@pytest.mark.parametrize("interpreted", [False, True])
def test_the_statistics_of_kept_nodes_are_intact(interpreted: bool) -> None:
    search = grown(100_000, 3000)
    tree = search.tree
    tree.info[0].capacity = tree.num_nodes
    before = statistics(tree)
    recycle(tree, interpreted)
    after = statistics(tree)
    assert 0.4 * tree.capacity < tree.num_nodes <= 0.5 * tree.capacity
    for path, known in after.items():
        assert known[:4] == before[path][:4]
        assert known[4] in (0, before[path][4])
    assert tree.info[0].full == ROOM


def test_the_least_visited_subtrees_are_the_ones_recycled() -> None:
    search = grown(100_000, 5000)
    tree = search.tree
    tree.info[0].capacity = tree.num_nodes
    before = statistics(tree)
    recycle(tree)
    after = statistics(tree)
    parents = [path for path, known in before.items() if known[4] > 0]
    kept = [before[p][0] for p in parents if p in after and after[p][4] > 0]
    lost = [before[p][0] for p in parents if p not in after or after[p][4] == 0]
    assert len(kept) > 100
    assert len(lost) > 100
    # Classes of visits are told apart to 6 %; the root keeps its children always.
    assert max(lost) < 1.07 * min(kept)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_as_many_classes_of_visits_are_kept_as_there_is_room_for(share: float) -> None:
    """Whole classes, those of most visits first; none for which there would be room.

    The root's children are counted once for the root and once for its class.
    """
    search = MCTS(TicTacToe(), seed=1, solver=Unsolved(), interpreted=True)
    search.search(limit=Limit(simulations=600))
    tree = search.tree
    target = int(share * tree.num_nodes)
    parents = {path: row[0] for path, row in statistics(tree).items() if row[4] > 0}
    room: Counter[int] = Counter()
    for node in walk(tree):
        room[class_of(tree.nodes[node].visits)] += room_below(tree, tree.nodes[node])
    classes, kept = sorted(+room, reverse=True), []
    left = target - room_below(tree, tree.nodes[ROOT])
    while room[classes[len(kept)]] <= left:
        left -= room[classes[len(kept)]]
        kept.append(classes[len(kept)])
    assert 3 < len(kept) < len(classes)
    forward, counts = np.empty(tree.num_nodes, np.int32), np.zeros(NUM_CLASSES, int)
    keep_best(tree, forward, counts, target)
    after = {path for path, row in statistics(tree).items() if row[4] > 0}
    assert after == {path for path, n in parents.items() if class_of(n) in kept}


def test_nothing_is_left_in_between() -> None:
    """Every node is the root or a child of a node that is kept."""
    tree = grown(2000).tree
    recycle(tree)
    room = 1
    for node in walk(tree):
        size = len(tree.children(node))
        room += size
    assert room <= tree.num_nodes <= 0.5 * tree.capacity
    # Blocks have room to grow, mostly less than half.
    assert room > 0.5 * tree.num_nodes


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_move_leaves_is_the_same_in_the_old_memory(
    threads: int, interpreted: bool
) -> None:
    """It equals a copy: the statistics of every node, and the depth."""
    tree = grown(100_000, 3000, threads=threads, selection=UCT(c_uct=0.4)).tree
    below = max(tree.children(ROOT), key=lambda child: tree.nodes[child].visits)
    tree.info[0].capacity = 2 * tree.num_nodes
    copy = keep_below(tree, int(below), interpreted)
    assert copy is not tree
    tree.info[0].capacity = tree.num_nodes
    assert keep_below(tree, int(below), interpreted) is tree
    assert statistics(tree) == statistics(copy)
    assert tree.num_nodes == copy.num_nodes < tree.capacity
    assert tree.info[0].max_depth == copy.info[0].max_depth > 5


def test_the_limit_holds_where_moves_are_played_in_a_full_tree() -> None:
    """Tried with room to copy what is kept, and without: this seed has both."""
    search = MCTS(ConnectFour(), selection=UCT(c_uct=0.3), seed=5, solver=Unsolved())
    in_place = []
    for _ in range(6):
        result = search.search(limit=Limit(simulations=5000, nodes=2000))
        kept = next(row for row in result.actions if row.move == result.move)
        memory = search.tree.nodes.array
        search.advance(result.move)
        assert search.tree.visits == kept.visits > 2500
        assert search.tree.num_nodes <= 2000
        in_place.append(search.tree.nodes.array is memory)
    assert {*in_place} == {False, True}


@pytest.mark.parametrize("nodes", [300, 3000])
@pytest.mark.parametrize("expansion", [RandomChild(), AllChildren(threshold=3)])
def test_a_small_tree_holds_the_limit_and_says_the_same(
    nodes: int, expansion: Any
) -> None:
    """Small trees find the mean of a large one, in an uneven position."""
    position = Position.from_moves(ConnectFour(), list("4455"))
    results = []
    for cap in (1_000_000, nodes):
        search = MCTS(ConnectFour(), seed=1, solver=Unsolved(), expansion=expansion)
        limit = Limit(simulations=30_000, nodes=cap)
        results.append(search.search(position, limit))
        assert search.tree.num_nodes <= cap
    large, small = results
    assert small.move == large.move
    assert small.simulations == 30_000
    assert sum(row.visits for row in small.actions) == small.visits
    assert small.value > 0.5 * large.value > 0.2


@dataclass(frozen=True)
class Gate(Game):
    """The only way leads to eight moves for the other: four lose, four draw."""

    def num_actions(self):
        return 8

    def max_game_length(self):
        return 2

    def state_dtype(self):
        return np.dtype([("ply", "i1"), ("last", "i1")])

    def initial_state(self, state):
        state.ply = 0

    def current_player(self, state):
        return state.ply % 2

    def legal_actions(self, state, actions):
        count = 0 if state.ply == 2 else 1 + 7 * state.ply
        for action in range(count):
            actions[action] = action
        return count

    def apply(self, state, action):
        state.ply += 1
        state.last = action

    def is_terminal(self, state):
        return state.ply == 2

    def returns(self, state, player):
        value = 1.0 if state.last < 4 else 0.0
        return value if player == 0 else -value


@pytest.mark.parametrize("options", [{}, {"transpositions": True}, {"threads": 2}])
def test_where_all_that_has_room_is_settled_the_rest_is_played_out(
    options: dict[str, Any],
) -> None:
    """Not even half of the eight are proven, and for more there is no room.

    Rollouts find the mean of all, 0.5; five standard errors are passed by chance in one
    of a million runs.
    """
    search = MCTS(Gate(), seed=1, interpreted=True, **options)
    search.search(limit=Limit(simulations=4))
    tree, team = search.tree, search._forest.teams[0]
    tree.info[0].capacity, tree.info[0].full = tree.num_nodes, STUCK
    for call in team.calls(tree, 600, 600, in_turn=True):
        with np.errstate(over="ignore"):
            team.kernel.function(*call)
    team.return_unused(tree)
    node = tree.entry(int(tree.children(ROOT)[0]))
    assert 0 < len(tree.children(node)) < 5
    root = tree.nodes[ROOT]
    assert root.visits == 600
    assert abs(abs(root.value_sum / root.visits) - 0.5) < 5 * 0.5 / np.sqrt(600)


@dataclass(frozen=True)
class Sum(Game):
    """Six digits 0, 1 and 2, by turns; their mean, minus 1, is the first player's."""

    def num_actions(self):
        return 3

    def max_game_length(self):
        return 6

    def state_dtype(self):
        return np.dtype([("ply", "i1"), ("sum", "i1")])

    def initial_state(self, state):
        state.ply = 0

    def current_player(self, state):
        return state.ply % 2

    def legal_actions(self, state, actions):
        if state.ply == 6:
            return 0
        for action in range(3):
            actions[action] = action
        return 3

    def apply(self, state, action):
        state.ply += 1
        state.sum += action

    def is_terminal(self, state):
        return state.ply == 6

    def returns(self, state, player):
        value = (state.sum - 6) / 6.0
        return value if player == 0 else -value


@pytest.mark.parametrize("expansion", [RandomChild(), AllChildren()], ids=str)
def test_a_tree_that_is_recycled_over_and_over_is_not_biased(expansion: Any) -> None:
    """Exploration alone takes all actions alike: the exact mean is that of all games.

    Five digits are then drawn evenly, so that a mean of n games has a standard error of
    at most sqrt(5 * 2/3) / 6 / sqrt(n): five of them are passed by chance in one of
    500,000 runs. To favour any digit at one depth shifts the mean by 0.17, ten of them.
    """
    search = MCTS(
        Sum(),
        seed=1,
        selection=UCT(c_uct=1e6),
        expansion=expansion,
        solver=Unsolved(),
        interpreted=True,
    )
    result = search.search(limit=Limit(simulations=2400, nodes=150))
    assert result.nodes <= 150
    for row in result.actions:
        error = np.sqrt(5 * 2 / 3) / 6 / np.sqrt(row.visits)
        assert abs(row.visits - 800) <= 1
        assert abs(row.mean - (row.action - 1) / 6) < 5 * error


@pytest.mark.parametrize("nodes", [1, 20, 60, 200, 1000])
def test_tiny_caps_give_the_winning_move_and_no_growth(nodes: int) -> None:
    position = Position.from_moves(ConnectFour(), list(WON_BY_FOUR))
    for seed in range(3):
        search = MCTS(ConnectFour(), seed=seed, expansion=RandomChild(urgent="never"))
        limit = Limit(simulations=5000, nodes=nodes)
        result = search.search(position, limit)
        assert result.move == "4"
        assert result.nodes <= max(nodes, 9)


def test_where_nothing_can_be_gained_the_search_goes_on_in_the_tree_it_has() -> None:
    search = grown(1, 3000)
    tree = search.tree
    assert tree.info[0].full == STUCK
    assert tree.num_nodes == tree.capacity == 9
    assert tree.visits == 3000


@pytest.mark.parametrize("nodes", [30, 100, 500])
def test_a_node_with_children_is_no_leaf_when_there_is_no_room(nodes: int) -> None:
    """It keeps one visit of its own; later simulations go on to its children."""
    search = grown(100_000, 1000)
    tree = search.tree
    tree.info[0].capacity = tree.num_nodes
    tree.info[0].full = STUCK
    own = own_visits(tree)
    native, work = search._forest.native, search._forest.teams[0].works[0]
    assert native is not None
    native(search.policies, tree, work, 5000, 5000)
    assert tree.visits == 5000
    later = own_visits(tree)
    for node, visits in own.items():
        if len(tree.children(node)):
            assert later[node] == visits


def own_visits(tree: Tree) -> dict[int, int]:
    visits = tree.nodes.array["visits"]
    return {
        node: int(visits[node]) - int(visits[tree.children(node)].sum())
        for node in walk(tree)
    }


def test_the_same_seed_gives_the_same_tree_whenever_the_clock_is_read() -> None:
    trees = []
    for wanted in ([6000], [1, 2999, 3000]):
        search = MCTS(ConnectFour(), seed=3)
        for simulations in wanted:
            search.search(limit=Limit(simulations=simulations, nodes=700))
        tree = search.tree
        trees.append(tree.nodes.array[: tree.num_nodes].tolist())
    assert trees[0] == trees[1]


def test_proofs_stay_right_in_a_tree_without_room() -> None:
    """Tic-tac-toe needs a few thousand nodes; there is room for fewer."""
    found = 0
    for seed in range(4):
        search = MCTS(TicTacToe(), seed=seed)
        position = Position.from_moves(TicTacToe(), ["b2", "a1"])
        search.search(position, Limit(simulations=20_000, nodes=150))
        tree, nodes = search.tree, search.tree.nodes.array
        stack = [(ROOT, position)]
        while stack:
            node, at = stack.pop()
            proven = int(nodes["proven"][node])
            if is_proven(proven):
                mover = 1 - at.current_player
                over = at.is_terminal
                value = at.returns(mover) if over else -minimax(board_of(at))
                assert (proven & 3) - 1 == value
                found += 1
            for child in tree.children(node):
                after = at.copy().play(int(nodes["action"][child]))
                stack.append((int(child), after))
    assert found > 50


def test_moves_are_played_on_from_a_recycled_tree() -> None:
    search = MCTS(ConnectFour(), seed=1)
    position = Position(ConnectFour())
    while not position.is_terminal:
        result = search.search(position, Limit(simulations=2000, nodes=400))
        assert result.nodes <= 400
        position.play(result.action)


def test_only_a_limit_of_size_ends_when_the_tree_is_full() -> None:
    search = MCTS(ConnectFour(), selection=UCT(), seed=1)
    result = search.search(limit=Limit(nodes=2000))
    assert result.stopped_by == "tree full"
    assert search.tree.info[0].full == FULL
    assert np.count_nonzero(search.tree.nodes.array["visits"][:2000]) > 1000

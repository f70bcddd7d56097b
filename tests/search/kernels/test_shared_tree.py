"""Threads on one tree: exact statistics, limits, proofs, failures (CHECKLIST 12)."""

import os
import signal
import threading
import time
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
    Mean,
    Position,
    RandomChild,
    TicTacToe,
    Tree,
    Unsolved,
    UsageError,
)
from playout.core.jit.atomics import news
from playout.search.kernels.shared_tree import share_branches, share_leaves
from playout.search.kernels.virtual_loss import burden
from playout.search.running import forest
from playout.search.solver.bounds import is_proven, lower_of
from playout.search.tree.nodes import OWNED, ROOT, TRUNK
from tests.search.test_strength import minimax, to_move
from tests.search.tree.test_tree import walk
from tests.toys import Nim, ThreeWays, Wheel


@dataclass(frozen=True)
class WholeMean(Mean):
    """The mean, which says that it has to see whole paths."""

    splits = False


@dataclass(frozen=True)
class Heap(Nim):
    """Nim with as many moves as Gomoku has."""

    stones: int = 3000
    most: int = 225

    def num_actions(self):
        return 226


KERNELS = {"branches": Mean(), "leaves": WholeMean()}


@pytest.fixture(autouse=True)
def threads_from_the_first_simulation_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest, "ALONE_SECONDS", 0.0)


def grown(
    threads: int, simulations: int = 20_000, game: Game | None = None, **keywords: Any
) -> MCTS:
    keywords = {"seed": 1, "solver": Unsolved(), **keywords}
    search = MCTS(game or ConnectFour(), threads=threads, **keywords)
    result = search.search(limit=Limit(simulations=simulations), forced_too=True)
    assert result.simulations == search.tree.visits
    return search


def check(tree: Tree, own_visits: int | None = 1) -> None:
    """What must hold everywhere in a tree of a game of two who take turns.

    A lost update or a virtual loss that is left breaks the sums; a child made twice is
    seen by its action.
    """
    nodes = tree.nodes.array
    seen = set()
    for node in walk(tree):
        assert node not in seen
        seen.add(node)
        row, children = nodes[node], tree.children(node)
        below = nodes[children]
        own = int(row["visits"]) - int(below["visits"].sum())
        value = float(row["value_sum"] + below["value_sum"].sum())
        if row["visits"] == 0:  # made with its siblings, and not tried yet
            assert (row["num_children"], row["value_sum"]) == (0, 0)
            continue
        assert value == int(value)
        assert abs(value) <= own
        assert row["owner"] != OWNED
        assert len(set(below["action"].tolist())) == len(children)
        assert len(children) <= max(0, row["num_legal"])
        if len(children) and own_visits is not None:
            assert own == (0 if node == ROOT else own_visits)
    assert max(seen) < tree.num_nodes


# -- statistics ------------------------------------------------------------------------


def test_the_policies_decide_which_kernel_runs() -> None:
    for threads, backup, kernel in (
        (2, Mean(), share_branches),
        (2, WholeMean(), share_leaves),
    ):
        search = MCTS(TicTacToe(), threads=threads, backup=backup)
        assert search._forest.crews[0].kernel is kernel


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("threads", [2, 3, 8, 64])
def test_nothing_is_lost_and_nothing_is_left(kernel: str, threads: int) -> None:
    search = grown(threads, backup=KERNELS[kernel])
    assert search.tree.visits == 20_000
    check(search.tree)


@pytest.mark.parametrize("kernel", KERNELS)
def test_searches_that_go_on_and_moves_that_are_played(kernel: str) -> None:
    search = MCTS(
        ConnectFour(), seed=1, threads=4, backup=KERNELS[kernel], solver=Unsolved()
    )
    position = Position(ConnectFour())
    for _ in range(6):
        for simulations in (1, 2, 997, 2000):
            before = search._forest.trees[0].visits if search._forest.trees else 0
            result = search.search(position, Limit(simulations=simulations))
            assert result.simulations == simulations
            assert before == 0 or search.tree.visits >= simulations
        check(search.tree, None if position.actions else 1)
        position.play(result.action)
    if kernel == "branches":
        assert search.tree.nodes[ROOT].owner == TRUNK


@pytest.mark.parametrize("kernel", KERNELS)
def test_children_in_batches(kernel: str) -> None:
    keywords = {"game": TicTacToe(), "interpreted": True}
    batches = AllChildren(threshold=5)
    search = grown(3, 250, backup=KERNELS[kernel], expansion=batches, **keywords)
    assert search.tree.visits == 250
    check_batches(search.tree)


def check_batches(tree: Tree) -> None:
    nodes = tree.nodes.array
    for node in walk(tree):
        below = nodes[tree.children(node)]
        own = int(nodes["visits"][node]) - int(below["visits"].sum())
        value = float(nodes["value_sum"][node] + below["value_sum"].sum())
        assert value == int(value)
        assert abs(value) <= own


def test_one_thread_is_the_search_without_threads() -> None:
    trees = []
    for keywords in ({}, {"threads": 1}):
        search = MCTS(ConnectFour(), seed=5, **keywords)
        search.search(limit=Limit(simulations=3000))
        tree = search.tree
        trees.append(tree.nodes.array[: tree.num_nodes].tolist())
    assert trees[0] == trees[1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_slow_twin_grows_the_same_tree(kernel: str) -> None:
    """The threads are called one after the other, so that timing changes nothing."""
    trees = []
    for interpreted in (False, True):
        search = MCTS(
            TicTacToe(),
            seed=4,
            threads=3,
            backup=KERNELS[kernel],
            interpreted=interpreted,
        )
        search.compile()
        search._forest.make_room(Limit(nodes=5000), Position(TicTacToe()))
        crew, tree = search._forest.crews[0], search._forest.trees[0]
        assert search._forest.native is not None
        for until in (10, 100, 250):
            for call in crew.calls(tree, until, until, in_turn=True):
                with np.errstate(over="ignore"):
                    search._forest.native(*call)
        crew.hand_in(tree)
        trees.append(tree.nodes.array[: tree.num_nodes].tolist())
        assert tree.visits == 250
    assert trees[0] == trees[1]


@pytest.mark.parametrize("kernel", KERNELS)
def test_three_players(kernel: str) -> None:
    search = MCTS(
        ThreeWays(), seed=1, threads=3, backup=KERNELS[kernel], interpreted=True
    )
    position = Position.from_moves(ThreeWays(), ["1", "1"])
    result = search.search(position, Limit(simulations=100))
    assert (result.move, result.proven) == ("0", "win")


@pytest.mark.parametrize("interpreted", [False, True])
def test_no_path_is_longer_than_a_game_may_be(interpreted: bool) -> None:
    """Depths in a branch are counted from where it begins."""
    game = Wheel(most=4)
    kinds = [(2, Mean()), (8, Mean())]
    for threads, backup in kinds + [(2, WholeMean())] * interpreted:
        search = MCTS(
            game, seed=1, threads=threads, backup=backup, interpreted=interpreted
        )
        result = search.search(limit=Limit(simulations=700 if interpreted else 5000))
        assert result.depth == game.max_game_length() + 1
        check(search.tree, None)


def test_discounts_count_from_the_root() -> None:
    """The mean of a move that wins at once, which another thread may have tried."""
    position = Position(Nim(), "left=3 player=0")
    options = {"backup": Mean(discount=0.1), "solver": Unsolved(), "interpreted": True}
    for threads in (1, 4):
        search = MCTS(Nim(), seed=1, threads=threads, **options)
        result = search.search(position, Limit(simulations=300))
        best = next(row for row in result.actions if row.move == result.move)
        assert best.action == 3
        assert best.mean == pytest.approx(0.9)


# -- virtual loss ----------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("loss", [0.0, 0.5, 3.0])
def test_any_virtual_loss_is_taken_off_again(kernel: str, loss: float) -> None:
    search = grown(8, 10_000, backup=KERNELS[kernel], virtual_loss=loss)
    check(search.tree)


def test_a_virtual_loss_sends_others_elsewhere() -> None:
    """What the nodes on a path look like while a simulation is under way."""
    search = grown(2, 500, backup=WholeMean(), virtual_loss=2.0)
    tree, work = search.tree, search._forest.crews[0].works[0]
    child = int(tree.children(ROOT)[0])
    work.path[0].node, work.path[1].node = ROOT, child
    before = tree.nodes.array[[ROOT, child]][["visits", "value_sum"]].tolist()
    score = UCT().score(tree.nodes[child], UCT().parent_term(tree.nodes[ROOT]))
    burden(tree, work, 1, 3)
    after = tree.nodes.array[[ROOT, child]][["visits", "value_sum"]].tolist()
    assert [(v + 3, w - 6) for v, w in before] == after
    worse = UCT().score(tree.nodes[child], UCT().parent_term(tree.nodes[ROOT]))
    assert worse < score
    burden(tree, work, 1, -3)
    assert tree.nodes.array[[ROOT, child]][["visits", "value_sum"]].tolist() == before


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf"), "1"])
def test_a_wrong_virtual_loss_is_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match="virtual_loss must be"):
        MCTS(TicTacToe(), threads=2, virtual_loss=wrong)


def test_there_are_not_more_threads_than_anybody_has_processors() -> None:
    with pytest.raises(UsageError, match="threads must be at most 1024, not 1000000"):
        MCTS(TicTacToe(), threads=10**6)


# -- proofs ----------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("threads", [2, 8])
def test_proofs_are_right_and_reach_the_root(kernel: str, threads: int) -> None:
    for seed in range(5):
        search = MCTS(TicTacToe(), seed=seed, threads=threads, backup=KERNELS[kernel])
        result = search.search(limit=Limit(simulations=20_000))
        assert (result.proven, result.stopped_by) == ("draw", "proven")
        assert check_proofs(search.tree) > 100


@pytest.mark.parametrize("kernel", KERNELS)
def test_proofs_are_right_in_a_tree_that_is_recycled(kernel: str) -> None:
    for seed in range(3):
        search = MCTS(TicTacToe(), seed=seed, threads=4, backup=KERNELS[kernel])
        result = search.search(limit=Limit(simulations=20_000, nodes=600))
        assert result.proven in ("draw", None)
        assert result.nodes <= 600
        assert check_proofs(search.tree) > 10


def check_proofs(tree: Tree) -> int:
    """How many nodes of tic-tac-toe are proven; each as perfect play says."""
    found, stack = 0, [(ROOT, "." * 9)]
    while stack:
        node, cells = stack.pop()
        row = tree.nodes[node]
        if is_proven(row.proven):
            assert lower_of(row.proven) == -minimax(cells)
            found += 1
        for child in tree.children(node):
            action = int(tree.nodes.array["action"][child])
            after = cells[:action] + to_move(cells) + cells[action + 1 :]
            stack.append((int(child), after))
    return found


# -- limits ----------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("simulations", [1, 2, 3, 17, 1001])
def test_simulations_are_counted_exactly(kernel: str, simulations: int) -> None:
    search = grown(8, simulations, backup=KERNELS[kernel])
    assert search.tree.visits == simulations


def test_seconds_nodes_and_memory_hold_with_threads() -> None:
    for limit, reason in (
        (Limit(seconds=0.2), "seconds"),
        (Limit(seconds=0.2, nodes=500), "seconds"),
        (Limit(simulations=30_000, nodes=3000), "simulations"),
        (Limit(simulations=30_000, memory=100_000), "simulations"),
        (Limit(nodes=5000), "tree full"),
    ):
        search = MCTS(ConnectFour(), seed=1, threads=4, solver=Unsolved())
        result = search.search(limit=limit)
        assert result.stopped_by == reason
        assert result.simulations == search.tree.visits
        assert result.nodes <= (limit.nodes or 10**9)
        assert result.tree_bytes <= (limit.memory or 10**9)
        assert limit.seconds is None or result.seconds < limit.seconds + 1
        check_batches_of_recycled(search.tree)


def check_batches_of_recycled(tree: Tree) -> None:
    """Sums that hold where children may have been recycled, too."""
    nodes = tree.nodes.array
    for node in walk(tree):
        below = int(nodes["visits"][tree.children(node)].sum())
        assert nodes["visits"][node] >= max(below, len(tree.children(node)) > 0)
        assert abs(nodes["value_sum"][node]) <= nodes["visits"][node]
        assert nodes["owner"][node] != OWNED


def test_ctrl_c_returns_the_best_so_far_and_leaves_a_sound_tree() -> None:
    search = MCTS(ConnectFour(), seed=1, threads=3, solver=Unsolved())
    search.compile()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = search.search(limit=Limit(seconds=60))
    assert result.stopped_by == "interrupted"
    assert result.simulations == search.tree.visits > 0
    check(search.tree)
    assert search.search(limit=Limit(simulations=100)).simulations == 100
    assert not [t for t in threading.enumerate() if "ThreadPool" in t.name]


@dataclass(frozen=True)
class InterruptedMean(Mean):
    """Ctrl-C amid a backup, once: the leaf is counted, nothing above it is."""

    def update(self, tree, work, depth, plies):
        if tree.nodes[ROOT].visits >= 60 and not PRESSED:
            PRESSED.append(True)
            tree.nodes[work.path[depth].node].visits += 1
            raise KeyboardInterrupt
        super().update(tree, work, depth, plies)


@dataclass(frozen=True)
class InterruptedWhole(InterruptedMean):
    splits = False


PRESSED: list[bool] = []


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("backup", [InterruptedMean(), InterruptedWhole()])
def test_ctrl_c_amid_an_interpreted_simulation(threads: int, backup: Mean) -> None:
    """The best so far is told; the tree, the lock and what is lent are not kept."""
    PRESSED.clear()
    search = MCTS(
        TicTacToe(),
        seed=1,
        threads=threads,
        backup=backup,
        solver=Unsolved(),
        interpreted=True,
    )
    result = search.search(limit=Limit(simulations=1000))
    assert result.stopped_by == "interrupted"
    assert 0 < result.simulations < 1000
    with pytest.raises(UsageError, match="no tree yet"):
        _ = search.tree
    again = search.search(limit=Limit(simulations=100))
    assert again.simulations == again.visits == 100
    check(search.tree)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_smallest_tree_has_room_for_the_roots_moves(kernel: str) -> None:
    search = MCTS(
        ConnectFour(), seed=1, threads=8, backup=KERNELS[kernel], solver=Unsolved()
    )
    result = search.search(limit=Limit(simulations=3000, nodes=9))
    assert result.simulations == 3000
    assert sum(row.visits > 0 for row in result.actions) == 7
    check_batches_of_recycled(search.tree)


# -- failures --------------------------------------------------------------------------


@dataclass(frozen=True)
class BrittleMean(Mean):
    """Its update fails once the root has been visited so often."""

    most: int = 5000

    def update(self, tree, work, depth, plies):
        if tree.nodes[ROOT].visits > self.most:
            raise ValueError("broken policy")
        for index in range(depth + 1):
            row = tree.nodes[work.path[index].node]
            row.visits += 1


@dataclass(frozen=True)
class BrittleBranches(BrittleMean):
    """The same for threads that own branches."""

    splits = True


@pytest.mark.parametrize("backup", [BrittleMean(), BrittleBranches()], ids=KERNELS)
def test_a_failing_thread_ends_the_search_with_its_error(backup: Mean) -> None:
    for threads in (2, 8, 32):
        search = MCTS(
            ConnectFour(), seed=1, threads=threads, solver=Unsolved(), backup=backup
        )
        search.compile()
        started = time.monotonic()
        with pytest.raises(ValueError, match="broken policy"):
            search.search(limit=Limit(seconds=60))
        assert time.monotonic() - started < 40
        assert not [t for t in threading.enumerate() if "ThreadPool" in t.name]
        with pytest.raises(UsageError, match="no tree yet"):
            _ = search.tree


def test_after_a_failure_it_may_be_used_again() -> None:
    search = MCTS(
        ConnectFour(), seed=1, threads=4, solver=Unsolved(), backup=BrittleMean()
    )
    with pytest.raises(ValueError, match="broken policy"):
        search.search(limit=Limit(simulations=20_000))
    result = search.search(limit=Limit(simulations=4000))
    assert result.simulations == result.visits == 4000


# -- together with trees ---------------------------------------------------------------


def test_several_trees_with_several_threads_each() -> None:
    search = MCTS(ConnectFour(), seed=1, threads=2, trees=2, solver=Unsolved())
    result = search.search(limit=Limit(simulations=10_001))
    assert [tree.visits for tree in search.trees] == [5001, 5000]
    assert result.simulations == 10_001
    for tree in search.trees:
        check(tree)
    streams = [rng.state[0] for crew in search._forest.crews for rng in crew.rngs]
    assert len(set(map(int, streams))) == 4


def test_two_threads_know_as_much_as_one() -> None:
    """The same moves where one is best; the means differ by their errors at most.

    Each mean has an error of some 1 % here, and a difference of 10 % between the two
    would be seven of its own: once in a hundred thousand million runs.
    """
    position = Position.from_moves(ConnectFour(), list("4455"))
    means = []
    for threads in (1, 2, 8):
        search = MCTS(
            ConnectFour(),
            selection=UCT(),
            seed=2,
            threads=threads,
            solver=Unsolved(),
        )
        result = search.search(position, Limit(simulations=100_000))
        assert result.move in "36"
        means.append(result.value)
    assert np.ptp(means) < 0.1


def test_short_chunks_are_one_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are not woken for them; once a chunk was long, all are at work."""
    monkeypatch.setattr(forest, "ALONE_SECONDS", 60.0)
    search = MCTS(ConnectFour(), seed=1, threads=3, solver=Unsolved())
    search.compile()
    native = search._forest.native
    assert native is not None
    chunks: list[tuple[int, int]] = []

    def run(policies: Any, tree: Any, *others: Any) -> None:
        chunks.append((threading.get_ident(), tree.visits))
        native(policies, tree, *others)
        time.sleep(0.01)

    search._forest.native = run
    search.search(limit=Limit(simulations=12))
    assert {thread for thread, _ in chunks} == {threading.get_ident()}
    assert chunks[1][1] == 1  # it looks at the clock after the first simulation
    chunks.clear()
    monkeypatch.setattr(forest, "ALONE_SECONDS", 0.005)
    search.search(limit=Limit(simulations=12))
    assert len({thread for thread, _ in chunks}) == 3


def test_a_stay_in_a_branch_is_worth_the_way_there():
    """Where moves are many, too, a thread runs many simulations between two locks."""
    simulations = 200_000
    search = grown(2, simulations, Heap(), expansion=RandomChild(), selection=UCT())
    stays = news(search._forest.crews[0].signals)
    assert simulations / stays > 12  # it was below 2

"""The solver: every proof is right, and finished games are proven soon.

Also of `search/solver/base.py` and `search/solver/bounds.py`.
"""

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from playout import (
    MCTS,
    MNK,
    AllChildren,
    ConnectFour,
    Limit,
    Position,
    RandomChild,
    RulesError,
    ScoreBounds,
    TicTacToe,
    Tree,
    Unsolved,
    UsageError,
    check_game,
)
from playout.games.contract.game import uniform_rollout
from playout.search.solver.bounds import bounds, is_proven, lower_of, upper_of
from playout.search.solver.score_bounds import improve_chance
from playout.search.tree.children import add_child
from playout.search.tree.nodes import CLOSED, ROOT
from tests.oracles.connect_four_oracle import ConnectFourOracle
from tests.search.support import minimax, to_move, walk, winner
from tests.toys import Nim, PassNim, ThreeWays, TwiceNim, Wheel, solve

DATA = Path(__file__).parents[2] / "data"
SIGN = {"win": 1, "draw": 0, "loss": -1}
ALL_MOVES = RandomChild(urgent="never")


def test_bounds_in_one_byte() -> None:
    pairs = [(low, high) for low in (-1, 0, 1) for high in (-1, 0, 1) if low <= high]
    for lower, upper in pairs:
        for flag in (0, CLOSED):
            proven = bounds(lower, upper) | flag
            assert (lower_of(proven), upper_of(proven)) == (lower, upper)
            assert is_proven(proven) == (lower == upper)
    assert len({bounds(*pair) for pair in pairs}) == len(pairs)
    assert bounds(-1, 1) == 0  # what a fresh node holds


@pytest.mark.parametrize("expansion", [RandomChild(), ALL_MOVES, AllChildren()])
def test_tic_tac_toe_is_drawn(expansion) -> None:
    for seed in range(20):
        search = MCTS(TicTacToe(), seed=seed, expansion=expansion)
        result = search.search(limit=Limit(simulations=20_000))
        assert (result.proven, result.stopped_by) == ("draw", "proven")
        assert result.value == 0.0
        assert len(result.pv) == 9


def test_every_tic_tac_toe_position_is_proven_like_minimax() -> None:
    """All 4,520 that are not over, every proven move of theirs included."""
    game, limit, seen = TicTacToe(), Limit(simulations=20_000), set()
    search, stack = MCTS(game, seed=1), ["........."]
    while stack:
        cells = stack.pop()
        if cells in seen or winner(cells) or "." not in cells:
            continue
        seen.add(cells)
        mark = to_move(cells)
        text = f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {mark}"
        after = {a: cells[:a] + mark + cells[a + 1 :] for a in range(9)}
        search.reset()
        result = search.search(Position(game, text), limit, forced_too=True)
        assert result.proven is not None
        assert SIGN[result.proven] == minimax(cells) == -minimax(after[result.action])
        for row in result.actions:
            if row.proven is not None:
                assert SIGN[row.proven] == -minimax(after[row.action]), (text, row)
        stack.extend(after[a] for a in range(9) if cells[a] == ".")
    assert len(seen) == 4520


def test_connect_four_endgames_are_proven() -> None:
    """Pons's Test_L3_R1: 1,000 positions with exact scores; above 0 is a win."""
    game = ConnectFour()
    search = MCTS(game, seed=1)
    for line in (DATA / "connect_four_endgames.txt").read_text().splitlines():
        moves, score = line.split()
        search.reset()
        oracle = ConnectFourOracle()  # plays 35 moves much faster
        for column in moves:
            oracle.play(int(column) - 1)
        position = Position(game, oracle.text())
        result = search.search(position, Limit(simulations=200_000), forced_too=True)
        assert result.proven is not None, line
        assert SIGN[result.proven] == np.sign(int(score)), line


@pytest.mark.parametrize("game", [TwiceNim(), PassNim(), MNK(m=3, n=4, k=3)])
@pytest.mark.parametrize("expansion", [ALL_MOVES, AllChildren()])
def test_other_orders_of_play_are_proven_exactly(game, expansion) -> None:
    """Players who move twice or pass: the bounds change sign with the player alone."""
    position = Position(game)
    interpreted = True if isinstance(game, Nim) and expansion != ALL_MOVES else None
    while not position.is_terminal:
        if len(position.legal_actions()) < 6 or len(position.actions) > 5:
            search = MCTS(game, seed=3, expansion=expansion, interpreted=interpreted)
            limit = Limit(simulations=100_000)
            result = search.search(position, limit, forced_too=True)
            assert result.proven is not None
            assert SIGN[result.proven] == solve(position), position.to_text()
        position.play(position.legal_actions()[-1])


def test_a_game_cut_short_proves_nothing() -> None:
    """A rollout that stops at `max_game_length` has no result."""
    search = MCTS(Wheel(most=6), seed=1, interpreted=True)
    result = search.search(limit=Limit(simulations=1000))
    assert result.proven is None
    assert not any(row.proven for row in result.actions)
    assert not search.tree.nodes.array["proven"][: search.tree.num_nodes].any()


def test_the_bounds_of_a_tree_follow_from_its_children() -> None:
    """Minimax over the whole tree, recomputed, in the middle of a search."""
    search = MCTS(TicTacToe(), seed=5, expansion=ALL_MOVES)
    search.search(limit=Limit(simulations=3000))
    tree, nodes = search.tree, search.tree.nodes.array
    checked = 0
    for node in walk(tree):
        children = tree.children(node)
        if len(children) == 0:
            continue
        low, high = (
            lower_of(nodes["proven"][children]),
            upper_of(nodes["proven"][children]),
        )
        upper = high.max() if len(children) == nodes["num_legal"][node] else 1
        found = int(nodes["proven"][node])
        assert (lower_of(found), upper_of(found)) == (-upper, -low.max())
        closed = nodes["proven"][children] & CLOSED != 0
        assert (closed == (high <= low.max())).all()
        checked += 1
    assert checked > 100


@pytest.mark.parametrize(("plies", "proof"), [(7, 8), (2**15 - 1, 2**15 - 1)])
def test_a_proof_through_chance_takes_as_long_as_the_longest(plies, proof) -> None:
    """The length is counted in two bytes and stops at their largest number."""
    tree = Tree.reserve(10)
    root = tree.nodes[ROOT]
    root.num_legal = 2
    for action, length in enumerate((plies, 3)):
        child = tree.nodes[add_child(tree, ROOT, action)]
        child.proven, child.proof_plies = bounds(1, 1), length
    work = SimpleNamespace(actions=np.zeros(2, dtype=np.int32))
    assert improve_chance(tree, work, root, ROOT)
    assert (root.proven, root.proof_plies) == (bounds(1, 1), proof)


def test_a_closed_node_is_not_entered_again() -> None:
    search = MCTS(TicTacToe(), seed=5, expansion=ALL_MOVES)
    search.search(limit=Limit(simulations=2000))
    nodes = search.tree.nodes.array
    closed = np.flatnonzero(nodes["proven"][: search.tree.num_nodes] & CLOSED)
    before = nodes["visits"][closed].copy()
    assert len(closed) > 50
    search.search(limit=Limit(simulations=500))
    assert (nodes["visits"][closed] == before).all()


def test_the_shortest_win_and_the_longest_loss_are_played() -> None:
    """X wins at once; and O, lost, makes X show it: one block before the end."""
    win = MCTS(TicTacToe(), seed=1).search(
        Position(TicTacToe(), "XX./OO./... X"), Limit(simulations=5000)
    )
    assert (win.move, win.pv) == ("c3", ("c3",))
    lost = Position(TicTacToe(), "X.X/.O./X.O O")  # two threats: a2 and b3
    result = MCTS(TicTacToe(), seed=1).search(lost, Limit(simulations=5000))
    assert result.proven == "loss"
    assert result.move in ("a2", "b3")
    assert len(result.pv) == 2
    plies = {row.move: row.proof_plies for row in result.actions if row.proven}
    assert plies[result.move] == max(plies.values())


def test_a_proven_draw_is_taken_only_where_all_else_looks_worse() -> None:
    search = MCTS(TicTacToe(), seed=1, expansion=ALL_MOVES)
    search.search(limit=Limit(simulations=200))
    tree, nodes = search.tree, search.tree.nodes.array
    children = tree.children(ROOT)
    nodes["proven"][children] = 0
    nodes["visits"][children] = 10
    nodes["value_sum"][children] = -1.0
    nodes["proven"][children[2]] = bounds(0, 0) | CLOSED
    nodes["proven"][children[3]] = bounds(-1, -1) | CLOSED
    choose = lambda: search.choice.choose(tree, ROOT, search._choice_rng)  # noqa: E731
    assert choose() == children[2]
    nodes["value_sum"][children[5]] = 1.0
    assert choose() == children[5]
    nodes["proven"][children[6]] = bounds(1, 1) | CLOSED
    assert choose() == children[6]


def test_of_proven_moves_the_shortest_win_and_the_longest_loss_are_chosen() -> None:
    """Visits do not matter."""
    search = MCTS(TicTacToe(), seed=1, expansion=ALL_MOVES)
    search.search(limit=Limit(simulations=50))
    tree, nodes = search.tree, search.tree.nodes.array
    children = tree.children(ROOT)
    for value, best in ((1, 4), (-1, 7)):
        nodes["proven"][children] = bounds(value, value) | CLOSED
        nodes["visits"][children] = 10 * np.arange(1, 10)
        nodes["proof_plies"][children] = [5, 3, 3, 7, 1, 5, 5, 9, 3]
        chosen = search.choice.choose(tree, ROOT, search._choice_rng)
        assert chosen == children[best]


def test_what_is_proven_survives_a_move() -> None:
    """After the win's first move the rest is known without another simulation."""
    search = MCTS(TicTacToe(), seed=1)
    position = Position.from_moves(TicTacToe(), ["b2", "b1"])
    first = search.search(position, Limit(simulations=5000))
    assert first.proven == "win"
    search.advance(first.move)
    second = search.search(limit=Limit(simulations=5000))
    assert (second.proven, second.simulations) == ("loss", 0)
    assert len(second.pv) == len(first.pv) - 1


def test_interpreted_and_compiled_make_the_same_tree() -> None:
    trees = []
    for interpreted in (True, False):
        search = MCTS(TicTacToe(), seed=4, interpreted=interpreted)
        search.search(Position.from_moves(TicTacToe(), ["b2"]), Limit(simulations=400))
        trees.append(search.tree.nodes.array[: search.tree.num_nodes])
    for name in trees[0].dtype.names:
        if name != "proof_plies":  # means something in proven nodes alone
            assert (trees[0][name] == trees[1][name]).all(), name


def test_without_a_solver_nothing_is_proven() -> None:
    search = MCTS(TicTacToe(), seed=1, solver=Unsolved())
    result = search.search(limit=Limit(simulations=30_000))
    assert (result.proven, result.simulations) == (None, 30_000)


@dataclass(frozen=True)
class Forgetful(MNK):
    """Its rollout forgets to count what it plays."""

    def rollout(self, state, actions, rng):
        played = uniform_rollout(self, state, actions, rng)
        return played - played


def test_a_rollout_that_counts_wrongly_proves_nothing() -> None:
    """Whether a leaf is terminal depends on its own state, not on the rollout."""
    search = MCTS(Forgetful(3, 3, 3), seed=1, interpreted=True)
    assert search.search(limit=Limit(simulations=300)).proven is None


@pytest.mark.first_look
def test_a_rollout_that_counts_wrongly_is_refused_at_the_first_look() -> None:
    game = Forgetful(3, 3, 3)
    with pytest.raises(RulesError, match="law 13: rollout does not"):
        MCTS(game).compile()
    with pytest.raises(RulesError, match="rollout says it played 0 actions"):
        check_game(game, games=2)


def test_score_bounds_are_for_two_players_whose_returns_add_up_to_zero() -> None:
    with pytest.raises(UsageError, match="two players"):
        MCTS(ThreeWays(), solver=ScoreBounds())


def test_what_is_half_known_is_shown() -> None:
    """With six moves left X to move may find that a move can no longer win."""
    result = MCTS(TicTacToe(), seed=1).search(limit=Limit(simulations=3500))
    rows = {row.move: row for row in result.actions}
    assert {row.bound for row in rows.values() if row.proven} <= {None}
    half = [row for row in rows.values() if row.bound == "at most a draw"]
    assert half
    assert rows[result.move].bound is None
    assert str(result).count("at most a draw") == len(half)
    assert [row["bound"] for row in result.to_dict()["actions"]] == [
        row.bound for row in result.actions
    ]

"""`MaxNBounds`: sound for all players, with ties (docs/checklist.md, rows 6 and 19)."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    Game,
    Limit,
    Position,
    RandomChild,
    Unsolved,
    UsageError,
)
from playout.core.jit.rows import Rows
from playout.games.more.line_three import LineThree
from playout.games.positions.native_position import NativePosition
from playout.search.solver.bounds import bounds, lower_of, upper_of
from playout.search.solver.default import default_solver
from playout.search.solver.max_n import (
    MaxNBounds,
    bounds_for,
    close_inferior,
    tighten_sum,
    value_range,
)
from playout.search.solver.score_bounds import ScoreBounds
from playout.search.tree.nodes import CLOSED, ROOT
from tests.toys import Coins, Nim, Payoffs, ThreeWays

Vectors = frozenset[tuple[float, ...]]


class Oracle:
    """All results that best play may have, whatever is done among equally good moves.

    A player may take a move for its vector v if every other move may turn out no better
    for it: v[i] is at least the smallest that the other's vectors hold for i.
    """

    def __init__(self) -> None:
        self.known: dict[bytes, Vectors] = {}

    def results(self, position: Position) -> Vectors:
        key = position.array.tobytes()
        if key not in self.known:
            self.known[key] = self._reckon(position)
        return self.known[key]

    def _reckon(self, position: Position) -> Vectors:
        players = range(position.game.num_players())
        if position.is_terminal:
            return frozenset({tuple(position.returns(p) for p in players)})
        mover, found = position.current_player, []
        for action in position.legal_actions():
            found.append(self.results(position.play(action)))
            position.undo()
        least = max(min(v[mover] for v in vectors) for vectors in found)
        return frozenset(v for vectors in found for v in vectors if v[mover] >= least)


@cache
def oracle_of(game: Game) -> Oracle:
    """One oracle for all tests of a game, so that nothing is reckoned twice."""
    return Oracle()


def intervals(known: int, players: int) -> list[tuple[int, int]]:
    found = [bounds_for(known, player) for player in range(players)]
    return [(int(lower_of(b)), int(upper_of(b))) for b in found]


def check_tree(search: MCTS, position: Position, oracle: Oracle) -> int:
    """Every node's bounds hold; returns how many were looked at."""
    game, nodes = search.game, search.tree.nodes.array
    players = game.num_players()
    looked = 0
    queue: list[tuple[int, Position, int]] = [(ROOT, position.copy(), -1)]
    while queue:
        node, here, mover = queue.pop()
        looked += 1
        results = oracle.results(here)
        for player, (lower, upper) in enumerate(
            intervals(int(nodes["bounds"][node]), players)
        ):
            values = [vector[player] for vector in results]
            assert lower <= min(values)
            assert max(values) <= upper
        own = int(nodes["proven"][node])
        if node != ROOT:
            values = [vector[mover] for vector in results]
            assert lower_of(own) <= min(values)
            assert max(values) <= upper_of(own)
        for child in search.tree.children(node):
            if nodes["visits"][child]:
                after = here.copy().play(int(nodes["action"][child]))
                queue.append((int(child), after, here.current_player))
    return looked


@dataclass(frozen=True)
class Thirds(LineThree):
    """The winner takes 1 from the others together: their returns are no integers."""

    zero_sum = True

    def returns(self, state, player):
        if state.winner < 0:
            return 0.0
        return 1.0 if state.winner == player else -0.5


@dataclass(frozen=True)
class Kings(ThreeWays):
    """Who has lost anyway decides who wins: the third picks what it cannot use."""

    def returns(self, state, player):
        if player == 2:
            return -1.0
        return 1.0 if state.picks[2] == player else -1.0


@pytest.mark.parametrize(
    ("game", "moves", "urgent"),
    [
        (LineThree(3, 3, 3), "", "never"),
        (LineThree(3, 3, 3), "", "always"),
        (LineThree(3, 4, 3), "b2 c2 b1 a1 d1", "always"),
        (Thirds(3, 3, 3), "b2", "never"),
        (Payoffs(), "", "never"),
        (ThreeWays(), "", "never"),
        (Kings(), "", "never"),
    ],
    ids=str,
)
def test_every_bound_holds(game: Any, moves: str, urgent: str) -> None:
    oracle, on_board = oracle_of(game), isinstance(game, LineThree)
    kind = NativePosition if on_board else Position  # many are asked about
    position = kind.from_moves(game, moves.split())
    simulations, interpreted = (4000, None) if on_board else (400, True)
    for seed in (1, 2):
        expansion = RandomChild(urgent=urgent)
        search = MCTS(game, seed=seed, expansion=expansion, interpreted=interpreted)
        result = search.search(position, Limit(simulations=simulations))
        assert check_tree(search, position, oracle) > 5
        sure = {vector[position.current_player] for vector in oracle.results(position)}
        if result.proven is not None:
            assert sure == {{"win": 1.0, "draw": 0.0, "loss": -1.0}[result.proven]}


@pytest.mark.parametrize("game", [ThreeWays(), Payoffs()], ids=str)
def test_every_bound_holds_in_the_slow_twin(game: Any) -> None:
    search = MCTS(game, seed=2, interpreted=True)
    search.search(limit=Limit(simulations=80))
    assert check_tree(search, Position(game), Oracle()) > 5


def test_proofs_are_found() -> None:
    """Every position after two moves on three by three cells, against the oracle."""
    game, oracle, proven = LineThree(3, 3, 2), Oracle(), 0
    search = MCTS(game, seed=3)
    values = {1.0: "win", 0.0: "draw", -1.0: "loss"}
    for first in range(9):
        for second in range(9):
            if first == second:
                continue
            position = Position.from_moves(game, [first, second])
            result = search.search(position, Limit(simulations=20_000))
            sure = {vector[2] for vector in oracle.results(position)}
            if result.proven is not None:
                assert {values[value] for value in sure} == {result.proven}
                proven += 1
                assert result.stopped_by == "proven"
    assert proven == 72


def test_nobody_is_proven_to_be_made_king() -> None:
    """The third player has lost; whether the first or the second wins is its whim."""
    search = MCTS(Kings(), seed=1, interpreted=True)
    result = search.search(limit=Limit(simulations=2000))
    assert result.proven is None
    assert Oracle().results(Position(Kings())) == {(1, -1, -1), (-1, 1, -1)}
    last = search.search(
        Position.from_moves(Kings(), ["0", "0"]), Limit(simulations=50)
    )
    assert last.proven == "loss"


@dataclass(frozen=True)
class Fork(Game):
    """The first of three ends it, all even (0) or lost (1), or twelve bits follow.

    Then the ones, counted round the table, name the winner.
    """

    zero_sum = False

    def num_actions(self):
        return 3

    def num_players(self):
        return 3

    def max_game_length(self):
        return 13

    def state_dtype(self):
        return np.dtype([("ply", "i1"), ("first", "i1"), ("ones", "i1")])

    def initial_state(self, state):
        state.ply = 0

    def current_player(self, state):
        return state.ply % 3

    def legal_actions(self, state, actions):
        if self.is_terminal(state):
            return 0
        count = 3 if state.ply == 0 else 2
        for i in range(count):
            actions[i] = i
        return count

    def apply(self, state, action):
        if state.ply == 0:
            state.first = action
        else:
            state.ones += action
        state.ply += 1

    def is_terminal(self, state):
        return state.ply == 13 or (state.ply > 0 and state.first < 2)

    def returns(self, state, player):
        if state.first == 0:
            return 0.0
        if state.first == 1:
            return -1.0 if player == 0 else 1.0
        return 1.0 if state.ones % 3 == player else -1.0


def test_a_worse_move_is_not_entered_again() -> None:
    """A move's proven return closes moves that bring less, but not equal ones."""
    search = MCTS(Fork(), seed=1, interpreted=True)
    known = []
    for _ in range(2):
        search.search(limit=Limit(simulations=150))
        rows = search.tree.nodes.array[search.tree.children(ROOT)]
        rows = rows[np.argsort(rows["action"])]
        assert [bool(row["proven"] & CLOSED) for row in rows] == [False, True, False]
        assert [upper_of(int(row["proven"])) for row in rows] == [0, -1, 1]
        known.append(rows["visits"].tolist())
    assert known[0][1] == known[1][1]
    assert known[0][0] < known[1][0]
    assert known[0][2] < known[1][2]


def test_bounds_by_hand() -> None:
    """Three players, the second chooses between (1, 0, -1) and (-1, ?, ?)."""

    def known(*pairs: tuple[int, int]) -> int:
        return sum(bounds(*pair) << 4 * p for p, pair in enumerate(pairs))

    class Tree:
        nodes = Rows(np.zeros(3, dtype=[("bounds", "u4")]))

    Tree.nodes[1].bounds = known((1, 1), (0, 0), (-1, -1))
    Tree.nodes[2].bounds = known((-1, -1), (-1, 1), (0, 1))
    children = np.array([1, 2])
    assert value_range(Tree, children, 2, 1, 1) == (0, 1)
    assert value_range(Tree, children, 2, 0, 1) == (-1, 1)
    assert value_range(Tree, children, 2, 2, 1) == (-1, 1)
    Tree.nodes[2].bounds = known((-1, -1), (-1, -1), (0, 1))
    assert value_range(Tree, children, 2, 1, 1) == (0, 0)
    assert value_range(Tree, children, 2, 0, 1) == (1, 1)
    assert value_range(Tree, children, 2, 0, -1) == (-1, 1)  # chance may take either


def test_a_node_is_known_when_the_values_of_all_are() -> None:
    class Tree:
        nodes = Rows(np.zeros(1, dtype=[("bounds", "u4")]))

    solver, game = MaxNBounds(), ThreeWays()
    for last, known in (((0, 1), False), ((1, 1), True)):
        pairs = ((1, 1), (-1, -1), last)
        Tree.nodes[0].bounds = sum(
            bounds(*pair) << 4 * p for p, pair in enumerate(pairs)
        )
        assert solver.knows(game, Tree, 0) is known


def test_a_root_without_children_proves_nothing() -> None:
    search = MCTS(ThreeWays(), interpreted=True)
    search.search(limit=Limit(simulations=1))
    root = search.tree.nodes[ROOT]
    root.num_legal = 0
    search.tree.nodes.array["num_children"][ROOT] = 0
    MaxNBounds().reroot(search.tree)
    assert (root.proven, root.bounds) == (bounds(-1, 1), 0)


@pytest.mark.parametrize(("plies", "proof"), [(7, 8), (2**15 - 1, 2**15 - 1)])
def test_a_proof_for_nobody_takes_as_long_as_the_longest(plies, proof) -> None:
    """The length is counted in two bytes and stops at their largest number."""

    class Tree:
        nodes = Rows(np.zeros(3, dtype=[("proven", "i1"), ("proof_plies", "i2")]))

    Tree.nodes[1].proof_plies, Tree.nodes[2].proof_plies = plies, 3
    close_inferior(Tree, np.array([1, 2]), 2, Tree.nodes[0], -1)
    assert Tree.nodes[0].proof_plies == proof


def test_what_is_known_of_others_in_a_zero_sum_game() -> None:
    """1 for the first leaves at most 0 for the second, as the third has at least -1."""
    found = tighten_sum(bounds(1, 1) | bounds(-1, 1) << 4 | bounds(-1, 1) << 8, 3)
    assert intervals(int(found), 3) == [(1, 1), (-1, 0), (-1, 0)]


@pytest.mark.parametrize("game", [LineThree(3, 3, 3), Payoffs()], ids=str)
def test_the_slow_twin_grows_the_same_tree(game: Any) -> None:
    trees = []
    for interpreted in (True, False):
        search = MCTS(game, seed=5, interpreted=interpreted)
        search.search(limit=Limit(simulations=150))
        nodes = search.tree.nodes.array[: search.tree.num_nodes]
        trees.append([nodes[name].tolist() for name in nodes.dtype.names or ()])
    assert trees[0] == trees[1]


def test_a_kept_tree_keeps_sound() -> None:
    """After every move the root is proven for the one who is to move, and right."""
    game = LineThree(3, 3, 3)
    search, oracle = MCTS(game, seed=8), oracle_of(game)
    position = Position(game)
    while not position.is_terminal:
        result = search.search(position, Limit(simulations=3000))
        check_tree(search, position, oracle)
        if result.proven is not None:
            sure = {v[position.current_player] for v in oracle.results(position)}
            assert sure == {{"win": 1.0, "draw": 0.0, "loss": -1.0}[result.proven]}
        position.play(result.action)


def test_the_default_and_what_is_refused() -> None:
    assert isinstance(default_solver(LineThree()), MaxNBounds)
    assert isinstance(default_solver(Nim()), ScoreBounds)
    assert isinstance(default_solver(Coins()), ScoreBounds)

    @dataclass(frozen=True)
    class Nine(ThreeWays):
        def num_players(self):
            return 9

    @dataclass(frozen=True)
    class Eight(ThreeWays):
        def num_players(self):
            return 8

    assert isinstance(default_solver(Eight()), MaxNBounds)
    assert isinstance(default_solver(Nine()), Unsolved)
    with pytest.raises(UsageError, match="8 players at most"):
        MCTS(Nine(), solver=MaxNBounds())
    with pytest.raises(UsageError, match="ScoreBounds is for games of two"):
        MCTS(LineThree(), solver=ScoreBounds())

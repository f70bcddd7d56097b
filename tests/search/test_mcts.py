"""`MCTS`: right moves, limits, determinism, and what a search leaves untouched.

Also of `search/kernels/simulate.py`.
"""

import copy
import math
import pickle
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
    Decisive,
    Limit,
    Mean,
    Position,
    RandomChild,
    RulesError,
    TicTacToe,
    Uniform,
    Unsolved,
    UsageError,
)
from tests.toys import (
    Corridor,
    Nim,
    PassNim,
    Payoffs,
    ThreeWays,
    TwiceNim,
    Wheel,
    nim_moves,
    solve,
)

# -- the right player's frame (row 1 of docs/checklist.md) -----------------------------


@pytest.fixture(scope="module")
def nim() -> MCTS:
    return MCTS(Nim(), seed=1)


@pytest.mark.parametrize("left", range(2, 21))
def test_nim_is_played_by_theory(nim: MCTS, left: int) -> None:
    winning = nim_moves(Nim(), left)
    position = Position(Nim(), f"left={left} player={left % 2}")
    result = nim.search(position, Limit(simulations=20_000))
    if winning:
        assert result.action in winning
        assert result.value > 0
    else:
        assert result.value < 0


@pytest.mark.parametrize("game", [TwiceNim(), PassNim()], ids=["twice", "pass"])
@pytest.mark.parametrize("left", range(1, 9))
def test_double_moves_and_passes(game: Any, left: int) -> None:
    """The best moves are those of brute force, whose turn it may be."""
    start = Position(type(game)(stones=left))
    value = solve(start)
    result = MCTS(type(game)(stones=left), seed=2).search(
        start, Limit(simulations=20_000)
    )
    after = start.copy().play(result.action)
    if after.is_terminal:
        reached = after.returns(start.current_player)
    else:
        reached = solve(after)
        if after.current_player != start.current_player:
            reached = -reached
    assert reached == value
    assert np.sign(result.value) == np.sign(value)


def test_swapping_the_players_mirrors_the_tree() -> None:
    trees = []
    for first in (0, 1):
        search = MCTS(Nim(first=first), seed=5)
        search.search(limit=Limit(simulations=3000))
        trees.append(search.tree.nodes.array[: search.tree.num_nodes])
    assert (trees[0] == trees[1]).all()


def test_three_players_each_judge_by_their_own_return() -> None:
    """The last player decides: if the others picked the same, it picks the other."""
    position = Position.from_moves(ThreeWays(), ["1", "1"])
    result = MCTS(ThreeWays(), seed=1).search(position, Limit(simulations=200))
    assert (result.move, result.value) == ("0", 1.0)
    assert [row.mean for row in result.actions] == [1.0, -1.0]


def test_three_players_play_max_n() -> None:
    """The values of `Payoffs`, worked out by hand in its docstring, at every node."""
    search = MCTS(Payoffs(), seed=1)
    result = search.search(limit=Limit(simulations=20_000))
    assert result.pv == ("1", "0", "1")
    assert result.value == pytest.approx(0.2, abs=0.1)
    for moves, best, value in ((["0"], "1", -0.2), (["0", "0"], "0", 0.6)):
        position = Position.from_moves(Payoffs(), moves)
        result = search.search(position, Limit(simulations=20_000))
        assert result.move == best
        assert result.value == pytest.approx(value, abs=0.1)


# -- edges (rows 3, 7, 14 and 20 of docs/checklist.md) ---------------------------------


def test_a_finished_game_is_a_clear_error() -> None:
    over = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2", "a3"])
    with pytest.raises(UsageError, match="the game is over"):
        MCTS(TicTacToe()).search(over, Limit(simulations=10))


class Stuck(TicTacToe):
    """Nothing is legal after the first move, though nothing has ended (law 1)."""

    def legal_actions(self, state: Any, actions: Any) -> int:
        return 0 if state.player == 1 else super().legal_actions(state, actions)


def test_a_game_that_goes_on_without_a_move_breaks_the_rules() -> None:
    """Compiled, some games played with every index checked find it before."""
    search = MCTS(Stuck(), solver=Unsolved(), interpreted=True)
    with pytest.raises(RulesError, match=r"Stuck .*law 1"):
        search.search(Position.from_moves(Stuck(), ["a1"]), Limit(simulations=10))


@dataclass(frozen=True)
class Pays(TicTacToe):
    """A win counts as much as it says (law 4)."""

    prize: float = 1.0

    def returns(self, state: Any, player: int) -> float:
        return self.prize * TicTacToe.returns(self, state, player)


@pytest.mark.parametrize("prize", [math.nan, math.inf, 1000.0])
def test_returns_that_cannot_be_are_told(prize: float) -> None:
    """The position is too rare for the checks before the search to meet it."""
    search = MCTS(Pays(prize=prize), solver=Unsolved(), seed=1, interpreted=True)
    with pytest.raises(RulesError, match=r"Pays breaks law 4: .* from '\.\.\."):
        search.search(limit=Limit(simulations=200))
    honest = MCTS(Pays(), solver=Unsolved(), seed=1, interpreted=True)
    assert honest.search(limit=Limit(simulations=200)).simulations == 200


def test_one_legal_action_returns_at_once() -> None:
    position = Position.from_moves(
        TicTacToe(), ["a1", "b2", "c3", "a2", "c2", "c1", "a3", "b3"]
    )
    assert position.legal_actions() == [TicTacToe().parse_action("b1")]
    started = time.perf_counter()
    search = MCTS(TicTacToe(), seed=1, solver=Unsolved())
    search.compile()
    result = search.search(position, Limit(seconds=30))
    assert result.move == "b1"
    assert result.stopped_by == "only move"
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize("simulations", [1, 2, 5, 8])
def test_fewer_simulations_than_moves(simulations: int) -> None:
    result = MCTS(TicTacToe(), seed=1).search(limit=Limit(simulations=simulations))
    assert result.simulations == simulations
    assert len(result.actions) == simulations
    assert result.move in {row.move for row in result.actions}


def test_a_dead_drawn_position_scores_exactly_zero() -> None:
    """Three cells are left, and neither player can complete a line any more."""
    position = Position.from_moves(TicTacToe(), ["a3", "b3", "b1", "a1", "c3", "c1"])
    assert solve(position) == 0.0
    result = MCTS(TicTacToe(), expansion=RandomChild(urgent="never"), seed=1).search(
        position, Limit(simulations=500)
    )
    assert [row.mean for row in result.actions] == [0.0] * 3
    assert result.value == 0.0


def test_ten_thousand_plies_without_recursion() -> None:
    result = MCTS(Corridor(choices=2), seed=1).search(limit=Limit(simulations=50))
    assert result.value == 1.0
    deep = MCTS(Corridor(length=3000, choices=1), seed=1)
    position = Position(Corridor(length=3000, choices=1))
    assert deep.search(position, Limit(simulations=100)).pv[0] == "0"


def test_an_endless_game_ends_by_its_length_and_is_nobodys_win() -> None:
    result = MCTS(Wheel(), seed=1).search(limit=Limit(simulations=3000))
    assert result.value == 0.0
    assert result.depth <= Wheel().max_game_length() + 1


def test_a_path_may_not_outgrow_its_stack() -> None:
    """There are more simulations than the longest path, all along one line."""
    search = MCTS(Wheel(most=20), selection=UCT(c_uct=0.0), seed=1)
    result = search.search(limit=Limit(simulations=20_000))
    assert result.simulations == 20_000
    assert result.depth <= 21


# -- determinism (row 13 of docs/checklist.md), and the slow twin ----------------------


POLICIES: dict[str, dict[str, Any]] = {
    "default": {},
    "plain": {"selection": UCT(1.4), "expansion": RandomChild(urgent="never")},
    "threshold": {"expansion": RandomChild(threshold=3)},
    "all children": {"expansion": AllChildren(threshold=5, urgent="never")},
    "decisive": {"rollout": Decisive(), "backup": Mean(discount=0.01)},
    "generic": {"rollout": Uniform(generic=True)},
}


def tree_bytes(search: MCTS) -> bytes:
    """All nodes without the padding between them."""
    return repr(search.tree.nodes.array[: search.tree.num_nodes].tolist()).encode()


@pytest.mark.parametrize("name", POLICIES)
def test_the_slow_twin_grows_the_same_tree(name: str) -> None:
    """Interpreted and compiled, same seed, same tree, byte for byte."""
    trees = []
    for interpreted in (True, False):
        search = MCTS(TicTacToe(), seed=11, interpreted=interpreted, **POLICIES[name])
        position = Position.from_moves(TicTacToe(), ["b2", "a1"])
        result = search.search(position, Limit(simulations=150))
        trees.append((tree_bytes(search), result.to_dict()["actions"], result.pv))
    assert trees[0] == trees[1]


def test_the_same_seed_gives_the_same_tree_and_others_differ() -> None:
    def grow(seed: int) -> bytes:
        search = MCTS(ConnectFour(), seed=seed)
        search.search(limit=Limit(simulations=2000))
        search.advance("4")
        search.search(limit=Limit(simulations=2000))
        return tree_bytes(search)

    assert grow(1) == grow(1)
    assert len({grow(seed) for seed in range(8)}) == 8


def test_chunks_do_not_matter() -> None:
    """Looking at the clock more often changes nothing."""
    trees = []
    for wanted in ([4000], [1, 999, 3000]):
        search = MCTS(ConnectFour(), seed=3)
        for simulations in wanted:
            search.search(limit=Limit(simulations=simulations))
        trees.append(tree_bytes(search))
    assert trees[0] == trees[1]


def test_a_seed_is_drawn_and_told() -> None:
    result = MCTS(TicTacToe()).search(limit=Limit(simulations=10))
    again = MCTS(TicTacToe(), seed=result.seed).search(limit=Limit(simulations=10))
    assert again.actions == result.actions


# -- nothing of the caller's changes (row 8 of docs/checklist.md) ----------------------


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(UsageError, match="the search of"):
        MCTS(TicTacToe()).search(Position(ConnectFour()))


def test_the_callers_position_is_left_alone() -> None:
    position = Position.from_moves(ConnectFour(), list("44455"))
    before = position.array.tobytes(), list(position.actions)
    search = MCTS(ConnectFour(), seed=1)
    search.search(position, Limit(simulations=2000))
    search.advance("1")
    search.search(limit=Limit(simulations=100))
    assert (position.array.tobytes(), position.actions) == before


# -- the result ------------------------------------------------------------------------


def test_the_result_adds_up() -> None:
    search = MCTS(TicTacToe(), seed=1, solver=Unsolved())
    result = search.search(limit=Limit(simulations=5000))
    assert sum(row.visits for row in result.actions) == result.visits == 5000
    assert sum(row.share for row in result.actions) == pytest.approx(1)
    assert result.pv[0] == result.move
    assert result.actions == tuple(sorted(result.actions, key=lambda r: -r.visits))
    best = next(row for row in result.actions if row.move == result.move)
    assert result.value == best.mean
    assert result.win_rate == pytest.approx((best.mean + 1) / 2)
    assert best.standard_error == pytest.approx(
        np.sqrt((1 - best.mean**2) / best.visits)
    )
    text = str(result)
    assert text.startswith(
        f"Selected {result.move} with ratio {result.value:.4f} after 5,000 simulations"
    )
    for row in result.actions:
        assert row.move in text


def test_the_dictionary_has_the_documented_names() -> None:
    found = MCTS(TicTacToe(), seed=1).search(limit=Limit(simulations=50)).to_dict()
    documented = (
        "game moves best value simulations seconds compile_seconds "
        "simulations_per_second stopped_by pv nodes tree_bytes actions"
    )
    assert set(documented.split()) <= set(found)
    assert set(found["actions"][0]) >= {"move", "visits", "mean", "share"}


def test_a_search_is_not_pickled_but_its_result_is() -> None:
    """It took half a minute to find out that a kernel cannot be."""
    search = MCTS(TicTacToe(), seed=1, interpreted=True)
    result = search.search(limit=Limit(simulations=20))
    for act in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"neither pickled nor copied.*its Result"):
            act(search)
    assert pickle.loads(pickle.dumps(result)).move == result.move

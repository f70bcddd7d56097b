"""Exact searches inside the tree: what `settle` says is noted and played.

Also of `games/contract/words.py`.
"""

from dataclasses import dataclass

import pytest

from playout import (
    MCTS,
    SETTLED_AT_LEAST_DRAW,
    SETTLED_AT_MOST_DRAW,
    SETTLED_DRAW,
    SETTLED_LOSS,
    SETTLED_WIN,
    UNSETTLED,
    ConnectFour,
    Limit,
    Position,
    ScoreBounds,
    UsageError,
)
from playout.games.contract.words import for_opponent
from playout.search.kernels.settling import NoSettling, settling_for
from playout.search.solver.bounds import UNKNOWN_PLIES, is_proven
from tests.toys import Nim


@dataclass(frozen=True)
class KnownNim(Nim):
    """Nim that knows its theory; run-time fields say where it tells of it."""

    stones: int = 30
    reach: int = 30  # stones at which it still knows
    tells_plies: bool = False
    outcome: int = UNSETTLED  # of the start, where it does not know
    action: int = -1

    def settle(self, state, nodes, table):
        if state.left > self.reach:
            start = state.left == self.stones
            return (self.outcome, self.action, 0) if start else (UNSETTLED, -1, 0)
        take = state.left % 4
        plies = 1 + 2 * (state.left // 4) if self.tells_plies else 0
        if take == 0:
            return SETTLED_LOSS, -1, max(0, plies - 1)
        return SETTLED_WIN, take, plies

    def settle_table_size(self):
        return 0


WAYS = [{}, {"transpositions": True}, {"threads": 2}, {"trees": 2}]


def known(stones: int, reach: int = 30, tells_plies: bool = False, **options) -> MCTS:
    game = KnownNim(stones, reach=reach, tells_plies=tells_plies)
    return MCTS(game, seed=1, **options)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_settled_root_is_won_by_the_move_that_is_named(way) -> None:
    result = known(30, **way).search(limit=Limit(simulations=2000))
    assert (result.move, result.proven, result.stopped_by) == ("2", "win", "proven")
    assert result.simulations <= 2


def test_interpreted_and_compiled_grow_the_same_tree() -> None:
    compiled = known(30, reach=12)
    plain = known(30, reach=12, interpreted=True)
    for search in (compiled, plain):
        search.search(limit=Limit(simulations=60))
    for name in ("action", "visits", "value_sum", "proven", "proof_plies"):
        ours, theirs = (
            s.tree.nodes.array[name][: s.tree.num_nodes] for s in (compiled, plain)
        )
        assert (ours == theirs).all(), name


def test_the_length_of_a_win_is_told_where_it_is_known() -> None:
    told = known(30, tells_plies=True).search(limit=Limit(simulations=9))
    assert "proven: win in 15 moves" in str(told)
    untold = known(30).search(limit=Limit(simulations=9))
    assert untold.actions[0].proof_plies is None
    assert "proven: win" in str(untold)
    assert "win in" not in str(untold)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_lost_root_is_searched_until_all_moves_are_lost(way) -> None:
    result = known(28, **way).search(limit=Limit(simulations=2000))
    assert result.proven == "loss"
    assert {row.proven for row in result.actions} == {"loss"}


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_leaves_and_visited_nodes_prove_what_is_above(way) -> None:
    """The game cannot settle 30 stones, but it can some moves later."""
    result = known(30, reach=20, **way).search(limit=Limit(simulations=20_000))
    assert (result.move, result.proven) == ("2", "win")


def test_without_them_nothing_is_proven() -> None:
    blind = known(30, reach=-1).search(limit=Limit(simulations=1000))
    assert blind.proven is None


def test_a_game_is_won_to_its_end_with_the_tree_kept() -> None:
    position, search = Position(KnownNim(30, reach=20)), known(30, reach=20)
    while not position.is_terminal:
        if position.current_player == 0:
            position.play(search.search(position, Limit(simulations=5000)).action)
        else:
            position.play(max(position.legal_actions()))
    assert position.returns(0) == 1.0


def told(outcome: int, action: int = -1):
    """A search of few simulations where this is said of the start, true or not."""
    game = KnownNim(reach=-1, outcome=outcome, action=action)
    return MCTS(game, seed=1).search(limit=Limit(simulations=20))


def test_a_draw_that_names_a_move_is_played() -> None:
    result = told(SETTLED_DRAW, 3)
    assert (result.move, result.proven, result.simulations) == ("3", "draw", 1)


@dataclass(frozen=True)
class HalfKnown(ConnectFour):
    """No line fits on the board, so any bound that allows a draw is true."""

    def settle(self, state, nodes, table):
        outcome = SETTLED_AT_MOST_DRAW if state.player == 0 else SETTLED_AT_LEAST_DRAW
        return outcome, -1, 0


@pytest.mark.parametrize("way", [{}, {"transpositions": True}], ids=str)
def test_a_bound_that_meets_those_of_children_tells_no_length(way) -> None:
    """Every game takes six moves; how often a node was asked is not told as that."""
    solver = ScoreBounds(leaf_nodes=0, visited_at=1)
    search = MCTS(HalfKnown(rows=2, columns=3), solver=solver, seed=1, **way)
    assert search.search(limit=Limit(simulations=500)).proven == "draw"
    told = list(plies_told(search.tree, 0, 6))
    assert len(told) > 10
    assert all(plies in (left, UNKNOWN_PLIES) for left, plies in told)


def plies_told(tree, node, left):
    """The plies from a node's proven descendants to the end, and what is told."""
    for child in tree.children(tree.entry(node)).tolist():
        row = tree.nodes[tree.entry(child)]
        if is_proven(row.proven):
            yield left - 1, row.proof_plies
        yield from plies_told(tree, child, left - 1)


@pytest.mark.parametrize("way", [{}, {"transpositions": True}], ids=str)
def test_the_move_that_draws_is_played_though_others_look_as_good(way) -> None:
    """Column 3 draws, the others lose; all were tried before that was found."""
    game = ConnectFour(4, 4)
    position = Position(game, ".O../.XX./.XX./OXOO O")
    solver = ScoreBounds("search", 5, 0.01, 20, 4, 30, 20)
    for seed in range(5):
        search = MCTS(game, solver=solver, seed=seed, **way)
        result = search.search(position, Limit(simulations=60))
        assert (result.move, result.proven) == ("3", "draw")


def test_a_draw_without_a_move_is_searched_for_one() -> None:
    result = told(SETTLED_DRAW)
    assert result.proven is None
    assert result.simulations == 20


@pytest.mark.parametrize("outcome", [SETTLED_LOSS, SETTLED_AT_MOST_DRAW])
def test_a_root_that_is_not_won_is_searched(outcome: int) -> None:
    assert told(outcome).simulations == 20


def test_other_games_and_solvers_ask_nothing() -> None:
    for game, solver in (
        (Nim(), ScoreBounds()),
        (KnownNim(), ScoreBounds(settle="no")),
    ):
        assert type(settling_for(game, solver)) is NoSettling


def test_outcomes_are_turned_round() -> None:
    assert for_opponent(SETTLED_WIN) == SETTLED_LOSS
    assert for_opponent(SETTLED_DRAW) == SETTLED_DRAW
    assert for_opponent(UNSETTLED) == UNSETTLED


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"settle": "maybe"}, "settle must be game, search, no, not 'maybe'"),
        ({"leaf_nodes": -1}, "leaf_nodes must be 0 to 100000, not -1"),
        ({"visited_at": 0}, "visited_at must be 1 to 1073741824, not 0"),
        ({"least_success": 2.0}, "least_success must be 0 to 1, not 2"),
    ],
)
def test_budgets_out_of_range_are_refused(fields, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        ScoreBounds(**fields)

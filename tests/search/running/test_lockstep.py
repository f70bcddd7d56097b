"""Many positions side by side: each is searched as if it were alone.

Also of `search/kernels/lockstep.py`, `search/running/joint_batch.py`,
`search/running/starts.py` and `search/result/many.py`.
"""

import threading
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    Limit,
    Position,
    RandomChild,
    UsageError,
    one_by_one,
)
from playout.core.rng import make_rng
from playout.search.running.lockstep import FIRST_STREAM
from playout.search.running.parallel_calls import ParallelCalls
from tests.search.test_scale import Endless
from tests.toys import Coins, Knowing

GAME = Knowing()
OPENINGS = [[], ["b2"], ["a1", "b2"], ["c3", "a1", "b1"], ["b1", "b3"]]
POSITIONS = [Position.from_moves(GAME, moves) for moves in OPENINGS]


@one_by_one
def judged(state: Any) -> Any:
    priors = [GAME.prior(state, action) for action in range(9)]
    return GAME.evaluate(state, GAME.current_player(state)), priors


def search_with(evaluator: Any = judged, **keywords: Any) -> MCTS:
    return MCTS(GAME, evaluator=evaluator, **{"seed": 4, **keywords})


def trees_of(results: Any) -> list[Any]:
    """What can be seen of each tree at its root."""
    return [(r.actions, r.value, r.visits, r.nodes, r.pv) for r in results]


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("batch", [1, 3])
def test_each_is_searched_as_if_it_were_alone(batch: int, interpreted: bool) -> None:
    search = search_with(batch=batch, interpreted=interpreted)
    results = search.search_many(POSITIONS, Limit(simulations=40))
    for index, position in enumerate(POSITIONS):
        alone = search_with(batch=batch, interpreted=True)
        rng = alone._forest.teams[0].works[0].rng
        rng.state[:] = make_rng(4, FIRST_STREAM + index).state
        result = alone.search(position, Limit(simulations=40), forced_too=True)
        assert results[index].actions == result.actions
        assert results[index].moves == tuple(position.moves)
        assert results.visits[index].sum() == sum(r.visits for r in result.actions)


@pytest.fixture(scope="module")
def many() -> MCTS:
    return search_with()


def test_threads_divide_the_trees_and_change_nothing(
    many: MCTS, awake: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = set()
    run = ParallelCalls.run

    def counting(parallel: ParallelCalls, function: Any, calls: Any) -> None:
        used.add(len(calls))
        run(parallel, function, calls)

    monkeypatch.setattr(ParallelCalls, "run", counting)
    limit = Limit(simulations=30)
    many.reset(4)
    alone = trees_of(many.search_many(POSITIONS, limit))
    for threads in (2, 5, 9):
        shared = search_with(threads=threads).search_many(POSITIONS, limit)
        assert trees_of(shared) == alone
    assert used == ({1, 2, 5} if awake else {1})


@pytest.mark.parametrize(
    "keywords", [{}, {"threads": 3}, {"batch": 3}, {"interpreted": True}]
)
def test_double_buffered_trees_are_the_same(
    many: MCTS, awake: bool, keywords: dict[str, Any]
) -> None:
    search = search_with(**keywords)
    for positions in (POSITIONS, POSITIONS[:1], POSITIONS[:2]):
        for limit in (Limit(simulations=40), Limit(simulations=90, nodes=5 * 60)):
            search.reset(4)
            alone = trees_of(search.search_many(positions, limit))
            search.reset(4)
            halves = search.search_many(positions, limit, double_buffered=True)
            assert trees_of(halves) == alone
            assert halves.stopped_by == "simulations"


def test_double_buffered_a_step_is_taken_while_the_evaluator_is_asked() -> None:
    """What one half waits for is what the other half does."""
    begun, sizes = threading.Event(), []

    class Tells(Knowing):
        def legal_actions(self, state: Any, actions: Any) -> int:
            begun.set()
            return super().legal_actions(state, actions)

    def waits(states: Any) -> Any:
        sizes.append(len(states))
        if threading.current_thread() is threading.main_thread():
            assert begun.wait(20)
            begun.clear()
        return np.zeros(len(states)), None

    game = Tells()
    search = MCTS(game, evaluator=waits, seed=4, interpreted=True)
    positions = [Position(game)] * 5
    search.search_many(positions[:1], Limit(simulations=1))
    lockstep = search._lockstep_for(5, True)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lockstep, "interpreted", False)  # and so on threads
        search.search_many(positions, Limit(simulations=9), double_buffered=True)
    assert set(sizes[1:]) == {2, 3}


def test_one_question_has_a_leaf_of_every_tree(many: MCTS) -> None:
    sizes = []

    def counted(states: Any) -> Any:
        sizes.append(len(states))
        return judged(states)

    search = search_with(counted, batch=2, threads=2)
    search.search_many(POSITIONS, Limit(simulations=9))
    assert sizes[0] == 5  # the roots, each alone
    assert max(sizes) == 10


def test_results_hold_while_the_next_positions_are_searched(many: MCTS) -> None:
    first = many.search_many(POSITIONS, Limit(simulations=20))
    visits = first.visits.copy()
    second = many.search_many(POSITIONS[::-1], Limit(simulations=20))
    assert (first.visits == visits).all()
    assert [r.moves for r in first] == [tuple(p.moves) for p in POSITIONS]
    assert [r.moves for r in second] == [tuple(p.moves) for p in POSITIONS[::-1]]
    assert first[-1].action == first.actions[-1]
    assert len(first[1:3]) == 2
    assert np.nanmax(np.abs(first.means)) <= 1.0


def test_positions_may_be_played_on(many: MCTS) -> None:
    position = Position(GAME)
    results = many.search_many([position] * 5, Limit(simulations=10))
    position.play("b2")
    assert results[0].moves == ()


def test_an_array_of_states_is_searched_as_their_positions_are(many: MCTS) -> None:
    limit = Limit(simulations=30)
    many.reset(4)
    wanted = many.search_many(POSITIONS, limit)
    states = np.concatenate([position.array for position in POSITIONS])
    many.reset(4)
    found = many.search_many(states, limit)
    states[:] = states[0]
    assert trees_of(found) == trees_of(wanted)
    assert {result.moves for result in found} == {()}


def test_an_array_of_other_states_is_refused(many: MCTS) -> None:
    for wrong in (np.zeros(5), np.zeros((1, 5), GAME.state_dtype())):
        with pytest.raises(UsageError, match=r"of the game's dtype, .* one dimension"):
            many.search_many(wrong)
    with pytest.raises(UsageError, match="at least one position"):
        many.search_many(np.zeros(0, GAME.state_dtype()))


def test_roots_and_their_children_are_those_of_the_trees(many: MCTS) -> None:
    results = many.search_many(POSITIONS, Limit(simulations=30))
    for index, result in enumerate(results):
        children = results.children[index]
        tried = {row.action: (row.visits, row.mean) for row in result.actions}
        for action in range(9):
            row = children[action]
            if not results.has_child[index, action]:
                assert row["visits"] == 0
                assert tried.get(action, (0, None))[0] == 0
            else:
                assert row["action"] == action
                assert row["visits"] == tried[action][0]
        assert results.roots[index]["visits"] == result.visits
        assert (results.visits[index] == children["visits"]).all()


def test_full_trees_make_room(many: MCTS) -> None:
    limit = Limit(simulations=400, nodes=5 * 60)
    results = many.search_many(POSITIONS, limit)
    for result in results:
        assert result.proven or result.simulations == 400
        assert result.nodes <= 60


@pytest.mark.parametrize("batch", [1, 3])
def test_no_tree_makes_room_while_a_leaf_of_it_waits(batch: int) -> None:
    """Leaves are expanded before they wait, as in a search alone."""
    own = {"expansion": RandomChild(), "batch": batch, "interpreted": True}
    search = search_with(**own)
    results = search.search_many(POSITIONS, Limit(simulations=150, nodes=5 * 40))
    for index, position in enumerate(POSITIONS):
        alone = search_with(**own)
        rng = alone._forest.teams[0].works[0].rng
        rng.state[:] = make_rng(4, FIRST_STREAM + index).state
        limit = Limit(simulations=150, nodes=40)
        result = alone.search(position, limit, forced_too=True)
        assert results[index].actions == result.actions
        assert results[index].nodes == result.nodes


def test_trees_that_are_used_again_count_in_the_new_units() -> None:
    game = Endless()
    search = MCTS(game, evaluator=tens, seed=4, interpreted=True)
    units = []
    for position in (Position(game), Position(game).play(1).play(1)):
        (result,) = search.search_many([position], Limit(simulations=20))
        units.append(result.units)
        assert units[-1] == search._forest.units_at(position)
        del result  # and with the results its tree is free
    assert units[0] != units[1]


def tens(states: Any) -> Any:
    return np.full(len(states), 10.0), None


def test_what_is_proven_ends_early(many: MCTS) -> None:
    wins = [Position.from_moves(GAME, ["a1", "b1", "a2", "b2"])] * 5
    results = many.search_many(wins, Limit(simulations=2000))
    assert {(r.move, r.proven, r.stopped_by) for r in results} == {
        ("a3", "win", "proven")
    }
    assert results.simulations.max() < 2000


def test_chance_moves_below_the_roots_only() -> None:
    game = Coins()

    def zeros(states: Any) -> Any:
        return np.zeros(len(states)), None

    search = MCTS(game, evaluator=zeros, seed=1, interpreted=True)
    (result,) = search.search_many([Position(game)], Limit(simulations=30))
    assert result.simulations == 30
    with pytest.raises(UsageError, match="position 1: chance moves here"):
        search.search_many([Position(game), Position(game).play(1)])


def test_what_cannot_be_searched_is_told() -> None:
    search = search_with(interpreted=True)
    over = Position.from_moves(GAME, ["a1", "b1", "a2", "b2", "a3"])
    with pytest.raises(UsageError, match=r"position 1: .* the game is over"):
        search.search_many([POSITIONS[0], over])
    with pytest.raises(UsageError, match="at least one position"):
        search.search_many([])
    with pytest.raises(UsageError, match="a position must be a Position"):
        search.search_many(["a1"])  # type: ignore[list-item]
    for wrong in (Position(GAME), None):
        with pytest.raises(UsageError, match="needs a list of positions"):
            search.search_many(wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a limit of simulations or seconds"):
        search.search_many(POSITIONS, Limit(nodes=100))
    with pytest.raises(UsageError, match="a position is of Coins"):
        search.search_many([Position(Coins())])
    with pytest.raises(UsageError, match="for searches with an evaluator"):
        MCTS(GAME).search_many(POSITIONS)
    with pytest.raises(UsageError, match="double_buffered must be True or False"):
        search.search_many(POSITIONS, double_buffered="no")  # type: ignore[arg-type]
    for keywords in ({"trees": 2}, {"transpositions": True}):
        with pytest.raises(UsageError, match="a tree for each position"):
            search_with(**keywords).search_many(POSITIONS)

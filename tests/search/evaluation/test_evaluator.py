"""Evaluators: whose value it is, what may be given, and what is said of mistakes.

Also of `search/evaluation/judgement.py`.
"""

import re
import threading
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    EvaluatorError,
    Limit,
    OnEvaluation,
    Position,
    TicTacToe,
    Unsolved,
    UsageError,
    one_by_one,
    within,
)
from playout.games.more.game_2048 import Game2048
from tests.packages import needed
from tests.search.trees import ROUNDING
from tests.toys import Knowing, Payoffs, ThreeWays, TwiceNim, solve

FEW = Limit(simulations=30)


def search_with(evaluator: Any, game: Any = None, **keywords: Any) -> MCTS:
    keywords = {"seed": 1, "interpreted": True, **keywords}
    return MCTS(game or Knowing(), evaluator=evaluator, **keywords)


def zeros(states: Any) -> Any:
    return np.zeros(len(states)), None


# -- whose value (row 1 of docs/checklist.md) ------------------------------------------


@pytest.mark.parametrize("left", range(2, 9))
def test_a_value_is_that_of_the_player_to_move_even_of_one_who_moves_twice(
    left: int,
) -> None:
    """Exact values lead to exact play; the solver is off."""
    game = TwiceNim()

    @one_by_one
    def exact(state: Any) -> Any:
        return solve(position_of(game, state)), None

    position = Position(game, f"left={left} player=0 moved=0")
    result = search_with(exact, game, solver=Unsolved()).search(
        position, Limit(simulations=60)
    )
    assert np.sign(result.value) == solve(position)
    after = position.copy().play(result.action)
    same = after.is_terminal or after.current_player == position.current_player
    value = -after.returns(1) if after.is_terminal else solve(after)
    assert (value if same else -value) == solve(position)


def position_of(game: Any, state: Any) -> Position:
    return Position(game, game.state_to_text(state))


def test_of_three_players_each_has_a_value() -> None:
    """Given the values of perfect play, each player finds its best action."""
    game = Payoffs()

    def best(position: Position) -> list[float]:
        if position.is_terminal:
            return [position.returns(p) for p in range(3)]
        mover = position.current_player
        after = [best(position.copy().play(a)) for a in position.legal_actions()]
        return max(after, key=lambda values: values[mover])

    @one_by_one
    def exact(state: Any) -> Any:
        return best(position_of(game, state)), None

    search = search_with(exact, game, solver=Unsolved())
    result = search.search(limit=Limit(simulations=200))
    assert result.moves == ()
    assert result.pv == ("1", "0", "1")


def test_one_value_does_not_do_for_three_players() -> None:
    with pytest.raises(EvaluatorError, match=r"for 1 states they must be \[1, 3\]"):
        search_with(zeros, ThreeWays()).search(limit=FEW)


def test_a_state_in_which_chance_moves_is_never_shown() -> None:
    game, movers = Game2048(), set()

    @one_by_one
    def evaluate(state: Any) -> Any:
        movers.add(game.current_player(state))
        return 0.0, None

    position = Position(game)
    while position.is_chance:
        position.play(position.legal_actions()[0])
    search_with(evaluate, game).search(position, FEW)
    assert movers == {0}


# -- what is given ---------------------------------------------------------------------


def test_priors_are_shares_of_the_sum_over_legal_actions() -> None:
    given = np.arange(1.0, 10.0)
    search = search_with(lambda states: ([0.0] * len(states), [given] * len(states)))
    position = Position.from_moves(Knowing(), ["b2", "a1"])
    search.search(position, Limit(simulations=2))
    rows = search.tree.nodes.array[search.tree.children(0)]
    legal = given[rows["action"]]
    shares = list(legal / legal.sum())
    assert rows["prior"].tolist() == pytest.approx(shares, rel=ROUNDING)
    assert len(rows) == 7


def test_priors_of_nothing_but_illegal_actions_make_all_legal_ones_alike() -> None:
    only = np.zeros(9)
    only[4] = 1.0
    search = search_with(lambda states: ([0.0] * len(states), [only] * len(states)))
    search.search(Position.from_moves(Knowing(), ["b2"]), Limit(simulations=1))
    rows = search.tree.nodes.array[search.tree.children(0)]
    assert rows["prior"].tolist() == [0.125] * 8


def test_a_single_simulation_takes_the_likeliest_move() -> None:
    priors = np.ones(9)
    priors[7] = 2.0
    search = search_with(lambda states: ([0.25], [priors]))
    result = search.search(limit=Limit(simulations=1))
    assert result.action == 7


def test_arrays_of_any_kind_will_do() -> None:
    kinds = [np.float16, np.float32, np.int8, list]
    trees = []
    for kind in kinds:
        make: Any = list if kind is list else lambda v, k=kind: np.asarray(v, k)

        def evaluate(states: Any, make: Any = make) -> Any:
            count = len(states)
            return make([1] * count), make([[1] * 9] * count)

        search = search_with(evaluate)
        search.search(limit=FEW)
        trees.append(search.tree.nodes.array[: search.tree.num_nodes].tolist())
    assert all(tree == trees[0] for tree in trees)


# -- mistakes --------------------------------------------------------------------------


def fails(evaluate: Any, **keywords: Any) -> str:
    """What is said when an evaluator goes wrong after some good answers.

    The tree must be as it was before the last question, and can be searched on.
    """
    game = keywords.pop("game", Knowing())
    search = search_with(zeros, game, **keywords)
    search.search(limit=FEW, forced_too=True)
    nodes = search.tree.nodes.array
    before = nodes[: search.tree.num_nodes].tolist()
    evaluation = search._forest.teams[0].evaluation
    evaluation.evaluator = evaluate
    with pytest.raises(EvaluatorError) as caught:
        search.search(limit=FEW, forced_too=True)
    assert nodes[: len(before)].tolist() == before
    evaluation.evaluator = zeros
    again = search.search(limit=FEW, forced_too=True)
    assert again.visits == 60
    return str(caught.value)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda n: [0.5] * n, "must give a pair, values and priors"),
        (lambda n: None, "must give a pair, values and priors .* not None"),
        (lambda n: ([0.5] * (n + 1), None), r"values are of shape \[2\]; for 1 states"),
        (lambda n: (0.5, None), r"values are of shape \[\]"),
        (lambda n: ([np.nan] * n, None), r"value is nan; values lie in \[-1.0, 1.0\]"),
        (lambda n: ([1.5] * n, None), r"value is 1.5; values lie in"),
        (lambda n: ([[0.5, 0.5]] * n, None), "the players' add up to 0"),
        (lambda n: (["good"] * n, None), "values are not real numbers"),
        (lambda n: ([1j] * n, None), r"not real numbers but \[1j\] \(complex128\)"),
        (lambda n: ([0.0] * n, [[0.1] * 8] * n), r"priors are of shape \[1, 8\]"),
        (lambda n: ([0.0] * n, [[-1.0] * 9] * n), "prior of action 0 is -1.0"),
        (lambda n: ([0.0] * n, [[0.5] * 8 + [np.inf]] * n), "prior of action 8 is inf"),
        (lambda n: ([0.0] * n, [[1e300] * 9] * n), "prior of action 0 is 1e"),
    ],
)
def test_what_cannot_be_is_refused_and_the_state_named(answer: Any, words: str) -> None:
    said = fails(lambda states: answer(len(states)))
    assert "the evaluator failed at state '" in said
    assert re.search(words, said)


def test_an_evaluator_that_raises_is_told_with_the_state() -> None:
    def broken(states: Any) -> Any:
        raise ZeroDivisionError("no weights")

    said = fails(broken)
    assert re.search(
        r"raised ZeroDivisionError: no weights \(\S*test_evaluator.py line \d+\)$", said
    )
    text = said.split("'")[1]
    assert Position(Knowing(), text).legal_actions()


def test_of_a_batch_the_state_at_fault_is_named() -> None:
    def third(states: Any) -> Any:
        values = np.zeros(len(states))
        if len(states) > 2:
            values[2] = np.nan
        return values, None

    said = fails(third, batch=4)
    assert "state 2 of 4, '" in said


def test_ctrl_c_in_an_evaluator_gives_the_best_so_far() -> None:
    calls = []

    def slow(states: Any) -> Any:
        calls.append(1)
        if len(calls) > 20:
            raise KeyboardInterrupt
        return zeros(states)

    search = MCTS(Knowing(), evaluator=slow, seed=1)
    result = search.search(limit=Limit(simulations=100))
    assert result.stopped_by == "interrupted"
    assert result.simulations == 20
    assert search.search(limit=Limit(simulations=1)).stopped_by == "interrupted"
    assert search.tree.visits == 20


@pytest.mark.parametrize("wrong", [5, "zeros", int])
def test_what_is_no_function_is_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match="evaluator must be a function from states"):
        MCTS(Knowing(), evaluator=wrong)


def test_a_class_that_was_not_made_is_told_how() -> None:
    class Judge:
        def __call__(self, states: Any) -> Any:
            return zeros(states)

    with pytest.raises(UsageError, match=r"Judge.*; make one, as Judge\(\.\.\.\)"):
        MCTS(Knowing(), evaluator=Judge)


@pytest.mark.parametrize("interpreted", [True, False])
def test_what_writes_to_the_searchs_states_is_told(interpreted: bool) -> None:
    """The search would go on with what was written."""

    def turned(states: Any) -> Any:
        states["stones"] = states["stones"][:, ::-1]
        return zeros(states)

    search = search_with(turned, interpreted=interpreted)
    with pytest.raises(EvaluatorError, match=r"read-only \(.*test_evaluator.* a copy"):
        search.search(limit=FEW)
    with pytest.raises(EvaluatorError, match="read-only"):
        search.search_many([Position(Knowing())] * 2, FEW)


def test_a_function_of_one_state_may_play_on_in_it() -> None:
    game = Knowing()

    @one_by_one
    def plays(state: Any) -> Any:
        state.stones[0] = 0b111111111
        return 0.0, None

    kept = search_with(one_by_one(lambda state: (0.0, None)), game).search(limit=FEW)
    assert search_with(plays, game).search(limit=FEW).actions == kept.actions


def test_a_function_of_one_state_that_is_given_a_batch_is_told() -> None:
    search = search_with(lambda state: (float(state.stones[0]), None))
    with pytest.raises(EvaluatorError, match=r"as states\['stones'\]; .* one_by_one"):
        search.search(limit=FEW)


def test_a_batch_beyond_all_memory_is_refused() -> None:
    with pytest.raises(UsageError, match="batch must be at most 65,536, not 1,000,000"):
        MCTS(Knowing(), evaluator=zeros, batch=1_000_000)


def test_what_does_not_go_with_an_evaluator_is_refused() -> None:
    with pytest.raises(UsageError, match="batch must be 1"):
        MCTS(Knowing(), evaluator=zeros, transpositions=True, batch=2)
    with pytest.raises(UsageError, match="batch must be a whole number of at least 1"):
        MCTS(Knowing(), evaluator=zeros, batch=0)
    with pytest.raises(UsageError, match="does not work with transpositions"):
        MCTS(Knowing(), evaluator=zeros, transpositions=True, expansion=OnEvaluation())


def test_a_function_of_one_state_sees_what_rules_see() -> None:
    seen = []

    @one_by_one
    def evaluate(state: Any) -> Any:
        seen.append(Knowing().legal_actions(state, np.zeros(9, np.int32)))
        return 0.0, None

    search_with(evaluate).search(limit=Limit(simulations=2))
    assert seen == [9, 8]
    states = np.zeros(2, Knowing().state_dtype())
    with pytest.raises(EvaluatorError, match="must give a pair, a value and priors"):
        one_by_one(lambda state: 0.0)(states)  # type: ignore[arg-type, return-value]


def test_an_evaluator_that_takes_forever_is_given_up() -> None:
    released = threading.Event()

    def hangs(states: Any) -> Any:
        released.wait()
        return zeros(states)

    said = fails(within(0.05, hangs))
    released.set()
    assert "the evaluator failed at state '" in said
    assert said.endswith("it has not answered within 0.05 seconds")
    assert "raised OSError: gone" in fails(within(60.0, raises_gone))


@pytest.mark.parametrize("seconds", [0, -1.0, np.nan, "10", zeros])
def test_seconds_that_are_none_are_refused(seconds: Any) -> None:
    with pytest.raises(UsageError, match="within takes seconds above 0"):
        within(seconds, zeros)


def test_one_that_answers_late_has_its_own_states() -> None:
    """The search fills its array anew when nobody waits for the answer any more."""
    released, seen = threading.Event(), []

    def hangs(states: Any) -> Any:
        seen.append(states)
        released.wait()
        return zeros(states)

    states = np.ones((2, 3), np.float32)
    with pytest.raises(EvaluatorError):
        within(0.01, hangs)(states)
    states[:] = 7.0
    released.set()
    assert (seen[0] == 1.0).all()


async def later(states: Any) -> Any:
    return zeros(states)


def test_where_nobody_awaits_an_async_function_it_is_refused() -> None:
    with pytest.raises(UsageError, match="one_by_one cannot await an async function"):
        one_by_one(later)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"within cannot await .* asyncio.wait_for"):
        within(1.0, later)
    with pytest.raises(UsageError, match="within takes a function, not 5"):
        within(1.0, 5)  # type: ignore[arg-type]
    hidden = MCTS(Knowing(), evaluator=lambda states: later(states))
    with pytest.raises(
        UsageError, match=r"await search.search_async.*search_many_async"
    ):
        hidden.search(limit=Limit(simulations=2))


def raises_gone(states: Any) -> Any:
    raise OSError("gone")


def test_a_module_of_pytorch_needs_a_function_around_it() -> None:
    torch = needed("torch")
    module = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(18, 10))
    search = MCTS(TicTacToe(), evaluator=module, seed=1)
    with pytest.raises(EvaluatorError, match=r"tensors.*torch\.from_numpy"):
        search.search(limit=Limit(simulations=2))

"""What is no policy, limit, position or seed says what to write instead."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    UCT,
    AllChildren,
    CompileError,
    ConnectFour,
    Gumbel,
    HighestMean,
    Limit,
    Mean,
    Position,
    TicTacToe,
    Uniform,
    Unsolved,
    UsageError,
)
from playout.core.rng import make_rng
from playout.games.more.kuhn_poker import KuhnPoker
from tests.toys import Nim

PHASES = {
    "selection": UCT,
    "expansion": AllChildren,
    "rollout": Uniform,
    "backup": Mean,
    "choice": HighestMean,
}


@pytest.mark.parametrize("phase", PHASES)
def test_what_is_no_policy(phase: str) -> None:
    name = phase.capitalize()
    wrong: list[Any] = [5, 0, "x", "", False, TicTacToe()]
    wrong += [make() for other, make in PHASES.items() if other != phase]
    for value in wrong:
        with pytest.raises(
            UsageError, match=rf"{phase} must be an? {name} policy, such"
        ):
            MCTS(TicTacToe(), **{phase: value})


@pytest.mark.parametrize(("phase", "policy"), PHASES.items())
def test_a_class_is_no_policy(phase: str, policy: type) -> None:
    with pytest.raises(UsageError, match=rf"write {policy.__name__}\(...\)"):
        MCTS(TicTacToe(), **{phase: policy})  # type: ignore[arg-type]


NO_POSITION = r"position must be a Position, such as Position\.from_moves.*, not "


def test_what_cannot_be_searched() -> None:
    search = MCTS(TicTacToe(), seed=1)
    for position in (5, 0, "b2", [], Limit(seconds=1), np.zeros(1)):
        with pytest.raises(UsageError, match=NO_POSITION):
            search.search(position)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=NO_POSITION):
            search.go_to(position)  # type: ignore[arg-type]
    for limit in (5, 0, "1 s", {"seconds": 1}):
        with pytest.raises(UsageError, match="limit must be a Limit, such as "):
            search.search(limit=limit)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="progress must be a function, not 5"):
        search.search(progress=5)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="the position is of ConnectFour"):
        search.search(Position(ConnectFour()))


class Slip(TicTacToe):
    def is_terminal(self, state: Any) -> bool:
        return bool(state.winer == 1)


@pytest.mark.parametrize("many", [False, True])
def test_rules_that_fail_are_told_by_who_compiles_them(many: bool) -> None:
    """With the method, its line and the advice, and not as plain Python has it."""
    search = MCTS(Slip(), evaluator=lambda states: states)
    start: Any = Position(Slip())
    think: Any = search.search_many if many else search.search
    with pytest.raises(CompileError, match=r"cannot compile Slip\.is_terminal, .*line"):
        think([start] if many else start)


OVER = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2", "a3"])


@pytest.mark.parametrize(
    ("selection", "position", "message"),
    [
        (UCT(), OVER, "there is no move to search for: the game is over"),
        (UCT(), Position(KuhnPoker()), "chance moves here: play one of its outcomes"),
        (Gumbel(), Position(TicTacToe()), "takes a limit of them, such as Limit"),
    ],
)
def test_what_cannot_be_searched_is_told_before_compiling(
    selection: Any, position: Position, message: str, monkeypatch: Any
) -> None:
    """That takes ten seconds and more."""

    def compiling(*_: Any, **__: Any) -> Any:
        raise AssertionError("it was compiled first")

    hidden = position.game.has_hidden
    policies = {} if hidden else {"selection": selection}
    search = MCTS(position.game, evaluator=lambda states: states, **policies)
    monkeypatch.setattr(search, "compile", compiling)
    monkeypatch.setattr(search, "_lockstep_for", compiling)
    with pytest.raises(UsageError, match=message):
        search.search(position, Limit(seconds=1))
    if not hidden:
        with pytest.raises(UsageError, match=message):
            search.search_many([position], Limit(seconds=1))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seconds": "1"}, "seconds must be a number, not '1'"),
        ({"seconds": True}, "seconds must be a number, not True"),
        ({"simulations": "5"}, "simulations must be a whole number, not '5'"),
        ({"simulations": True}, "simulations must be a whole number, not True"),
        ({"simulations": 10**30}, "at most 64 bits"),
        ({"nodes": 1.0}, "nodes must be a whole number, not 1.0"),
        ({"memory": [1]}, r"memory must be a whole number, not \[1\]"),
    ],
    ids=str,
)
def test_limits_of_the_wrong_kind(values: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Limit(**values)


def test_limits_may_be_numbers_of_numpy() -> None:
    limit = Limit(seconds=np.float64(9), simulations=np.int64(10))  # type: ignore[arg-type]
    assert MCTS(TicTacToe(), seed=1).search(limit=limit).simulations == 10


def test_a_huge_number_of_simulations_ends_with_another_limit() -> None:
    limit = Limit(simulations=10**18, seconds=0.05)
    result = MCTS(TicTacToe(), seed=1, solver=Unsolved()).search(limit=limit)
    assert result.stopped_by == "seconds"
    alone = MCTS(TicTacToe(), seed=1, solver=Unsolved()).search(
        limit=Limit(simulations=10**18), progress=lambda result: False
    )
    assert alone.stopped_by == "callback"


@pytest.mark.parametrize("seed", ["a", 1.5, True, [1], 2**64, -(2**63) - 1, 10**400])
def test_what_is_no_seed(seed: Any) -> None:
    search = MCTS(TicTacToe(), seed=1)
    for use in (lambda: MCTS(TicTacToe(), seed=seed), lambda: search.reset(seed)):
        with pytest.raises(UsageError, match="seed must be a whole number of at most"):
            use()
    assert search.seed == 1


def test_seeds_of_64_bits() -> None:
    for seed in (-1, 0, 2**64 - 1, -(2**63), np.int64(5), np.uint64(2**64 - 1)):
        results = [
            MCTS(TicTacToe(), seed=one).search(limit=Limit(simulations=50)).actions
            for one in (seed, int(seed))
        ]
        assert results[0] == results[1]
    assert make_rng(3).state == make_rng(np.uint8(3)).state  # type: ignore[arg-type]


@dataclass(frozen=True)
class ManyNames(Nim):
    def num_actions(self) -> int:
        return 40_000


def test_more_actions_than_can_be_told_apart() -> None:
    with pytest.raises(UsageError, match=r"is 40,000; .* at most 32,767 .* in parts"):
        MCTS(ManyNames())


def test_the_methods_of_a_policys_class_are_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server makes searches by the hundred when it starts."""
    MCTS(TicTacToe(), selection=UCT(), rollout=Uniform())
    looked: list[type] = []
    monkeypatch.setattr(
        "playout.search.arguments.expect_signatures",
        lambda cls, contract: looked.append(cls),
    )
    MCTS(TicTacToe(), selection=UCT(c_uct=2.0), rollout=Uniform())
    assert looked == []

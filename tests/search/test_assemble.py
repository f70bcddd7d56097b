"""Which policies a search has where an evaluator, a graph or hidden things are."""

from typing import Any

import pytest

from playout import (
    ISUCT,
    MCTS,
    PUCT,
    UCT,
    AllChildren,
    Gomoku,
    LikeliestFirst,
    OnEvaluation,
    RandomChild,
    TicTacToe,
    Truncated,
    Uniform,
    UsageError,
)
from playout.games.more.kuhn_poker import KuhnPoker


def nothing(states: Any) -> Any:
    raise NotImplementedError


@pytest.mark.parametrize(
    ("game", "keywords", "selection", "expansion"),
    [
        (TicTacToe(), {}, UCT(), RandomChild()),
        (Gomoku(), {}, PUCT(first_play=-0.2), LikeliestFirst()),
        (Gomoku(), {"evaluator": nothing}, PUCT(), OnEvaluation()),
        (TicTacToe(), {"evaluator": nothing, "batch": 16}, PUCT(), OnEvaluation()),
        (
            TicTacToe(),
            {"evaluator": nothing, "selection": UCT()},
            UCT(),
            OnEvaluation(),
        ),
        (
            TicTacToe(),
            {"evaluator": nothing, "transpositions": True},
            UCT(),
            RandomChild(),
        ),
        (KuhnPoker(), {"evaluator": nothing}, ISUCT(), RandomChild()),
    ],
    ids=["plain", "tuned", "Gomoku", "batch", "UCT", "graph", "hidden"],
)
def test_what_is_usual(
    game: Any, keywords: Any, selection: Any, expansion: Any
) -> None:
    policies = MCTS(game, **keywords).policies
    assert (policies.selection, policies.expansion) == (selection, expansion)


def test_noise_takes_an_expansion_that_makes_all_children() -> None:
    MCTS(TicTacToe(), selection=PUCT(noise=0.25), evaluator=nothing)
    with pytest.raises(UsageError, match="noise is for all children at once"):
        MCTS(TicTacToe(), selection=PUCT(noise=0.25), expansion=RandomChild())
    with pytest.raises(UsageError, match="does not work with transpositions"):
        MCTS(TicTacToe(), transpositions=True, expansion=AllChildren())


@pytest.mark.parametrize("rollout", [Uniform(), Truncated()])
def test_a_rollout_beside_an_evaluator_would_not_be_played(rollout: Any) -> None:
    with pytest.raises(UsageError, match="judges leaves, and no rollout is played"):
        MCTS(TicTacToe(), evaluator=nothing, rollout=rollout)

"""`RewardSum`: rewards before the end, against values worked out by hand.

Also `Work.note_rewards`, and law 14 of `games/check`.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    Limit,
    Max,
    Mean,
    RewardSum,
    RulesError,
    ScoreBounds,
    TicTacToe,
    Tree,
    Truncated,
    UsageError,
    check_game,
)
from playout.core.jit.fallback import run_interpreted
from playout.search.work import BY_CHANCE
from tests.rewarding import (
    Coins,
    Forgetful,
    Fork,
    Gifts,
    Veiled,
    Welcomes,
    Wordy,
)
from tests.search.test_mcts import tree_bytes


def search(game: Any, gamma: float = 1.0, n: int = 400, **keywords: Any) -> Any:
    keywords = {"interpreted": True, "seed": 1, **keywords}
    mcts = MCTS(game, backup=RewardSum(gamma), **keywords)
    return mcts.search(limit=Limit(simulations=n))


def values(result: Any) -> dict[str, float]:
    return {child.move: child.mean for child in result.actions}


def test_every_node_gets_its_reward_and_what_comes_after_it() -> None:
    """Four actions of two players; chance draws the third, which takes no time."""
    rewards = [(9, 9), (1, 0), (0, 2), (4, 0), (0, 8)]
    actions = [0, 0, 1, BY_CHANCE, 0]
    movers = [1, 0, 1, 1, 0]
    steps = [
        SimpleNamespace(node=n, mover=m, action=a, rewards=np.array(r, float))
        for n, (m, a, r) in enumerate(zip(movers, actions, rewards, strict=True))
    ]
    work = SimpleNamespace(path=steps, returns=np.array([16.0, 0.0]))
    tree = Tree.reserve(10)
    RewardSum(0.5).update(tree, work, depth=3, plies=4)
    # For player 0: after the last action 16 are estimated, so it brings 0 + 8; chance
    # 4 + 4; the second action 0 + 8, as chance takes no time; the first 1 + 4. For
    # player 1: 8; 0 + 4; 2 + 4; 0 + 3. The root has what is to come.
    assert tree.nodes.array["value_sum"][:5].tolist() == [3.0, 5.0, 6.0, 4.0, 0.0]
    assert tree.nodes.array["visits"][:5].tolist() == [1, 1, 1, 1, 0]
    assert work.returns.tolist() == [5.0, 3.0]


@pytest.mark.parametrize(
    ("gamma", "best", "left", "right"),
    [(1.0, "1", 2.0, 3.0), (0.9, "1", 2.0, 2.43), (0.5, "0", 2.0, 0.75)],
)
def test_later_rewards_count_less(
    gamma: float, best: str, left: float, right: float
) -> None:
    result = search(Fork(), gamma, 60)
    assert result.move == best
    assert values(result) == pytest.approx({"0": left, "1": right})
    assert result.proven is None


def test_what_was_brought_before_the_root_does_not_count() -> None:
    game = MCTS(Fork(), seed=1, interpreted=True)
    game.advance(0)
    assert game.search(limit=Limit(simulations=20)).value == 0.0


def test_chance_takes_no_time() -> None:
    """A coin is worth 1.5 at once, and 1.5 gamma at the second throw."""
    result = search(Coins(), 0.5, 2000)
    assert result.move == "1"
    assert values(result)["1"] == pytest.approx(1.5 + 0.7, abs=0.3)


def test_of_several_players_each_has_its_own() -> None:
    """Whoever chooses keeps; that leaves the first with 2, the second with 1."""
    result = search(Gifts(), n=2000)
    assert result.move == "0"
    assert result.value == pytest.approx(2.0, abs=0.5)


@pytest.mark.parametrize("game", [Coins(), Gifts()], ids=str)
def test_the_slow_twin_grows_the_same_tree(game: Any) -> None:
    trees = []
    for interpreted in (True, False):
        mcts = MCTS(game, seed=3, backup=RewardSum(0.75), interpreted=interpreted)
        mcts.search(limit=Limit(simulations=150))
        trees.append(tree_bytes(mcts))
    assert trees[0] == trees[1]


@pytest.mark.parametrize("batch", [1, 8])
def test_rewards_wait_with_the_leaves_that_are_evaluated(batch: int) -> None:
    def rest(states: Any) -> Any:
        ways = [0.0 if s["ply"] > 0 and s["way"] == 0 else 3.0 for s in states]
        return np.array(ways), None

    mcts = MCTS(Fork(), seed=1, evaluator=rest, batch=batch, interpreted=True)
    result = mcts.search(limit=Limit(simulations=40))
    assert values(result) == pytest.approx({"0": 2.0, "1": 3.0})


def test_a_rollout_that_is_cut_off_is_estimated() -> None:
    result = search(Fork(), 0.5, 30, rollout=Truncated(rollout_plies=0))
    assert values(result)["0"] == pytest.approx(2.0)


@pytest.mark.filterwarnings("ignore::playout.InterpretedWarning")
def test_rules_in_python_bring_rewards_too() -> None:
    run_interpreted(Wordy, "as a test")
    mcts = MCTS(Wordy(), seed=1, backup=RewardSum(0.9))
    result = mcts.search(limit=Limit(simulations=60))
    assert values(result) == pytest.approx({"0": 2.0, "1": 2.43})


@pytest.mark.parametrize(
    ("game", "keywords", "complaint"),
    [
        (
            Fork(),
            {"backup": Mean()},
            "Fork has rewards before the end, which Mean does",
        ),
        (Fork(), {"backup": Max()}, "has rewards before the end, which Max does not"),
        (TicTacToe(), {"backup": RewardSum()}, "RewardSum adds up rewards before the"),
        (Gifts(), {"solver": ScoreBounds()}, "not sums of rewards before the end"),
        (Veiled(), {}, "hidden information and rewards before the end"),
        (Gifts(), {"transpositions": True}, "Gifts cannot be searched with transpos"),
    ],
)
def test_what_does_not_go_together(
    game: Any, keywords: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        MCTS(game, **keywords)


@pytest.mark.parametrize("gamma", [0.0, 1.5, -1.0])
def test_gamma_is_a_factor(gamma: float) -> None:
    with pytest.raises(UsageError, match="gamma must be above 0 to 1"):
        RewardSum(gamma)


def test_rewards_keep_their_law() -> None:
    assert check_game(Coins(), games=3, compiled=False)
    assert check_game(Gifts(), games=3)
    with pytest.raises(RulesError, match=r"law 14: the rewards .* add up to \[\d"):
        check_game(Forgetful(), compiled=False)
    with pytest.raises(RulesError, match=r"law 14: rewards at the start are \[1.0\]"):
        check_game(Welcomes(), compiled=False)

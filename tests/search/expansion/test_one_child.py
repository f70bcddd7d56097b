"""`RandomChild`: every untried action equally often, and urgent moves first.

Also of `search/expansion/base.py`.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    UCT,
    Game,
    Gomoku,
    Limit,
    Position,
    RandomChild,
    TicTacToe,
    Tree,
    Truncated,
    Unsolved,
)
from playout.core.rng import make_rng
from playout.search.expansion.one_child import INTERVALS
from playout.search.tree.nodes import ROOT


@dataclass(frozen=True)
class Listed(Game):
    """One move, of those that are given."""

    moves: tuple[int, ...] = (0,)
    urges: int = 0

    def num_actions(self) -> int:
        return 500

    def legal_actions(self, state: Any, actions: Any) -> int:
        actions[: len(self.moves)] = self.moves
        return len(self.moves)

    def urgent_actions(self, state: Any, actions: Any) -> int:
        actions[: self.urges] = self.moves[: self.urges]
        return self.urges

    def is_terminal(self, state: Any) -> bool:
        return False


def expanded(game: Listed, action: int, seed: int, urgent: str = "never") -> list[int]:
    """The actions of a node's children, in order, when it got all it may have."""
    expansion = RandomChild(urgent=urgent)
    tree = Tree.reserve(1000)
    tree.nodes[ROOT].action = action
    work: Any = SimpleNamespace(actions=np.zeros(500, np.int32), rng=make_rng(seed))
    with np.errstate(over="ignore"):
        while expansion.expand(game, None, tree, ROOT, work)[1] == 1:
            pass
    return tree.nodes.array["action"][tree.children(ROOT)].tolist()


@pytest.mark.parametrize("legal", [1, 2, 3, 7, 8, 9, 40, 81, 225, 361])
@pytest.mark.parametrize("action", [0, 1, 2, 3, 4, 5, 6, 7, 224])
def test_every_action_is_tried_once(legal: int, action: int) -> None:
    draw = np.random.default_rng(legal)
    moves = np.sort(draw.choice(500, legal, replace=False)).tolist()
    game = Listed(moves=tuple(moves), urges=legal // 2)
    assert sorted(expanded(game, action, seed=legal)) == moves
    if legal > 1:
        urgent = moves[: legal // 2]
        assert sorted(expanded(game, action, seed=legal, urgent="root")) == urgent


@dataclass(frozen=True)
class Choosy(RandomChild):
    """Has candidates of its own, in falling order, others at every visit."""

    def candidates(self, game: Any, state: Any, node: int, work: Any) -> int:
        legal = game.legal_actions(state, work.actions)
        kept = work.actions[work.actions[:legal].argsort()[::-1]].copy()
        first = int(work.rng.below(3))
        count = min(5, legal - first)
        work.actions[:count] = kept[first : first + count]
        return count


def test_candidates_of_a_subclass_are_tried_once_in_any_order() -> None:
    tree = Tree.reserve(1000)
    work: Any = SimpleNamespace(actions=np.zeros(500, np.int32), rng=make_rng(1))
    game = Listed(moves=tuple(range(10, 20)))
    with np.errstate(over="ignore"):
        for _ in range(50):
            Choosy().expand(game, None, tree, ROOT, work)
    actions = tree.nodes.array["action"][tree.children(ROOT)].tolist()
    assert len(set(actions)) == len(actions) == 5
    assert set(actions) <= set(range(13, 20))


@pytest.mark.parametrize("action", range(len(INTERVALS)))
def test_a_step_leads_away_on_boards_of_common_sizes(action: int) -> None:
    """Not to the next cell of an empty one."""
    for size in (7, 9, 36, 64, 81, 100, 169, 225, 361):
        step = INTERVALS[action] % size
        assert min(step, size - step) >= size / 8


@pytest.mark.parametrize("simulations", [1, 2, 4])
def test_untried_actions_are_drawn_uniformly(simulations: int) -> None:
    """Fewer simulations than moves: every move is tried equally often.

    Chi-squared with 8 degrees, false alarm below 1e-6 (fixed seed).
    """
    counts = np.zeros(9)
    search = MCTS(TicTacToe(), expansion=RandomChild(urgent="never"), seed=1)
    for _ in range(2700):
        search.reset()
        result = search.search(limit=Limit(simulations=simulations))
        moves = [row.action for row in result.actions]
        assert len(set(moves)) == simulations
        counts[moves] += 1
    expected = 2700 * simulations / 9
    # drawn without replacement: the variance is smaller than multinomial
    assert ((counts - expected) ** 2 / expected).sum() < 43.0


def test_what_follows_a_move_is_as_random_as_that() -> None:
    """Each move has one that follows it, another one for each.

    So the second is drawn as the first. Chi-squared with 8 degrees, false alarm below
    1e-6 (fixed seed).
    """
    pairs = np.zeros((9, 9))
    search = MCTS(TicTacToe(), expansion=RandomChild(urgent="never"), seed=1)
    for _ in range(1800):
        search.reset()
        search.search(limit=Limit(simulations=2))
        tree = search.tree
        first, second = tree.nodes.array["action"][tree.children(ROOT)]
        pairs[first, second] += 1
    assert ((pairs > 0).sum(axis=0) == 1).all()
    assert ((pairs > 0).sum(axis=1) == 1).all()
    assert np.trace(pairs) == 0
    assert ((pairs.sum(axis=0) - 200) ** 2 / 200).sum() < 43.0


@pytest.mark.parametrize("nodes", [None, 3000])
def test_nothing_is_tried_twice_in_trees_that_are_kept_and_recycled(
    nodes: int | None,
) -> None:
    game = Gomoku(size=6)
    policies: dict[str, Any] = {"solver": Unsolved(), "rollout": Truncated(4)}
    expansion = RandomChild(urgent="never")
    search = MCTS(game, selection=UCT(2.0), expansion=expansion, seed=2, **policies)
    position = Position(game)
    for _ in range(6):
        result = search.search(position, Limit(simulations=4000, nodes=nodes))
        tree = search.tree
        for node in range(tree.num_nodes):
            children = tree.children(node)
            actions = tree.nodes.array["action"][children].tolist()
            assert len(set(actions)) == len(actions)
        position.play(result.action)


def test_urgent_moves_are_the_only_ones_tried() -> None:
    win_now = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2"])
    for urgent, moves in (("always", {"a3"}), ("root", {"a3"})):
        search = MCTS(
            TicTacToe(),
            expansion=RandomChild(urgent=urgent),
            solver=Unsolved(),
            seed=1,
            interpreted=True,
        )
        result = search.search(win_now, Limit(simulations=500))
        assert {r.move for r in result.actions} == moves
        assert result.value == 1.0
        assert result.stopped_by == "only move"
    free = RandomChild(urgent="never")
    search = MCTS(
        TicTacToe(), expansion=free, solver=Unsolved(), seed=1, interpreted=True
    )
    assert len(search.search(win_now, Limit(simulations=500)).actions) == 5


def test_urgent_at_the_root_only() -> None:
    at_root = RandomChild(urgent="root")
    search = MCTS(TicTacToe(), expansion=at_root, seed=1, interpreted=True)
    block = Position.from_moves(TicTacToe(), ["a1", "c3", "a2"])
    result = search.search(block, Limit(simulations=2000))
    assert [r.move for r in result.actions] == ["a3"]
    reply = search.tree.children(int(search.tree.children(ROOT)[0]))
    assert len(reply) == 5

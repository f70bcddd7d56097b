"""Policies of several phases together: full trees, and proofs that stay right."""

from typing import Any

import pytest

from playout import MCTS, AllChildren, Limit, Position, Unsolved
from playout.search.expansion.widening import ProgressiveWidening
from playout.search.solver.bounds import is_proven, lower_of
from playout.search.tree.nodes import ROOT
from tests.search.support import minimax, to_move, winner
from tests.search.trees import SINGLE, TOGETHER, search_of
from tests.toys import PassNim, TwiceNim, solve

SIGN = {"win": 1, "draw": 0, "loss": -1}


@pytest.mark.parametrize("name", TOGETHER)
def test_a_full_tree_goes_on_with_any_policy(name: str) -> None:
    """Two merged trees with room for twenty nodes each; all simulations count."""
    policies = {**TOGETHER[name], "solver": Unsolved()}
    search = search_of(policies, interpreted=True, trees=2)
    result = search.search(limit=Limit(simulations=120, nodes=40))
    assert result.visits == 120
    assert sum(tree.num_nodes for tree in search.trees) <= 40
    assert sum(row.visits for row in result.actions) <= 120
    assert result.action in range(9)


@pytest.mark.optimised  # as the golden trees' twins, whose code it is
@pytest.mark.parametrize("name", TOGETHER)
def test_proofs_stay_right_and_are_found(name: str) -> None:
    """The start is drawn, and every proof in the tree is that of minimax."""
    search = search_of(TOGETHER[name])
    result = search.search(limit=Limit(simulations=30_000))
    assert result.proven == "draw"
    nodes = search.tree.nodes.array
    stack = [(ROOT, ".........")]
    proofs = 0
    while stack:
        node, cells = stack.pop()
        row = nodes[node]
        if is_proven(row["proven"]):
            proofs += 1
            assert lower_of(row["proven"]) == -value_of(cells)
        for child in search.tree.children(node):
            action, mark = int(nodes["action"][child]), to_move(cells)
            after = cells[:action] + mark + cells[action + 1 :]
            stack.append((int(child), after))
    assert proofs > 50


def value_of(cells: str) -> float:
    """The exact value for the player to move."""
    if winner(cells):
        return -1
    return minimax(cells) if "." in cells else 0


@pytest.mark.parametrize("game", [TwiceNim(), PassNim()], ids=["twice", "pass"])
@pytest.mark.parametrize(
    "policies",
    [
        {"expansion": ProgressiveWidening(widening=1.0, exponent=0.2)},
        {"expansion": AllChildren(visit_all=False)},
        SINGLE["rave"],
        SINGLE["progressive-history"],
        SINGLE["robust-mix"],
    ],
    ids=lambda p: type(next(iter(p.values()))).__name__,
)
def test_double_moves_and_passes_are_proven(game: Any, policies: Any) -> None:
    search = MCTS(game, seed=3, interpreted=True, **policies)
    result = search.search(limit=Limit(simulations=3000), forced_too=True)
    assert result.proven is not None
    assert SIGN[result.proven] == solve(Position(game))

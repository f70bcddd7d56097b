"""PUCT, its priors and its noise (rows 2 and 18 of docs/checklist.md)."""

import numpy as np
import pytest

from playout import MCTS, AllChildren, Limit, Position, TicTacToe
from playout.search.selection.puct import PUCT
from playout.search.tree.nodes import ROOT
from tests.search.support import reached, row
from tests.search.trees import ROUNDING, SINGLE, search_of
from tests.toys import Knowing


@pytest.mark.parametrize(
    ("parent", "visits", "value_sum", "prior", "score"),
    [
        (0, 0, 0.0, 0.25, 0.5),  # 2 * 0.25 * sqrt(1) / 1: priors count at once
        (100, 0, 0.0, 0.1, 2.0),  # 2 * 0.1 * 10 / 1
        (100, 9, 4.5, 0.1, 0.7),  # 0.5 + 2 * 0.1 * 10 / 10
        (100, 19, -9.5, 0.3, -0.2),  # -0.5 + 2 * 0.3 * 10 / 20
    ],
)
def test_puct_by_hand(
    parent: int, visits: int, value_sum: float, prior: float, score: float
) -> None:
    policy = PUCT(c_puct=2.0)
    term = policy.parent_term(row(parent))
    child = row(visits, value_sum, prior=prior)
    found = policy.score(child, term) if visits else policy.first_score(child, term)
    assert found == pytest.approx(score)


@pytest.mark.parametrize("name", ["puct", "puct-noise", "progressive-bias-prior"])
def test_priors_add_up_to_1_over_the_legal_actions(name: str) -> None:
    search = search_of(SINGLE[name], interpreted=True)
    position = Position.from_moves(Knowing(), ["b2", "a1"])
    search.search(position, Limit(simulations=60))
    nodes = search.tree.nodes.array
    complete = 0
    for node in reached(search):
        children = search.tree.children(node)
        if len(children):
            total = nodes["prior"][children].astype(float).sum()
            if len(children) == nodes["num_legal"][node]:
                complete += 1
                assert total == pytest.approx(1, rel=ROUNDING)
            else:  # made as they are wanted: some have no child yet
                assert name == "puct"
                assert total < 1
            assert (nodes["prior"][children] > 0).all()
    assert complete > 5
    weights = {a: 2.0 if a % 2 == 0 else 1.0 for a in position.legal_actions()}
    below = search.tree.children(ROOT)
    shares = [weights[a] / sum(weights.values()) for a in nodes["action"][below]]
    equal = np.allclose(nodes["prior"][below], shares, atol=1e-4)
    assert equal == (name != "puct-noise")  # noise only when asked


def test_priors_of_children_made_one_by_one_are_shares_of_all_legal_actions() -> None:
    policies = {**SINGLE["puct"], **SINGLE["random-child"]}
    search = search_of(policies, interpreted=True)
    search.search(limit=Limit(simulations=4))
    children = search.tree.nodes.array[search.tree.children(ROOT)]
    for child in children:
        weight = 3 if child["action"] == 4 else 2 - child["action"] % 2
        assert child["prior"] == pytest.approx(weight / 15, rel=ROUNDING)


def test_without_a_prior_all_actions_are_alike() -> None:
    search = MCTS(TicTacToe(), selection=PUCT(), seed=1, interpreted=True)
    search.search(limit=Limit(simulations=2))
    children = search.tree.children(ROOT)
    assert search.tree.nodes.array["prior"][children] == pytest.approx(
        1 / 9, rel=ROUNDING
    )


def test_the_prior_of_a_child_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def prior(self: Knowing, state: object, action: int) -> float:
        asked.append(int(action))
        return float(1 + action)

    monkeypatch.setattr(Knowing, "prior", prior)
    search = MCTS(
        Knowing(),
        selection=PUCT(),
        expansion=AllChildren(visit_all=False),
        interpreted=True,
    )
    search.search(limit=Limit(simulations=1))
    assert sorted(asked) == list(range(9))
    below = search.tree.nodes.array[search.tree.children(ROOT)]
    assert below["prior"] == pytest.approx((1 + below["action"]) / 45, rel=ROUNDING)
    assert below["value_sum"][below["visits"] == 0].tolist() == [0.0] * 8

"""Progressive bias against numbers worked out by hand."""

import pytest

from playout import LikeliestFirst, Limit
from playout.search.selection.progressive_bias import ProgressiveBias
from playout.search.selection.uct import UCT
from playout.search.tree.nodes import ROOT
from tests.search.support import row
from tests.search.trees import ROUNDING, SINGLE, search_of


def test_progressive_bias_by_hand() -> None:
    policy = ProgressiveBias(c_uct=1.0, bias=2.0)
    term = policy.parent_term(row(100))
    uct = UCT(c_uct=1.0).score(row(10, 5.0), term)
    child = row(10, 5.0, prior=0.55)
    assert policy.score(child, term) == pytest.approx(uct + 2.0 * 0.55 / 11)
    assert policy.first_score(row(0, prior=0.55), term) == 1.0 + 2.0 * 0.55


def test_progressive_bias_knows_what_actions_lead_to() -> None:
    search = search_of(SINGLE["progressive-bias"], interpreted=True)
    search.search(limit=Limit(simulations=1))
    children = search.tree.nodes.array[search.tree.children(ROOT)]
    found = {int(child["action"]): child["prior"] for child in children}
    expected = {a: (3 if a == 4 else 2 - a % 2) / 30 for a in range(9)}
    assert found == pytest.approx(expected, rel=ROUNDING)


def test_it_shares_its_column_with_the_likeliest_first() -> None:
    """Each says what kind of number a prior is: were they others, none were made."""
    policies = {**SINGLE["progressive-bias-prior"], "expansion": LikeliestFirst()}
    search = search_of(policies, interpreted=True)
    assert search.search(limit=Limit(simulations=30)).simulations == 30
    nodes = search.tree.nodes.array
    shares = nodes["prior"][search.tree.children(ROOT)].tolist()
    assert shares == pytest.approx([w / 15 for w in (3, *[2] * 4, *[1] * 4)], rel=2e-3)

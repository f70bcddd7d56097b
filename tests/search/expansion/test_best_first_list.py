"""The list of the likeliest actions, against its slow twin."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from playout import LikeliestFirst, Tree
from playout.core.rng import make_rng
from playout.search.expansion.best_first import list_likeliest
from playout.search.tree.children import add_child
from playout.search.tree.nodes import LATER_PRIOR, PROOF_COLUMNS, ROOT, node_dtype


def slow_list(
    priors: list[float], made: list[int], size: int
) -> tuple[list[float], float]:
    """The priors in the list, the highest first, and that of the next one."""
    left = sorted((p for n, p in enumerate(priors) if n not in made), reverse=True)
    return left[:size], [*left, 0.0][min(size, len(left))]


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_the_likeliest_are_those_of_the_slow_twin(data: Any) -> None:
    """Few different priors, so that many tie, some 0; some likeliest have a child."""
    priors = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=12))
    size = data.draw(st.integers(1, 4))
    order = sorted(range(len(priors)), key=lambda n: (-priors[n], (n * 7) % 13))
    made = order[: data.draw(st.integers(0, len(priors) - 1))]
    tree = Tree.reserve(100, node_dtype(*PROOF_COLUMNS, LATER_PRIOR, ("prior", "f2")))
    tree.nodes[ROOT].num_legal = len(priors)
    for action in made:
        add_child(tree, ROOT, action)
    bound = float(priors[made[-1]]) if made else math.inf
    tables = LikeliestFirst().tables(SimpleNamespace(num_actions=lambda: len(priors)))
    judge = SimpleNamespace(
        priors=lambda game, state, actions, n, out: fill(out, priors)
    )
    work: Any = SimpleNamespace(
        actions=np.arange(len(priors)),
        expansion_tables=tables,
        judge=judge,
        rng=make_rng(data.draw(st.integers(0, 99))),
    )
    state: Any = None
    with np.errstate(over="ignore"):
        count, total, left = list_likeliest(
            state, state, tree, ROOT, bound, work, len(priors), size
        )
    expected, next_one = slow_list([float(p) for p in priors], made, size)
    rows = tables.rows.array[:count]
    assert (rows["prior"].tolist(), left) == (expected, next_one)
    assert total == sum(priors)
    assert len({*rows["action"].tolist(), *made}) == count + len(made)
    assert all(priors[row["action"]] == row["prior"] for row in rows)


def fill(out: Any, priors: list[int]) -> None:
    out[: len(priors)] = priors


def test_equal_ones_are_drawn_uniformly() -> None:
    """Pairs of six: 30 of 3,000 each 100 times, by the same standard error."""
    pairs = np.zeros((6, 6))
    tables = LikeliestFirst().tables(SimpleNamespace(num_actions=lambda: 6))
    judge = SimpleNamespace(
        priors=lambda game, state, actions, n, out: fill(out, [1] * 6)
    )
    tree, rng, nothing = Tree.reserve(9), make_rng(3), None
    work: Any = SimpleNamespace(
        actions=np.arange(6), expansion_tables=tables, judge=judge, rng=rng
    )
    with np.errstate(over="ignore"):
        for _ in range(3000):
            list_likeliest(nothing, nothing, tree, ROOT, math.inf, work, 6, 2)
            first, second = tables.rows.array["action"][:2]
            pairs[first, second] += 1
    assert np.trace(pairs) == 0
    chi2 = ((pairs[~np.eye(6, dtype=bool)] - 100) ** 2 / 100).sum()
    assert chi2 < 29 + 6 * math.sqrt(2 * 29)  # 29 degrees; the seed is fixed

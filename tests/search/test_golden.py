"""Golden trees of every policy, and their compiled twins.

`python -m tests.search.test_golden` writes the trees anew, where a change of the search
is meant; what has changed is then there to be read.
"""

from pathlib import Path

import pytest

from playout import Limit, Position
from tests.search.test_mcts import tree_bytes

from ..toys import Knowing
from .trees import SINGLE, TOGETHER, golden, search_of

TREES = Path(__file__).parents[1] / "data" / "trees"

pytestmark = pytest.mark.optimised


@pytest.mark.parametrize("name", SINGLE)
def test_the_tree_is_the_golden_one(name: str) -> None:
    assert golden(SINGLE[name]) == (TREES / f"{name}.txt").read_text()


def test_every_policy_has_a_tree_of_its_own() -> None:
    texts = {path.stem: path.read_text() for path in TREES.glob("*.txt")}
    assert set(texts) == set(SINGLE)
    alike = {"unsolved", "uct"}  # nothing is proven yet after 50 simulations
    assert len({text for name, text in texts.items() if name not in alike}) == (
        len(texts) - len(alike)
    )


@pytest.mark.parametrize("name", TOGETHER)
def test_the_slow_twin_grows_the_same_tree(name: str) -> None:
    """Interpreted, compiled and once more: the same seed gives the same bytes."""
    trees = []
    for interpreted in (True, False):
        search = search_of(TOGETHER[name], interpreted=interpreted)
        position = Position.from_moves(Knowing(), ["b2", "a1"])
        search.search(position, Limit(simulations=120))
        search.advance(search.search(limit=Limit(simulations=30)).action)
        if not search.position.is_terminal:
            search.search(limit=Limit(simulations=30))
        trees.append(tree_bytes(search))
    assert trees[0] == trees[1]


if __name__ == "__main__":
    TREES.mkdir(exist_ok=True)
    for name, policies in SINGLE.items():
        (TREES / f"{name}.txt").write_text(golden(policies))

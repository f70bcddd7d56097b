"""Virtual losses: taken off again, whatever they are (row 12 of docs/checklist.md)."""

from typing import Any

import pytest

from playout import MCTS, UCT, TicTacToe, UsageError
from playout.search.kernels.virtual_loss import add_virtual_loss
from playout.search.tree.nodes import ROOT
from tests.search.kernels.threads import KERNELS, WholeMean, check, grown

pytestmark = [
    pytest.mark.optimised,  # as `test_shared_tree.py`, whose kernels these are
    pytest.mark.usefixtures("threads_from_the_first_simulation_on"),
]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("loss", [0.0, 0.5, 3.0])
def test_any_virtual_loss_is_taken_off_again(kernel: str, loss: float) -> None:
    search = grown(8, 10_000, backup=KERNELS[kernel], virtual_loss=loss)
    check(search.tree)


def test_a_virtual_loss_sends_others_elsewhere() -> None:
    """What the nodes on a path look like while a simulation is under way."""
    search = grown(2, 500, backup=WholeMean(), virtual_loss=2.0)
    tree, work = search.tree, search._forest.teams[0].works[0]
    child = int(tree.children(ROOT)[0])
    work.path[0].node, work.path[1].node = ROOT, child
    before = tree.nodes.array[[ROOT, child]][["visits", "value_sum"]].tolist()
    score = UCT().score(tree.nodes[child], UCT().parent_term(tree.nodes[ROOT]))
    add_virtual_loss(tree, work, 1, 3)
    after = tree.nodes.array[[ROOT, child]][["visits", "value_sum"]].tolist()
    assert [(v + 3, w - 6) for v, w in before] == after
    worse = UCT().score(tree.nodes[child], UCT().parent_term(tree.nodes[ROOT]))
    assert worse < score
    add_virtual_loss(tree, work, 1, -3)
    assert tree.nodes.array[[ROOT, child]][["visits", "value_sum"]].tolist() == before


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf"), "1"])
def test_a_wrong_virtual_loss_is_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match="virtual_loss must be"):
        MCTS(TicTacToe(), threads=2, virtual_loss=wrong)


def test_there_are_not_more_threads_than_anybody_has_processors() -> None:
    with pytest.raises(UsageError, match="threads must be at most 1024, not 1000000"):
        MCTS(TicTacToe(), threads=10**6)

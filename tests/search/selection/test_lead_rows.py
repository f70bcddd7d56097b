"""When what was noted of a node's lead still holds."""

import numpy as np
import pytest

from playout.core.jit.rows import Rows
from playout.search.selection.lead_rows import LEAD_DTYPE, begin, is_current, is_open
from playout.search.tree.nodes import CLOSED
from playout.search.tree.tree import Tree


@pytest.fixture
def tree() -> Tree:
    tree = Tree.reserve(10)
    tree.nodes[3].visits, tree.nodes[3].num_children = 50, 4
    return tree


def test_a_lead_holds_for_the_next_visit_of_the_same_node(tree: Tree) -> None:
    lead = Rows(np.zeros(1, LEAD_DTYPE))[0]
    parent = tree.nodes[3]
    assert not is_current(lead, parent, 3, 1)
    begin(lead, parent, 3, 1)
    assert not is_current(lead, parent, 3, 1)  # nobody has visited it since
    parent.visits += 1
    assert is_current(lead, parent, 3, 1)
    assert not is_current(lead, parent, 4, 1)
    assert not is_current(lead, parent, 3, 2)
    parent.num_children += 1
    assert not is_current(lead, parent, 3, 1)


def test_a_closed_child_is_not_open(tree: Tree) -> None:
    assert is_open(tree.nodes[3])
    tree.nodes[3].proven = CLOSED
    assert not is_open(tree.nodes[3])

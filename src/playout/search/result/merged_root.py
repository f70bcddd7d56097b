"""Root parallelisation: trees that were grown independently, merged at the root.

Every tree has random numbers of its own; the statistics of the root's moves are added
up.

    Chaslot, Winands, van den Herik, "Parallel Monte-Carlo Tree Search", CG 2008,
    section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.jit.rows import Row
from ..solver.bounds import bounds, is_proven, lower_of, upper_of
from ..tree.children import add_child
from ..tree.nodes import MAX_VISITS, ROOT
from ..tree.tree import Tree

__all__ = ["best_known", "merge_roots"]


def merge_roots(trees: Sequence[Tree], mover: int) -> Tree:
    """A tree of a root and its children, with the sums of all trees' visits and values.

    What one tree has proven counts, and what follows from their proofs together.

    Args:
        trees: of the same position; a single one is returned as it is.
        mover: whose move it is at the root.
    """
    if len(trees) == 1:
        return trees[0]
    rows = _children_by_action(trees)
    roots = [tree.nodes[ROOT] for tree in trees]
    legal = max((row.num_legal for row in roots if row.num_children > 0), default=0)
    merged = Tree.reserve(legal + 1, trees[0].nodes.array.dtype)
    merged.clear(trees[0].info[0].root_mover)
    merged.count_in(trees[0].units)
    root = merged.nodes[ROOT]
    if legal > 0:
        root.num_legal = legal
    _add_up(root, roots)
    for action in sorted(rows):
        _add_up(merged.nodes[add_child(merged, ROOT, action)], rows[action])
    _prove(merged, 1 if mover == merged.info[0].root_mover else -1)
    return merged


def best_known(trees: Sequence[Tree], move: Row) -> tuple[Tree, int]:
    """The tree that knows most about a move at the root, and the move's node there.

    If some trees have proven what is proven of the move, it is one of them; of these,
    or of all, it is the tree that visited the move most.

    Args:
        trees: of the same position.
        move: its row in the tree of `merge_roots`.
    """
    found = []
    for index, tree in enumerate(trees):
        children = tree.children(ROOT)
        same = tree.nodes.array["action"][children] == move.action
        for child in children[same].tolist():
            row = tree.nodes[child]
            knows = _knowledge(row) == _knowledge(move)
            found.append((knows, row.visits, -index, child))
    _, _, index, child = max(found)
    return trees[-index], child


def _knowledge(row: Row) -> tuple[int, int, int]:
    plies = row.proof_plies if is_proven(row.proven) else 0
    return lower_of(row.proven), upper_of(row.proven), plies


def _children_by_action(trees: Sequence[Tree]) -> dict[int, list[Row]]:
    rows: dict[int, list[Row]] = {}
    for tree in trees:
        for child in tree.children(ROOT):
            row = tree.nodes[int(child)]
            rows.setdefault(row.action, []).append(row)
    return rows


def _add_up(total: Row, rows: list[Row]) -> None:
    """Add up the statistics of several nodes. Modified in place."""
    total.visits = min(sum(row.visits for row in rows), MAX_VISITS)
    total.value_sum = sum(row.value_sum for row in rows)
    lower = max(lower_of(row.proven) for row in rows)
    upper = min(upper_of(row.proven) for row in rows)
    total.proven = bounds(lower, upper)
    plies = [row.proof_plies for row in rows if is_proven(row.proven)] or [0]
    total.proof_plies = min(plies) if lower > 0 else max(plies)


def _prove(tree: Tree, sign: int) -> None:
    """Have the root's bounds follow from its children's; -1 where these are others'."""
    root = tree.nodes[ROOT]
    children = tree.nodes.array["proven"][tree.children(ROOT)]
    if len(children) == 0:
        return
    lower = int(lower_of(children).max())
    upper = int(upper_of(children).max()) if len(children) == root.num_legal else 1
    if sign < 0:
        lower, upper = -upper, -lower
    lower = max(lower, lower_of(root.proven))
    upper = min(upper, upper_of(root.proven))
    root.proven = bounds(lower, upper)

"""Small copies of the top of a large tree, to be sent to another process."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.jit.rows import Rows
from ...core.jit.wide_rows import WideRows
from ..choice import MostVisits
from ..tree.children import block_size, link_block
from ..tree.nodes import NO_NODE, ROOT
from ..tree.tree import Tree

__all__ = ["LONGEST_LINE", "TreeTop", "line_below", "top_of"]

#: The longest line that is shown of a tree, in actions.
LONGEST_LINE = 24


@dataclass(frozen=True)
class TreeTop(Tree):
    """The root of a tree and its children; the numbers are those of the whole tree.

    Attributes:
        whole_bytes: memory that the whole takes.
    """

    whole_bytes: int

    @property
    def num_bytes(self) -> int:
        return self.whole_bytes


def top_of(tree: Tree, spare: int = 0) -> TreeTop:
    """The top of a tree, a graph, or one of information sets; it is a plain tree.

    Args:
        tree: the whole.
        spare: how many of its nodes threads have taken and not used.
    """
    top = _excerpt(tree, ROOT, levels=1)
    top.info.array[:] = tree.info.array
    top.info.array["num_nodes"] -= spare
    return TreeTop(top.nodes, top.info, top.blank, tree.num_bytes)


def line_below(tree: Tree, node: int) -> Tree:
    """A node as a root, and the most visited moves below it with all their siblings.

    Where several are equally good it has all their lines: ties are broken later.
    """
    return _excerpt(tree, node, levels=LONGEST_LINE)


def _excerpt(tree: Tree, first: int, levels: int) -> Tree:
    """A node with its children, those of the best of these, and so on.

    In a graph, what is reached in two ways is in the copy once.
    """
    nodes = tree.nodes.array
    parts, size = [nodes[first : first + 1].copy()], 1
    _close(parts[0])
    blocks: dict[int, int] = {}  # where the children of an entry are in the copy
    level: list[tuple[NDArray[np.void], int]] = [(parts[0][:1], first)]
    for depth in range(levels):
        following: list[tuple[NDArray[np.void], int]] = []
        for row, node in level:
            entry = tree.entry(node)
            children = tree.children(entry)
            if len(children) == 0:
                continue
            legal = int(nodes["num_legal"][entry])
            row["num_children"], row["num_legal"] = len(children), legal
            row["first_child"] = blocks.setdefault(entry, size)
            if blocks[entry] < size:
                continue
            below = nodes[children]
            _close(below)
            _link(below, size, legal)
            parts.append(below)
            size += len(children)
            if depth + 1 < levels and below["visits"].any():
                best = np.isin(children, MostVisits().best(tree, entry))
                following += [
                    (below[index : index + 1], int(children[index]))
                    for index in np.flatnonzero(best)
                ]
        level = following
    info = Tree.reserve(1, nodes.dtype).info
    info[0].num_nodes = info[0].capacity = size
    excerpt = Tree(WideRows(_joined(parts)), info, tree.blank)
    excerpt.count_in(tree.units)
    return excerpt


def _joined(parts: list[NDArray[np.void]]) -> NDArray[np.void]:
    """One array of them all; NumPy's own would drop the padding between columns."""
    joined = np.empty(sum(map(len, parts)), parts[0].dtype)
    np.concatenate(parts, out=joined)
    return joined


def _close(rows: NDArray[np.void]) -> None:
    """Make nodes leaves. Modified in place."""
    rows["num_children"], rows["first_child"] = 0, NO_NODE


def _link(rows: NDArray[np.void], first: int, legal: int) -> None:
    """Have blocks of siblings follow each other, from a place on. Modified in place."""
    nodes, done = Rows(rows), 0
    while (end := done + block_size(nodes, done, legal)) < len(rows):
        link_block(nodes, done, first + end)
        done = end

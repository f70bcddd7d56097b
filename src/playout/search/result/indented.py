"""The tree as indented text: a line a node, as Tiny-MCTS prints it.

connect-four: 4 4
root 0.0400 (12/300)
  4 -> 0.1000 (10/100)
    3 -> -0.0500 (-2/40)
3 nodes
"""

from __future__ import annotations

from ...games.positions.position import Position
from .export import ExportedNode, title

__all__ = ["to_text"]

#: How much further in a child stands.
INDENT = "  "


def to_text(nodes: list[ExportedNode], position: Position) -> str:
    """The nodes, each below its parent, the most visited of siblings first.

    `ratio` is W / n for the player who made the move; W is the sum of the returns.

    Args:
        nodes: parents before children, as `exported_nodes` gives them.
        position: the position at the root.
    """
    below: dict[int | None, list[ExportedNode]] = {}
    for node in nodes:
        below.setdefault(node.parent, []).append(node)
    lines, waiting = [title(position)], below[None]
    while waiting:
        node = waiting.pop()
        lines.append(INDENT * node.depth + _line(node))
        waiting.extend(reversed(below.get(node.id, [])))
    count = len(nodes)
    return "\n".join([*lines, f"{count:,} node{'s' * (count != 1)}"]) + "\n"


def _line(node: ExportedNode) -> str:
    name = "root" if node.parent is None else f"{node.move} ->"
    proof = f" {node.proven}" if node.proven else ""
    total = round(node.mean * node.visits, 6)
    return f"{name} {node.mean:.4f} ({total:g}/{node.visits}){proof}"

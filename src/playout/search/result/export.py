"""The tree for other programs: nodes, JSON, and DOT for Graphviz.

What is shown is the most visited part. A child never has more visits than its parent,
so that part is a tree again. Of a graph, too: what follows a position that is reached
in several ways is shown where it was visited most. `TreeView` is what people call.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.rows import Rows
from ...core.pictures import heading
from ...games.contract.game import CHANCE, Game
from ...games.contract.units import POINTS, Units
from ...games.positions.position import Position
from ...games.registry import game_spec
from ..tree.nodes import ROOT
from ..tree.tree import Tree
from .statistics import verdict

__all__ = [
    "READABLE_NODES",
    "READABLE_SHARE",
    "ExportedNode",
    "as_dict",
    "caption",
    "exported_nodes",
    "title",
    "to_dict",
    "to_dot",
]

#: What of a tree people can take in at once, and a browser can draw.
READABLE_SHARE, READABLE_NODES = 0.01, 500


@dataclass(frozen=True)
class ExportedNode:
    """A node of the tree as other programs get it.

    Attributes:
        id: its number here, 0 for the root; a parent's is smaller.
        parent: the parent's number; None at the root.
        depth: moves from the root.
        move: the move that leads here, as people write it; "" at the root.
        player: index of the player who made that move; None at the root, `CHANCE` (-1)
            where it was drawn.
        visits: simulations that passed through.
        share: those as a part of the root's, 0 to 1.
        mean: average return for `player`, in the game's own units; at the root for the
            player whose turn it is, after chance for the last one who moved.
        proven: "win", "loss" or "draw" for that player, if it is sure.
    """

    id: int
    parent: int | None
    depth: int
    move: str
    player: int | None
    visits: int
    share: float
    mean: float
    proven: str | None = None
    units: Units = POINTS

    @property
    def win_rate(self) -> float:
        """The mean as a share of the points, or of the returns' range; 0 to 1."""
        return self.units.share(self.mean)


def exported_nodes(
    tree: Tree,
    position: Position,
    min_share: float = READABLE_SHARE,
    max_nodes: int | None = READABLE_NODES,
    max_depth: int | None = None,
    min_visits: int = 1,
) -> list[ExportedNode]:
    """The most visited part of a tree, parents before children.

    Args:
        tree: the tree of a search.
        position: the position at its root.
        min_share: of the root's visits that a node must have, 0 to 1.
        max_nodes: how many nodes to give at most, the root included; all where None.
        max_depth: moves from the root at most; any number where it is None.
        min_visits: fewer a node must not have; the root may.
    """
    total = int(tree.nodes.array["visits"][ROOT])
    nodes: list[ExportedNode] = []
    for node in _by_visits(tree, position, max_depth):
        too_few = node.visits < max(1.0, min_visits, min_share * total)
        if nodes and (too_few or len(nodes) == max_nodes):
            break
        nodes.append(node)
    return nodes


def to_dict(nodes: list[ExportedNode], position: Position) -> dict[str, Any]:
    """Plain values for JSON: a flat list in which nodes name their parents."""
    return {
        "game": game_spec(position.game),
        "position": position.to_text(),
        "moves": position.moves,
        "visits": nodes[0].visits,
        "nodes": [as_dict(node) for node in nodes],
    }


def as_dict(node: ExportedNode) -> dict[str, Any]:
    """Its fields as plain values; the units are those of all nodes."""
    return {name: value for name, value in vars(node).items() if name != "units"}


def to_dot(nodes: list[ExportedNode], position: Position) -> str:
    """A graph for Graphviz (`dot -Tsvg tree.dot`).

    A node shows the move and who made it, its visits, and the win rate for that player,
    or what is proven; the fuller its colour, the more visits.
    """
    lines = [
        "digraph tree {",
        f"  label={_quoted(title(position))};",
        '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
    ]
    for node in nodes:
        text = "\n".join(caption(position.game, node))
        lines.append(
            f"  n{node.id} [label={_quoted(text)}, "
            f'fillcolor="0.58 {node.share:.3f} 1.0"];'
        )
        if node.parent is not None:
            lines.append(f"  n{node.parent} -> n{node.id};")
    return "\n".join([*lines, "}"]) + "\n"


def title(position: Position) -> str:
    """The game and the moves that led to the root."""
    return heading(game_spec(position.game), position.moves)


def caption(game: Game, node: ExportedNode) -> tuple[str, str, str]:
    """What a node shows: who made which move, its visits, its worth for that player."""
    what = "root"
    if node.player is not None:
        what = f"{_who(game, node.player)} {node.move}"
    return what, f"{node.visits:,}", node.proven or node.units.show(node.mean)


def _by_visits(
    tree: Tree, position: Position, max_depth: int | None
) -> Iterator[ExportedNode]:
    """All nodes down to a depth, the most visited first, parents before children."""
    queue = [_Candidate(0, 0, ROOT, None, position.array)]
    made = given = 0
    followed: set[int] = set()
    while queue:
        candidate = heapq.heappop(queue)
        shown = candidate.export(tree, position.game, given)
        given += 1
        yield shown
        entry = tree.entry(candidate.node)
        if shown.depth == max_depth or entry in followed:
            continue
        children = tree.children(entry)
        if not len(children):
            continue
        followed.add(entry)
        array = candidate.state(tree, position.game)
        for child in map(int, children):
            made += 1
            visits = min(int(tree.nodes.array["visits"][child]), shown.visits)
            heapq.heappush(queue, _Candidate(-visits, made, child, shown, array))


@dataclass(order=True)
class _Candidate:
    """A node that may be shown next; the most visited and oldest comes first."""

    minus_visits: int
    made: int
    node: int = field(compare=False)
    parent: ExportedNode | None = field(compare=False)
    before: NDArray[np.void] = field(
        compare=False
    )  # the state in the parent; the root's own

    def state(self, tree: Tree, game: Game) -> NDArray[np.void]:
        """`[1]` the state in this node."""
        if self.parent is None:
            return self.before
        array = self.before.copy()
        with np.errstate(over="ignore"):
            game.apply(Rows(array)[0], int(tree.nodes.array["action"][self.node]))
        return array

    def export(self, tree: Tree, game: Game, number: int) -> ExportedNode:
        """What others see of it, under this number."""
        nodes = tree.nodes.array
        total = max(1, int(nodes["visits"][ROOT]))
        visits = int(nodes["visits"][self.node])
        if self.parent is None:
            return ExportedNode(
                number,
                None,
                0,
                "",
                None,
                visits,
                visits / total,
                tree.units.outer(_root_mean(tree)),
                self._root_verdict(tree, game),
                tree.units,
            )
        return ExportedNode(
            id=number,
            parent=self.parent.id,
            depth=self.parent.depth + 1,
            move=game.action_name(int(nodes["action"][self.node])),
            player=int(game.current_player(Rows(self.before)[0])),
            visits=-self.minus_visits,
            share=-self.minus_visits / total,
            mean=tree.units.outer(
                float(nodes["value_sum"][self.node]) / max(1, visits)
            ),
            proven=verdict(int(nodes["proven"][self.node])),
            units=tree.units,
        )

    def _root_verdict(self, tree: Tree, game: Game) -> str | None:
        """For the player whose turn it is at the root."""
        mover = int(tree.info.array["root_mover"][0])
        turn = int(game.current_player(Rows(self.before)[0]))
        return verdict(
            int(tree.nodes.array["proven"][ROOT]), 1 if mover == turn else -1
        )


def _root_mean(tree: Tree) -> float:
    """For the player to move there, who is the one that moves into the children."""
    children = tree.nodes.array[tree.children(ROOT)]
    return float(children["value_sum"].sum()) / max(1, int(children["visits"].sum()))


def _who(game: Game, player: int) -> str:
    if player == CHANCE:
        return "chance"
    names = game.player_names
    return names[player] if player < len(names) else f"{player + 1}"


def _quoted(text: str) -> str:
    """A DOT string; a line break stays one."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'

"""`TreeView`: the tree of a search, to look at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...core.errors import UsageError, quote
from ...core.files import write_text
from ...core.rng import make_rng
from ...core.text.fields import is_whole
from ...games.positions.position import Position
from ..arguments import at_least_one, at_least_zero
from ..tree.children import find_child
from ..tree.nodes import ROOT
from ..tree.tree import Tree
from .export import (
    READABLE_NODES,
    READABLE_SHARE,
    ExportedNode,
    as_dict,
    exported_nodes,
    title,
    to_dict,
    to_dot,
)
from .indented import to_text
from .pictures import plot_tree
from .statistics import root_statistics
from .summary import principal_variation
from .tree_picture import draw_tree

__all__ = ["TreeView", "Variation"]

FORMATS = (".json", ".dot", ".svg", ".txt")


@dataclass(frozen=True)
class Variation:
    """A move of the root and the most visited answers to it.

    Attributes:
        moves: as people write them, the root's move first.
        visits: of that move.
        mean: its average return for the player to move at the root.
        proven: "win", "loss" or "draw" for that player, if it is sure.
    """

    moves: tuple[str, ...]
    visits: int
    mean: float
    proven: str | None


@dataclass(frozen=True)
class TreeView:
    """The tree of a search, read only; `MCTS.view()` gives it.

    Iterating gives the nodes, the most visited first and parents before children, as
    they are at that moment: a later search changes them.

    Attributes:
        tree: the tree.
        position: the position at its root.
        min_visits: nodes with fewer are left out; the root never is.
        min_share: so are those with less of the root's visits, 0 to 1.
        max_depth: and those more moves from the root; any number where it is None.
        max_nodes: and those after so many, at least 1; any number where it is None.

    >>> from playout import MCTS, Limit, TicTacToe
    >>> search = MCTS(TicTacToe(), seed=1)
    >>> result = search.search(limit=Limit(simulations=1000))
    >>> view = search.view().filter(max_depth=1)
    >>> [node.move for node in view][:3] == ["", *(a.move for a in result.actions[:2])]
    True
    """

    tree: Tree
    position: Position
    min_visits: int = 1
    min_share: float = 0.0
    max_depth: int | None = None
    max_nodes: int | None = None

    def __repr__(self) -> str:
        names = ("min_visits", "min_share", "max_depth", "max_nodes")
        bounds = ", ".join(f"{name}={getattr(self, name)}" for name in names)
        game = self.position.game
        name = game.name or type(game).__name__
        return f"TreeView({name} after {self.tree.visits:,} simulations, {bounds})"

    def __iter__(self) -> Iterator[ExportedNode]:
        return iter(
            exported_nodes(
                self.tree,
                self.position,
                self.min_share,
                self.max_nodes,
                self.max_depth,
                self.min_visits,
            )
        )

    def filter(self, **bounds: Any) -> TreeView:
        """A view of less: `min_visits`, `min_share`, `max_depth`, `max_nodes`.

        Raises:
            UsageError: another name, or a number that is out of range.
        """
        for name, value in bounds.items():
            if name not in ("min_visits", "min_share", "max_depth", "max_nodes"):
                raise UsageError(f"a tree is not filtered by {name!r}")
            if value is None and name.startswith("max_"):
                continue
            least = int(name == "max_nodes")  # the root is always there
            if name == "min_share":
                if at_least_zero(name, value) > 1:
                    raise UsageError(f"min_share must be 0 to 1, not {value}")
            elif not is_whole(value) or value < least:
                raise UsageError(
                    f"{name} must be a whole number of at least {least}, "
                    f"not {quote(value)}"
                )
        return replace(self, **bounds)

    def lines(self, most: int = 3, length: int = 24) -> list[Variation]:
        """The principal variations of the most visited moves of the root.

        Args:
            most: how many lines.
            length: how many moves each has at most.

        Raises:
            UsageError: one of them is no whole number above 0.
        """
        most, length = at_least_one("most", most), at_least_one("length", length)
        rng = make_rng(0)
        found = []
        for row in root_statistics(self.position, self.tree)[:most]:
            child = find_child(self.tree, ROOT, row.action)
            moves = principal_variation(self.position, self.tree, child, rng, length)
            found.append(Variation(moves, row.visits, row.mean, row.proven))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values under stable names, ready for JSON.

        `game, position, moves, visits, nodes: [{id, parent, depth, move, player,
        visits, share, mean, proven}]`, a flat list in which nodes name their parents.
        """
        return to_dict(list(self), self.position)

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), indent=1)

    def to_dot(self) -> str:
        """A graph for Graphviz (`dot -Tsvg tree.dot`)."""
        return to_dot(list(self), self.position)

    def to_text(self) -> str:
        """A line a node, `move -> ratio (W/n)`, children further in than parents."""
        return to_text(list(self), self.position)

    def to_svg(self) -> str:
        """A picture that needs no other program: the root at the left."""
        return draw_tree(list(self), self.position)

    def to_networkx(self) -> Any:
        """A graph whose nodes are numbers, with the fields of a node as attributes.

        Raises:
            UsageError: the package networkx is missing.
        """
        try:
            import networkx  # type: ignore[import-untyped]
        except ImportError:
            raise UsageError("this needs networkx: pip install networkx") from None
        graph = networkx.DiGraph()
        for node in self:
            graph.add_node(node.id, **as_dict(node))
            if node.parent is not None:
                graph.add_edge(node.parent, node.id)
        return graph

    def readable(self) -> TreeView:
        """What of it can be taken in at once: the most visited nodes."""
        share = max(self.min_share, READABLE_SHARE)
        most = READABLE_NODES if self.max_nodes is None else self.max_nodes
        return replace(self, min_share=share, max_nodes=min(most, READABLE_NODES))

    def save(self, path: str | Path) -> None:
        """Write it to a file: `.json`, `.dot`, `.svg` or `.txt`.

        Raises:
            UsageError: another ending, or the file cannot be written.
        """
        path = check_tree_path(path)
        write = {
            ".json": self.to_json,
            ".dot": self.to_dot,
            ".svg": self.to_svg,
            ".txt": self.to_text,
        }
        write_text(path, write[path.suffix.lower()]())

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw its readable part as boxes, as wide as their share; returns the figure.

        Args:
            path: of the picture, `.png` or `.svg`; no file where none is given.

        Raises:
            UsageError: Matplotlib is missing, or the file cannot be written.
        """
        return plot_tree(list(self.readable()), path, title(self.position))

    def _repr_svg_(self) -> str:
        return self.readable().to_svg()


def check_tree_path(path: str | Path) -> Path:
    """The path of a file for a tree, before the search that it is to show.

    Raises:
        UsageError: it ends in something else than `FORMATS`.
    """
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path} must end in {', '.join(FORMATS[:-1])} or .txt")
    return path

"""The tree as a picture (SVG): the root at the left, moves to the right.

Leaves stand one below the other in the order of the tree; a parent stands in the middle
of its children (Wetherell and Shannon, "Tidy Drawings of Trees", IEEE TSE 1979). It
needs no other program, and follows the reader's light or dark screen.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from ...games.contract.game import Game
from ...games.positions.position import Position
from .export import ExportedNode, caption, title

__all__ = ["draw_tree"]

#: Sizes in pixels: a box, from one depth to the next, from one leaf to the next.
BOX, HEIGHT, ACROSS, DOWN = 168, 24, 208, 30
MARGIN, TITLE = 16, 34

_STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1b1f24; }
  .title { font-weight: 600; font-size: 14px; }
  .paper { fill: #ffffff; }
  .box { fill: #ffffff; stroke: #8c959f; }
  .share { fill: #9ec9f5; }
  .win { fill: #a6dfb4; } .loss { fill: #f4b8a9; } .draw { fill: #d8dee4; }
  .line { fill: none; stroke: #8c959f; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .paper, .box { fill: #0d1117; }
    .share { fill: #1f4f7d; }
    .win { fill: #1d5a31; } .loss { fill: #7a3324; } .draw { fill: #3a424c; }
  }
"""


def draw_tree(nodes: list[ExportedNode], position: Position) -> str:
    """An SVG picture.

    A box shows who made which move, its visits, and the win rate for that player, or
    what is proven; it is filled as far as its part of the root's visits goes.

    Args:
        nodes: parents before children, the root first.
        position: the position at the root.
    """
    places = _rows(nodes)
    width = 2 * MARGIN + ACROSS * max(node.depth for node in nodes) + BOX
    height = 2 * MARGIN + TITLE + DOWN * (max(places) + 1)
    heading = title(position)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
        f'height="{height:g}" viewBox="0 0 {width} {height:g}" role="img" '
        f'aria-label="{escape(heading, {chr(34): "&quot;"})}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height:g}"/>',
        f'<text class="title" x="{MARGIN}" y="{MARGIN + 14}">{escape(heading)}</text>',
    ]
    corners = [
        (MARGIN + ACROSS * node.depth, MARGIN + TITLE + DOWN * row)
        for node, row in zip(nodes, places, strict=True)
    ]
    for node, corner in zip(nodes, corners, strict=True):
        if node.parent is not None:
            parts.append(_line(corners[node.parent], corner))
        parts += _box(position.game, node, corner)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _rows(nodes: list[ExportedNode]) -> list[float]:
    """Which line each node stands in, from 0; a parent amid its children."""
    children: list[list[int]] = [[] for _ in nodes]
    for node in nodes[1:]:
        children[node.parent or 0].append(node.id)
    rows = [0.0] * len(nodes)
    free, pending = 0, [(0, False)]
    while pending:  # depth first, without recursion: trees may be deep
        index, done = pending.pop()
        below = children[index]
        if done:
            rows[index] = (rows[below[0]] + rows[below[-1]]) / 2
        elif below:
            pending.append((index, True))
            pending += [(child, False) for child in reversed(below)]
        else:
            rows[index] = float(free)
            free += 1
    return rows


def _line(parent: tuple[float, float], child: tuple[float, float]) -> str:
    """A curve from the right side of one box to the left side of another."""
    x, y = parent[0] + BOX, parent[1] + HEIGHT / 2
    to_x, to_y = child[0], child[1] + HEIGHT / 2
    middle = (x + to_x) / 2
    return (
        f'<path class="line" '
        f'd="M{x:g},{y:g} C{middle:g},{y:g} {middle:g},{to_y:g} {to_x:g},{to_y:g}"/>'
    )


def _box(game: Game, node: ExportedNode, corner: tuple[float, float]) -> list[str]:
    x, y = corner
    what, visits, worth = caption(game, node)
    base = y + HEIGHT / 2 + 4
    share = f"{BOX * min(1.0, node.share):.1f}"
    return [
        "<g>",
        f"<title>{escape(f'{what}: {visits} visits, {worth}')}</title>",
        f'<rect class="box" x="{x:g}" y="{y:g}" width="{BOX}" height="{HEIGHT}"/>',
        f'<rect class="{node.proven or "share"}" x="{x:g}" y="{y:g}" '
        f'width="{share}" height="{HEIGHT}"/>',
        f'<text x="{x + 6:g}" y="{base:g}">{escape(what)}</text>',
        f'<text x="{x + 112:g}" y="{base:g}" text-anchor="end">{visits}</text>',
        f'<text x="{x + BOX - 6:g}" y="{base:g}" text-anchor="end">{worth}</text>',
        "</g>",
    ]

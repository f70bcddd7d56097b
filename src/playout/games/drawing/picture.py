"""A board as a picture (SVG), light or dark as the reader's screen.

x = LABEL + column * CELL + GAP * blocks to the left
+---------------------+
| LABEL  a   b | c  d |   rows are counted from the top
|   2    .   . | .  . |
|   1    .   . | .  . |
+---------------------+
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from xml.sax.saxutils import escape, quoteattr

from .board import BLOCKED, EMPTY, Board, Cell
from .pieces import piece_image

__all__ = ["draw_board"]

#: Sizes in pixels: a cell, the space for labels, between blocks, around all.
CELL, LABEL, GAP, MARGIN = 36, 24, 6, 8
#: From the middle of a hexagon to its upper corner, and all corners in such halves.
CORNER = CELL / math.sqrt(3)
HEXAGON = ((0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5))
#: Marks that are drawn; all others are letters. From the middle of the cell.
SIGNS = {
    "X": '<path d="M-9,-9 L9,9 M9,-9 L-9,9"/>',
    "O": '<circle r="10"/>',
}

_STYLE = """
  .playout-board { --paper: #ffffff; --cell: #f0f2f5; --edge: #8c959f; --ink: #1b1f24;
    --first: #005a8e; --second: #a63f00; --third: #8e3a6d; --good: #7fc79a;
    --last: #d0d7de; --open: #ddf4e4; --heat: #8a63d2; --quiet: #565b66; }
  @media (prefers-color-scheme: dark) { .playout-board { --paper: #0d1117;
    --cell: #21262d; --edge: #6e7681; --ink: #e6edf3; --first: #56b4e9;
    --second: #e69f00; --third: #cc79a7; --good: #1f6b3a; --last: #484f58;
    --open: #1a3325; --quiet: #aab0bb; } }
  .playout-board text { font: 14px system-ui, sans-serif; fill: var(--ink);
    text-anchor: middle; dominant-baseline: central; }
  .playout-board text.name { fill: var(--quiet); font-size: 10px; text-anchor: start; }
  .playout-board .paper { fill: var(--paper); }
  .playout-board .cell { fill: var(--cell); stroke: var(--edge); }
  .playout-board .open { fill: var(--open); }
  .playout-board .last { fill: var(--last); } .playout-board .won { fill: var(--good); }
  .playout-board .picked { fill: var(--good); }
  .playout-board .target { fill: var(--open); stroke: var(--good); stroke-width: 3; }
  .playout-board .line { stroke: var(--ink); stroke-width: 3; stroke-linecap: round; }
  .playout-board .point { fill-opacity: 0; stroke-opacity: 0.35; }
  .playout-board .point:is(.last, .won, .picked, .target) { fill-opacity: 0.6; }
  .playout-board .cell.point.stood { fill-opacity: 1; }
  .playout-board .stood:not(.last, .won, .picked, .target) { fill: var(--paper); }
  .playout-board .joint { fill: var(--ink); }
  .playout-board .closed, .playout-board .playable { fill: var(--edge); }
  .playout-board .heat { fill: var(--heat); }
  .playout-board .sign { fill: none; stroke-width: 3.5; stroke-linecap: round; }
  .playout-board .large { opacity: 0.6; stroke-width: 2; }
  .playout-board .p0 { stroke: var(--first); }
  .playout-board .p1 { stroke: var(--second); }
  .playout-board .p2 { stroke: var(--third); }
  .playout-board text.p0 { fill: var(--first); stroke: none; font-weight: 700; }
  .playout-board text.p1 { fill: var(--second); stroke: none; font-weight: 700; }
  .playout-board text.p2 { fill: var(--third); stroke: none; font-weight: 700; }
  .playout-board [role=button] { cursor: pointer; outline: none; }
  .playout-board [role=button]:hover .cell, .playout-board [role=button]:focus .cell
    { stroke: var(--heat); stroke-width: 3; }
"""


def draw_board(
    board: Board,
    label: str = "",
    moves: Mapping[Cell, str] | None = None,
    heat: Mapping[Cell, float] | None = None,
    picks: Collection[Cell] = (),
    picked: Collection[Cell] = (),
) -> str:
    """An SVG picture.

    Args:
        board: what to draw.
        label: what it is, for those who cannot see it.
        moves: cells that are buttons, and the moves that they name (`data-move`).
        heat: cells that are coloured, from 0 not at all to 1.
        picks: cells that are buttons and play nothing yet.
        picked: cells that were chosen already; then those of `moves` are marked.
    """
    moves, heat = moves or {}, heat or {}
    width, height = _size(board)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="playout-board" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="{"group" if moves or picks else "img"}" aria-label={quoteattr(label)}>',
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        *_labels(board, height),
        *_ground(board),
        *_lines(board),
    ]
    for cell in board.places:
        looks = {
            "picked": cell in picked,
            "target": bool(picked) and cell in moves,
        }
        drawn = _cell(board, cell, looks, heat.get(cell, 0.0))
        parts += _as_button(board, cell, drawn, moves.get(cell), cell in picks)
    return "\n".join([*parts, *_won_blocks(board), "</svg>"]) + "\n"


def _as_button(
    board: Board, cell: Cell, drawn: list[str], move: str | None, pick: bool
) -> list[str]:
    if move is not None:
        button = f"data-move={quoteattr(move)} aria-label={quoteattr(f'play {move}')}"
    elif pick:
        button = f"aria-label={quoteattr(f'choose {board.name_of(cell)}')}"
    else:
        return drawn
    at = f'data-cell="{cell[0]},{cell[1]}"'
    return [f'<g role="button" tabindex="0" {at} {button}>', *drawn, "</g>"]


def _cell(board: Board, cell: Cell, looks: dict[str, bool], heat: float) -> list[str]:
    mark = board.cells[cell[0]][cell[1]]
    looks = {"last": cell == board.last, "won": cell in board.winning, **looks}
    looks["closed"] = mark == BLOCKED
    looks["point"] = board.layout == "free" or bool(board.ground)
    looks["stood"] = board.layout == "free" and board.owner(mark) is not None
    looks["open"] = bool(board.block) and cell in board.playable
    names = " ".join(["cell", *(name for name, true in looks.items() if true)])
    parts = [_shape(board, cell, f'class="{names}"')]
    if heat > 0:
        parts.append(_shape(board, cell, f'class="heat" opacity="{0.8 * heat:.2f}"'))
    if cell in board.forbidden:
        mark = "x"
    x, y = _corner(board, cell)
    if mark not in (EMPTY, BLOCKED) or mark in board.pieces:
        parts.append(_sign(board, mark, x + CELL / 2, y + CELL / 2))
    elif mark == EMPTY and any(cell in ends for ends in board.lines):
        parts.append(_dot("joint", 4.5, x, y))
    elif cell in board.playable and not looks["open"]:
        parts.append(_dot("playable", 3.5, x, y))
    if mark == EMPTY and cell in board.names:
        parts.append(_name(board.names[cell], x, y))
    return parts


def _name(name: str, x: float, y: float) -> str:
    """What to type for a cell, in its corner, small."""
    return f'<text class="name" x="{x + 3:g}" y="{y + 8:g}">{escape(name)}</text>'


def _dot(name: str, radius: float, x: float, y: float) -> str:
    """In the middle of a cell, or where lines meet."""
    middle = f'cx="{x + CELL / 2:g}" cy="{y + CELL / 2:g}"'
    return f'<circle class="{name}" {middle} r="{radius:g}"/>'


def _shape(board: Board, cell: Cell, look: str) -> str:
    """A square, a hexagon or, at a point, a disc."""
    x, y = _corner(board, cell)
    if board.layout == "square":
        return f'<rect {look} x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}"/>'
    x, y = x + CELL / 2, y + CELL / 2
    if board.layout == "free":
        return f'<circle {look} cx="{x:g}" cy="{y:g}" r="{0.3 * CELL:g}"/>'
    corners = (f"{x + CELL / 2 * a:g},{y + CORNER * b:g}" for a, b in HEXAGON)
    return f'<polygon {look} points="{" ".join(corners)}"/>'


def _ground(board: Board) -> list[str]:
    """The game's own picture under the cells, if it has one."""
    if not (image := piece_image(board.ground) if board.ground else None):
        return []
    xs, ys = zip(*(_corner(board, cell) for cell in board.places), strict=True)
    left, top = min(xs), min(ys)
    return [
        f'<image href={quoteattr(image)} x="{left:g}" y="{top:g}" '
        f'width="{max(xs) - left + CELL:g}" height="{max(ys) - top + CELL:g}" '
        'preserveAspectRatio="none"/>'
    ]


def _lines(board: Board) -> list[str]:
    found = []
    for ends in board.lines:
        (x1, y1), (x2, y2) = (_corner(board, cell) for cell in ends)
        half = CELL / 2
        found.append(
            f'<line class="line" x1="{x1 + half:g}" y1="{y1 + half:g}" '
            f'x2="{x2 + half:g}" y2="{y2 + half:g}"/>'
        )
    return found


def _sign(board: Board, mark: str, x: float, y: float, scale: float = 1.0) -> str:
    """A mark or a piece around a point, in its player's colour."""
    owner = board.owner(mark)
    color = "" if owner is None else f"p{owner % 3}"
    shown = board.pieces.get(mark, mark)
    if (image := piece_image(shown)) is not None:
        box = f'x="{x - 16:g}" y="{y - 16:g}" width="32" height="32"'
        return f"<image href={quoteattr(image)} {box}/>"
    if mark not in SIGNS or shown != mark:
        return f'<text class="{color}" x="{x:g}" y="{y:g}">{escape(shown)}</text>'
    at = f"translate({x:g},{y:g}) scale({scale:g})"
    look = f"sign {color}{' large' if scale > 1 else ''}"
    return f'<g class="{look}" transform="{at}">{SIGNS[mark]}</g>'


def _won_blocks(board: Board) -> list[str]:
    """A large sign over every block that somebody has won."""
    parts, size = [], board.block
    for row, owners in enumerate(board.blocks):
        for column, owner in enumerate(owners):
            if owner in board.marks:
                x, y = _corner(board, (row * size, column * size))
                x, y = x + size * CELL / 2, y + size * CELL / 2
                parts.append(_sign(board, owner, x, y, size))
    return parts


def _labels(board: Board, height: float) -> list[str]:
    base = len(board.cells) - 1 if _below(board) else 0
    half = CELL / 2
    places = []
    for row, label in enumerate(board.row_labels):
        if (beside := _first_place(board, row)) is not None:
            x, y = _corner(board, beside)
            x = LABEL if board.layout == "free" else x
            places.append((x - LABEL / 2, y + half, label))
    y = height - LABEL / 2 - MARGIN / 2 if _below(board) else LABEL / 2
    for column, label in enumerate(board.column_labels):
        if (over := _last_place(board, column, base)) is not None:
            places.append((_corner(board, over)[0] + half, y, label))
    return [f'<text x="{x:g}" y="{y:g}">{escape(text)}</text>' for x, y, text in places]


def _first_place(board: Board, row: int) -> Cell | None:
    """What the label of a row is level with; None if it has no points."""
    if board.layout != "free":
        return (row, 0)
    return min((cell for cell in board.places if cell[0] == row), default=None)


def _last_place(board: Board, column: int, base: int) -> Cell | None:
    """What the label of a column stands over or under; None if it has no points."""
    if board.layout != "free":
        return (base, column)
    return max((cell for cell in board.places if cell[1] == column), default=None)


def _size(board: Board) -> tuple[float, float]:
    corners = [_corner(board, cell) for cell in board.places]
    high = max(y for _, y in corners) + CELL + MARGIN + (LABEL if _below(board) else 0)
    more = CORNER - CELL / 2 if board.layout == "hex" else 0
    return max(x for x, _ in corners) + CELL + MARGIN, round(high + more)


def _corner(board: Board, cell: Cell) -> tuple[float, float]:
    """The upper left of the square around the middle of a cell."""
    row, column = cell
    above = board.column_labels and not board.labels_below
    left = LABEL if board.row_labels else MARGIN
    top = LABEL if above else MARGIN
    if board.layout == "free":
        x, y = board.points[cell]
        xs, ys = zip(*board.points.values(), strict=True)
        return left + CELL * (x - min(xs)), top + CELL * (y - min(ys))
    if board.layout == "hex":
        return left + CELL * (column + row / 2), top + MARGIN + 1.5 * CORNER * row
    return (
        left + column * CELL + GAP * _blocks_before(board, column),
        top + row * CELL + GAP * _blocks_before(board, row),
    )


def _below(board: Board) -> bool:
    return bool(board.column_labels) and board.labels_below


def _blocks_before(board: Board, index: int) -> int:
    return index // board.block if board.block else 0

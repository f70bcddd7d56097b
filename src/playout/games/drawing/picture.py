"""A board as a picture (SVG), light or dark as the reader's screen.

x = LABEL + column * CELL + GAP * blocks to the left
+---------------------+
| LABEL  a   b | c  d |   rows are counted from the top
|   2    .   . | .  . |
|   1    .   . | .  . |
+---------------------+
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

from .board import BLOCKED, EMPTY, Board, Cell

__all__ = ["draw_board"]

#: Sizes in pixels: a cell, the space for labels, between blocks, around all.
CELL, LABEL, GAP, MARGIN = 36, 24, 6, 8
#: Marks that are drawn; all others are letters. From the middle of the cell.
SIGNS = {
    "X": '<path d="M-9,-9 L9,9 M9,-9 L-9,9"/>',
    "O": '<circle r="10"/>',
}

_STYLE = """
  .playout-board { --paper: #ffffff; --cell: #f0f2f5; --edge: #8c959f; --ink: #1b1f24;
    --first: #005a8e; --second: #a63f00; --third: #8e3a6d; --good: #7fc79a;
    --last: #d0d7de; --open: #ddf4e4; --heat: #8a63d2; }
  @media (prefers-color-scheme: dark) { .playout-board { --paper: #0d1117;
    --cell: #21262d; --edge: #6e7681; --ink: #e6edf3; --first: #56b4e9;
    --second: #e69f00; --third: #cc79a7; --good: #1f6b3a; --last: #484f58;
    --open: #1a3325; } }
  .playout-board text { font: 14px system-ui, sans-serif; fill: var(--ink);
    text-anchor: middle; dominant-baseline: central; }
  .playout-board .paper { fill: var(--paper); }
  .playout-board .cell { fill: var(--cell); stroke: var(--edge); }
  .playout-board .open { fill: var(--open); }
  .playout-board .last { fill: var(--last); } .playout-board .won { fill: var(--good); }
  .playout-board .closed { fill: var(--edge); }
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
) -> str:
    """An SVG picture.

    Args:
        board: what to draw.
        label: what it is, for those who cannot see it.
        moves: cells that are buttons, and the moves that they name (`data-move`).
        heat: cells that are coloured, from 0 not at all to 1.
    """
    moves, heat = moves or {}, heat or {}
    rows, columns = len(board.cells), len(board.cells[0])
    width = _x(board, columns - 1) + CELL + MARGIN
    height = _y(board, rows - 1) + CELL + MARGIN + (LABEL if _below(board) else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="playout-board" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="{"group" if moves else "img"}" aria-label={quoteattr(label)}>',
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        *_labels(board, height),
    ]
    for row in range(rows):
        for column in range(columns):
            cell = row, column
            parts += _cell(board, cell, moves.get(cell), heat.get(cell, 0.0))
    return "\n".join([*parts, *_won_blocks(board), "</svg>"]) + "\n"


def _cell(board: Board, cell: Cell, move: str | None, heat: float) -> list[str]:
    mark = board.cells[cell[0]][cell[1]]
    x, y = _x(board, cell[1]), _y(board, cell[0])
    looks = {"last": cell == board.last, "won": cell in board.winning}
    looks["closed"] = mark == BLOCKED
    looks["open"] = bool(board.block) and cell in board.playable
    names = " ".join(["cell", *(name for name, true in looks.items() if true)])
    box = f'x="{x}" y="{y}" width="{CELL}" height="{CELL}"'
    parts = [f'<rect class="{names}" {box}/>']
    if heat > 0:
        parts.append(f'<rect class="heat" {box} opacity="{0.8 * heat:.2f}"/>')
    if cell in board.forbidden:
        mark = "x"
    if mark not in (EMPTY, BLOCKED):
        parts.append(_sign(board, mark, x + CELL / 2, y + CELL / 2))
    if move is None:
        return parts
    button = f"data-move={quoteattr(move)} aria-label={quoteattr(f'play {move}')}"
    return [f'<g role="button" tabindex="0" {button}>', *parts, "</g>"]


def _sign(board: Board, mark: str, x: float, y: float, scale: float = 1.0) -> str:
    """A mark around a point, in its player's colour."""
    color = f"p{board.marks.index(mark) % 3}" if mark in board.marks else ""
    if mark not in SIGNS:
        return f'<text class="{color}" x="{x:g}" y="{y:g}">{escape(mark)}</text>'
    at = f"translate({x:g},{y:g}) scale({scale:g})"
    look = f"sign {color}{' large' if scale > 1 else ''}"
    return f'<g class="{look}" transform="{at}">{SIGNS[mark]}</g>'


def _won_blocks(board: Board) -> list[str]:
    """A large sign over every block that somebody has won."""
    parts, size = [], board.block
    for row, owners in enumerate(board.blocks):
        for column, owner in enumerate(owners):
            if owner in board.marks:
                x = _x(board, column * size) + size * CELL / 2
                y = _y(board, row * size) + size * CELL / 2
                parts.append(_sign(board, owner, x, y, size))
    return parts


def _labels(board: Board, height: int) -> list[str]:
    places = [
        (LABEL / 2, _y(board, row) + CELL / 2, label)
        for row, label in enumerate(board.row_labels)
    ]
    y = height - LABEL / 2 - MARGIN / 2 if _below(board) else LABEL / 2
    places += [
        (_x(board, column) + CELL / 2, y, label)
        for column, label in enumerate(board.column_labels)
    ]
    return [f'<text x="{x:g}" y="{y:g}">{escape(text)}</text>' for x, y, text in places]


def _x(board: Board, column: int) -> int:
    left = LABEL if board.row_labels else MARGIN
    return left + column * CELL + GAP * _blocks_before(board, column)


def _y(board: Board, row: int) -> int:
    above = board.column_labels and not board.labels_below
    top = LABEL if above else MARGIN
    return top + row * CELL + GAP * _blocks_before(board, row)


def _below(board: Board) -> bool:
    return bool(board.column_labels) and board.labels_below


def _blocks_before(board: Board, index: int) -> int:
    return index // board.block if board.block else 0

"""`BoardWidget`: the board as a widget, for mouse and keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget

from ...games.drawing.board import (
    BLOCKED,
    EMPTY,
    NOWHERE,
    Board,
    Cell,
    lines_between,
)
from ..common.picking import Picking
from .geometry import Geometry
from .pieces import drawn, drawn_line

__all__ = ["BoardWidget"]

ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
#: A move with less of the simulations is not coloured.
LEAST_HEAT = 0.02


def _lines(board: Board) -> dict[Cell, str]:
    """Where lines go, also through cells whose piece is but the line."""
    signs = (sign for sign, piece in board.pieces.items() if not piece)
    return lines_between(board, NOWHERE + "".join(signs))


class BoardWidget(Widget, can_focus=True):
    """Draws a board, and tells which cell a person chooses."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "board--cell",
        "board--odd",
        "board--open",
        "board--here",
        "board--shut",
        "board--closed",
        "board--label",
        "board--line",
        "board--player-0",
        "board--player-1",
        "board--player-2",
        "board--won-0",
        "board--won-1",
        "board--won-2",
        "board--last",
        "board--winning",
        "board--forbidden",
        "board--heat",
        "board--hint",
        "board--picked",
        "board--target",
        "board--cursor",
    }

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(key, f"step('{key}')", "Move the cursor", show=False)
            for key in ARROWS
        ),
        Binding("enter,space", "choose", "Play", show=False),
    ]

    @dataclass
    class CellChosen(Message):
        """A cell was clicked, or Enter pressed on it."""

        cell: Cell

    @dataclass
    class Pointed(Message):
        """The cursor is at another cell."""

        cell: Cell

    def __init__(self, board: Board) -> None:
        self._styles: dict[tuple[tuple[str, ...], float], Style] = {}
        super().__init__()
        self.board = board
        self.picking = Picking()
        self.shares: Mapping[int, float] = {}
        self.hint: frozenset[Cell] = frozenset()
        middle = (len(board.cells) // 2, len(board.cells[0]) // 2)
        places = board.places
        self.cursor = middle if middle in places else places[len(places) // 2]
        self.lines = _lines(board)
        self.geometry = Geometry.fit(board, 80, 24)

    # -- what is shown -----------------------------------------------------------------

    def show(self, board: Board, picking: Picking) -> None:
        """Show another position, with what may be played there."""
        self.board, self.picking = board, picking
        self.lines = _lines(board)
        self.shares, self.hint = {}, frozenset()
        self.refresh()

    @property
    def heat(self) -> Mapping[Cell, float]:
        """What part of a search's simulations went by each cell that comes next."""
        return self.picking.parts(self.shares) if self.shares else {}

    def suit(self, width: int, height: int) -> None:
        """Take the size of cells that suits a space; scrolling does the rest."""
        self.geometry = Geometry.fit(self.board, width, height)
        self.styles.width, self.styles.height = self.geometry.size
        self.refresh(layout=True)

    def render(self) -> Text:
        """All lines; Rich's text, which Textual draws."""
        geometry = self.geometry
        lines = []
        for row in range(geometry.rows):
            if geometry.block and row and row % geometry.block == 0:
                lines.append(self._line_between())
            lines += self._row(row)
        if self.board.column_labels:
            lines.insert(len(lines) if geometry.below else 0, self._column_labels())
        return Text("\n", no_wrap=True, end="").join(lines)

    def _row(self, row: int) -> list[Text]:
        geometry, lines = self.geometry, []
        heat = self.heat
        cells = [
            self._cell((row, column), heat.get((row, column), 0.0))
            for column in range(geometry.columns)
        ]
        for number in range(geometry.cell_height):
            line = Text(" " * (geometry.slant * row), no_wrap=True, end="")
            middle = number == geometry.cell_height // 2
            label = self.board.row_labels[row] if self.board.row_labels else ""
            text = f"{label if middle else '':>{max(0, geometry.left - 1)}} "
            line.append(text[: geometry.left], self._style("label"))
            for column, (drawing, style) in enumerate(cells):
                if geometry.block and column and column % geometry.block == 0:
                    line.append("│", self._style("line"))
                line.append(drawing[number], style)
            lines.append(line)
        return lines

    def _line_between(self) -> Text:
        geometry = self.geometry
        part = "─" * (geometry.block * geometry.cell_width)
        parts = [part] * (geometry.columns // geometry.block)
        return Text(" " * geometry.left + "┼".join(parts), self._style("line"), end="")

    def _column_labels(self) -> Text:
        geometry = self.geometry
        line = " " * geometry.size[0]
        for column, label in enumerate(self.board.column_labels):
            x = geometry.x(column, geometry.rows - 1 if geometry.below else 0)
            width = geometry.cell_width
            text = label.center(width) if width > 2 else label.rjust(width)
            line = line[:x] + text + line[x + width :]
        return Text(line, self._style("label"), end="")

    def _cell(self, cell: Cell, heat: float) -> tuple[list[str], Style]:
        board, geometry = self.board, self.geometry
        mark = board.cells[cell[0]][cell[1]]
        way, size = self.lines.get(cell), (geometry.cell_width, geometry.cell_height)
        free = board.layout == "free"
        if mark == NOWHERE and cell in board.names:
            return drawn(board.names[cell], *size), self._style("label")
        if mark == NOWHERE or (free and cell not in board.points):
            return drawn_line(way or "", *size), self._style("line")
        names = ["odd" if self._is_odd(cell) else "cell"]
        owner = board.owner(mark)
        if owner is not None:
            names.append(f"player-{owner % 3}")
        elif mark == EMPTY:
            name, mark = self._empty(cell)
            names.append(name)
        elif mark == BLOCKED:
            names.append("closed")
        for name, cells in (
            ("last", {board.last}),
            ("winning", board.winning),
            ("picked", self.picking.picked),
            ("target", self.picking.targets if self.picking.picked else ()),
            ("hint", self.hint),
            ("cursor", {self.cursor} if self.has_focus else ()),
        ):
            if cell in cells:
                names.append(name)
        style = self._style(*names, heat=round(heat, 2))
        if mark in board.inks:
            style += Style(color=board.inks[mark])
        return drawn_line(way, *size) if way else drawn(mark, *size), style

    def _empty(self, cell: Cell) -> tuple[str, str]:
        """The look of an empty cell: open to play, forbidden, or neither.

        One that is played by a name of its own shows that; in blocks that somebody has
        won, it shows whose they are.
        """
        board, size = self.board, self.board.block
        if cell in board.forbidden:
            return "forbidden", "x"
        if size and board.blocks:
            owner = board.blocks[cell[0] // size][cell[1] // size]
            if owner in board.marks:
                return f"won-{board.marks.index(owner) % 3}", owner.lower()
        if self.picking.is_open(cell):
            name = board.names.get(cell, "·")
            fits = len(name) < self.geometry.cell_width
            return "here" if size else "open", name if fits else "·"
        return "shut", " " if size else "·"

    def _is_odd(self, cell: Cell) -> bool:
        size = self.board.block or 1
        return (
            self.board.layout != "free" and (cell[0] // size + cell[1] // size) % 2 == 1
        )

    def _style(self, *names: str, heat: float = 0.0) -> Style:
        """The looks laid over each other, the first one below; some are translucent."""
        key = (names, heat)
        if key not in self._styles:
            self._styles[key] = self._mix(names, heat)
        return self._styles[key]

    def notify_style_update(self) -> None:
        """Other colours, as when it turns from dark to light."""
        self._styles.clear()
        super().notify_style_update()

    def _mix(self, names: tuple[str, ...], heat: float) -> Style:
        ground, ink, text = self.background_colors[1], self.colors[3], Style()
        for name in names:
            look = self.get_component_styles(f"board--{name}")
            if look.has_rule("background"):
                ground = ground + look.background
            if look.has_rule("color"):
                ink = look.color
            text += look.text_style
        if heat >= LEAST_HEAT:
            hot = self.get_component_styles("board--heat").background
            ground = ground.blend(hot, 0.1 + 0.7 * heat)
        ink = ground + ink if ink.ansi is None else ink
        return text + Style(color=ink.rich_color, bgcolor=ground.rich_color)

    # -- what a person does ------------------------------------------------------------

    def point(self, cell: Cell) -> None:
        """Move the cursor."""
        if cell == self.cursor:
            return
        self.cursor = cell
        geometry = self.geometry
        x, y = geometry.x(cell[1], cell[0]), geometry.y(cell[0])
        shown = Region(x, y, geometry.cell_width, geometry.cell_height)
        self.scroll_visible_region(shown)
        self.refresh()
        self.post_message(self.Pointed(cell))

    def scroll_visible_region(self, region: Region) -> None:
        """Have what contains the board show this part of it."""
        if self.parent is not None and isinstance(self.parent, Widget):
            self.parent.scroll_to_region(region, animate=False)

    def action_step(self, key: str) -> None:
        """One cell further, if there is one."""
        self.point(Geometry.step(self.board, self.cursor, *ARROWS[key]))

    def action_choose(self) -> None:
        """Choose the cell under the cursor."""
        self.post_message(self.CellChosen(self.cursor))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if (cell := self._cell_at(event)) is not None:
            self.point(cell)

    def on_click(self, event: events.Click) -> None:
        if (cell := self._cell_at(event)) is not None:
            self.point(cell)
            self.post_message(self.CellChosen(cell))

    def _cell_at(self, event: events.MouseEvent) -> Cell | None:
        cell = self.geometry.cell_at(event.x, event.y)
        return cell if cell in self.board.places else None

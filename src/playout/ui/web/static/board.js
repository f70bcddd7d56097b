// The board: an SVG grid that is changed in place, played by clicks and by keys.

import { el, percent, svg } from "./dom.js";
import { CELL, ground, piece, styleOf } from "./pieces.js";

const R = CELL / 2;
const MARGIN = 20;

export class Board {
  // host: the element; play(move), ask(row, column) and hover(move) are told.
  constructor(host, { play, hover }) {
    Object.assign(this, { host, play, hover, built: "", focus: [0, 0], legal: new Map() });
    host.addEventListener("click", (event) => this.click(event));
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("focusin", (event) => this.focused(event));
    host.addEventListener("pointerover", (event) => this.point(event));
    host.addEventListener("pointerleave", () => this.point(null));
  }

  // view: the table; board: the position shown; extra: canPlay, heat, hint, line.
  show(view, board, extra) {
    this.view = view;
    this.board = board;
    this.extra = extra;
    if (!board.cells.length) return this.showText();
    const style = styleOf(view);
    const shape = [view.game, board.cells.length, board.cells[0].length].join();
    if (shape !== this.built) this.build(shape, style);
    this.legal = new Map();
    for (const [name, row, column] of board.legal) this.legal.set(this.keyOf(row, column), name);
    this.svg.classList.toggle("playable", extra.canPlay);
    this.drawTargets();
    this.drawCells(style);
    this.drawBlocks();
    this.drawOver();
  }

  keyOf(row, column) {
    return this.board.drops ? `,${column}` : `${row},${column}`;
  }

  moveAt(row, column) {
    return this.legal.get(this.keyOf(row, column));
  }

  build(shape, style) {
    const { board } = this;
    const rows = board.cells.length, columns = board.cells[0].length;
    const left = board.row_labels.length ? MARGIN : 2;
    const below = board.column_labels.length ? MARGIN : 2;
    this.built = shape;
    this.nodes = [];
    this.focus = [Math.floor(rows / 2), Math.floor(columns / 2)];
    const layer = (name) => (this[name] = svg("g", { class: name, "aria-hidden": "true" }));
    const cells = board.cells.map((_, row) => this.buildRow(row, columns));
    this.svg = svg("svg", {
      viewBox: `${-left} -2 ${columns * CELL + left + 2} ${rows * CELL + below + 2}`,
      class: `board board-${style}`, role: "grid", id: "grid",
      "aria-label": `Board of ${this.view.title}`,
      "aria-rowcount": rows, "aria-colcount": columns,
    }, ground(style, rows, columns, board.block), layer("targets"), ...cells,
      layer("owners"), layer("over"), this.labels(rows, columns));
    this.host.parentElement.style.setProperty("--aspect", (columns * CELL + left) / (rows * CELL + below));
    this.host.replaceChildren(this.svg);
  }

  buildRow(row, columns) {
    this.nodes.push([]);
    const group = svg("g", { role: "row" });
    for (let column = 0; column < columns; column++) {
      const cell = svg("g", {
        role: "gridcell", tabindex: -1, class: "cell", "data-row": row, "data-column": column,
        transform: `translate(${column * CELL + R} ${row * CELL + R})`,
      }, svg("rect", { x: -R, y: -R, width: CELL, height: CELL, class: "hit" }), svg("g"));
      this.nodes[row].push({ cell, inner: cell.lastChild, look: null });
      group.append(cell);
    }
    return group;
  }

  labels(rows, columns) {
    const texts = [];
    this.board.row_labels.forEach((label, row) => texts.push(
      svg("text", { x: -6, y: row * CELL + R + 5, "text-anchor": "end" }, label)));
    this.board.column_labels.forEach((label, column) => texts.push(
      svg("text", { x: column * CELL + R, y: rows * CELL + 16, "text-anchor": "middle" }, label)));
    const size = Math.min(13, 4 + columns);
    return svg("g", { class: "labels", "aria-hidden": "true", "font-size": size }, ...texts);
  }

  // The inner boards to play in.
  drawTargets() {
    const { block, legal } = this.board;
    const marks = [];
    if (block) {
      const where = new Set(legal.map(([, row, column]) =>
        `${Math.floor(row / block)},${Math.floor(column / block)}`));
      for (const place of where) {
        const [row, column] = place.split(",").map(Number);
        marks.push(svg("rect", {
          x: column * block * CELL + 2, y: row * block * CELL + 2,
          width: block * CELL - 4, height: block * CELL - 4, rx: 5, class: "target" }));
      }
    }
    this.targets.replaceChildren(...marks);
  }

  drawCells(style) {
    const { board } = this;
    const has = (list) => new Set(list.map(([row, column]) => `${row},${column}`));
    const winning = has(board.winning), forbidden = has(board.forbidden);
    this.nodes.forEach((line, row) => line.forEach((node, column) => {
      const at = `${row},${column}`;
      const sign = board.cells[row][column];
      const isLast = board.last !== null && board.last[0] === row && board.last[1] === column;
      const state = {
        player: board.marks.indexOf(sign), blocked: sign === "#",
        last: isLast, wins: winning.has(at), forbidden: forbidden.has(at),
        move: sign === "#" ? undefined : this.moveAt(row, column),
      };
      this.drawCell(node, row, column, state, style);
    }));
    this.setFocus(...this.focus);
  }

  drawCell(node, row, column, state, style) {
    const look = JSON.stringify([state, this.extra.canPlay]);
    if (node.look === look) return;
    const fresh = node.look !== null && state.last && !(JSON.parse(node.look)[0].player >= 0);
    node.look = look;
    const parts = [];
    if (state.player >= 0) {
      const made = piece(style, state.player);
      if (fresh) {
        made.classList.add("fresh");
        made.style.setProperty("--drop", `${-(row + 1) * CELL}px`);
      }
      parts.push(made);
    }
    if (state.blocked) parts.push(svg("path", { d: "M-11-11 11 11M11-11-11 11", class: "blocked" }));
    if (state.forbidden) parts.push(svg("path", { d: "M-7-7 7 7M7-7-7 7", class: "foul" }));
    if (state.wins) parts.push(svg("circle", { r: 18.5, class: "wins" }));
    else if (state.last) parts.push(svg("circle", { r: 4.5, class: "last" }));
    node.inner.replaceChildren(...parts);
    const open = this.extra.canPlay && state.move !== undefined && state.player < 0;
    node.cell.classList.toggle("open", open);
    node.cell.setAttribute("aria-label", this.describe(row, column, state, open));
  }

  describe(row, column, state, open) {
    const { names, kind } = this.view;
    const sign = this.board.marks[state.player];
    const parts = [this.nameOf(row, column)];
    if (state.player >= 0) parts.push(kind === "gomoku" ? names[state.player] : sign);
    else if (state.blocked) parts.push("closed");
    else if (state.forbidden) parts.push("forbidden");
    else parts.push("empty");
    if (state.last) parts.push("last move");
    if (state.wins) parts.push("in the winning line");
    if (open) parts.push("can be played");
    return parts.join(", ");
  }

  nameOf(row, column) {
    const { row_labels: rows, column_labels: columns, block } = this.board;
    if (rows.length) return `${columns[column]}${rows[row]}`;
    if (columns.length) return `Column ${columns[column]}, row ${this.nodes.length - row}`;
    if (!block) return `Row ${row + 1}, column ${column + 1}`;
    const letter = (y, x) => "abcdefghi"[3 * y + x];
    const outer = letter(Math.floor(row / block), Math.floor(column / block));
    return `Board ${outer}, cell ${letter(row % block, column % block)}`;
  }

  // Who has won the inner boards.
  drawBlocks() {
    const { block, blocks, marks } = this.board;
    const signs = blocks.flatMap((line, row) => [...line].map((sign, column) => {
      const player = marks.indexOf(sign);
      if (player < 0) return null;
      const size = block * CELL;
      return svg("g", { class: "owner", transform: `translate(${(column + 0.5) * size} ${(row + 0.5) * size})` },
        svg("rect", { x: -size / 2 + 3, y: -size / 2 + 3, width: size - 6, height: size - 6, rx: 4, class: "veil" }),
        piece("marks", player, 3.6));
    }).filter((sign) => sign !== null));
    this.owners.replaceChildren(...signs);
  }

  cellOf(move) {
    const found = this.board.legal.find(([name]) => name === move);
    return found && found[1] >= 0 ? [found[1], found[2]] : null;
  }

  // Heat, the hint and a line of moves, over the stones.
  drawOver() {
    const { heat, hint, line } = this.extra;
    const parts = [];
    const at = (cell) => ({ transform: `translate(${cell[1] * CELL + R} ${cell[0] * CELL + R})` });
    for (const row of line.length ? [] : heat) {
      const cell = this.cellOf(row.move);
      if (!cell) continue;
      const big = row.best ? " best" : "";
      parts.push(svg("g", { class: `heat${big}`, ...at(cell) },
        svg("circle", { r: 6 + 12 * Math.sqrt(row.share), class: "heat-body" }),
        row.share >= 0.02 || row.proven ? svg("text", { y: 4, "text-anchor": "middle", class: row.proven ? "word" : null }, row.proven ?? percent(row.win_rate).slice(0, -1)) : null));
    }
    if (hint) {
      const cell = this.cellOf(hint);
      if (cell) parts.push(svg("g", { class: "hint", ...at(cell) },
        svg("circle", { r: 16 }), svg("text", { y: 6, "text-anchor": "middle" }, "★")));
    }
    line.forEach(({ cell, player }, index) => parts.push(
      svg("g", { class: `ghost ghost-${player}`, ...at(cell) },
        svg("circle", { r: 15 }), svg("text", { y: 6, "text-anchor": "middle" }, String(index + 1)))));
    this.over.replaceChildren(...parts);
  }

  // A game without a board: its text, and a button for every move. A button stays, with
  // its focus, as long as the move is legal; so none is `disabled`, which loses focus.
  showText() {
    const { board, extra } = this;
    if (this.built !== `text ${this.view.title}`) {
      this.built = `text ${this.view.title}`;
      this.host.replaceChildren(
        el("pre", { class: "text-board", tabindex: 0, "aria-label": `Board of ${this.view.title}` }),
        el("div", { class: "row", role: "group", "aria-label": "Your moves" }));
    }
    const [text, row] = this.host.children;
    if (text.textContent !== board.text) text.textContent = board.text;
    const names = board.legal.map(([name]) => name);
    const kept = new Map([...row.children].map((button) => [button.dataset.move, button]));
    kept.forEach((button, name) => names.includes(name) || button.remove());
    names.forEach((name, index) => {
      const button = kept.get(name) ?? el("button", { type: "button", "data-move": name }, name);
      if (row.children[index] !== button) row.insertBefore(button, row.children[index] ?? null);
      button.setAttribute("aria-disabled", String(!extra.canPlay));
      button.classList.toggle("main", name === extra.hint);
    });
  }

  click(event) {
    const button = event.target.closest("[data-move]");
    if (button) return this.play(button.dataset.move);
    const cell = event.target.closest(".cell");
    if (!cell) return undefined;
    const row = Number(cell.dataset.row), column = Number(cell.dataset.column);
    this.setFocus(row, column);
    return this.play(this.moveAt(row, column), row, column);
  }

  key(event) {
    const cell = event.target.closest?.(".cell");
    if (!cell) return;
    const [row, column] = this.focus;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) this.setFocus(row + step[0], column + step[1], true);
    else if (event.key === "Home") this.setFocus(row, 0, true);
    else if (event.key === "End") this.setFocus(row, this.nodes[row].length - 1, true);
    else if (event.key === "Enter" || event.key === " ") this.play(this.moveAt(row, column), row, column);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focused({ target }) {
    if (target.matches(".cell")) this.setFocus(Number(target.dataset.row), Number(target.dataset.column));
  }

  setFocus(row, column, really = false) {
    const old = this.nodes[this.focus[0]]?.[this.focus[1]];
    row = Math.max(0, Math.min(this.nodes.length - 1, row));
    column = Math.max(0, Math.min(this.nodes[0].length - 1, column));
    old?.cell.setAttribute("tabindex", -1);
    this.focus = [row, column];
    const { cell } = this.nodes[row][column];
    cell.setAttribute("tabindex", 0);
    if (really) cell.focus();
  }

  // The column under the pointer, or the move there.
  point(event) {
    const cell = event?.target.closest?.(".cell");
    const move = cell ? this.moveAt(Number(cell.dataset.row), Number(cell.dataset.column)) : undefined;
    if (move === this.pointed) return;
    this.pointed = move;
    this.host.querySelectorAll(".aim").forEach((node) => node.classList.remove("aim"));
    const target = move === undefined ? null : this.cellOf(move);
    if (target && this.extra.canPlay) this.nodes[target[0]][target[1]].cell.classList.add("aim");
    this.hover(move);
  }
}

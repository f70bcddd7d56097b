// The board: an SVG picture that is changed in place, played by clicks and by keys.

import { el, svg } from "./dom.js";
import { Layout, keyOf } from "./layout.js";
import { over } from "./over.js";
import { Picking } from "./picking.js";
import { CELL, ground, piece, standing } from "./pieces.js";

const EDGE = 2, GAP = 6; // beside a board without labels; between a board and its labels
// How large labels are: they are to be read where a board of many cells is made small.
const LABEL = 13, LEAST_LABEL = 0.03; // in units of the picture; as a part of the board's width
const DIGIT = 0.65; // the width of a digit
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const placeOf = (node) => [Number(node.dataset.row), Number(node.dataset.column)];

export class Board {
  // host: the element; play(move), hover(move) and refuse(), for a cell without a move, are called.
  constructor(host, { play, hover, refuse }) {
    Object.assign(this, { host, play, hover, refuse, built: "", turn: "", played: false, nodes: new Map(), picking: new Picking() });
    host.addEventListener("click", (event) => this.click(event));
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("focusin", ({ target }) => target.matches(".cell") && this.setFocus(placeOf(target)));
    host.addEventListener("pointerover", (event) => this.point(event));
    host.addEventListener("pointerleave", () => this.point(null));
  }

  // view: the table; board: the position shown; extra: canPlay, heat, hint, line.
  show(view, board, extra) {
    Object.assign(this, { view, board, extra });
    const turn = JSON.stringify([view.id, board.ply, extra.canPlay, board.legal]);
    if (turn !== this.turn) this.picking.begin(board);
    this.turn = turn;
    if (!board.cells.length) return this.showText();
    const shape = view.game + Layout.shape(board);
    if (shape !== this.built) this.build(shape);
    this.svg.classList.toggle("playable", extra.canPlay);
    return this.draw();
  }

  draw() {
    this.drawTargets();
    this.drawLines();
    this.drawCells();
    this.drawBlocks();
    this.over.replaceChildren(...over(this.layout, this.extra, (move) => this.cellsOf(move), this.picking.picked));
    this.drawNames();
    this.drawChoice();
  }

  build(shape) {
    const { board } = this;
    this.built = shape;
    this.layout = new Layout(board);
    this.nodes = new Map();
    const [left, top, right, bottom] = this.layout.bounds;
    this.label = Math.max(Math.min(LABEL, 4 + board.cells[0].length), LEAST_LABEL * (right - left));
    const longest = Math.max(0, ...board.row_labels.map((label) => label.length));
    const wide = longest ? GAP + EDGE + DIGIT * this.label * longest : EDGE;
    const high = GAP + 1.2 * this.label;
    const above = board.column_labels.length && !this.below ? high : EDGE;
    const under = board.column_labels.length && this.below ? high : EDGE;
    const box = [left - wide, top - above, right - left + wide + EDGE, bottom - top + above + under];
    const layer = (name) => (this[name] = svg("g", { class: name, "aria-hidden": "true" }));
    const rows = board.cells.map((_, row) => this.buildRow(row));
    this.focus = this.layout.places[Math.floor(this.layout.places.length / 2)];
    this.svg = svg("svg", {
      viewBox: box.join(" "), class: `board board-${board.style} layout-${board.layout}`, role: "grid", id: "grid",
      "aria-label": `Board of ${this.view.title}`,
      "aria-rowcount": board.cells.length, "aria-colcount": board.cells[0].length,
    }, ground(this.layout, board), this.edges(), layer("targets"), layer("lines"), ...rows,
      layer("owners"), layer("over"), layer("names"), this.labels());
    this.choice = el("div", { class: "choice", role: "group", "aria-label": "Which move?", hidden: true });
    this.box = box;
    this.host.parentElement.style.setProperty("--aspect", box[2] / box[3]);
    this.host.replaceChildren(this.svg, this.choice);
  }

  // Whether column labels stand below: for hexagons the game decides, all others do.
  get below() {
    return this.board.layout !== "hex" || this.board.labels_below;
  }

  buildRow(row) {
    const cells = this.layout.places.filter((cell) => cell[0] === row).map((place) => {
      const cell = svg("g", {
        role: "gridcell", tabindex: -1, class: "cell", "data-row": row, "data-column": place[1],
        "aria-rowindex": row + 1, "aria-colindex": place[1] + 1,
        transform: `translate(${this.layout.at(place).join(" ")})`,
      }, this.layout.outline({ class: "hit" }), svg("g"));
      this.nodes.set(keyOf(place), { cell, place, inner: cell.lastChild, look: null });
      return cell;
    });
    return cells.length ? svg("g", { role: "row" }, ...cells) : svg("g");
  }

  edges() {
    const { edges, marks } = this.board;
    if (!edges) return svg("g");
    return svg("g", { class: "edges", "aria-hidden": "true" }, ...this.layout.edges().map((d, side) =>
      svg("path", { d, class: `edge edge-${marks.indexOf(edges[side])}` })));
  }

  labels() {
    const { row_labels: rows, column_labels: columns, cells } = this.board;
    const [, top, , bottom] = this.layout.bounds;
    const y = this.below ? bottom + this.label + GAP / 2 : top - GAP;
    const base = this.below ? cells.length - 1 : 0;
    const texts = rows.map((label, row) => {
      const [x, middle] = this.layout.besideRow(row) ?? [];
      return x !== undefined && svg("text", { x: x - CELL / 2 - GAP, y: middle + 0.36 * this.label, "text-anchor": "end" }, label);
    });
    columns.forEach((label, column) => {
      const [x] = this.layout.overColumn(column, base) ?? [];
      texts.push(x !== undefined && svg("text", { x, y, "text-anchor": "middle" }, label));
    });
    return svg("g", { class: "labels", "aria-hidden": "true", "font-size": this.label }, ...texts.filter(Boolean));
  }

  // The inner boards to play in.
  drawTargets() {
    const { block, legal } = this.board;
    const marks = [];
    if (block) {
      const where = new Set(legal.filter(([, cells]) => cells.length).map(([, [[row, column]]]) =>
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

  drawLines() {
    const d = this.board.lines.map((ends) => `M${ends.map((cell) => this.layout.at(cell).join(" ")).join("L")}`).join("");
    this.lines.replaceChildren(svg("path", { d, class: "line" }));
  }

  drawCells() {
    const { board, picking } = this, { canPlay } = this.extra;
    const has = (list) => new Set(list.map(keyOf));
    const winning = has(board.winning), may = has(board.block ? [] : board.playable), forbidden = has(board.forbidden);
    const trail = has(board.trail), picked = has(picking.picked), joined = has(board.lines.flat());
    const last = board.last && keyOf(board.last), { targets } = picking;
    const names = new Map(board.names.map(([row, column, name]) => [keyOf([row, column]), name]));
    this.nodes.forEach((node, key) => {
      const [row, column] = node.place;
      const sign = board.cells[row][column];
      const owner = board.marks.includes(sign) ? board.marks.indexOf(sign) : board.owners[sign];
      this.drawCell(node, {
        sign, owner, last: last === key, wins: winning.has(key), forbidden: forbidden.has(key),
        trail: trail.has(key), picked: picked.has(key), shown: board.texts[sign] ?? board.images[sign],
        target: picking.picked.length > 0 && targets.has(key), joined: joined.has(key),
        taken: canPlay && owner >= 0 && owner !== board.to_move && targets.has(key),
        name: sign === "." ? names.get(key) : undefined,
        may: canPlay && sign === "." && may.has(key),
        open: canPlay && sign !== "#" && (sign === "." || !board.drops) && picking.isOpen(node.place),
      });
    });
    this.setFocus(this.focus);
  }

  drawCell(node, state) {
    const look = JSON.stringify(state);
    if (node.look === look) return;
    const fresh = node.look !== null && state.last && JSON.parse(node.look).sign !== state.sign;
    node.look = look;
    const made = ".#".includes(state.sign) && state.shown === undefined ? null : standing(this.board, state.sign, state.owner);
    if (made && fresh) {
      made.classList.add("fresh");
      made.style.setProperty("--drop", `${-(node.place[0] + 1) * CELL}px`);
    }
    const empty = state.sign === "." && this.board.layout === "free";
    const may = state.may && !empty;
    const parts = [
      state.trail ? svg("circle", { r: 13, class: "trail" }) : null,
      empty ? svg("circle", { r: state.joined ? 5.5 : 3, class: `spot${state.joined ? " joined" : ""}` }) : null,
      may ? svg("circle", { r: 5, class: "may" }) : null, made,
      state.sign === "#" ? svg("path", { d: "M-11-11 11 11M11-11-11 11", class: "blocked" }) : null,
      state.forbidden ? svg("path", { d: "M-7-7 7 7M7-7-7 7", class: "foul" }) : null,
      state.wins ? svg("circle", { r: 18.5, class: "wins" }) : null,
      state.last && !state.wins ? svg("circle", state.shown ? { r: 17, class: "last around" } : { r: 4.5, class: "last" }) : null,
      state.target || state.taken ? svg("circle", { r: made ? 17 : 7, class: made ? "takes" : "goes" }) : null,
    ];
    node.inner.replaceChildren(...parts.filter((part) => part !== null));
    node.cell.classList.toggle("open", state.open);
    node.cell.classList.toggle("picked", state.picked);
    node.cell.setAttribute("aria-label", this.describe(node.place, state));
    if (state.picked) node.cell.setAttribute("aria-selected", "true");
    else node.cell.removeAttribute("aria-selected");
  }

  describe(place, state) {
    const parts = [this.nameOf(...place), state.name, this.callOf(state)].filter(Boolean);
    if (state.last) parts.push("last move");
    if (state.wins) parts.push("in the winning line");
    if (state.picked) parts.push("chosen");
    else if (state.target) parts.push("can be moved to");
    else if (state.open) parts.push("can be played");
    return parts.join(", ");
  }

  callOf({ sign, owner, forbidden }) {
    const { board, view } = this;
    if (sign === "#") return "closed";
    if (sign === ".") return forbidden ? "forbidden" : "empty";
    const text = board.texts[sign] || sign;
    if (!board.marks.includes(sign)) return owner === undefined ? text : `${view.names[owner]} ${text}`;
    return board.style === "marks" ? text : view.names[owner];
  }

  nameOf(row, column) {
    const { row_labels: rows, column_labels: columns, block } = this.board;
    if (rows.length) return `${columns[column]}${rows[row]}`;
    if (columns.length) return `Column ${columns[column]}, row ${this.board.cells.length - row}`;
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
        piece({ style: "marks", marks }, player, 3.6));
    }).filter((sign) => sign !== null));
    this.owners.replaceChildren(...signs);
  }

  // The names of empty cells, over the discs of an analysis.
  drawNames() {
    const empty = this.board.names.filter(([row, column]) => this.board.cells[row][column] === ".");
    this.names.replaceChildren(...empty.map(([row, column, name]) => {
      const [x, y] = this.layout.at([row, column]);
      return svg("text", { x: x + 4 - CELL / 2, y: y + 13 - CELL / 2 }, name);
    }));
  }

  cellsOf(move) {
    return this.board.legal.find(([name]) => name === move)?.[1] ?? [];
  }

  // Where several moves have the same cells: their names, at the last of them.
  drawChoice() {
    const { choices, picked } = this.picking;
    const held = this.choice.contains(document.activeElement);
    this.choice.hidden = !choices.length || !this.extra.canPlay;
    this.choice.replaceChildren(...(this.choice.hidden ? [] : choices.map((name) =>
      el("button", { type: "button", "data-move": name }, name))));
    if (this.choice.hidden) return held && this.setFocus(this.focus, true);
    const [left, top, width, height] = this.box, [x, y] = this.layout.at(picked.at(-1));
    this.choice.style.setProperty("--x", (x - left) / width);
    this.choice.style.setProperty("--y", (y + CELL / 2 - top) / height);
    this.choice.firstChild.focus();
    return undefined;
  }

  // A game without a board: its text. Its moves are buttons (see choices.js).
  showText() {
    const shape = `text ${this.view.title}`;
    if (this.built !== shape) {
      this.built = shape;
      this.host.parentElement.style.setProperty("--aspect", 1);
      this.host.replaceChildren(el("pre", { class: "text-board", tabindex: 0, role: "region", "aria-label": `Board of ${this.view.title}` }));
    }
    const [text] = this.host.children;
    text.classList.toggle("wraps", !this.board.text.includes("\n")); // one line is prose
    if (text.textContent !== this.board.text) text.textContent = this.board.text;
  }

  // -- what a person does ----------------------------------------------------------------

  // Let go of the cells that were picked; false where none was.
  leave() {
    const had = this.picking.picked.length > 0;
    this.picking.picked = [];
    if (had) this.draw();
    return had;
  }

  // Where the first click of two has played a move, the second plays nothing, even if
  // the answer came in between.
  click({ target, detail }) {
    if (detail > 1 && this.played) return undefined;
    this.played = false;
    const button = target.closest("[data-move]");
    if (button) {
      const { move } = button.dataset;
      this.leave();
      this.played = true;
      return this.play(move);
    }
    const cell = target.closest(".cell");
    if (!cell) return this.board.cells.length ? this.leave() : undefined;
    return this.choose(placeOf(cell));
  }

  choose(place) {
    this.setFocus(place);
    if (!this.extra.canPlay) return undefined;
    if (!this.picking.picked.length && !this.picking.isOpen(place)) return this.refuse();
    const move = this.picking.click(place);
    this.draw();
    if (move === undefined) return undefined;
    this.played = true;
    return this.play(move);
  }

  key(event) {
    const inside = event.target.closest?.(".cell, .choice");
    if (!inside) return;
    const row = this.layout.places.filter((cell) => cell[0] === this.focus[0]);
    if (event.key === "Escape" && this.leave()) this.setFocus(this.focus, true);
    else if (inside === this.choice) return;
    else if (WAYS[event.key]) this.setFocus(this.layout.step(this.focus, WAYS[event.key]), true);
    else if (event.key === "Home") this.setFocus(row[0], true);
    else if (event.key === "End") this.setFocus(row.at(-1), true);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.focus);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  setFocus(place, really = false) {
    this.nodes.get(keyOf(this.focus))?.cell.setAttribute("tabindex", -1);
    this.focus = place;
    const { cell } = this.nodes.get(keyOf(place));
    cell.setAttribute("tabindex", 0);
    if (really) cell.focus();
  }

  // Mark the cells that mean the same as the one under the pointer, and tell the move that
  // a click would play.
  point(event) {
    const node = event?.target.closest?.(".cell");
    const place = node && this.picking.resolve(placeOf(node));
    const move = node ? this.picking.moveAt(placeOf(node)) : undefined;
    const open = node && this.extra.canPlay && this.picking.isOpen(place);
    this.host.querySelectorAll(".aim").forEach((each) => each.classList.remove("aim"));
    if (open) {
      const meant = [place, ...this.board.stands_for.filter(([, to]) => keyOf(to) === keyOf(place)).map(([from]) => from)];
      meant.forEach((each) => this.nodes.get(keyOf(each))?.cell.classList.add("aim"));
    }
    if (move === this.pointed) return;
    this.pointed = move;
    this.hover(move);
  }
}

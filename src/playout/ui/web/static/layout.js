// Where the cells of a board are: squares, the hexagons of a rhombus, or points anywhere.

import { svg } from "./dom.js";
import { CELL } from "./pieces.js";

const R = CELL / 2;
const HIGH = CELL * Math.sqrt(3) / 2; // from one row of hexagons to the next
const CORNERS = [[0, -1], [1, -0.5], [1, 0.5], [0, 1], [-1, 0.5], [-1, -0.5]];
export const keyOf = ([row, column]) => `${row},${column}`;

export class Layout {
  constructor(board) {
    this.kind = board.layout;
    this.points = new Map(board.points.map(([row, column, x, y]) => [keyOf([row, column]), [x * CELL, y * CELL]]));
    this.places = board.cells.flatMap((line, row) => [...line].map((sign, column) => [sign, [row, column]]))
      .filter(([sign, cell]) => sign !== " " && (this.kind !== "free" || this.points.has(keyOf(cell))))
      .map(([, cell]) => cell);
    this.cells = board.cells;
  }

  // Two boards with the same shape differ in what stands on them only.
  static shape(board) {
    const holes = board.cells.map((line) => line.replace(/[^ ]/g, "."));
    return JSON.stringify([board.layout, board.style, board.edges, board.ground, board.points, holes, board.row_labels, board.column_labels]);
  }

  // The middle of a cell.
  at([row, column]) {
    if (this.kind === "free") return this.points.get(keyOf([row, column]));
    if (this.kind === "hex") return [R + column * CELL + row * R, R + row * HIGH];
    return [R + column * CELL, R + row * CELL];
  }

  // Left, top, right and bottom of all cells.
  get bounds() {
    const xs = this.places.map((cell) => this.at(cell)[0]), ys = this.places.map((cell) => this.at(cell)[1]);
    const high = this.kind === "hex" ? R * 2 / Math.sqrt(3) : R;
    return [Math.min(...xs) - R, Math.min(...ys) - high, Math.max(...xs) + R, Math.max(...ys) + high];
  }

  // Where a label stands: a row's left of the point returned, a column's above or below it.
  // For points anywhere it is on the board's side, level with the first point of the row or
  // the last of the column.
  besideRow(row) {
    const first = this.places.find((cell) => cell[0] === row);
    return this.kind !== "free" ? this.at([row, 0]) : first && [this.bounds[0] + R, this.at(first)[1]];
  }

  overColumn(column, base) {
    const last = this.places.findLast((cell) => cell[1] === column);
    return this.kind !== "free" ? this.at([base, column]) : last && this.at(last);
  }

  // What is clicked around the middle of a cell.
  outline(attributes, grow = 0) {
    if (this.kind === "hex") return svg("path", { d: `M${corners(grow).join("L")}Z`, ...attributes });
    if (this.kind === "free") return svg("circle", { r: R * 0.72 + grow, ...attributes });
    return svg("rect", { x: -R - grow, y: -R - grow, width: CELL + 2 * grow, height: CELL + 2 * grow, ...attributes });
  }

  // The next cell that way, for the arrow keys: [x, y] is of length 1.
  step(cell, [right, down]) {
    const [x, y] = this.at(cell);
    let best = cell, least = Infinity;
    for (const other of this.places) {
      const [dx, dy] = [this.at(other)[0] - x, this.at(other)[1] - y];
      const along = dx * right + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (along > 1 && along >= aside / 2 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    return best;
  }

  // The border cells of a hexagonal board belong to players: top, right, bottom, left.
  edges() {
    const rows = this.cells.length, columns = this.cells[0].length;
    const line = (cells, sides) => cells.map((cell) => {
      const [x, y] = this.at(cell);
      return `M${sides.map((side) => corners(-1)[side]).map(([a, b]) => [x + a, y + b]).join("L")}`;
    }).join("");
    const row = (at) => this.cells[at] && [...this.cells[at]].map((_, column) => [at, column]);
    const column = (at) => this.cells.map((_, index) => [index, at]);
    const hex = this.kind === "hex";
    if (!hex) {
      const [left, top, right, bottom] = this.bounds;
      return [`M${left} ${top}H${right}`, `M${right} ${top}V${bottom}`, `M${left} ${bottom}H${right}`, `M${left} ${top}V${bottom}`];
    }
    return [line(row(0), [5, 0, 1]), line(column(columns - 1), [1, 2, 3]), line(row(rows - 1), [2, 3, 4]), line(column(0), [4, 5, 0])];
  }
}

const corners = (grow) => CORNERS.map(([x, y]) => [x * (R + grow), y * (R + grow) * 2 / Math.sqrt(3)]);

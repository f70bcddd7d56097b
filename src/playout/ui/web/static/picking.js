// A move is played by clicking its cells in order, such as from and to. A click may mean
// another cell: where stones fall, any cell of a column means the one they fall to.

import { keyOf } from "./layout.js";

export class Picking {
  constructor() {
    this.begin({ legal: [], stands_for: [], drops: false, cells: [] });
  }

  begin(board) {
    this.picked = [];
    this.drops = board.drops;
    this.cells = board.cells;
    this.moves = board.legal.filter(([, cells]) => cells.length)
      .map(([name, cells]) => ({ name, cells, keys: cells.map(keyOf) }));
    this.meant = new Map(board.stands_for.map(([from, to]) => [keyOf(from), to]));
  }

  // The cell that a click on `cell` means.
  resolve(cell) {
    if (!this.drops) return this.meant.get(keyOf(cell)) ?? cell;
    const closed = this.cells[cell[0]][cell[1]] === "#";
    return closed ? cell : this.moves.find(({ cells }) => cells[0][1] === cell[1])?.cells[0] ?? cell;
  }

  follow(picked) {
    const keys = picked.map(keyOf);
    return this.moves.filter((move) => keys.every((key, index) => move.keys[index] === key));
  }

  // The cells that may be clicked next.
  get targets() {
    return this.after(this.picked);
  }

  after(picked) {
    return new Set(this.follow(picked).map(({ keys }) => keys[picked.length]).filter(Boolean));
  }

  // The moves whose cells have all been clicked; longer ones may begin with the same cells.
  get choices() {
    const size = this.picked.length;
    return size ? this.follow(this.picked).filter(({ keys }) => keys.length === size).map(({ name }) => name) : [];
  }

  // The move that a click on a cell would play; undefined where it would play none.
  moveAt(cell) {
    const resolved = this.resolve(cell);
    const found = this.follow([...this.picked, resolved]);
    return found.length === 1 && found[0].keys.length === this.picked.length + 1 ? found[0].name : undefined;
  }

  // Whether a click begins a move, or goes on with one.
  isOpen(cell) {
    const key = keyOf(this.resolve(cell));
    return this.targets.has(key) || (this.picked.length > 0 && this.after([]).has(key));
  }

  // Take a click on a cell. Returns the move that it plays, undefined if none yet.
  click(cell) {
    const resolved = this.resolve(cell), key = keyOf(resolved);
    const again = this.picked.length > 0 && keyOf(this.picked.at(-1)) === key;
    if (this.targets.has(key)) this.picked = [...this.picked, resolved];
    else if (!again && this.after([]).has(key)) this.picked = [resolved];
    else this.picked = [];
    const choices = this.choices;
    if (choices.length !== 1 || this.targets.size) return undefined;
    this.picked = [];
    return choices[0];
  }
}

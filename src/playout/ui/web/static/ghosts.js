// The moves of an expected line, as they will lie on the board.

const MOST = 9;

// cells: those of each move by name; stones that fall have row -1 and lie on each other, in
// the empty cells of a column from below.
export function ghostsOf(moves, shown, cells, players) {
  const heights = {};
  return moves.slice(0, MOST).map((move, index) => {
    const route = cells[move];
    if (!route) return null;
    let [row, column] = route.at(-1);
    if (row < 0) {
      const free = [...shown.cells.keys()].filter((at) => shown.cells[at][column] === ".");
      heights[column] = (heights[column] ?? 0) + 1;
      row = free.at(-heights[column]) ?? -1;
    }
    return { cell: [row, column], from: route.slice(0, -1), player: (shown.to_move + index) % players };
  }).filter((ghost) => ghost !== null && ghost.cell[0] >= 0);
}

// How cells and stones are drawn: crosses and circles, discs, or stones on lines.

import { svg } from "./dom.js";

export const CELL = 40;
const R = CELL / 2;

export function styleOf(view) {
  return view.board.style;
}

const BLACK_AND_WHITE = ["stones", "counters", "checkers"];

// A player's piece in the middle of a cell. dark: the player who has the dark stones.
export function piece({ style, dark, marks }, player, big = 1) {
  if (BLACK_AND_WHITE.includes(style) && player < 2)
    return svg("circle", { r: style === "stones" ? 17 : 15, class: `stone stone-${player === dark ? 0 : 1}` });
  if (style === "discs" && player < 2)
    return svg("g", { class: `disc disc-${player}` },
      svg("circle", { r: 17, class: "disc-body" }),
      player === 0 ? svg("circle", { r: 10, class: "disc-sign" })
                   : svg("path", { d: "M0-10 8.7 5-8.7 5Z", class: "disc-sign" }));
  return mark(player, shapeOf(marks, player), 10 * big, big);
}

// What stands in a cell: the game's own piece, a player's mark, or the character itself.
export function standing(board, sign, player) {
  if (sign in board.images)
    return svg("image", { href: board.images[sign], x: -17, y: -17, width: 34, height: 34 });
  const text = board.texts[sign];
  if (text === undefined && board.marks.includes(sign)) return piece(board, player);
  return text === "" ? null : glyph(text ?? sign, player);
}

function glyph(text, player) {
  const size = text.length === 1 ? 26 : 6 + 32 / text.length;
  return svg("text", { class: `glyph${player === undefined ? "" : ` glyph-${player % SHAPES.length}`}`, "font-size": size,
    "text-anchor": "middle", y: size * 0.35 }, text);
}

// The shapes of marks, of up to eight players: a cross, a circle, and what these are in halves of its width.
const SHAPES = ["", "", "M0-1 1 .8H-1Z", "M-.9-.9H.9V.9H-.9Z", "M0-1.2 1.2 0 0 1.2-1.2 0Z", "M0 1 1-.8H-1Z",
  "M0-1.2V1.2M-1.2 0H1.2", "M0-1 1-.3.6.9H-.6L-1-.3Z"];

// The shape of a player's mark: X and O look like themselves, others follow in their order.
function shapeOf(marks, player) {
  const named = marks.map((sign) => ["X", "O"].indexOf(sign.toUpperCase()));
  const others = [...SHAPES.keys()].filter((shape) => !named.includes(shape));
  const shapes = named.map((shape) => (shape < 0 ? others.shift() : shape));
  return shapes[player] ?? player % SHAPES.length;
}

function mark(player, shape, size, big) {
  const look = { class: `mark mark-${player % SHAPES.length}`, "stroke-width": 4 * Math.sqrt(big) };
  if (shape === 0)
    return svg("path", { d: `M${-size}-${size}L${size} ${size}M${size}-${size}L${-size} ${size}`, ...look });
  if (shape === 1) return svg("circle", { r: size * 1.08, ...look });
  const d = SHAPES[shape].replace(/-?[\d.]+/g, (number) => ` ${number * size}`);
  return svg("path", { d, ...look });
}

// What is drawn under the cells: the game's own picture, else one square board if it has
// no gaps, else an outline for each cell (for points without a grid: a panel or nothing).
export function ground(layout, board) {
  if (board.ground) {
    const [x, y, right, bottom] = layout.bounds;
    return svg("image", { href: board.ground, x, y, width: right - x, height: bottom - y, preserveAspectRatio: "none" });
  }
  const rows = board.cells.length, columns = board.cells[0].length;
  if (layout.kind === "square" && layout.places.length === rows * columns)
    return squares(board.style, rows, columns, board.block);
  if (layout.kind === "free") return panel(layout.bounds, board.style);
  return svg("g", {}, ...layout.places.map((cell) => tile(layout, cell, board.style)));
}

function tile(layout, cell, style) {
  const shape = layout.outline({ class: `ground ground-${style} tile` });
  const hole = style === "discs" ? [svg("circle", { r: 17, class: "hole" })] : [];
  return svg("g", { transform: `translate(${layout.at(cell).join(" ")})` }, shape, ...hole);
}

// The panel under stones or counters on points without a grid.
function panel([x, y, right, bottom], style) {
  if (!["stones", "counters"].includes(style)) return svg("g", {});
  return svg("rect", { x, y, width: right - x, height: bottom - y, rx: 3, class: `ground ground-${style}` });
}

function squares(style, rows, columns, block) {
  const width = columns * CELL, height = rows * CELL;
  const back = svg("rect", { width, height, rx: style === "discs" ? 10 : 3, class: `ground ground-${style}` });
  if (style === "discs") return svg("g", {}, back, ...holes(rows, columns));
  if (style === "checkers") return svg("g", {}, back, ...fields(rows, columns));
  const lines = style === "stones" ? crossings(rows, columns) : borders(rows, columns, block);
  return svg("g", {}, back, ...lines);
}

// The dark squares of a board for checkers.
function fields(rows, columns) {
  let d = "";
  for (let row = 0; row < rows; row++)
    for (let column = 1 - (rows - row) % 2; column < columns; column += 2)
      d += `M${column * CELL} ${row * CELL}h${CELL}v${CELL}h-${CELL}Z`;
  return [svg("path", { d, class: "dark-fields" })];
}

function holes(rows, columns) {
  const found = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      found.push(svg("circle", { cx: column * CELL + R, cy: row * CELL + R, r: 17, class: "hole" }));
  return found;
}

function crossings(rows, columns) {
  let d = "";
  for (let row = 0; row < rows; row++) d += `M${R} ${row * CELL + R}H${columns * CELL - R}`;
  for (let column = 0; column < columns; column++) d += `M${column * CELL + R} ${R}V${rows * CELL - R}`;
  return [svg("path", { d, class: "grid-line" }), ...dots(rows, columns)];
}

// The star points of a board of stones.
function dots(rows, columns) {
  if (rows < 9 || columns < 9) return [];
  const edge = rows < 13 ? 2 : 3;
  const at = [edge, (rows - 1) / 2, rows - 1 - edge].filter(Number.isInteger);
  return at.flatMap((row) => at.map((column) =>
    svg("circle", { cx: column * CELL + R, cy: row * CELL + R, r: 3, class: "dot" })));
}

function borders(rows, columns, block) {
  let thin = "", thick = "";
  for (let row = 1; row < rows; row++) {
    const line = `M0 ${row * CELL}H${columns * CELL}`;
    if (block && row % block === 0) thick += line; else thin += line;
  }
  for (let column = 1; column < columns; column++) {
    const line = `M${column * CELL} 0V${rows * CELL}`;
    if (block && column % block === 0) thick += line; else thin += line;
  }
  return [svg("path", { d: thin, class: "grid-line" }), svg("path", { d: thick, class: "grid-line thick" })];
}

// How cells and stones are drawn: crosses and circles, discs, or stones on lines.

import { svg } from "./dom.js";

export const CELL = 40;
const R = CELL / 2;

export function styleOf(view) {
  return { gomoku: "stones", "connect-four": "discs" }[view.kind] ?? "marks";
}

// A mark of a player in the middle of a cell.
export function piece(style, player, big = 1) {
  if (style === "stones" && player < 2)
    return svg("circle", { r: 17, class: `stone stone-${player}` });
  if (style === "discs" && player < 2)
    return svg("g", { class: `disc disc-${player}` },
      svg("circle", { r: 17, class: "disc-body" }),
      player === 0 ? svg("circle", { r: 10, class: "disc-sign" })
                   : svg("path", { d: "M0-10 8.7 5-8.7 5Z", class: "disc-sign" }));
  return mark(player, 10 * big, big);
}

function mark(player, size, big) {
  const look = { class: `mark mark-${player % 3}`, "stroke-width": 4 * Math.sqrt(big) };
  if (player % 3 === 0)
    return svg("path", { d: `M${-size}-${size}L${size} ${size}M${size}-${size}L${-size} ${size}`, ...look });
  if (player % 3 === 1) return svg("circle", { r: size * 1.08, ...look });
  return svg("path", { d: `M0${-size}L${size} ${size * 0.8}H${-size}Z`, ...look });
}

// What lies under the cells.
export function ground(style, rows, columns, block) {
  const width = columns * CELL, height = rows * CELL;
  const back = svg("rect", { width, height, rx: style === "discs" ? 10 : 3, class: `ground ground-${style}` });
  if (style === "discs") return svg("g", {}, back, ...holes(rows, columns));
  const lines = style === "stones" ? crossings(rows, columns) : borders(rows, columns, block);
  return svg("g", {}, back, ...lines);
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

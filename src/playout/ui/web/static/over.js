// What a search says, drawn over the stones: how good moves are, a hint, a line of moves.

import { percent, svg } from "./dom.js";
import { keyOf } from "./layout.js";
import { CELL } from "./pieces.js";

const MOST_ARROWS = 6;

// cellsOf: the cells of a move by name; picked: those that a person has clicked already.
export function over(layout, { heat, hint, line }, cellsOf, picked) {
  const at = (cell) => ({ transform: `translate(${layout.at(cell).join(" ")})` });
  const parts = [];
  if (!line.length) heat.filter(({ move }) => fits(cellsOf(move), picked))
    .forEach((row, index) => parts.push(...hot(layout, row, cellsOf(row.move), index, picked, at)));
  const hinted = hint ? cellsOf(hint) : [];
  if (hinted.length) parts.push(...arrow(layout, hinted, "hint-arrow", 5), svg("g", { class: "hint", ...at(hinted.at(-1)) },
    svg("circle", { r: 16 }), svg("text", { y: 6, "text-anchor": "middle" }, "★")));
  line.forEach(({ cell, from, player }, index) => parts.push(
    ...arrow(layout, [...from, cell], `ghost-arrow ghost-${player}`, 3),
    svg("g", { class: `ghost ghost-${player}`, ...at(cell) },
      svg("circle", { r: 15 }), svg("text", { y: 6, "text-anchor": "middle" }, String(index + 1)))));
  return parts;
}

const fits = (cells, picked) => cells.length > picked.length && picked.every((cell, index) => keyOf(cell) === keyOf(cells[index]));

// A disc where the move ends, and an arrow to it from the cell before. Until a piece is
// picked, only the best of the moves with several cells are drawn, as an arrow alone.
function hot(layout, row, cells, index, picked, at) {
  const big = row.best ? " best" : "";
  const route = cells.slice(Math.max(0, picked.length - 1));
  if (cells.length > 1 && !picked.length && index >= MOST_ARROWS) return [];
  const text = row.share < 0.02 && !row.proven ? null
    : svg("text", { y: 4, "text-anchor": "middle", class: row.proven ? "word" : null }, row.proven ?? row.shown ?? percent(row.win_rate).slice(0, -1));
  const narrow = cells.length > 1 && !picked.length;
  return [...arrow(layout, route, `heat-arrow${big}`, 2 + 6 * Math.sqrt(row.share)),
    svg("g", { class: `heat${big}`, ...(narrow ? { transform: `translate(${between(layout, route).join(" ")})` } : at(cells.at(-1))) },
      narrow ? null : svg("circle", { r: 6 + 12 * Math.sqrt(row.share), class: "heat-body" }), text)];
}

// Where an arrow's number stands: two fifths of a cell before its end, however long it is,
// for arrows of jumps cross in their middle.
function between(layout, route) {
  const [[x0, y0], [x1, y1]] = [layout.at(route.at(-2)), layout.at(route.at(-1))];
  const cells = Math.max(1, Math.abs(x1 - x0) / CELL, Math.abs(y1 - y0) / CELL);
  return [x1 - 0.4 * (x1 - x0) / cells, y1 - 0.4 * (y1 - y0) / cells];
}

// A line through cells, with a head.
function arrow(layout, route, look, width) {
  if (route.length < 2) return [];
  const points = route.map((cell) => layout.at(cell));
  const [[x0, y0], [x, y]] = points.slice(-2);
  const length = Math.hypot(x - x0, y - y0) || 1, [a, b] = [(x - x0) / length, (y - y0) / length];
  const head = 5 + width, wide = 3 + width;
  const foot = [x - head * a, y - head * b];
  const body = [...points.slice(0, -1), foot].map((point) => point.join(" ")).join("L");
  return [svg("path", { d: `M${body}`, class: look, "stroke-width": width }),
    svg("path", { d: `M${x} ${y}L${foot[0] - wide * b} ${foot[1] + wide * a}L${foot[0] + wide * b} ${foot[1] - wide * a}Z`, class: `${look} head` })];
}

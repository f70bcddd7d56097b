// What the search thinks: bar, numbers, the top moves, and the line under the pointer.

import { $, count, el, percent } from "./dom.js";
import { seatLabel } from "./seats.js";

const ROWS = 12;
const MOST_DISCS = 20;
// What stands above the moves' worth: results in a game's own units are no wins.
const WINS = "Wins", VALUE = "Value";
// The columns of the table: heading, what stands in a row's cell, and how long its bar is.
const COLUMNS = [
  { title: "Move", show: (row) => row.move },
  { title: WINS, show: (row) => row.shown ?? percent(row.win_rate, 1) },
  { title: "±", show: (row) => row.shown_error ?? percent(row.error, 1) },
  { title: "Visits", show: (row) => count(row.visits), bar: (row) => row.share },
  { title: "Proof", show: (row) => (row.proven ? el("span", { class: row.proven }, `${row.proven}${row.plies ? ` in ${row.plies}` : ""}`) : "") },
];

// Why a search has ended; others are told by their own word.
const ENDS = {
  proven: "the position is proven",
  "tree full": "its memory is full",
  "only move": "there is only one move",
  callback: "something else was asked for",
};

const WORTH = COLUMNS.findIndex(({ title }) => title === WINS);

$("moves-table").tHead.rows[0].prepend(...COLUMNS.map(({ title }) => el("th", { scope: "col" }, title)));

// line: the move under the pointer and the moves expected after it, or null.
// handlers: hover(move or null) and why(move).
export function showAnalysis(view, thought, line, handlers) {
  $("analysis-body").hidden = thought === null;
  if (thought === null) {
    $("moves-table").tBodies[0].replaceChildren();
    return;
  }
  if (thought.preparing) {
    $("effort").textContent = "Getting ready (the first time takes some seconds)...";
    return;
  }
  showBar(view, thought);
  const proof = thought.proven ? `Proven: ${thought.proven} for ${seatLabel(view, thought.to_move)}. ` : "";
  const speed = thought.simulations > 0 ? `${count(thought.speed)} a second, ` : "";
  const depth = `depth ${thought.depth}`;
  $("effort").textContent = `${proof}${count(thought.visits)} simulation${thought.visits === 1 ? "" : "s"}, `
    + (thought.done ? `${depth}. ${endOf(thought)}` : speed + depth)
    + (thought.compiling ? "; faster once the rules are compiled" : "");
  showTable(thought, handlers);
  $("line").textContent = line ? `Expected after ${line[0]}: ${line.slice(1).join(" ") || "nothing yet"}`
    : `Expected: ${thought.line.join(" ")}`;
}

function endOf({ stopped_by: by, seconds }) {
  return by === "seconds" ? `Ended after ${seconds.toFixed(0)} s.` : `Ended: ${ENDS[by] ?? by}.`;
}

function showBar(view, thought) {
  const bar = $("bar");
  if (view.players.length !== 2) {
    bar.replaceChildren(el("div", { class: "side-0" }, `${seatLabel(view, thought.to_move)} ${thought.shown ?? percent(thought.win_rate, 1)}`));
    return;
  }
  const first = thought.to_move === 0 ? thought.win_rate : 1 - thought.win_rate;
  if (bar.children.length !== 2) bar.replaceChildren(el("div", { class: "side-0" }), el("div", { class: "side-1" }));
  [first, 1 - first].forEach((rate, seat) => {
    bar.children[seat].style.flexGrow = Math.max(0.001, rate);
    bar.children[seat].style.flexBasis = "0";
    bar.children[seat].textContent = rate < 0.22 ? "" : `${seatLabel(view, seat)} ${percent(rate, 1)}`;
  });
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", `Win rate of ${seatLabel(view, 0)}: ${percent(first, 1)}`);
}

// Rows are kept from one thought to the next, so that a press on "why?" is not lost.
// While the pointer is among them they stay where they are, and only numbers change.
function showTable(thought, handlers) {
  const { tHead, tBodies: [body] } = $("moves-table");
  tHead.rows[0].cells[WORTH].textContent = thought.shown ? VALUE : WINS;
  const kept = new Map([...body.rows].map((row) => [row.dataset.move, row]));
  const held = body.matches(":hover") ? new Set(kept.keys()) : new Set();
  const tried = thought.actions.filter((row, index) => index < ROWS || held.has(row.move));
  const order = [...held, ...tried.map((row) => row.move).filter((move) => !held.has(move))];
  const rows = new Map(tried.map((row) => [row.move, fillRow(kept.get(row.move) ?? makeRow(row.move, handlers), row)]));
  arrange(body, order.filter((move) => rows.has(move)).slice(0, ROWS).map((move) => rows.get(move)));
}

function arrange(body, rows) {
  if (body.rows.length === rows.length && rows.every((row, index) => body.rows[index] === row)) return;
  const focused = body.contains(document.activeElement) ? document.activeElement : null;
  body.replaceChildren(...rows);
  focused?.focus();
}

function makeRow(move, { hover, why }) {
  const button = el("button", { type: "button", class: "plain", "data-why": move, "aria-label": `Why not ${move}?`,
    onclick: () => why(move), onfocus: () => hover(move), onblur: () => hover(null) }, "why?");
  const cells = COLUMNS.map(({ bar }) => el("td", { class: bar ? "bar" : null }));
  return el("tr", { "data-move": move, onpointerenter: () => hover(move), onpointerleave: () => hover(null) },
    ...cells, el("td", {}, button));
}

function fillRow(tr, row) {
  COLUMNS.forEach(({ show, bar }, place) => {
    tr.cells[place].replaceChildren(show(row));
    if (bar) tr.cells[place].style.setProperty("--part", percent(bar(row), 1));
  });
  return tr;
}

// Win rates and shares for the board.
export function heatOf(thought) {
  if (!thought || thought.preparing) return [];
  return thought.actions.filter((row) => row.share >= 0.004).slice(0, MOST_DISCS)
    .map((row) => ({ ...row, best: row.move === thought.move }));
}

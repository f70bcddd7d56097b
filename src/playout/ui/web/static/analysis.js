// What the search thinks: bar, numbers, the top moves, and the line under the pointer.

import { $, count, el, percent } from "./dom.js";
import { seatLabel } from "./seats.js";

const ROWS = 12;
const MOST_DISCS = 20;

// handlers: hover(line or null) and why(move).
export function showAnalysis(view, thought, handlers) {
  $("analysis-body").hidden = thought === null;
  if (thought === null) return;
  if (thought.preparing) {
    $("effort").textContent = "Getting ready (the first time takes some seconds)...";
    return;
  }
  showBar(view, thought);
  const proof = thought.proven ? `Proven: ${thought.proven} for ${seatLabel(view, thought.to_move)}. ` : "";
  const speed = thought.simulations > 0 ? `, ${count(thought.speed)} a second` : "";
  $("effort").textContent = `${proof}${count(thought.visits)} simulations${speed}, depth ${thought.depth}`
    + (thought.done ? `, ended: ${thought.stopped_by}` : "");
  showTable(thought, handlers);
  if (!$("line").dataset.held) $("line").textContent = `Expected: ${thought.line.join(" ")}`;
}

function showBar(view, thought) {
  const bar = $("bar");
  if (view.players.length !== 2) {
    bar.replaceChildren(el("div", { class: "side-0" }, `${seatLabel(view, thought.to_move)} ${percent(thought.win_rate, 1)}`));
    return;
  }
  const first = thought.to_move === 0 ? thought.win_rate : 1 - thought.win_rate;
  if (bar.children.length !== 2) bar.replaceChildren(el("div", { class: "side-0" }), el("div", { class: "side-1" }));
  [first, 1 - first].forEach((rate, seat) => {
    bar.children[seat].style.flexGrow = Math.max(0.001, rate);
    bar.children[seat].style.flexBasis = "0";
    bar.children[seat].textContent = rate < 0.12 ? "" : `${seatLabel(view, seat)} ${percent(rate, 1)}`;
  });
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", `Win rate of ${seatLabel(view, 0)}: ${percent(first, 1)}`);
}

function showTable(thought, { hover, why }) {
  const body = $("moves-table").tBodies[0];
  const focused = document.activeElement?.dataset?.why;
  const rows = thought.actions.slice(0, ROWS).map((row) => {
    const proof = row.proven ? el("span", { class: row.proven }, `${row.proven}${row.plies ? ` in ${row.plies}` : ""}`) : "";
    const line = row.line.length ? row.line : [row.move];
    const share = el("td", { class: "share" }, count(row.visits));
    share.style.setProperty("--part", percent(row.share, 1));
    const tr = el("tr", { "data-move": row.move }, el("td", {}, row.move), el("td", {}, percent(row.win_rate, 1)),
      el("td", {}, percent(row.error, 1)), share, el("td", {}, proof),
      el("td", {}, el("button", { type: "button", class: "plain", "data-why": row.move,
        "aria-label": `Why not ${row.move}?`, onclick: () => why(row.move),
        onfocus: () => hover(line), onblur: () => hover(null) }, "why?")));
    tr.addEventListener("pointerenter", () => hover(line));
    tr.addEventListener("pointerleave", () => hover(null));
    return tr;
  });
  if (body.matches(":hover") && body.children.length === rows.length) return refresh(body, rows);
  body.replaceChildren(...rows);
  if (focused) body.querySelector(`[data-why="${CSS.escape(focused)}"]`)?.focus();
  return undefined;
}

// While the pointer is in the table its rows stay where they are; only numbers change.
function refresh(body, rows) {
  const fresh = new Map(rows.map((row) => [row.dataset.move, row]));
  for (const row of body.children) {
    const now = fresh.get(row.dataset.move);
    if (!now) continue;
    for (let cell = 1; cell < 5; cell++) row.cells[cell].replaceWith(now.cells[1].cloneNode(true));
    row.replaceChildren(...now.cells);
  }
}

// Win rates and shares for the board.
export function heatOf(thought) {
  if (!thought || thought.preparing) return [];
  return thought.actions.filter((row) => row.share >= 0.004).slice(0, MOST_DISCS)
    .map((row) => ({ ...row, best: row.move === thought.move }));
}

export function showLine(line) {
  const node = $("line");
  if (line === null) {
    delete node.dataset.held;
    return;
  }
  node.dataset.held = "1";
  node.textContent = `Expected after ${line[0]}: ${line.slice(1).join(" ") || "nothing yet"}`;
}

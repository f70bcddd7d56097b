// The moves played, through which one can walk, and the graph of win rates.

import { $, el, percent, svg } from "./dom.js";
import { seatLabel } from "./seats.js";

const SIGNS = { blunder: "??", mistake: "?" };

export function showMoves(view, ply, go) {
  showList(view, ply, go);
  $("first").disabled = $("back").disabled = ply === 0;
  $("forward").disabled = $("last").disabled = ply === view.moves.length;
  $("from-here").hidden = view.binding || ply === view.moves.length;
  showGraph(view, ply, go);
}

// The list is changed in place: whoever has reached a move by the tab key stays there.
function showList(view, ply, go) {
  const host = $("move-list");
  let list = host.querySelector("ol");
  if (!view.moves.length) return host.replaceChildren(el("p", { class: "quiet" }, "No move yet."));
  if (!list) host.replaceChildren(list = el("ol"));
  while (list.children.length > view.moves.length) list.lastChild.remove();
  while (list.children.length < view.moves.length) list.append(makeItem(list.children.length, go));
  view.moves.forEach((move, index) => fillItem(list.children[index].lastChild, view, index));
  const was = list.querySelector("[aria-current]"), now = list.children[ply - 1]?.lastChild ?? null;
  if (was === now) return undefined;
  was?.removeAttribute("aria-current");
  now?.setAttribute("aria-current", "true");
  host.scrollTop = now ? now.offsetTop - host.offsetTop - 60 : 0;
  return undefined;
}

function makeItem(index, go) {
  const number = index % 2 === 0 ? el("span", { class: "number", "aria-hidden": "true" }, `${index + 1}.`) : null;
  const button = el("button", { type: "button", onclick: () => go(index + 1) });
  return el("li", { class: "row-item" }, number, button);
}

function fillItem(button, view, index) {
  const move = view.moves[index], fault = view.faults[index + 1];
  const who = view.movers[index] < 0 ? "chance" : seatLabel(view, view.movers[index]);
  const label = `Move ${index + 1}, ${who}: ${move}${fault ? `, ${fault}` : ""}`;
  if (button.getAttribute("aria-label") === label) return;
  button.setAttribute("aria-label", label);
  button.replaceChildren(move, fault ? el("span", { class: fault }, SIGNS[fault]) : "");
}

const WIDTH = 360, HEIGHT = 96, LEFT = 30, TOP = 8;

function showGraph(view, ply, go) {
  const known = Object.entries(view.values).map(([at, rate]) => [Number(at), rate]).sort((a, b) => a[0] - b[0]);
  $("review").hidden = view.players.length !== 2 || view.moves.length === 0 || view.hides;
  if (known.length < 2) return $("graph").replaceChildren();
  const most = Math.max(8, view.moves.length);
  const x = (at) => LEFT + (at / most) * (WIDTH - LEFT - 8);
  const y = (rate) => TOP + (1 - rate) * (HEIGHT - 2 * TOP);
  const dots = known.map(([at, rate]) => {
    const fault = view.faults[at];
    const text = `${at ? `${at}. ${view.moves[at - 1]}` : "Start"}: ${percent(rate)}${fault ? `, ${fault}` : ""}`;
    const dot = svg("circle", { cx: x(at), cy: y(rate), r: fault ? 5 : 2.5, class: `graph-${fault ?? "dot"}` },
      svg("title", {}, text));
    dot.addEventListener("click", () => go(at));
    return dot;
  });
  const blunders = Object.values(view.faults).filter((fault) => fault === "blunder").length;
  $("graph").replaceChildren(svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
    "aria-label": `Win rate of ${seatLabel(view, 0)} over the game, now ${percent(known.at(-1)[1])}; ${blunders} blunders`,
  }, svg("path", { d: `M${LEFT} ${y(0.5)}H${WIDTH - 8}`, class: "graph-mid" }),
    svg("path", { d: `M${x(ply)} ${TOP}V${HEIGHT - TOP}`, class: "graph-now" }),
    svg("text", { x: 0, y: y(1) + 8 }, "100%"), svg("text", { x: 6, y: y(0) }, "0%"),
    svg("text", { x: LEFT + 3, y: y(1) + 8 }, `${seatLabel(view, 0)} wins`),
    svg("polyline", { points: known.map(([at, rate]) => `${x(at)},${y(rate)}`).join(" "), class: "graph-line" }),
    ...dots));
  return undefined;
}

// The moves played, through which one can walk, and the graph of win rates.

import { $, el, percent, svg } from "./dom.js";
import { seatLabel, signOf } from "./seats.js";

const SIGNS = { blunder: "??", mistake: "?" };

// The number of each move: that of its player's turn, which may be several moves in a row,
// as of backgammon's dice. Who plays alone makes a move a turn. What chance brings has none
// of its own, but that of the turn before.
function numbersOf(view) {
  let number = 0, last = -1;
  return view.movers.map((mover) => {
    if (mover >= 0 && (mover !== last || view.players.length === 1)) number += 1;
    if (mover >= 0) last = mover;
    return number;
  });
}

// Which position that is after `ply` moves, by the numbers of the list.
export function placeOf(view, ply) {
  const numbers = [0, ...numbersOf(view)], number = numbers[ply];
  const alone = numbers.filter((each) => each === number).length === 1;
  return `After move ${number} of ${numbers.at(-1)}${alone || !ply ? "" : `: ${view.moves[ply - 1]}`}`;
}

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
  const numbers = numbersOf(view);
  numbers.forEach((number, index) => fillItem(list.children[index], view, index, number, number !== (numbers[index - 1] ?? 0)));
  const was = list.querySelector("[aria-current]"), now = list.children[ply - 1]?.lastChild ?? null;
  if (was === now) return undefined;
  was?.removeAttribute("aria-current");
  now?.setAttribute("aria-current", "true");
  host.scrollTop = now ? now.offsetTop - host.offsetTop - 60 : 0;
  return undefined;
}

function makeItem(index, go) {
  const button = el("button", { type: "button", onclick: () => go(index + 1) });
  return el("li", { class: "row-item" }, el("span", { class: "number", "aria-hidden": "true" }), button);
}

// first: whether a turn begins with it, which is numbered and has its player's sign.
function fillItem(item, view, index, number, first) {
  const [head, button] = item.children;
  const move = view.moves[index], mover = view.movers[index], fault = view.faults[index + 1];
  const who = mover < 0 ? "Chance" : `Move ${number}, ${seatLabel(view, mover)}`;
  const label = `${who}: ${move}${fault ? `, ${fault}` : ""}`;
  if (button.getAttribute("aria-label") === label && head.hidden !== first) return;
  button.setAttribute("aria-label", label);
  button.classList.toggle("quiet", mover < 0);
  button.replaceChildren(move, fault ? el("span", { class: fault }, SIGNS[fault]) : "");
  head.hidden = !first;
  head.replaceChildren(...(first ? [`${number}.`, svg("svg", { viewBox: "-20 -20 40 40" }, signOf(view.board, mover))] : []));
}

const WIDTH = 360, HEIGHT = 96, LEFT = 30, TOP = 8;

function showGraph(view, ply, go) {
  const known = Object.entries(view.values).map(([at, rate]) => [Number(at), rate]).sort((a, b) => a[0] - b[0]);
  $("review").hidden = view.players.length !== 2 || view.moves.length === 0 || view.hides;
  if (known.length < 2) return $("graph").replaceChildren();
  const most = Math.max(8, view.moves.length);
  const numbers = numbersOf(view);
  const x = (at) => LEFT + (at / most) * (WIDTH - LEFT - 8);
  const y = (rate) => TOP + (1 - rate) * (HEIGHT - 2 * TOP);
  const dots = known.map(([at, rate]) => {
    const fault = view.faults[at];
    const text = `${at ? `${numbers[at - 1]}. ${view.moves[at - 1]}` : "Start"}: ${percent(rate)}${fault ? `, ${fault}` : ""}`;
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

// The moves played, through which one can walk, and the graph of win rates.

import { $, el, percent, svg } from "./dom.js";
import { seatLabel } from "./seats.js";

// How much of the points a move gives away, where both positions were searched.
export function lossOf(view, ply) {
  const before = view.values[ply - 1], after = view.values[ply];
  if (before === undefined || after === undefined) return 0;
  const mover = view.movers[ply - 1];
  return mover === 0 ? before - after : mover === 1 ? after - before : 0;
}

const signOf = (loss) => (loss >= 0.25 ? ["blunder", "??"] : loss >= 0.12 ? ["mistake", "?"] : null);

export function showMoves(view, ply, go) {
  const items = view.moves.map((move, index) => {
    const sign = signOf(lossOf(view, index + 1));
    const who = view.movers[index] < 0 ? "chance" : seatLabel(view, view.movers[index]);
    const button = el("button", {
      type: "button", "aria-current": ply === index + 1 ? "true" : null, onclick: () => go(index + 1),
      "aria-label": `Move ${index + 1}, ${who}: ${move}${sign ? `, ${sign[0]}` : ""}`,
    }, move, sign ? el("span", { class: sign[0] }, sign[1]) : null);
    const number = index % 2 === 0 ? el("span", { class: "number", "aria-hidden": "true" }, `${index + 1}.`) : null;
    return el("li", { class: "row-item" }, ...[number, button].filter(Boolean));
  });
  const list = el("ol", {}, ...items);
  $("move-list").replaceChildren(items.length ? list : el("p", { class: "quiet" }, "No move yet."));
  const current = list.querySelector("[aria-current]");
  if (current) $("move-list").scrollTop = current.offsetTop - $("move-list").offsetTop - 60;
  $("first").disabled = $("back").disabled = ply === 0;
  $("forward").disabled = $("last").disabled = ply === view.moves.length;
  $("from-here").hidden = ply === view.moves.length;
  showGraph(view, ply, go);
}

const WIDTH = 360, HEIGHT = 96, LEFT = 30, TOP = 8;

function showGraph(view, ply, go) {
  const known = Object.entries(view.values).map(([at, rate]) => [Number(at), rate]).sort((a, b) => a[0] - b[0]);
  $("review").hidden = view.players.length !== 2 || view.moves.length === 0;
  if (known.length < 2) return $("graph").replaceChildren();
  const most = Math.max(8, view.moves.length);
  const x = (at) => LEFT + (at / most) * (WIDTH - LEFT - 8);
  const y = (rate) => TOP + (1 - rate) * (HEIGHT - 2 * TOP);
  const dots = known.map(([at, rate]) => {
    const sign = at > 0 ? signOf(lossOf(view, at)) : null;
    const text = `${at ? `${at}. ${view.moves[at - 1]}` : "Start"}: ${percent(rate)}${sign ? `, ${sign[0]}` : ""}`;
    const dot = svg("circle", { cx: x(at), cy: y(rate), r: sign ? 5 : 2.5, class: sign ? `graph-${sign[0]}` : "graph-dot" },
      svg("title", {}, text));
    dot.addEventListener("click", () => go(at));
    return dot;
  });
  const blunders = known.filter(([at]) => at > 0 && lossOf(view, at) >= 0.25).length;
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

// Who plays, with their clocks, and the line of text about the turn.

import { $, el, svg } from "./dom.js";
import { piece, standing } from "./pieces.js";

const NAMES = {
  human: "You", mcts: "Search, full strength", perfect: "Perfect play", alphabeta: "Alpha-beta",
  greedy: "Greedy", random: "Random", nrpa: "NRPA",
};

export function nameOf(spec) {
  if (isLevel(spec)) return `Level ${spec.slice(6)}`;
  if (spec.startsWith("mcts:preset=")) return `Preset ${spec.slice(12)}`;
  if (/^net:[a-z-]+$/.test(spec)) return "Network";
  return NAMES[spec] ?? spec;
}

// The players that can be chosen for a seat; count: of levels, others: all but these.
export function choices(current, count, others) {
  const levels = Array.from({ length: count }, (_, index) => `level:${index + 1}`);
  const all = ["human", ...levels, ...others];
  return all.includes(current) ? all : [...all, current];
}

export function seatLabel(view, seat) {
  return view.names[seat];
}

export function showSeats(view, change) {
  const shape = JSON.stringify([view.id, view.game, view.players]);
  const host = $("seats");
  if (host.dataset.shape !== shape) {
    host.dataset.shape = shape;
    host.replaceChildren(...view.players.map((spec, seat) => seatOf(view, spec, seat, change)));
  }
  [...host.children].forEach((node, seat) =>
    node.classList.toggle("moving", view.board.to_move === seat && !view.outcome));
  $("levels").textContent = view.players.some(isLevel) ? unmeasured(view.levels) : "";
}

function isLevel(spec) {
  return spec.startsWith("level:");
}

// The text about levels that were not measured with these rules; "" if they were.
function unmeasured(levels) {
  if (levels.exact) return "";
  if (!levels.measured_on) return "Nobody has measured how far apart the levels of this game are.";
  return `The levels were measured in ${levels.measured_on}: how far apart they are by these rules, nobody has measured.`;
}

function seatOf(view, spec, seat, change) {
  const label = seatLabel(view, seat);
  const options = choices(spec, view.levels.count, view.offered).map((each) =>
    el("option", { value: each, selected: each === spec }, nameOf(each)));
  const select = el("select", { "aria-label": `${label} is played by`, "data-seat": seat,
    onchange: async () => {
      await change(seat, select.value);
      select.value = spec; // if it was refused; otherwise this element has been replaced
    } }, ...options);
  const icon = svg("svg", { viewBox: "-20 -20 40 40", "aria-hidden": "true" }, signOf(view.board, seat));
  return el("div", { class: "seat" }, icon, el("span", {}, label), select, el("span", { class: "clock" }));
}

// What a player's pieces look like on the board.
export const signOf = (board, seat) => (seat in board.marks && standing(board, board.marks[seat], seat)) || piece(board, seat);

export function showClocks(view, since) {
  const passed = view.outcome ? 0 : (performance.now() - since) / 1000;
  return [...$("seats").children].map((node, seat) => {
    const left = view.clocks[seat];
    if (left === null || left === undefined) return Infinity;
    const now = Math.max(0, left - (view.board.to_move === seat ? passed : 0));
    node.querySelector(".clock").textContent = now < 20 ? now.toFixed(1)
      : `${Math.floor(now / 60)}:${String(Math.floor(now % 60)).padStart(2, "0")}`;
    return now;
  });
}

export function statusOf(view) {
  if (view.outcome) return view.outcome.text;
  const seat = view.board.to_move;
  const who = seatLabel(view, seat);
  const people = view.players.filter((spec) => spec === "human").length;
  if (view.players[seat] === "human") return people === 1 ? `Your turn (${who})` : `${who} to move`;
  if (view.busy === "preparing") return "Getting the program ready (the first time takes some seconds)...";
  const name = `${who}: ${nameOf(view.players[seat])}`;
  if (people === 0 && !view.playing) return `${name} to move, paused`;
  return view.busy ? `${name} is thinking...` : `${name} to move`;
}

// After the end: buttons to play again, or against the next level.
export function showEnd(view, again) {
  const host = $("end");
  host.hidden = view.outcome === null;
  if (host.hidden || host.dataset.version === `${view.id}${view.version}`) return;
  host.dataset.version = `${view.id}${view.version}`;
  const parts = [el("button", { type: "button", class: "main", onclick: () => again(view.players) }, "Play again")];
  const winner = view.outcome.winner;
  const other = view.players.findIndex(isLevel);
  if (winner !== null && view.players[winner] === "human" && other >= 0) {
    const level = Number(view.players[other].slice(6)) + 1;
    const next = view.players.map((spec, seat) => (seat === other ? `level:${level}` : spec));
    if (level <= view.levels.count) parts.push(el("button", { type: "button", onclick: () => again(next) }, `Play level ${level}`));
  }
  host.replaceChildren(el("div", { class: "row" }, el("strong", {}, view.outcome.text), ...parts));
}

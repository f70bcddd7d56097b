// The games at the top of the page.

import { $, el } from "./dom.js";

// First buttons: games with parameters or of files, then these. The rest is in a list.
const ORDER = ["tic-tac-toe", "connect-four", "ultimate-tic-tac-toe", "gomoku"];
const isOther = (spec) => /^[a-z0-9-]+$/.test(spec) && !ORDER.includes(spec);

// view() is the game as it stands; begin(entry, players) starts another.
export function showGames(games, view, begin) {
  const choose = (entry) => begin(entry, playersFor(entry, view()));
  const known = games.map((entry) => entry.spec);
  const first = [...known.filter((spec) => !isOther(spec))].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const find = (spec) => games.find((entry) => entry.spec === spec);
  const more = el("select", { "aria-label": "More games", onchange: () => more.value && choose(find(more.value)) },
    el("option", { value: "" }, "More games"),
    ...games.filter(({ spec }) => isOther(spec)).sort((a, b) => a.title.localeCompare(b.title))
      .map(({ spec, title }) => el("option", { value: spec }, title)));
  $("games").replaceChildren(...first.map((spec) => el("button", {
    type: "button", "data-spec": spec, title: find(spec).about, onclick: () => choose(find(spec)) }, find(spec).title)), more);
}

export function markGame(spec) {
  const [name] = spec.split(":");
  for (const node of $("games").children) {
    if (node.matches("select")) node.value = isOther(name) ? name : "";
    else node.setAttribute("aria-current", String([name, spec].includes(node.dataset.spec)));
    if (node.value ? isOther(name) : node.ariaCurrent === "true") reveal(node);
  }
}

// Scroll to a button: on a phone the row of games is wider than the page.
function reveal(node) {
  const { scrollLeft, clientWidth } = $("games");
  const left = node.offsetLeft - $("games").offsetLeft, right = left + node.offsetWidth;
  if (left < scrollLeft || right > scrollLeft + clientWidth) $("games").scrollLeft = left - 40;
}

// The players of now, where they fit and are people and levels; else you against level 1.
function playersFor(entry, view) {
  const kept = view?.players.length === entry.names.length
    && view.players.every((spec) => spec === "human" || spec.startsWith("level:"));
  if (kept) return view.players;
  return entry.names.map((_, seat) => (seat ? "level:1" : "human"));
}

// The dialog of a new game: variant, players, time.

import { $, el } from "./dom.js";
import { choices, nameOf } from "./seats.js";

// begin({game, players, seconds, base, increment}) starts it.
export function openOptions(games, view, begin) {
  const dialog = $("options");
  const [name] = view.game.split(":");
  const known = games.find((each) => each.spec === view.game) ?? games.find((each) => each.spec === name) ?? games[0];
  const parts = {};
  const form = el("form", { method: "dialog" });

  function build(entry, spec) {
    const given = Object.fromEntries((spec.split(":")[1] ?? "").split(",").map((part) => part.split("=")));
    parts.entry = entry;
    parts.fields = entry.parameters.map((field) => fieldOf(field, given[field.name]));
    const same = view.players.length === entry.names.length;
    const [levels, others] = spec === view.game ? [view.levels.count, view.offered] : [entry.levels, entry.players];
    parts.seats = entry.names.map((label, seat) => seatOf(label, same ? view.players[seat] : seat ? "level:1" : "human", levels, others));
    parts.game = el("select", { onchange: () => build(games[parts.game.selectedIndex], "") },
      ...games.map((each) => el("option", { selected: each === entry }, each.title)));
    parts.seconds = number(view.seconds, 0.01, 60, "any");
    parts.base = number(view.base ?? "", 1, 7200, "any");
    parts.increment = number(view.increment, 0, 60, "any");
    form.replaceChildren(
      el("h2", { id: "options-title" }, "New game"),
      el("label", {}, "Game", parts.game), el("p", { class: "quiet" }, entry.about),
      ...(parts.fields.length ? [el("fieldset", {}, el("legend", {}, "Rules"), ...parts.fields.map((each) => each.label), meaningsOf(entry))] : []),
      el("fieldset", {}, el("legend", {}, "Players, in order of play"), ...parts.seats.map((each) => each.label)),
      el("fieldset", {}, el("legend", {}, "Time in seconds"),
        el("label", {}, "A program's move, at most", parts.seconds),
        el("label", {}, "Clock for a game", parts.base), el("label", {}, "and for each move", parts.increment)),
      el("p", { class: "quiet", role: "alert", id: "options-problem" }),
      el("div", { class: "row" }, el("button", { type: "submit", class: "main", value: "begin" }, "Begin"),
        el("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await begin(read(parts));
      dialog.close();
    } catch (error) {
      $("options-problem").textContent = error.message;
    }
  });
  build(known, view.game);
  dialog.replaceChildren(form);
  dialog.showModal();
}

function number(value, min, max, step) {
  return el("input", { type: "number", value, min, max, step });
}

function fieldOf(field, given) {
  const value = given ?? field.default;
  const options = field.kind === "yes-no" ? ["True", "False"] : field.choices;
  let input;
  if (options.length) input = el("select", {}, ...options.map((each) =>
    el("option", { selected: each.toLowerCase() === value.toLowerCase() }, each)));
  else if (field.kind === "whole") input = number(value, field.least, field.most, 1);
  else input = el("input", { value });
  return { field, input, label: el("label", {}, field.name.replaceAll("_", " "), input) };
}

// What the rules' fields mean, to unfold.
function meaningsOf(entry) {
  const known = entry.parameters.filter((field) => field.meaning);
  if (!known.length) return "";
  return el("details", { class: "wide" }, el("summary", {}, "What these mean"),
    el("dl", {}, ...known.flatMap((field) => [el("dt", {}, field.name.replaceAll("_", " ")), el("dd", {}, field.meaning)])));
}

function seatOf(label, spec, levels, others) {
  const own = el("input", { placeholder: "mcts:c_uct=0.7", hidden: true, "aria-label": `${label}: player by its text` });
  const select = el("select", { onchange: () => { own.hidden = select.value !== "..."; } },
    ...choices(spec, levels, others).map((each) => el("option", { value: each, selected: each === spec }, nameOf(each))),
    el("option", { value: "..." }, "Other, by its text..."));
  return { select, own, label: el("label", {}, label, select, own) };
}

function read(parts) {
  const given = parts.fields.map(({ field, input }) => [field, String(input.value).trim()])
    .filter(([field, value]) => value !== "" && value.toLowerCase() !== field.default.toLowerCase())
    .map(([field, value]) => `${field.name}=${value}`);
  const wanted = {
    game: parts.entry.spec + (given.length ? `:${given.join(",")}` : ""),
    players: parts.seats.map(({ select, own }) => (select.value === "..." ? own.value.trim() : select.value)),
    seconds: Number(parts.seconds.value),
  };
  if (parts.base.value) Object.assign(wanted, { base: Number(parts.base.value), increment: Number(parts.increment.value) });
  return wanted;
}

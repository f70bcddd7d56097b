// Saving, loading, and sharing by an address.

import { $, el } from "./dom.js";
import { get, getText, post } from "./net.js";

// The request for a new game with this one's players and times.
export function wantedOf({ game, players, seconds, base, increment }) {
  return { game, players, seconds, base, increment };
}

// The address to share. It leaves out hidden moves: such a game begins anew there.
export function addressOf(view, withId) {
  const moves = view.hides ? "" : view.moves.join(" ");
  const parts = { game: view.game, players: view.players.join(" "), seconds: view.seconds, moves };
  if (view.base) Object.assign(parts, { base: view.base, increment: view.increment });
  if (withId) parts.id = view.id;
  return `${location.origin}/#${new URLSearchParams(parts)}`;
}

// What an address asks for; null where it asks for nothing.
export function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (!parts.get("game")) return null;
  const words = (name) => (parts.get(name) ?? "").split(" ").filter(Boolean);
  const number = (name) => Number(parts.get(name)) || 0;
  const id = /^[\w-]{16}$/.test(parts.get("id")) ? parts.get("id") : null;
  return {
    id,
    wanted: {
      id,
      game: parts.get("game"), players: words("players"), moves: words("moves"), seconds: number("seconds") || 1,
      base: number("base") || null, increment: number("increment"),
    },
  };
}

// begin({game, moves}) starts a game that was loaded.
export async function openFiles(view, begin) {
  const dialog = $("files");
  const formats = await get(`tables/${view.id}/formats`);
  const problem = el("p", { class: "quiet", role: "alert" });
  const text = el("textarea", { "aria-label": "A game as text", placeholder: "4455, h8 i9, or the text of a JSON, SGF or psq file" });
  const file = el("input", { type: "file", "aria-label": "A file with a game", accept: ".json,.jsonl,.sgf,.psq,.pos,.columns,.txt",
    onchange: async () => { text.value = await file.files[0].text(); } });
  const share = el("input", { readonly: true, value: addressOf(view, false), "aria-label": "Address of this position" });

  const guarded = (work) => async () => {
    try {
      problem.textContent = (await work()) ?? "";
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const save = (format) => guarded(async () => {
    const content = await getText(`tables/${view.id}/file?format=${format}`);
    const link = el("a", { href: URL.createObjectURL(new Blob([content])), download: `game.${format === "columns" || format === "pos" ? "txt" : format}` });
    link.click();
    URL.revokeObjectURL(link.href);
    text.value = content;
    return `Saved as ${format}.`;
  });
  const load = guarded(async () => {
    const { game, moves } = await post("files", { text: text.value, game: view.game });
    await begin({ game, moves });
    dialog.close();
  });
  const copy = guarded(async () => {
    share.select();
    await navigator.clipboard.writeText(share.value);
    return "The address is copied.";
  });

  dialog.replaceChildren(el("div", { class: "fields" },
    el("h2", { id: "files-title" }, "Save, load, share"),
    el("div", { class: "row" }, "Save as", ...formats.map((format) => el("button", { type: "button", onclick: save(format) }, format))),
    el("label", {}, "Load from a file", file), text,
    el("div", { class: "row" }, el("button", { type: "button", class: "main", onclick: load }, "Load this text")),
    el("label", {}, "Whoever opens this address goes on from here", share),
    el("div", { class: "row" }, el("button", { type: "button", onclick: copy }, "Copy the address")),
    problem,
    el("div", { class: "row" }, el("button", { type: "button", onclick: () => dialog.close() }, "Close"))));
  dialog.showModal();
}

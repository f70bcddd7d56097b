// Moves played by name: buttons for moves that have no place on the board, and a field to
// type any move. Typing also narrows the buttons down.

import { $, el } from "./dom.js";

const MOST = 60; // buttons at once

export class Choices {
  // play(move) gets the text that was typed or chosen, which the server checks.
  constructor(play) {
    this.names = [];
    this.play = play;
    $("named").addEventListener("click", ({ target }) => {
      const button = target.closest("[data-move]");
      if (button && button.getAttribute("aria-disabled") !== "true") play(button.dataset.move);
    });
    $("typing").addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit($("typed").value.trim());
    });
    $("typed").addEventListener("input", () => this.fill());
    $("typed").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      $("typed").value = "";
      this.fill();
      $("typed").blur();
    });
  }

  // Without a board, a part of a name is enough where one button is left.
  submit(text) {
    if (!text) return;
    const left = this.matching();
    this.play(this.alone && left.length === 1 ? left[0] : text);
    $("typed").value = "";
    this.fill();
  }

  matching() {
    const text = $("typed").value.trim().toLowerCase();
    const exact = this.names.filter((name) => name.toLowerCase() === text);
    return exact.length ? exact : this.names.filter((name) => name.toLowerCase().includes(text));
  }

  // alone: whether there is no board.
  show(names, { canPlay, hint, alone }) {
    Object.assign(this, { names, canPlay, hint, alone });
    this.fill();
  }

  // A button stays, with its focus, as long as its move is legal; so none is `disabled`,
  // which loses focus.
  fill() {
    const row = $("named"), left = this.matching();
    const shown = left.slice(0, MOST);
    const kept = new Map([...row.children].map((button) => [button.dataset.move, button]));
    kept.forEach((button, name) => shown.includes(name) || button.remove());
    shown.forEach((name, index) => {
      const button = kept.get(name) ?? el("button", { type: "button", "data-move": name }, name);
      if (row.children[index] !== button) row.insertBefore(button, row.children[index] ?? null);
      button.setAttribute("aria-disabled", String(!this.canPlay));
      button.classList.toggle("main", name === this.hint);
    });
    const more = left.length - shown.length;
    $("more-named").textContent = more ? `and ${more} more: type a part of a name` : "";
    $("typed").disabled = !this.canPlay && document.activeElement !== $("typed");
  }
}

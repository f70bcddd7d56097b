// The search's tree, unfolded branch by branch.

import { $, count, el, percent } from "./dom.js";

export class TreeView {
  // ask(path) requests the children of a node; the answer goes to `show`. who(player)
  // names a player.
  constructor(ask, who) {
    Object.assign(this, { ask, who });
    $("tree-again").addEventListener("click", () => this.restart());
    $("least").addEventListener("change", () => this.restart());
    $("tree-box").addEventListener("toggle", () => $("tree-box").open && this.restart());
  }

  restart() {
    $("tree").replaceChildren();
    if ($("tree-box").open) this.ask([]);
  }

  clear() {
    $("tree").replaceChildren();
  }

  show({ path, children, player, more }) {
    const host = path.length ? this.find(path) : $("tree");
    if (!host) return;
    const least = Number($("least").value);
    const shown = children.filter((child) => child.visits >= least);
    const items = shown.map((child) => this.item(path, child, player));
    const rest = children.length - shown.length + (more ?? 0);
    if (rest > 0) items.push(el("li", { class: "quiet" }, `and ${rest} with fewer visits`));
    if (!items.length) items.push(el("li", { class: "quiet" }, "Nothing here: analyse the position."));
    host.querySelector(":scope > ul")?.remove();
    host.append(el("ul", {}, ...items));
  }

  item(path, child, player) {
    const own = [...path, child.move];
    const text = `${this.who(player)} ${child.move}  ${child.shown ?? percent(child.win_rate, 1)}  ${count(child.visits)}${child.proven ? `  ${child.proven}` : ""}`;
    if (!child.inner) return el("li", { "data-path": own.join(" ") }, text);
    const button = el("button", { type: "button", class: "plain", "aria-expanded": "false" }, text);
    const item = el("li", { "data-path": own.join(" ") }, button);
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) item.querySelector(":scope > ul")?.remove();
      else this.ask(own);
    });
    return item;
  }

  find(path) {
    return $("tree").querySelector(`[data-path="${CSS.escape(path.join(" "))}"]`);
  }
}

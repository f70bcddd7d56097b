// The board in a notebook: shows what Python sends, and sends what is clicked.

const MOST = 60; // buttons at once

function render({ model, el }) {
  el.classList.add("playout");
  const part = (tag, name) => {
    const made = document.createElement(tag);
    made.className = name;
    el.append(made);
    return made;
  };
  const board = part("div", "playout-place");
  const typing = part("form", "playout-typing");
  const typed = document.createElement("input");
  typed.placeholder = "Type a move";
  typed.setAttribute("aria-label", "Type a move");
  typing.append(typed);
  const moves = part("div", "playout-moves");
  const status = part("p", "playout-status");
  status.setAttribute("role", "status");
  const buttons = part("div", "playout-buttons");

  const play = (move) => model.send({ do: "play", move });
  const button = (text, does) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", does);
    return made;
  };
  const asks = (text, what) => button(text, () => model.send({ do: what }));
  const step = asks("Step", "step");
  buttons.append(step, asks("Undo", "undo"), asks("Redo", "redo"), asks("Hint", "hint"), asks("New game", "new"));

  const pick = (cell) => model.send({ do: "pick", cell });
  const choose = ({ dataset }) => dataset.move === undefined ? pick(dataset.cell.split(",").map(Number)) : play(dataset.move);
  board.addEventListener("click", (event) => {
    const cell = event.target.closest("[role=button]");
    if (cell) choose(cell);
  });
  board.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[role=button]");
    if (!cell || !["Enter", " ", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") pick(null);
    else choose(cell);
  });
  typing.addEventListener("submit", (event) => {
    event.preventDefault();
    if (typed.value.trim()) play(typed.value.trim());
    typed.value = "";
    list();
  });
  typing.addEventListener("keydown", (event) => event.stopPropagation()); // from the notebook's keys
  typing.addEventListener("input", () => list());

  // What is typed narrows the buttons down.
  const list = () => {
    const text = typed.value.trim().toLowerCase();
    const left = model.get("moves").filter((move) => move.toLowerCase().includes(text));
    moves.replaceChildren(...left.slice(0, MOST).map((move) => button(move, () => play(move))),
      left.length > MOST ? `and ${left.length - MOST} more: type a part of a name` : "");
  };
  const cells = () => [...board.querySelectorAll("[role=button]")];
  let waits = false; // some values have changed, and are drawn together
  const show = () => {
    waits = false;
    const active = el.getRootNode().activeElement;
    const focused = cells().indexOf(active), at = active?.dataset?.cell;
    const picture = model.get("picture");
    if (picture.startsWith("<svg")) board.innerHTML = picture;
    else {
      const text = document.createElement("pre");
      text.textContent = picture;
      board.replaceChildren(text);
    }
    list();
    status.textContent = model.get("status");
    step.hidden = !model.get("steps");
    if (focused >= 0) (cells().find((cell) => cell.dataset.cell === at) ?? cells()[Math.min(focused, cells().length - 1)])?.focus();
  };
  const changed = () => {
    if (!waits) queueMicrotask(show);
    waits = true;
  };
  const names = ["picture", "moves", "status", "steps"].map((name) => `change:${name}`);
  for (const name of names) model.on(name, changed);
  show();
  return () => names.forEach((name) => model.off(name, changed));
}

export default { render };

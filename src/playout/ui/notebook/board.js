// The board in a notebook: shows what Python sends, and sends what is clicked.

function render({ model, el }) {
  el.classList.add("playout");
  const part = (tag, name) => {
    const made = document.createElement(tag);
    made.className = name;
    el.append(made);
    return made;
  };
  const board = part("div", "playout-place");
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

  board.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-move]");
    if (cell) play(cell.dataset.move);
  });
  board.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-move]");
    if (cell && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      event.stopPropagation();
      play(cell.dataset.move);
    }
  });

  const cells = () => [...board.querySelectorAll("[data-move]")];
  let waits = false; // some values have changed, and are drawn together
  const show = () => {
    waits = false;
    const focused = cells().indexOf(el.getRootNode().activeElement);
    const picture = model.get("picture");
    if (picture.startsWith("<svg")) board.innerHTML = picture;
    else {
      const text = document.createElement("pre");
      text.textContent = picture;
      board.replaceChildren(text);
    }
    moves.replaceChildren(...model.get("moves").map((move) => button(move, () => play(move))));
    status.textContent = model.get("status");
    step.hidden = !model.get("steps");
    if (focused >= 0) cells()[Math.min(focused, cells().length - 1)]?.focus();
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

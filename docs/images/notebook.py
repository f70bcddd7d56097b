"""Takes the picture of the notebook: `python docs/images/notebook.py [FOLDER]`.

Needs Playwright, Pillow, a Chromium and `anywidget`. A page stands in for Jupyter: it
shows what a notebook shows of a `Result` and of a `GameBoard`.
"""

import base64
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.ui.web.browser import CHROMIUM, FLAGS

from playout import MCTS, Limit, Position, make_game
from playout.ui.notebook import GameBoard
from playout.ui.notebook.widget import HERE

MOVES = ["d3", "c5", "f6", "f5", "e6", "e3"]
CELL = """<div style="font: 13px/1.5 monospace; color: #555; white-space: pre;
  background: #f5f5f5; border: 1px solid #ddd; padding: 6px 10px; margin: 14px 0 8px"
  >{code}</div>"""
#: Draws the widget by its own script, from values that do not change.
WIDGET = """
async ([script, state]) => {
  const model = { get: (name) => state[name], on() {}, off() {}, send() {} };
  const { default: widget } = await import("data:text/javascript;base64," + script);
  widget.render({ model, el: document.getElementById("board") });
}
"""


def main(folder: Path) -> None:
    """Search a position of Othello, show it, and write `notebook.png`."""
    position = Position.from_moves(make_game("othello"), MOVES)
    result = MCTS(position.game, seed=1).search(position, Limit(simulations=100_000))
    board = GameBoard("othello", "human", "human")
    for move in MOVES:
        board.play(move)
    names = ("picture", "moves", "status", "steps")
    state = {name: getattr(board, name) for name in names}
    script = base64.b64encode((HERE / "board.js").read_bytes()).decode()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 760, "height": 960})
        page.set_content(
            "<body style='font-family: sans-serif; padding: 4px 24px'>"
            + CELL.format(code="MCTS(position.game, seed=1).search(position)")
            + result._repr_html_()
            + CELL.format(code='GameBoard("othello", "human", "mcts")')
            + "<div id='board'></div>"
        )
        page.evaluate(WIDGET, [script, state])
        page.screenshot(path=folder / "notebook.png", full_page=True)
        browser.close()
    with Image.open(folder / "notebook.png") as picture:
        picture.convert("RGB").quantize(128).save(
            folder / "notebook.png", optimize=True
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)

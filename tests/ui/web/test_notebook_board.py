"""The notebook's board in a real browser, its model played by a page."""

import base64

import pytest

from playout.ui.notebook import GameBoard
from playout.ui.notebook.widget import HERE

from ...toys import Nim

#: A page with what Jupyter gives a widget: `model`, and an element to draw in.
PAGE = """
async ([script, state]) => {
  const listeners = [];
  const model = {
    get: (name) => state[name],
    on: (event, call) => listeners.push(call),
    send: async (message) => {
      state = await window.python(message);
      listeners.forEach((call) => call());
    },
  };
  const { default: widget } = await import("data:text/javascript;base64," + script);
  widget.render({ model, el: document.body });
}
"""


@pytest.fixture
def show(chromium):
    """Shows a board on a page of its own; what the page complains about fails."""
    problems, pages = [], []

    def open_one(board):
        page = chromium.new_page()
        pages.append(page)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.expose_function("python", lambda message: answer(board, message))
        script = base64.b64encode((HERE / "board.js").read_bytes()).decode()
        page.evaluate(PAGE, [script, state(board)])
        return page

    yield open_one
    for page in pages:
        page.close()
    assert problems == []


def state(board):
    return {name: getattr(board, name) for name in ("picture", "moves", "status")}


def answer(board, message):
    board._handle_custom_msg(message, [])
    return state(board)


def wait(page, text):
    page.wait_for_function(
        "text => document.querySelector('.playout-status').textContent.includes(text)",
        arg=text,
    )


def test_a_whole_game_by_clicks_and_keys(show):
    board = GameBoard("tic-tac-toe", "human", "human")
    page = show(board)
    for number, move in enumerate(["b2", "a3", "b3", "b1", "a2", "c1", "c2"]):
        cell = page.locator(f'[data-move="{move}"]')
        if number % 2:
            cell.focus()
            page.keyboard.press("Enter")
        else:
            cell.click()
        cell.wait_for(state="detached")
        focused = "e => document.activeElement.dataset.move"
        assert number == 6 or page.locator("body").evaluate(focused)  # not lost
    wait(page, "X wins.")
    assert page.locator(".cell.won").count() == 3
    page.get_by_role("button", name="Undo").click()
    wait(page, "Your move (X)")
    assert len(board.position.moves) == 6


def test_moves_that_are_no_cells_are_buttons(show):
    board = GameBoard(Nim(stones=3), "human", "human")
    page = show(board)
    assert "left=3" in page.inner_text("pre")
    page.get_by_role("button", name="3", exact=True).click()
    wait(page, "wins")
    assert page.locator(".playout-moves button").count() == 0


def test_dark_colours(show):
    page = show(GameBoard("connect-four", "human", "human"))
    colors = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        fill = "e => getComputedStyle(e).fill"
        colors.append(page.locator(".paper").evaluate(fill))
    assert colors == ["rgb(255, 255, 255)", "rgb(13, 17, 23)"]

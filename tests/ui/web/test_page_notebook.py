"""The notebook's board in a real browser, its model played by a page."""

import base64

import pytest

from playout.ui.notebook import GameBoard
from playout.ui.notebook.widget import HERE
from tests.toys import Nim

#: A page with what Jupyter gives a widget: `model`, and an element to draw in.
PAGE = """
async ([script, state]) => {
  const listeners = window.listeners = [];
  const model = {
    get: (name) => state[name],
    on: (event, call) => listeners.push([event, call]),
    off: (event, call) => listeners.splice(
      listeners.findIndex((each) => each[0] === event && each[1] === call), 1),
    send: async (message) => {
      state = await window.python(message);
      listeners.forEach(([, call]) => call());
    },
  };
  const { default: widget } = await import("data:text/javascript;base64," + script);
  window.remove = widget.render({ model, el: document.body });
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
    names = ("picture", "moves", "status", "steps")
    return {name: getattr(board, name) for name in names}


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


def test_programs_are_watched_by_a_button(show):
    board = GameBoard("tic-tac-toe", "random", "random")
    page = show(board)
    page.get_by_role("button", name="Step").click()
    wait(page, "O is to move")
    assert len(board.position.moves) == 1
    page = show(GameBoard("tic-tac-toe"))
    assert page.get_by_role("button", name="Step").count() == 0


def test_a_change_is_drawn_once_and_a_board_that_is_gone_not_at_all(show):
    page = show(GameBoard("tic-tac-toe", "human", "human"))
    page.evaluate(
        """() => {
          window.drawn = 0;
          new MutationObserver((seen) => { window.drawn += seen.length; })
            .observe(document.querySelector(".playout-place"), { childList: true });
        }"""
    )
    page.locator('[data-move="b2"]').click()
    wait(page, "Your move (O)")
    page.evaluate("new Promise((done) => setTimeout(done))")
    assert page.evaluate("drawn") == 1
    assert page.evaluate("listeners.length") > 0
    page.evaluate("remove()")
    assert page.evaluate("listeners.length") == 0


def test_dark_colours(show):
    page = show(GameBoard("connect-four", "human", "human"))
    colors = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        fill = "e => getComputedStyle(e).fill"
        colors.append(page.locator(".paper").evaluate(fill))
    assert colors == ["rgb(255, 255, 255)", "rgb(13, 17, 23)"]

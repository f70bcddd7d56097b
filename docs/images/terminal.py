"""Takes the picture of the terminal board: `python docs/images/terminal.py [FOLDER]`.

Needs Playwright, Pillow and a Chromium, which turns Textual's picture into a bitmap.
"""

import sys
from functools import partial
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.ui.tui.support import play, until
from tests.ui.web.browser import CHROMIUM, FLAGS

from playout.players.player import Allowance

#: What the person plays.
MOVES = "4435"


def main(folder: Path) -> None:
    """Play against the search, analyse each turn, and write `terminal.png`."""
    shown: list[str] = []

    async def script(app, pilot):
        def analysed(moves, visits):
            known, thought = app.host.table.position.moves, app.host.thought
            # What the program thought before its move is on no cell of the board.
            shown = len(known) == moves and app.place.view.heat
            return shown and thought.visits > visits

        await pilot.press("a")
        for count, move in enumerate(MOVES):
            await until(pilot, partial(analysed, 2 * count, 20_000))
            await pilot.press(move)
        await until(pilot, partial(analysed, 2 * len(MOVES), 50_000))
        shown.append(app.export_screenshot())

    seats = ["human", "mcts"]
    allowance = Allowance(simulations=50_000)
    play("connect-four", seats, script, size=(96, 26), allowance=allowance)
    draw(shown[0], folder / "terminal.png")


def draw(svg: str, file: Path) -> None:
    """Write an SVG picture as a bitmap."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 700})
        page.set_content(f"<body style='margin:0'>{svg}")
        page.locator("svg").first.screenshot(path=file, omit_background=True)
        browser.close()
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(128).save(file, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)

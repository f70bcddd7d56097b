"""Takes the pictures of the browser board: `python docs/images/board.py [FOLDER]`.

Needs Playwright, Pillow and a Chromium. Each game is shown in the middle of an
analysis, light and dark, on a wide screen and on a phone.
"""

import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.ui.web.browser import CHROMIUM, FLAGS
from tests.ui.web.support import server

GAMES = {
    "tic-tac-toe": "b2 a1",
    "connect-four": "4 4 5 3 4 4",
    "ultimate-tic-tac-toe": "ba ab bd db bg ge ec ce ed de ea ae ef",
    "gomoku": "H8 H9 I8 G8 I7 I9 G9 F10 J7 K6 H10",
}
#: Whether the rules are compiled: until then a search is slow, which no picture shows.
COMPILED = "() => !document.getElementById('effort').textContent.includes('compiled')"
SCREENS = {"wide": (1280, 940), "narrow": (390, 844)}


def main(folder: Path) -> None:
    """Write one picture for each game, theme and screen."""
    with server() as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for game, moves in GAMES.items():
            for screen, (width, height) in SCREENS.items():
                for theme in ("light", "dark"):
                    name = f"board-{game.partition(':')[0]}-{screen}-{theme}.png"
                    size = {"width": width, "height": height}
                    address = f"{running.address}#game={game}&moves={moves}"
                    take(browser, address, size, theme, folder / name)
        browser.close()


def take(browser: Browser, address: str, size: dict, theme: str, file: Path) -> None:
    """Open a position, let it be analysed for a moment, and take a picture."""
    context = browser.new_context(viewport=size, color_scheme=theme)
    page = context.new_page()
    page.goto(f"{address}&players=human human")
    page.wait_for_selector("#games button")
    page.click("#analyse")
    page.wait_for_selector("#moves-table td", timeout=120_000)
    page.wait_for_function(COMPILED, timeout=300_000)
    page.wait_for_timeout(4000)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=file, full_page=size["width"] < 600)
    context.close()
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(128).save(file, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)

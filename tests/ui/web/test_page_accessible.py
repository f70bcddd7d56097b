"""What axe-core (tests/data/axe) finds wrong with the page for people with needs."""

from pathlib import Path

import pytest

from .browser import address

AXE = Path(__file__).parents[2] / "data" / "axe" / "axe.min.js"


def faults(page):
    """The faults that axe calls serious or critical."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    return [
        (each["id"], node["target"], node["any"][0]["message"] if node["any"] else "")
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("tic-tac-toe", "a1 b1 a2 b2 a3"),
        ("connect-four", "4 4"),
        ("ultimate-tic-tac-toe", "ba ab bd db bg"),
        ("gomoku", "H8 H9"),
        ("pig", ""),
    ],
)
def test_games(open_page, game, moves, theme):
    page = open_page(address(game, moves), color_scheme=theme)
    assert faults(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_analysis_and_dialogs(open_page, theme):
    page = open_page(address("connect-four", "4 4"), color_scheme=theme)
    page.click("#review")
    page.click("#analyse")
    page.wait_for_selector("#moves-table td")
    page.click("#tree-box summary")
    page.wait_for_selector("#tree button")
    assert faults(page) == []
    page.click("#open-options")
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.click("#open-files")
    page.wait_for_selector("dialog[open] textarea")
    assert faults(page) == []


#: The seats whose player's name is wider than the box that shows it.
CUT = """() => [...document.querySelectorAll('.seat select')].filter((select) => {
  const alone = select.cloneNode();
  alone.append(select.selectedOptions[0].cloneNode(true));
  alone.style.cssText = 'position: absolute; width: auto; min-width: 0';
  select.after(alone);
  const wanted = alone.getBoundingClientRect().width;
  alone.remove();
  return wanted > select.getBoundingClientRect().width + 0.5;
}).length"""


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize(
    ("game", "players"),
    [("connect-four", "human mcts"), ("line-three", "human mcts mcts")],
)
def test_who_plays_can_be_read_whole(open_page, width, game, players):
    size = {"width": width, "height": 720}
    page = open_page(address(game, players=players), viewport=size)
    page.wait_for_selector(".seat")
    assert page.evaluate(CUT) == 0

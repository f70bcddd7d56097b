"""What axe-core (tests/data/axe) finds wrong with the page for people with needs."""

from pathlib import Path

import pytest

from .browser import address

AXE = Path(__file__).parents[2] / "data" / "axe" / "axe.min.js"


def faults(page):
    """The faults that axe calls serious or critical."""
    # Neither axe nor the rules that hold are told: reading them takes seconds.
    page.evaluate(AXE.read_text(encoding="utf-8") + "; null")
    found = page.evaluate("axe.run().then((found) => found.violations)")
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


def light(color):
    """The luminance of `rgb(r, g, b)`, as WCAG 2 has it."""
    parts = [int(part) / 255 for part in color[4:-1].split(",")]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", ["hex", "gomoku", "breakthrough"])
def test_dark_stones_stand_out_from_their_board(open_page, game, theme):
    first = {"hex": "f6", "gomoku": "H8"}.get(game, "")
    page = open_page(address(game, first), color_scheme=theme)
    page.wait_for_selector(".cell .stone-0")
    fill = "node => getComputedStyle(node).fill"
    stone = light(page.eval_on_selector(".cell .stone-0", fill))
    board = light(page.eval_on_selector("[class^='ground ground-']", fill))
    assert (board + 0.05) / (stone + 0.05) >= 3


def test_where_colours_are_forced_frames_say_what_they_said(open_page):
    page = open_page(address("tic-tac-toe", "b2"), forced_colors="active")
    page.wait_for_selector("#move-list [aria-current]")
    style = "node => getComputedStyle(node).outlineStyle"
    for chosen in (
        ".seat.moving",
        "#games [aria-current=true]",
        "#move-list [aria-current]",
    ):
        assert page.eval_on_selector(chosen, style) == "solid", chosen
    assert page.eval_on_selector(".seat:not(.moving)", style) == "none"

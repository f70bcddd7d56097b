"""Every kind of move on the page: from and to, a choice, by name; by mouse and by keys.

The games are those of `games_for_boards`, on one page, one after another.
"""

import pytest

from .browser import click, labels, one_page, played, wait_moves, wait_status, wait_text
from .support import server
from .test_page_accessible import faults

FILE = "tests/games_for_boards.py"
WRAPS = "name => getComputedStyle(document.querySelector(name)).whiteSpace"
GAMES = (
    "Breakthrough",
    "SmallOthello",
    "Promotion",
    "SmallHex",
    "Boxes",
    "Groups",
    "ManyWords",
    "NoughtsBegin",
)


@pytest.fixture(scope="module")
def page(chromium):
    """A page of a server that has these games; what it complains about fails."""
    with (
        server(*(f"{FILE}:{name}" for name in GAMES)) as running,
        one_page(chromium, running.address, f"{FILE}:") as page,
    ):
        yield page


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label')")


def test_from_and_to_by_mouse(page):
    page.begin("Breakthrough")
    assert labels(page, "can be played") == ["a1", "b1", "c1", "d1"]
    click(page, "a1")
    assert labels(page, "can be moved to") == ["a2", "b2"]
    click(page, "a1")  # let go
    assert labels(page, "can be moved to") == []
    click(page, "a1")
    click(page, "c1")  # another piece
    assert labels(page, "can be moved to") == ["b2", "c2", "d2"]
    click(page, "d4")  # no target
    assert labels(page, "chosen") == []
    click(page, "c1")
    page.keyboard.press("Escape")
    assert labels(page, "chosen") == []
    click(page, "c1")
    click(page, "d2")
    wait_moves(page, 1)
    assert played(page) == ["c1d2"]
    assert page.locator('.cell[aria-label^="c1"] .trail').count() == 1


def test_from_and_to_by_keys(page):
    page.begin("Breakthrough", "b1b2 b5b4")
    page.focus('.cell[tabindex="0"]')
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    assert focused(page).startswith("a1, X, can be played")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    assert focused(page).startswith("a2, empty, can be moved to")
    page.keyboard.press(" ")
    wait_moves(page, 3)
    assert played(page)[-1] == "a1a2"


def test_a_choice_and_a_way_that_may_end_early(page):
    page.begin("Promotion")
    click(page, "a1")
    click(page, "a2")
    assert page.inner_text(".choice") == "a2"
    assert labels(page, "can be moved to") == ["a3"]
    page.click('.choice [data-move="a2"]')
    wait_moves(page, 1)
    page.begin("Promotion", "a2 b3 a3 b2")
    click(page, "a3")
    click(page, "a4")
    names = page.locator(".choice button").all_inner_texts()
    assert names == ["a4=queen", "a4=knight", "a4=rook"]
    assert page.evaluate("document.activeElement.textContent") == "a4=queen"
    assert faults(page) == []
    page.keyboard.press("Escape")
    assert page.locator(".choice").is_hidden()
    click(page, "a3")
    click(page, "a4")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_moves(page, 5)
    assert played(page)[-1] == "a4=knight"


def test_pictures_run_nothing(page):
    page.begin("Promotion")
    page.wait_for_selector('image[href^="data:image/svg+xml"]')
    assert page.locator("#board .glyph").text_content() == "♟"
    assert page.evaluate("document.querySelectorAll('#board script').length") == 0
    assert page.evaluate("window.stolen === undefined")


def test_marks_look_like_themselves(page):
    """An O is a circle, whoever has it."""
    page.begin("NoughtsBegin", "b2 a1")
    assert page.locator("#board circle.mark-0").count() == 1
    assert page.locator("#board path.mark-1").count() == 1
    assert page.locator("#seats circle.mark-0").count() == 1
    assert labels(page, "last move") == ["a1"]


def test_moves_that_have_no_cell_are_buttons(page):
    page.begin("SmallHex", "b2")
    assert page.locator(".cell").count() == 9
    assert faults(page) == []
    page.click('#named [data-move="swap"]')
    wait_moves(page, 2)
    assert labels(page, "Blue") == ["b2"]
    page.wait_for_selector("#named:not(:has(button))")
    page.begin("SmallOthello", "b4 c4 d2 a4")
    assert labels(page, "can be played") == []
    page.focus("#typed")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_moves(page, 5)
    assert played(page)[-1] == "pass"
    assert labels(page, "can be played") != []


def test_typing_plays_any_move(page):
    page.begin("SmallHex")
    page.keyboard.press("m")
    page.keyboard.type("c3")
    page.keyboard.press("Enter")
    wait_moves(page, 1)
    page.keyboard.type("nonsense")
    page.keyboard.press("Enter")
    wait_text(page, "message", "is not a move")
    page.keyboard.type("SWAP")
    page.keyboard.press("Enter")
    wait_moves(page, 2)
    assert played(page) == ["c3", "swap"]


def test_points_with_lines_by_mouse_and_keys(page):
    page.begin("Boxes")
    page.click('.cell[data-row="0"][data-column="1"]')
    wait_moves(page, 1)
    page.focus('.cell[data-row="0"][data-column="1"]')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_moves(page, 2)
    assert played(page) == ["a", "b"]
    assert page.get_attribute(".lines path", "d").count("M") == 2


def test_any_cell_of_a_group_will_do(page):
    page.begin("Groups", "", "human")
    page.hover('.cell[aria-label^="a1,"]')
    assert page.locator(".aim").count() == 3
    click(page, "a1")
    wait_moves(page, 1)
    assert played(page) == ["a2"]


def test_rules_and_nothing_else_have_a_page(page):
    page.begin("ManyWords")
    assert page.inner_text(".text-board") == "left=300 player=0"
    assert page.evaluate(WRAPS, ".text-board") == "pre-wrap"
    assert page.locator("#named button").count() == 60
    assert "240 more" in page.inner_text("#more-named")
    assert faults(page) == []
    page.fill("#typed", "29")
    wait_text(page, "more-named", "")
    assert page.locator("#named button").count() == 13
    page.fill("#typed", "take 29")
    page.keyboard.press("Enter")  # the one of this name, not the ones that begin so
    wait_moves(page, 1)
    page.click('#named [data-move="take 7"]')
    wait_status(page, "X to move")
    assert played(page) == ["take 29", "take 7"]

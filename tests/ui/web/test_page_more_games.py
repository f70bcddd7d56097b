"""The games of `games/more` on the page, played by mouse and by keys.

No program plays but `random`, so nothing is compiled.
"""

import re

import pytest

from tests.ui.othello import A_PASS_IS_FORCED

from .browser import click, labels, one_page, played, wait_moves, wait_status, wait_text
from .test_page_accessible import faults


@pytest.fixture(scope="module")
def page(running, chromium):
    """One page for all games; what it complains about fails."""
    with one_page(chromium, running.address) as page:
        yield page


def stones(page, label):
    """The looks of what stands in a cell: 0 is dark, 1 light."""
    shown = page.locator(f'.cell[aria-label^="{label},"] .stone')
    return [each.get_attribute("class").split()[1] for each in shown.all()]


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def named(page):
    """The moves that are buttons."""
    return page.locator("#named button").all_inner_texts()


def test_othello_turns_discs_and_passes(page):
    page.begin("othello")
    assert labels(page, "can be played") == ["c4", "d3", "e6", "f5"]
    assert page.locator(".may").count() == 4
    click(page, "d3")
    wait_moves(page, 1)
    assert labels(page, "Black") == ["d3", "d4", "d5", "e4"]
    assert stones(page, "d4") == ["stone-0"]
    page.focus('.cell[aria-label^="d3,"]')
    press(page, "ArrowLeft", "Enter")
    wait_moves(page, 2)
    assert played(page) == ["d3", "c3"]
    page.begin("othello", A_PASS_IS_FORCED)
    assert labels(page, "can be played") == []
    assert named(page) == ["pass"]
    page.click("#named button")
    wait_status(page, "White to move")
    assert played(page)[-1] == "pass"
    assert labels(page, "can be played") != []


def test_breakthrough_moves_pawns(page):
    page.begin("breakthrough")
    assert stones(page, "d2") == ["stone-1"]  # White begins, and is white
    assert stones(page, "d7") == ["stone-0"]
    click(page, "d2")
    assert labels(page, "can be moved to") == ["c3", "d3", "e3"]
    click(page, "d3")
    wait_moves(page, 1)
    page.focus('.cell[aria-label^="c7,"]')
    press(page, "Enter", "ArrowDown", "Enter")
    wait_moves(page, 2)
    assert played(page) == ["d2d3", "c7c6"]
    assert labels(page, "Black, last move") == ["c6"]


def test_hex_has_hexagons_and_a_swap(page):
    page.begin("hex:size=3")
    assert page.locator('.tile[d^="M"]').count() == 9
    assert page.get_attribute(".tile >> nth=0", "d").count("L") == 5
    click(page, "b1")
    wait_moves(page, 1)
    page.click('#named [data-move="swap"]')
    wait_moves(page, 2)
    assert labels(page, "O") == ["a2"]
    assert named(page) == []
    page.focus('.cell[aria-label^="a2,"]')
    press(page, "ArrowRight", "Enter")
    wait_moves(page, 3)
    assert played(page) == ["b1", "swap", "b2"]


def test_backgammon_rolls_and_moves_checkers(page):
    page.begin("backgammon", "3-1 8/5")
    assert "White: 1;" in page.inner_text("#caption")
    assert stones(page, "Column 6, row 1") == ["stone-1"]
    click(page, "Column 6, row 4")  # any checker of a point will do
    assert labels(page, "can be moved to") == ["Column 5"]
    assert stones(page, "Column 5, row 1") == ["stone-1"]
    click(page, "Column 5, row 1")
    wait_moves(page, 4)
    roll = played(page)[-1]
    assert re.fullmatch("[1-6]-[1-6]", roll)  # Black's dice roll by themselves
    high, low = sorted(map(int, roll.split("-")), reverse=True)
    dice = f"{high}x4" if high == low else f"{high}-{low}"
    wait_text(page, "caption", f"Black: {dice};")
    page.begin("backgammon", "3-1 8/5")
    page.focus('.cell[aria-label^="Column 8, row 1,"]')
    press(page, "Enter", "ArrowRight", "Enter")
    wait_moves(page, 4)
    assert played(page)[:3] == ["3-1", "8/5", "8/7"]


@pytest.mark.parametrize("game", ["kuhn-poker", "leduc-poker"])
def test_poker_shows_only_ones_own_card(page, game):
    page.begin(game, "", "human random")
    wait_status(page, "Your turn")
    mine, other = page.inner_text(".text-board").splitlines()[:2]
    assert re.match("A  [JQK]", mine)
    assert re.match(r"B  \?", other)
    assert played(page)[:2] == ["", ""]  # the deal is not told
    page.focus("#typed")
    press(page, "Tab", "Tab", "Enter")  # the second button: bet, raise
    page.wait_for_selector("#move-list li:nth-child(4)")  # B's move, and what it deals
    assert played(page)[2] in ("bet", "raise")
    assert "Moves are final" in page.get_attribute("#undo", "title")
    assert faults(page) == []


def test_dots_and_boxes_draws_lines_and_moves_again(page):
    page.begin("dots-and-boxes:rows=1,columns=2", "b1 c2 a2")
    assert page.get_attribute(".lines path", "d").count("M") == 3
    assert page.locator(".tile").count() == 0
    click(page, "b3")
    wait_moves(page, 4)
    assert labels(page, ", O") == ["b2"]
    wait_status(page, "O to move")
    page.focus('.cell[aria-label^="b3,"]')
    press(page, "ArrowRight", "ArrowRight", "Enter")
    wait_moves(page, 5)
    assert played(page)[-1] == "d3"


def test_go_captures_and_ends_by_passes(page):
    page.begin("go:size=5", "a2 a1")
    click(page, "B1")
    wait_moves(page, 3)
    assert labels(page, "White") == []
    page.focus('.cell[aria-label^="B1,"]')
    press(page, "ArrowUp", "ArrowUp", "Enter")
    wait_moves(page, 4)
    assert labels(page, "White, last move") == ["B3"]
    for moves in (5, 6):
        page.click('#named [data-move="pass"]')
        wait_moves(page, moves)
    wait_status(page, "wins")


def test_samegame_has_a_tile_for_every_colour(page):
    page.begin("samegame", "", "human")
    tiles = page.locator(".cell image")
    assert tiles.count() == 15 * 15
    assert len({tile.get_attribute("href") for tile in tiles.all()}) == 5
    page.hover('.cell[aria-label^="h11,"]')
    assert page.locator(".aim").count() == 4
    click(page, "h11")
    wait_text(page, "caption", "4 points")
    assert played(page) == ["f12"]
    page.focus('.cell[aria-label^="a5,"]')
    press(page, "Enter")
    wait_moves(page, 2)
    assert played(page)[-1] == "a4"


def test_a_tour_is_drawn_from_city_to_city(page):
    page.begin("tsp:cities=4", "", "human")
    assert page.locator(".cell").count() == 4
    page.click('.cell[aria-label*=", d, "]')
    wait_moves(page, 1)
    assert page.get_attribute(".lines path", "d").count("M") == 1
    press(page, "m")
    page.keyboard.type("b")
    press(page, "Enter")
    wait_moves(page, 2)
    page.click('.cell[aria-label*=", c, "]')
    wait_moves(page, 3)
    assert page.get_attribute(".lines path", "d").count("M") == 4  # and home
    wait_status(page, "-")

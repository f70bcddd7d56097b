"""Two of the games in a browser: a piece that moves, and a stone that is put."""

import pytest

from tests.ui.web.browser import address, click, played, wait_moves
from tests.ui.web.support import server

FILES = "tests/strangers"
PAWNS = f"{FILES}/breakthrough.py:MyBreakthrough:rows=5,columns=4"
STONES = f"{FILES}/othello.py:MyOthello:size=4"


@pytest.fixture(scope="module")
def running():
    with server(PAWNS, STONES) as found:
        yield found


@pytest.fixture
def open_game(chromium, running):
    """Opens the page of a game; what it complains about fails."""
    problems = []
    page = chromium.new_page()
    page.set_default_timeout(120_000)
    page.on("pageerror", lambda error: problems.append(str(error)))

    def begin(game):
        page.goto(running.address + address(game))
        page.wait_for_function("() => location.hash.includes('id=')")
        wait_moves(page, 0)
        return page

    yield begin
    page.close()
    assert problems == []


def cells(page, part):
    found = page.locator(f'.cell[aria-label*="{part}"]')
    return sorted(each.get_attribute("aria-label")[:2] for each in found.all())


def test_breakthrough_by_mouse_and_by_keys(open_game):
    page = open_game(PAWNS)
    assert cells(page, "can be played") == ["a2", "b2", "c2", "d2"]
    click(page, "b2")
    assert cells(page, "can be moved to") == ["a3", "b3", "c3"]
    click(page, "c3")
    wait_moves(page, 1)
    page.keyboard.type("m")
    page.keyboard.type("d4c3")
    page.keyboard.press("Enter")
    wait_moves(page, 2)
    assert played(page) == ["b2c3", "d4c3"]


def test_othello_turns_a_stone_and_answers(open_game):
    page = open_game(STONES)
    assert cells(page, "can be played") == ["a2", "b1", "c4", "d3"]
    click(page, "a2")
    wait_moves(page, 1)
    assert len(cells(page, "Black")) + len(cells(page, ", X")) >= 4

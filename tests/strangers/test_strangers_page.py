"""Some of the games in a browser: pieces that move, stones that are put, cards."""

import pytest

from tests.ui.web.browser import address, as_new, click, played, wait_moves, watched
from tests.ui.web.support import server

FILES = "tests/strangers"
PAWNS = f"{FILES}/breakthrough.py:MyBreakthrough:rows=5,columns=4"
STONES = f"{FILES}/othello.py:MyOthello:size=4"
MORRIS = f"{FILES}/morris.py:Morris:stones=4"
HEARTS = f"{FILES}/hearts.py:Hearts"
PEGS = f"{FILES}/pegs.py:Pegs"
HOUNDS = f"{FILES}/hounds.py:Hounds"


@pytest.fixture(scope="module")
def running():
    with server(PAWNS, STONES, MORRIS, HEARTS, PEGS, HOUNDS) as found:
        yield found


@pytest.fixture
def open_game(tab, running):
    """Opens the page of a game; what it complains about fails."""
    as_new(tab, running.address)

    def begin(game, moves="", players="human human"):
        tab.goto(running.address + address(game, moves, players))
        tab.wait_for_function("() => location.hash.includes('id=')")
        if moves:
            wait_moves(tab, len(moves.split()))
        return tab

    with watched(tab, running.address):
        yield begin


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


def test_morris_puts_stones_where_lines_meet(open_game):
    page = open_game(MORRIS)
    points = page.locator(".cell.open .spot.joined")
    assert points.count() == len(cells(page, "empty, can be played")) == 24
    assert all(point.is_visible() for point in points.all())
    assert page.locator(".labels text").all_text_contents() == list("7654321abcdefg")
    click(page, "d6")
    wait_moves(page, 1)
    page.focus('.cell[aria-label^="d6,"]')
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_moves(page, 2)
    assert played(page) == ["d6", "g7"]


def test_morris_moves_along_lines_and_takes(open_game):
    page = open_game(MORRIS, "a7 d6 g7 b4 a1 f6 d1 d3")
    assert cells(page, "can be played") == ["a1", "a7", "d1", "g7"]
    assert page.locator(".takes").count() == 0
    click(page, "g7")
    assert cells(page, "can be moved to") == ["d7", "g4"]
    assert page.locator(".goes").count() == 2
    click(page, "g4")
    wait_moves(page, 9)
    page.focus('.cell[aria-label^="f6,"]')
    for key in ("Enter", "ArrowDown", " "):
        page.keyboard.press(key)
    wait_moves(page, 10)
    click(page, "g4")
    click(page, "g1")  # a mill
    wait_moves(page, 11)
    assert cells(page, "can be played") == ["b4", "d3", "d6", "f4"]
    assert page.locator(".takes").count() == 4
    click(page, "d6")
    wait_moves(page, 12)
    assert played(page)[8:] == ["g7-g4", "f6-f4", "g4-g1", "xd6"]


def test_pegs_stand_in_holes_of_a_cross(open_game):
    page = open_game(PEGS, players="human")
    assert page.locator(".hole").count() == 33
    assert cells(page, "can be played") == ["b4", "d2", "d6", "f4"]
    click(page, "d2")
    assert cells(page, "can be moved to") == ["d4"]
    click(page, "d4")
    wait_moves(page, 1)
    page.focus('.cell[aria-label^="b3,"]')
    for key in ("Enter", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    wait_moves(page, 2)
    assert played(page) == ["d2d4", "b3d3"]


def test_four_players_have_signs_of_their_own_and_their_own_cards(open_game):
    page = open_game(HEARTS, players="human random random random")
    page.wait_for_function("() => document.querySelectorAll('#named button').length")
    signs = page.locator(".seat svg .mark").all()
    looks = {(each.get_attribute("class"), each.get_attribute("d")) for each in signs}
    assert len(looks) == len(signs) == 4
    hand = page.locator("#named button").all_inner_texts()
    assert len(hand) == 4
    page.locator("#named button").first.click()
    page.wait_for_function(
        "() => document.querySelectorAll('#move-list li').length > 16"
    )
    shown = played(page)
    assert shown[:16] == [""] * 16  # question marks
    assert shown[16] == hand[0]


def test_players_are_shown_by_the_pieces_that_the_game_draws(open_game):
    page = open_game(HOUNDS)
    assert page.locator(".seat svg").all_text_contents() == ["🐕", "🐇"]

"""Moves on the page: their list, double clicks, what is taken back, cells' names."""

import pytest

from .browser import address, played, wait_moves, wait_status, wait_text

PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


def numbered(page):
    """The moves of the list, with the numbers that stand before them."""
    return " ".join(page.inner_text("#move-list").split())


def shape(page, number):
    """What the sign of the player of a turn looks like."""
    sign = page.locator("#move-list .number svg").nth(number - 1).locator("*")
    return sign.first.get_attribute("class").split()[-1]


def test_every_move_has_its_number_and_its_players_sign(open_page):
    page = open_page(address("connect-four", "4 4 3"))
    assert numbered(page) == "1. 4 2. 4 3. 3"
    assert [shape(page, turn) for turn in (1, 2, 3)] == ["disc-0", "disc-1", "disc-0"]
    page.click("#undo")
    wait_moves(page, 2)
    assert numbered(page) == "1. 4 2. 4"


#: Black began, and then White moved twice by equal dice.
DICE = "5-6 12/17 12/18 1-1 24/23 24/23 8/7 8/7"


def test_moves_by_the_same_dice_have_one_number(open_page):
    page = open_page(address("backgammon", DICE))
    page.wait_for_selector("#move-list li:nth-child(9)")  # the dice after them
    dice = page.locator("#move-list li:last-child").inner_text().strip()
    assert numbered(page) == (f"5-6 1. 12/17 12/18 1-1 2. 24/23 24/23 8/7 8/7 {dice}")
    says = page.locator("#move-list button").nth
    assert says(0).get_attribute("aria-label") == "Chance: 5-6"
    assert says(2).get_attribute("aria-label") == "Move 1, Black: 12/18"
    says(4).click()
    wait_status(page, "After move 2 of 2: 24/23")


def test_who_plays_alone_has_a_number_for_each_move(open_page):
    page = open_page(address("samegame", players="human"))
    for number in (1, 2):
        page.locator(".cell.open").first.click()
        wait_moves(page, number)
    assert [word for word in numbered(page).split() if word[-1] == "."] == ["1.", "2."]


def test_dice_alone_cannot_be_taken_back(open_page):
    page = open_page(address("backgammon", players="human human"))
    wait_moves(page, 1)
    assert page.is_disabled("#undo")
    page = open_page(address("backgammon", DICE))
    wait_moves(page, 9)
    assert page.is_disabled("#undo")  # as the address has given all of it
    assert "made here" in page.get_attribute("#undo", "title")


def test_a_place_that_cannot_be_played_says_so(open_page):
    page = open_page(address("connect-four:rows=2,forbidden=1/3", "1 1"))
    wait_moves(page, 2)
    for place in ("Column 4, row 1", "Column 1, row 2"):
        page.click(f'.cell[aria-label^="{place},"]')
        wait_text(page, "message", "This cell cannot be played now.")
    page.keyboard.press("2")
    wait_moves(page, 3)
    wait_text(page, "message", "")
    page.keyboard.press("1")
    wait_text(page, "message", "Column 1 cannot be played now.")
    page.goto(page.url.partition("#")[0] + address("breakthrough"))
    wait_status(page, "White to move")
    page.click('.cell[aria-label^="a8,"]')
    wait_text(page, "message", "This cell cannot be played now.")
    page.click('.cell[aria-label^="a2,"]')
    page.click('.cell[aria-label^="a3,"]')
    wait_text(page, "message", "")


def test_a_typed_move_that_cannot_be_played_says_why(open_page):
    page = open_page(address("connect-four", "4 4"))
    page.click("#first")
    wait_status(page, "After move 0 of 2")
    page.keyboard.press("3")
    wait_text(page, "message", "3 cannot be played: an earlier position is shown.")
    page.click("#last")
    page.click("#resign")
    wait_status(page, "resignation")
    page.keyboard.press("3")
    wait_text(page, "message", "3 cannot be played: the game is over.")
    assert played(page) == ["4", "4"]


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("game", ["gomoku", "go:size=19", "tic-tac-toe"])
def test_labels_can_be_read_and_are_not_cut(open_page, viewport, game):
    page = open_page(address(game), viewport=viewport)
    board = page.locator("#grid").bounding_box()
    sizes = page.evaluate(
        """() => [...document.querySelectorAll(".labels text")].map((text) => {
          const { left, bottom } = text.getBoundingClientRect();
          const scale = text.getScreenCTM().a;
          return [left, bottom, scale * parseFloat(getComputedStyle(text).fontSize)];
        })"""
    )
    assert min(size for _, _, size in sizes) >= 10.5
    assert min(left for left, _, _ in sizes) >= board["x"]
    assert max(bottom for _, bottom, _ in sizes) <= board["y"] + board["height"] + 1


def test_cells_that_no_label_names_have_their_names(open_page):
    page = open_page(address("ultimate-tic-tac-toe", "ae"))
    named = page.locator(".names text").all_text_contents()
    assert named == ["ea", "eb", "ec", "ed", "ee", "ef", "eg", "eh", "ei"]
    page.locator('.cell[aria-label*=", ec,"]').click()
    wait_moves(page, 2)
    assert played(page) == ["ae", "ec"]


def test_discs_do_not_cover_names(open_page):
    page = open_page(address("ultimate-tic-tac-toe", "ae"))
    page.click("#analyse")
    page.wait_for_selector(".over .heat-body", state="attached")
    assert page.evaluate(
        """() => document.querySelector('.names text')
          .compareDocumentPosition(document.querySelector('.over .heat-body'))
          === Node.DOCUMENT_POSITION_PRECEDING"""
    )


def test_there_is_nothing_to_pause_once_a_game_of_programs_is_over(open_page):
    page = open_page(address("tic-tac-toe", "a1 b1 a2 b2", players="random random"))
    page.wait_for_selector("#watching", state="visible")
    page.select_option("#delay", "0")
    page.wait_for_selector("#end", state="visible")
    assert page.is_hidden("#watching")


def test_more_games_are_listed_by_their_titles(open_page):
    titles = open_page().locator("#games option").all_inner_texts()[1:]
    assert "Three in a row for three" in titles
    assert titles == sorted(titles, key=str.lower)


def test_a_double_click_is_one_move(open_page):
    page = open_page(address("tic-tac-toe"))
    page.dblclick('.cell[aria-label^="b2"]')
    page.wait_for_selector("#move-list li")
    page.wait_for_timeout(150)
    assert played(page) == ["b2"]
    assert not page.is_visible("#message")


@pytest.mark.parametrize(
    ("game", "move", "cell"),
    [
        ("tic-tac-toe", "b2", '[aria-label^="b2"]'),
        ("connect-four", "4", "[data-column='3']"),
    ],
)
def test_a_double_click_is_one_move_where_the_answer_came_between(
    open_page, game, move, cell
):
    page = open_page(address(game))
    place = page.locator(f".cell{cell}").first
    place.dispatch_event("click", {"detail": 1})
    wait_moves(page, 1)
    place.dispatch_event("click", {"detail": 2})
    page.wait_for_timeout(150)
    assert played(page) == [move]
    assert not page.is_visible("#message")
    place.dispatch_event("click", {"detail": 1})  # another click, later
    page.wait_for_function(
        """() => document.querySelectorAll('#move-list li').length === 2 ||
          !document.getElementById('message').hidden"""
    )

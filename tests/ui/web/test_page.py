"""The page in a real browser, as a player uses it."""

import re
from statistics import median

import pytest

from tests.ui.slowness import Slowness

from .browser import (
    address,
    click,
    played,
    status,
    wait_moves,
    wait_status,
    wait_text,
)

FIVE = ["A1", "A2", "B1", "B2", "C1", "C2", "D1", "D2", "E1"]

FIVE_BY_KEYS = ["A5", "A6", "B5", "B6", "C5", "C6", "D5", "D6", "E5"]


# -- whole games -----------------------------------------------------------------------


def test_tic_tac_toe_by_clicks(open_page):
    page = open_page(address("tic-tac-toe"))
    for number, cell in enumerate(["a1", "b1", "a2", "b2", "a3"], start=1):
        click(page, cell)
        wait_moves(page, number)
    wait_status(page, "X wins")
    assert page.locator(".wins").count() == 3
    assert page.is_visible("#end")


def test_tic_tac_toe_by_keys(open_page):
    page = open_page(address("tic-tac-toe"))
    page.focus('.cell[tabindex="0"]')
    ways = ["", "ArrowUp", "ArrowDown ArrowLeft", "ArrowUp", "ArrowDown ArrowDown"]
    for number, keys in enumerate(ways, start=1):
        for key in keys.split():
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        wait_moves(page, number)
    assert played(page) == ["b2", "b3", "a2", "a3", "a1"]
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    wait_moves(page, 6)
    page.keyboard.press("ArrowUp")
    page.keyboard.press(" ")
    wait_status(page, "X wins")


def test_connect_four_by_keys(open_page):
    page = open_page(address("connect-four"))
    for number, key in enumerate("1212121", start=1):
        page.keyboard.press(key)
        page.wait_for_selector(f"#move-list li:nth-child({number})")
    wait_status(page, "Red wins")


def test_connect_four_by_clicks_anywhere_in_a_column(open_page):
    page = open_page(address("connect-four"))
    for number in range(7):
        click(page, f"Column {1 + number % 2}, row 6")
        page.wait_for_selector(f"#move-list li:nth-child({number + 1})")
    wait_status(page, "Red wins")
    assert page.locator(".wins").count() == 4


def test_gomoku_by_clicks(open_page):
    page = open_page(address("gomoku"))
    for cell in FIVE:
        click(page, cell)
        page.wait_for_selector(
            f'.cell[aria-label^="{cell}, "][aria-label*="last move"]'
        )
    wait_status(page, "Black wins")
    assert page.locator(".wins").count() == 5


def test_gomoku_by_keys(open_page):
    page = open_page(address("gomoku:size=9"))
    page.focus('.cell[tabindex="0"]')
    page.keyboard.press("Home")
    for number in range(9):
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#move-list li:nth-child({number + 1})")
        page.keyboard.press(["ArrowUp", "ArrowDown"][number % 2])
        if number % 2:
            page.keyboard.press("ArrowRight")
    assert played(page) == FIVE_BY_KEYS
    wait_status(page, "Black wins")


def test_ultimate_tic_tac_toe_by_clicks_and_keys(open_page):
    page = open_page(address("ultimate-tic-tac-toe"))
    for number in range(1, 82):
        if number % 2:
            page.locator(".cell.open").first.click()
        else:
            page.locator(".cell.open").first.focus()
            page.keyboard.press("Enter")
        page.wait_for_selector(f"#move-list li:nth-child({number})")
        if page.is_visible("#end"):
            break
        assert page.locator(".target").count() >= 1
    assert re.search("wins|draw", status(page), re.IGNORECASE)
    assert page.locator(".owner").count() >= 3


# -- with programs ---------------------------------------------------------------------


def test_a_newcomer_plays_level_1_takes_back_and_asks_for_a_hint(open_page):
    page = open_page()
    assert status(page) == "Your turn (Red)"
    assert "Level 1" in page.inner_text("#seats")
    page.keyboard.press("4")
    page.wait_for_selector("#move-list li:nth-child(2)")
    wait_status(page, "Your turn")
    page.click("#undo")
    page.wait_for_selector("#move-list .quiet")
    page.click("#redo")
    page.wait_for_selector("#move-list li:nth-child(2)")
    page.click("#hint")
    page.wait_for_selector(".hint")
    assert "(from the book: a win)" in page.inner_text("#advice")


def test_beating_a_level_leads_to_the_next(open_page):
    moves = "a1 b1 a2 b2"
    page = open_page(address("tic-tac-toe", moves, players="human level:1"))
    click(page, "a3")
    wait_status(page, "You win")
    page.click("text=Play level 2")
    wait_status(page, "Your turn")
    assert page.input_value('select[data-seat="1"]') == "level:2"
    assert played(page) == []


def test_resigning_and_a_new_game_with_swapped_sides(open_page):
    page = open_page(address("tic-tac-toe", "b2", players="greedy human"))
    page.click("#resign")
    wait_status(page, "(O: resignation)")
    page.click("#new")
    wait_status(page, "Your turn (O)")
    page.click("#swap")
    page.wait_for_function(
        "() => document.querySelectorAll('#move-list li').length === 2"
    )
    assert page.input_value('select[data-seat="0"]') == "human"


def test_watching_two_programs(open_page):
    # Games of so many moves that the second is not over before it is paused.
    page = open_page(address("gomoku:size=9", players="random random"))
    page.select_option("#delay", "0")
    page.wait_for_selector("#end:not([hidden])")
    page.click("#end button")
    page.wait_for_selector("#end", state="hidden")
    page.click("#pause")
    wait_status(page, "paused")
    before = len(played(page))
    page.click("#step")
    page.wait_for_function(
        "n => document.querySelectorAll('#move-list li').length === n + 1", arg=before
    )
    wait_status(page, "paused")


def test_a_button_that_is_pressed_before_the_page_is_connected(open_page):
    moves = "b2 a1 a2 c2 b1 b3 a3 c1"  # one cell is open
    page = open_page(address("tic-tac-toe", moves, players="random random"))
    page.wait_for_selector("#end:not([hidden])")
    page.evaluate("""() => {
      const end = document.getElementById("end");
      const pause = (changes, observer) => {
        if (!end.hidden) return;
        observer.disconnect();
        document.getElementById("pause").click();
      };
      new MutationObserver(pause).observe(end, { attributes: true });
      end.querySelector("button").click();
    }""")
    wait_status(page, "paused")


# -- the page itself -------------------------------------------------------------------


def test_a_reload_keeps_the_game(open_page):
    page = open_page()
    page.keyboard.press("4")
    page.wait_for_selector("#move-list li:nth-child(2)")
    before = played(page)
    page.reload()
    page.wait_for_selector("#move-list li:nth-child(2)")
    assert played(page) == before


def test_two_tabs_do_not_disturb_each_other(open_page):
    one, other = open_page(address("tic-tac-toe")), open_page(address("tic-tac-toe"))
    click(one, "b2")
    one.wait_for_selector("#move-list li")
    click(other, "a1")
    other.wait_for_selector("#move-list li")
    assert (played(one), played(other)) == (["b2"], ["a1"])


def test_saving_loading_and_sharing(open_page):
    page = open_page(address("connect-four", "4 4 5"))
    page.click("#open-files")
    with page.expect_download() as download:
        page.click("dialog >> text=columns")
    assert download.value.suggested_filename == "game.txt"
    assert page.input_value("dialog textarea").strip() == "445"
    shared = page.input_value("dialog input[readonly]")
    assert "moves=4+4+5" in shared
    page.fill("dialog textarea", "1234")
    page.click("dialog >> text=Load this text")
    page.wait_for_function(
        "() => document.querySelectorAll('#move-list li').length === 4"
    )
    other = open_page("#" + shared.partition("#")[2])
    assert played(other) == ["4", "4", "5"]


def test_a_new_game_with_options(open_page):
    page = open_page()
    page.click("#open-options")
    page.select_option("dialog select >> nth=0", label="Gomoku")
    page.click("dialog summary")
    assert "5 to 22" in page.inner_text("dialog dl")
    page.fill('dialog input[type="number"] >> nth=0', "9")
    page.select_option("dialog fieldset select >> nth=0", "renju")
    page.click("#options button[value=begin]")
    page.wait_for_selector("#options", state="hidden")
    wait_status(page, "Your turn (Black)")
    assert page.locator(".cell").count() == 81
    assert "rule%3Drenju" in page.url


def test_refused_options_say_why(open_page):
    page = open_page()
    page.click("#open-options")
    page.select_option("dialog fieldset select >> nth=-2", "...")
    page.fill("dialog input[placeholder] >> nth=0", "exec:ls")
    page.click("#options button[value=begin]")
    page.wait_for_function(
        "() => document.getElementById('options-problem').textContent.includes('exec')"
    )


def test_an_address_that_cannot_be_played_says_so(open_page):
    page = open_page(address("tic-tac-toe", "b2 b2"))
    page.wait_for_selector("#message:visible")
    assert "move 2: b2 cannot be played" in page.inner_text("#message")


@pytest.mark.parametrize("game", ["tic-tac-toe", "gomoku", "ultimate-tic-tac-toe"])
def test_a_phone(open_page, game):
    phone = {"width": 390, "height": 844}
    page = open_page(address(game), viewport=phone, has_touch=True)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    box = page.locator("#grid").bounding_box()
    assert box["width"] > 300
    assert box["y"] + box["height"] < 844
    page.locator(".cell.open").first.tap()
    page.wait_for_selector("#move-list li")


def test_fouls_and_forbidden_cells_are_shown(open_page):
    page = open_page(address("gomoku:rule=renju", "H8 A1 H9 A3 G10 A5 F10 A7"))
    assert page.locator('.cell[aria-label^="H10, forbidden"] .foul').count() == 1
    page = open_page(address("connect-four:forbidden=5/3"))
    assert page.locator('.cell[aria-label^="Column 4, row 1, closed"]').count() == 1


@pytest.mark.parametrize(
    "game",
    [f"connect-four:forbidden={row}/3" for row in (0, 3, 4, 5)]
    + ["connect-four:rows=4,columns=5,forbidden=2/3"]
    + ["connect-four:rows=12,columns=12,forbidden=10/3"],
)
def test_a_column_with_a_forbidden_cell_is_played_by_mouse_and_keys(open_page, game):
    page = open_page(address(game))
    closed = page.locator('.cell[aria-label^="Column 4"][aria-label*="closed"]')
    assert closed.locator(".blocked").count() == 1
    free = '.cell[aria-label^="Column 4"][aria-label*="can be played"]'
    room = page.locator(free).count()
    page.locator(free).first.click()
    wait_moves(page, 1)
    page.locator(free).last.focus()
    page.keyboard.press("Enter")
    wait_moves(page, 2)
    assert played(page) == ["4", "4"]
    assert page.locator(free).count() == room - 2
    page.locator(free).first.hover()
    assert page.locator(".aim").count() == 1


def test_levels_are_those_of_the_board_and_say_where_they_were_measured(open_page):
    page = open_page(address("connect-four:rows=9,columns=9,forbidden=7/3"))
    levels = 'select[data-seat="1"] option[value^="level:"]'
    assert page.locator(levels).count() == 19
    page.select_option('select[data-seat="1"]', "level:1")
    page.wait_for_function("() => location.hash.includes('id=')")
    assert page.inner_text("#levels") == ""
    page = open_page(address("connect-four:line=5"))
    assert page.locator(levels).count() == 14
    assert page.inner_text("#levels") == ""
    page.select_option('select[data-seat="1"]', "level:1")
    page.wait_for_selector("#levels:not(:empty)")
    assert "measured in connect-four:" in page.inner_text("#levels")


def test_players_are_those_of_the_board_and_who_is_refused_is_not_shown(open_page):
    page = open_page(address("connect-four:rows=9,columns=9"))
    seat = page.locator('select[data-seat="1"]')
    offered = [each.get_attribute("value") for each in seat.locator("option").all()]
    assert "alphabeta" in offered
    assert "perfect" not in offered
    assert "net:connect-four" not in offered
    seat.evaluate("node => { node.append(new Option('No one', 'no-one')); }")
    seat.select_option("no-one")
    wait_text(page, "message", "no-one")
    page.wait_for_function(
        "() => document.querySelector('select[data-seat=\"1\"]').value === 'human'"
    )
    seat.select_option("random")
    page.wait_for_function(
        "() => document.querySelector('select[data-seat=\"1\"]').value === 'random'"
    )


def test_an_expected_line_jumps_over_a_forbidden_cell(open_page):
    rows = open_page().evaluate(
        """async () => {
          const { ghostsOf } = await import("/static/ghosts.js");
          const shown = {
            cells: ["..", ".#", "..", ".X"], to_move: 1,
            legal: [["1", [[3, 0]]], ["2", [[2, 1]]]],
          };
          const cells = { 1: [[-1, 0]], 2: [[-1, 1]] };
          const ghosts = ghostsOf(["2", "2", "1", "2", "2"], shown, cells, 2);
          return ghosts.map(({ cell }) => cell);
        }"""
    )
    assert rows == [[2, 1], [0, 1], [3, 0]]


def test_games_without_a_board_have_buttons(open_page):
    page = open_page(address("pig"))
    page.click('[data-move="roll"]')
    page.wait_for_selector("#move-list li:nth-child(2)")
    assert "of 100" in page.inner_text(".text-board")


#: Clicks on these cells; the milliseconds until each is marked as the last move.
TIMES_OF_CLICKS = """
async (cells) => {
  const found = [];
  for (const cell of cells) {
    const node = document.querySelector(`.cell[aria-label^="${cell},"]`);
    const started = performance.now();
    const done = new Promise((resolve) => new MutationObserver((_, seen) => {
      if (node.getAttribute('aria-label').includes('last')) {
        seen.disconnect();
        resolve();
      }
    }).observe(node, { attributes: true }));
    node.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await done;
    found.push(performance.now() - started);
  }
  return found;
}
"""


def test_how_fast_a_move_is_on_the_board(open_page, record_property):
    """The median over a game, in the browser."""
    page = open_page(address("gomoku"))
    with Slowness() as slowness:
        times = page.evaluate(TIMES_OF_CLICKS, FIVE)
    record_property("median milliseconds", median(times))
    assert median(times) < 600 * slowness.factor

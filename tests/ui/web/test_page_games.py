"""Games on one page, one after another: addresses, clocks, a server that goes away."""

import pytest

from .browser import (
    address,
    click,
    played,
    status,
    wait_moves,
    wait_status,
    wait_text,
    wait_until,
)
from .support import server


def state(page):
    """The game of a page, as the server has it."""
    return page.evaluate(
        """async () => {
          const id = new URLSearchParams(location.hash.slice(1)).get("id");
          return (await fetch(`/api/tables/${id}`)).json();
        }"""
    )


def test_an_address_is_followed_where_the_page_is_open(open_page, running):
    page = open_page(address("tic-tac-toe", "b2"))
    page.goto(running.address + address("connect-four", "4 4"))
    wait_status(page, "Red to move")
    assert played(page) == ["4", "4"]
    page.goto(running.address + "#board")  # as the link for those who use keys
    page.wait_for_function("location.hash.includes('connect-four')")
    assert played(page) == ["4", "4"]


def test_an_address_that_cannot_be_followed_leaves_the_game(open_page, running):
    page = open_page(address("tic-tac-toe", "b2"))
    page.goto(running.address + address("tic-tac-toe", "b2 b2"))
    wait_text(page, "message", "move 2: b2 cannot be played")
    assert played(page) == ["b2"]
    page.wait_for_function("location.hash.includes('moves=b2&')")


def test_the_clock_is_set_for_the_next_game_as_well(open_page):
    page = open_page(address("tic-tac-toe") + "&base=900&increment=2")
    page.wait_for_selector(".seat:nth-child(2) .clock:text('15:00')")
    page.click("#resign")
    page.click("#end button")
    wait_status(page, "to move")
    assert (state(page)["base"], state(page)["increment"]) == (900, 2)
    page.click("#open-options")
    values = [page.input_value(f"#options [type=number] >> nth={n}") for n in (1, 2)]
    assert values == ["900", "2"]
    page.keyboard.press("Escape")
    page.click("#open-files")
    assert "base=900&increment=2" in page.input_value("dialog input[readonly]")


def test_the_keys_stay_on_a_move_of_the_list(open_page):
    page = open_page(address("tic-tac-toe", "a1 b2 c3"))
    page.focus("#move-list li:nth-child(2) button")
    page.keyboard.press("Enter")
    wait_status(page, "After move 2 of 3")
    focused = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused) == "Move 2, O: b2"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_status(page, "O to move")
    assert page.evaluate(focused) == "Move 3, X: c3"


def test_the_keys_stay_on_a_move_without_a_board(open_page):
    page = open_page(address("pig"))
    page.focus('[data-move="roll"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#move-list li:nth-child(2)")
    assert page.evaluate("document.activeElement.dataset.move") == "roll"


def test_a_late_answer_changes_nothing(open_page):
    page = open_page(address("tic-tac-toe", "a1 b2 c3"))
    late = []
    page.route("**/positions/1", lambda route: late.append(route))
    page.click("#move-list li:nth-child(1) button")
    page.click("#move-list li:nth-child(2) button")
    wait_status(page, "After move 2 of 3")
    page.keyboard.press("ArrowLeft")  # from where one is, or goes to
    page.keyboard.press("ArrowLeft")
    wait_status(page, "After move 0 of 3")
    for route in late:
        with page.expect_response("**/positions/1"):
            route.continue_()
    page.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert status(page) == "After move 0 of 3"


def restarted(found):
    """The server again, at the same address, without its games."""
    found.stop()
    return server("--port", found.address.rstrip("/").rpartition(":")[2])


@pytest.mark.parametrize("game", ["tic-tac-toe", "phantom-tic-tac-toe"])
def test_the_server_may_forget_a_game(chromium, game):
    page = chromium.new_page()
    with server() as first:
        page.goto(first.address + address(game, "b2 a1") + "&base=900")
        page.wait_for_selector("#move-list li:nth-child(2)")
        before = state(page)["id"]
        again = restarted(first)
        wait_text(page, "message", "The server is away")
    with again:
        wait_text(page, "message", "The server was started again")
        assert state(page)["id"] == before
        if game == "tic-tac-toe":
            assert played(page) == ["b2", "a1"]
            click(page, "c3")
            wait_moves(page, 3)
        assert state(page)["base"] == 900
    page.close()


def test_pages_of_a_game_that_is_begun_again_stay_together(chromium):
    context = chromium.new_context()
    one, other = context.new_page(), context.new_page()
    with server() as first:
        one.goto(first.address + address("tic-tac-toe", "b2"))
        wait_moves(one, 1)
        click(one, "a1")
        wait_moves(one, 2)
        other.goto(one.url)
        wait_moves(other, 2)
        click(other, "c3")
        for page in (one, other):
            wait_moves(page, 3)
        again = restarted(first)
        for page in (one, other):
            wait_text(page, "message", "The server is away")
    with again as second:
        for page in (one, other):
            wait_text(page, "message", "")
        click(one, "b1")
        wait_moves(other, 4)
        click(other, "a3")
        wait_moves(one, 5)
        assert state(one)["id"] == state(other)["id"]
        bookmark = one.url
        again = restarted(second)
    with again:
        for page in (one, other):
            page.goto("about:blank")
        for page in (one, other):
            page.goto(bookmark)
            wait_moves(page, 5)
        assert state(one)["id"] == state(other)["id"]
    context.close()


def test_the_page_says_why_it_is_not_served(open_page):
    """The message goes when the page is served again, even if the state is the same."""
    page = open_page(alone=True)
    page.route_web_socket("**/live", lambda it: it.close(code=4429, reason="too many"))
    page.reload()
    wait_text(page, "message", "The server says: too many.")


def test_what_was_said_of_the_server_goes_when_it_is_back(open_page):
    page, sockets = open_page(address("tic-tac-toe", "b2"), alone=True), []

    def pass_on(socket):
        sockets.append(socket)
        if len(sockets) == 2:
            socket.close()
        else:
            socket.connect_to_server()

    page.route_web_socket("**/live", pass_on)
    page.reload()
    page.click("#review")
    page.evaluate(
        """() => new MutationObserver(() => { window.said = true; })
          .observe(document.getElementById("message"), { childList: true })"""
    )
    wait_until(page, lambda: sockets)
    sockets[0].close()
    page.wait_for_function("window.said")
    wait_text(page, "message", "")
    page.wait_for_selector("#review:enabled")  # nothing will come of it
    assert len(sockets) == 3


def test_a_game_that_hides_something_begins_anew_for_others(open_page):
    page = open_page(address("phantom-tic-tac-toe", players="human random"))
    click(page, "b2")
    # Two moves, or three: one game in nine, the other tries b2 first.
    page.wait_for_function(
        "() => document.querySelectorAll('#move-list li').length >= 2"
    )
    assert page.is_disabled("#undo")
    assert "moves=&" in page.url  # and none that nobody can play, as it is hidden
    before = state(page)["id"]
    page.click("#swap")
    page.wait_for_function("id => !location.hash.includes(id)", arg=before)
    assert state(page)["players"] == ["random", "human"]


def begin_another(page, button):
    """Press a button that begins a game, and wait for that."""
    before = state(page)["id"]
    page.click(button)
    wait_until(page, lambda: state(page)["id"] != before)


def open_three_games(open_page):
    """A page that has come from tic-tac-toe, where b2 was played, to Gomoku twice."""
    page = open_page(address("tic-tac-toe", "b2"))
    begin_another(page, "#games button:has-text('Gomoku')")
    begin_another(page, "#new")
    return page


def test_the_way_back_leads_to_the_game_before(open_page):
    page = open_three_games(open_page)
    page.go_back()
    page.go_back()
    wait_status(page, "O to move")
    assert played(page) == ["b2"]
    page.go_forward()
    wait_status(page, "Black to move")


def test_the_way_back_may_be_taken_again_before_a_game_is_there(open_page):
    """The answer comes where the address is another one already, not yet told."""
    page = open_three_games(open_page)
    page.evaluate(
        """() => {
          const { fetch } = window;
          window.fetch = async (...asked) => {
            window.fetch = fetch;
            const answer = await fetch(...asked), found = await answer.json();
            answer.json = () => new Promise((done) => {
              addEventListener("popstate", () => done(found), { once: true });
              history.back();
            });
            return answer;
          };
        }"""
    )
    page.go_back()
    wait_status(page, "O to move")
    assert played(page) == ["b2"]


def test_the_way_forward_is_kept_from_who_came_there_before(open_page):
    """Its cells come when the browser has left a game and is back, not yet shown."""
    page = open_three_games(open_page)
    page.evaluate(
        """() => {
          const { fetch } = window;
          window.held = [];
          window.ending = "/cells";
          window.fetch = async (where, ...rest) => {
            if (where.endsWith(window.ending)) await new Promise((go) => held.push(go));
            return fetch(where, ...rest);
          };
        }"""
    )
    for count in (1, 2):  # games whose cells are awaited
        page.go_back()
        page.wait_for_function("count => held.length === count", arg=count)
    page.evaluate("() => { window.ending = ''; }")  # all is held
    page.go_forward()
    page.wait_for_function("() => held.length === 3")
    page.evaluate("() => { held[0](); held[1](); }")
    page.wait_for_timeout(300)  # what follows of the cells
    page.evaluate("() => { window.ending = 'none'; held[2](); }")
    wait_status(page, "Black to move")


def test_a_new_game_draws_anew_what_is_left_to_chance(open_page):
    page = open_page(address("connect-four:forbidden=random", "1"))
    games = {state(page)["game"]}
    while len(games) == 1:  # one of 42 cells
        begin_another(page, "#new")
        games.add(state(page)["game"])
    assert not any("random" in game for game in games)
    page.click("#open-options")
    assert page.input_value("#options input >> nth=3") == "random"

"""What the page asks of the search, and shows of what it answers."""

import json
from decimal import ROUND_HALF_UP, Decimal

from .browser import (
    address,
    click,
    played,
    wait_moves,
    wait_status,
    wait_text,
    wait_until,
)

#: Long enough that the search of no test proves how it ends.
OPEN = "4 4 4 4"


def test_analysis_updates_while_it_thinks(open_page):
    page = open_page(address("connect-four"))
    page.click("#analyse")
    page.wait_for_selector("#moves-table td")
    headings = page.locator("#moves-table th").all_inner_texts()
    cells = page.locator("#moves-table tbody tr").first.locator("td").all_inner_texts()
    assert headings[:5] == ["Move", "Wins", "±", "Visits", "Proof"]
    assert (headings.pop(), cells.pop()) == ("Explain", "why?")
    best = dict(zip(headings, cells, strict=True))
    assert (best["Wins"][-1], best["±"][-1], best["Proof"]) == ("%", "%", "")
    assert best["Move"] in list("1234567")
    first = page.inner_text("#effort")
    page.wait_for_function(
        "text => document.getElementById('effort').textContent !== text", arg=first
    )
    page.wait_for_selector(".heat")
    page.hover("#moves-table tbody tr")
    page.wait_for_selector(".ghost")
    page.mouse.move(0, 0)
    page.click("#tree-box summary")
    page.wait_for_selector("#tree button")
    page.locator("#tree button").first.click()
    page.wait_for_selector("#tree ul ul")
    page.click("#analyse")
    page.wait_for_selector("#analysis-body", state="hidden")
    assert page.locator(".heat").count() == 0


def analyse_to_the_end(page):
    """Begin an analysis of a position that is soon proven."""
    page.click("#analyse")
    wait_text(page, "effort", "Ended: the position is proven.")


def test_what_is_won_is_won_by_the_whole_bar(open_page):
    page = open_page(address("connect-four", "1 2 1 2 1 2"))
    analyse_to_the_end(page)
    assert "win for Red. 1 simulation, " in page.inner_text("#effort")
    bar = page.locator("#bar .side-1")
    wait_until(page, lambda: bar.bounding_box()["width"] < 2)  # it moves there


def test_an_analysis_that_has_ended_says_why_and_can_be_begun_again(open_page):
    page = open_page(address("tic-tac-toe", "a1 b2"))
    analyse_to_the_end(page)
    assert page.inner_text("#analyse") == "Analyse"
    assert page.get_attribute("#analyse", "aria-pressed") == "false"
    page.click("#hint")
    wait_text(page, "advice", "Hint")
    assert page.inner_text("#analyse") == "Analyse"  # nothing goes on
    page.click("#analyse")
    page.wait_for_function(
        "() => document.getElementById('analyse').textContent === 'Analyse'"
    )
    assert page.is_visible("#analysis-body")


def test_an_analysis_goes_on_after_moves_if_it_is_to(open_page):
    page = open_page(address("tic-tac-toe", "a1 b2"))
    analyse_to_the_end(page)
    click(page, "c3")
    wait_moves(page, 3)
    wait_text(page, "effort", "for O")
    page.uncheck("#follow")
    click(page, "a3")
    wait_moves(page, 4)
    page.wait_for_selector("#analysis-body", state="hidden")
    assert page.inner_text("#analyse") == "Analyse"


def test_an_analysis_that_is_refused_is_not_under_way(open_page):
    page = open_page(address("phantom-tic-tac-toe", players="human random"))
    page.click("#analyse")
    wait_text(page, "message", "an analysis would show what this game hides")
    wait_text(page, "analyse", "Analyse")
    assert page.inner_text("#analyse") == "Analyse"


def test_why_an_analysis_ended_is_said_in_words(open_page):
    told = open_page().evaluate(
        """async () => {
          const { showAnalysis } = await import("/static/analysis.js");
          const view = { players: ["human"], names: ["Player"] };
          const thought = { actions: [], line: [], to_move: 0, visits: 1, depth: 1,
            win_rate: 0.5, shown: null, seconds: 10.02, done: true };
          return ["seconds", "tree full"].map((by) => {
            showAnalysis(view, { ...thought, stopped_by: by }, null, {});
            return document.getElementById("effort").textContent.split(". ")[1];
          });
        }"""
    )
    assert told == ["Ended after 10 s.", "Ended: its memory is full."]


def test_why_not_this_move(open_page):
    page = open_page(address("tic-tac-toe", "a1 b1 a2 b2"))
    page.click("#why")
    click(page, "c3")
    page.wait_for_function(
        "() => document.getElementById('advice').textContent.includes('blunder')"
    )
    assert played(page) == ["a1", "b1", "a2", "b2"]


def test_walking_through_a_game_and_reviewing_it(open_page):
    page = open_page(address("tic-tac-toe", "b2 a1 c3 b1 a3 c2"))
    press = "button => { button.click(); return button.textContent; }"
    said = page.eval_on_selector("#review", press)
    assert said == "Reviewing the game..."
    page.wait_for_function(
        "() => document.querySelectorAll('#move-list .blunder').length === 3"
    )
    assert page.locator("#graph .graph-blunder").count() == 3
    page.click("#first")
    wait_status(page, "After move 0 of 6")
    page.click("#forward")
    page.click("#forward")
    wait_status(page, "After move 2 of 6")
    assert page.locator("#board .mark").count() == 2
    page.click("#from-here")
    page.wait_for_function(
        "() => document.querySelectorAll('#move-list li').length === 2"
    )


def wait_for_more(page):
    """Until the search has told something new."""
    before = page.inner_text("#effort")
    page.wait_for_function(
        "text => document.getElementById('effort').textContent !== text", arg=before
    )


def hold(page, selector):
    """Press the mouse for as long as people do, while the analysis goes on."""
    box = page.locator(selector).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    wait_for_more(page)
    page.mouse.up()


def test_a_row_of_the_table_is_asked_about_while_it_changes(open_page):
    page = open_page(address("connect-four", OPEN))
    page.click("#analyse")
    page.wait_for_selector("[data-why='1']")
    hold(page, "[data-why='1']")
    wait_text(page, "advice", "1 is")  # it is answered,
    wait_for_more(page)  # and the analysis goes on


def hear(page):
    """Load the page again; what the server tells it from then on, as it comes."""
    heard = []
    page.once(
        "websocket",
        lambda it: it.on("framereceived", lambda text: heard.append(json.loads(text))),
    )
    page.reload()
    return heard


def thought_shown(heard, effort):
    """The thought of as many visits as stand on the page."""
    thoughts = (each for each in heard if "actions" in each)
    return next(each for each in thoughts if effort.startswith(f"{each['visits']:,} "))


def test_the_line_of_a_row_is_that_of_now(open_page):
    page = open_page(address("connect-four", OPEN))
    heard = hear(page)
    page.click("#analyse")
    page.wait_for_selector("[data-why]")
    page.hover("#moves-table tbody tr:first-child")
    wait_for_more(page)
    effort, line, move = page.evaluate(
        """() => [document.getElementById("effort").textContent,
          document.getElementById("line").textContent,
          document.querySelector("#moves-table tbody tr:hover").dataset.move]"""
    )
    now = thought_shown(heard, effort)
    row = next(row for row in now["actions"] if row["move"] == move)
    assert line == f"Expected after {move}: {' '.join(row['line'][1:])}"


def percent(rate, digits=0):
    """As JavaScript rounds it."""
    step = Decimal(1).scaleb(-digits)
    return f"{Decimal(100 * rate).quantize(step, ROUND_HALF_UP)}%"


def test_numbers_on_the_page_are_those_of_the_search(open_page):
    page = open_page(address("connect-four", f"{OPEN} 4"))  # Yellow is to move
    heard = hear(page)
    page.click("#analyse")
    page.wait_for_selector("[data-why]")
    wait_for_more(page)
    effort, headings, rows, bar, discs = page.evaluate(
        """() => [document.getElementById("effort").textContent,
          ...["thead", "tbody"].map((part) =>
            [...document.querySelectorAll(`#moves-table ${part} tr`)]
              .map((row) => [...row.cells].map((cell) => cell.textContent))),
          document.getElementById("bar").getAttribute("aria-label"),
          [...document.querySelectorAll(".heat text")].map((it) => it.textContent)]"""
    )
    thought = thought_shown(heard, effort)
    assert abs(thought["win_rate"] - 0.5) > 0.001
    for cells, row in zip(rows, thought["actions"], strict=True):
        shown = dict(zip(headings[0], cells, strict=True))
        assert shown["Move"] == row["move"]
        assert shown["Wins"] == percent(row["win_rate"], 1)
        assert shown["±"] == (row["shown_error"] or percent(row["error"], 1))
        assert shown["Visits"] == f"{row['visits']:,}"
    assert bar == f"Win rate of Red: {percent(1 - thought['win_rate'], 1)}"
    large = [row for row in thought["actions"] if row["share"] >= 0.02]
    assert discs == [percent(row["win_rate"])[:-1] for row in large]
    page.click("#tree-box summary")
    page.wait_for_selector("#tree li")
    branches = page.locator("#tree > ul > li > button").all_text_contents()
    children = next(each["children"] for each in heard if each["type"] == "tree")
    least = int(page.input_value("#least"))
    assert branches == [
        f"Yellow {each['move']}  {percent(each['win_rate'], 1)}  {each['visits']:,}"
        for each in children
        if each["visits"] >= least
    ]
    page.click("#hint")
    wait_text(page, "advice", "It wins")
    hint = next(each for each in heard if each["type"] == "hint")
    said = f"It wins {percent(hint['win_rate'])} of the points"
    assert said in page.inner_text("#advice")


def test_what_needs_a_game_waits_for_it(open_page):
    page, held = open_page(address("tic-tac-toe", "b2")), []
    page.route("**/api/tables/*", lambda route: held.append(route))
    page.reload()
    page.wait_for_selector("#theme")
    waiting = """() => [...document.querySelectorAll("button, input, select")]
      .filter((each) => !each.closest("dialog, [inert], [hidden]"))
      .map((each) => each.id)"""
    assert page.evaluate(waiting) == ["theme"]
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.click("#analyse")
    page.wait_for_selector("[data-why]")


def test_results_in_units_of_the_game_are_no_wins(open_page):
    headings = open_page().evaluate(
        """async () => {
          const { showAnalysis } = await import("/static/analysis.js");
          const view = { players: ["human"], names: ["Player"] };
          const thought = { actions: [], line: [], to_move: 0, visits: 1, depth: 1 };
          return ["37.2", null].map((shown) => {
            showAnalysis(view, { ...thought, win_rate: 0.5, shown }, null, {});
            return document.querySelector("#moves-table th:nth-child(2)").textContent;
          });
        }"""
    )
    assert headings == ["Value", "Wins"]


def test_rows_stay_where_they_are_under_the_pointer(open_page):
    page = open_page(address("connect-four", OPEN))
    page.click("#analyse")
    page.wait_for_selector("[data-why]")
    page.hover("#moves-table tbody tr:last-child")
    page.evaluate("window.kept = [...document.querySelectorAll('#moves-table tr')]")
    wait_for_more(page)
    same = (
        "[...document.querySelectorAll('#moves-table tr')].every(e => kept.includes(e))"
    )
    assert page.evaluate(same)


def test_a_hint_of_earlier_moves_goes_away(open_page):
    page = open_page(address("tic-tac-toe"))
    page.click("#hint")
    wait_text(page, "advice", "It wins")
    click(page, "b2")
    wait_moves(page, 1)
    wait_text(page, "advice", "")


def click_both(page, *ids):
    """Click one button right after another."""
    page.evaluate(
        "ids => ids.forEach((id) => document.getElementById(id).click())", ids
    )


def test_another_wish_ends_what_is_waited_for(open_page):
    page = open_page(address("connect-four", OPEN))
    click_both(page, "review", "analyse")
    page.wait_for_selector("#review:enabled")
    click_both(page, "hint", "review")
    wait_text(page, "advice", "")
    click_both(page, "review", "new")
    wait_moves(page, 0)
    page.keyboard.press("4")
    page.wait_for_selector("#review:enabled")


def test_a_question_can_be_given_up(open_page):
    page = open_page(address("tic-tac-toe"))
    page.click("#why")
    wait_text(page, "advice", "Choose a move")
    page.keyboard.press("Escape")
    wait_text(page, "advice", "")


def test_the_numbers_of_jumps_that_cross_stand_apart(open_page):
    """Two pieces that may take the same one: their arrows cross in its cell."""
    numbers = open_page().evaluate(
        """async () => {
          const { over } = await import("/static/over.js");
          const { svg } = await import("/static/dom.js");
          const routes = { a: [[2, 0], [0, 2]], b: [[2, 2], [0, 0]] };
          const heat = Object.keys(routes)
            .map((move) => ({ move, share: 0.5, win_rate: 0.5 }));
          const layout = { at: ([row, column]) => [40 * column, 40 * row] };
          const drawn = over(layout, { heat, line: [] }, (move) => routes[move], []);
          const picture = svg("svg", {}, ...drawn);
          document.body.append(picture);
          return [...picture.querySelectorAll("text")]
            .map((text) => text.getBoundingClientRect())
            .map(({ left, right }) => [left, right]);
        }"""
    )
    first, second = sorted(numbers)
    assert first[1] < second[0]

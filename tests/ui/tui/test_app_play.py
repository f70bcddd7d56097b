"""A person plays on the whole screen: by clicks, by keys, by typing.

Also of `ui/tui/board.py`, `ui/tui/help.py`, `ui/tui/side.py`,
`ui/tui/thinking_thread.py`, `ui/tui/pieces.py`, `ui/tui/panels.py` and
`ui/tui/screen.py`.
"""

import re

import pytest
from textual.widgets import Static

from playout import make_game
from playout.arena.clock import TimeControl
from playout.players.player import PlayerFailure
from playout.ui.common.size import MOST_COLUMNS, MOST_LINES
from playout.ui.tui.help import HELP
from tests.toys import Nim
from tests.ui.ring import Ring
from tests.ui.support import LINE

from .support import click, moves, play, said, text, until

TWO = ["human", "human"]


def test_a_whole_game_by_clicks():
    async def script(app, pilot):
        for cell in [(1, 1), (0, 0), (0, 1), (2, 1), (1, 0), (2, 2), (1, 2)]:
            await click(app, pilot, *cell)
        assert moves(app) == ["b2", "a3", "b3", "b1", "a2", "c1", "c2"]
        assert said(app).startswith("X wins.")
        assert len(app.place.view.board.winning) == 3

    play("tic-tac-toe", TWO, script)


def test_a_whole_game_by_keys():
    async def script(app, pilot):
        await pilot.press("enter", "up", "enter", "down", "left", "enter")
        await pilot.press("up", "space", "down", "right", "right", "enter")
        assert moves(app) == ["b2", "b3", "a2", "a3", "c2"]
        assert said(app).startswith("X wins.")

    play("tic-tac-toe", TWO, script)


def test_no_more_is_drawn_than_there_is_memory_for():
    async def script(app, pilot):
        assert app.size == (MOST_COLUMNS, 24)
        await pilot.resize_terminal(60, MOST_LINES + 1)
        assert app.size == (60, MOST_LINES)
        await click(app, pilot, 1, 1)
        assert moves(app) == ["b2"]

    play("tic-tac-toe", TWO, script, size=(MOST_COLUMNS + 1, 24))


def test_cells_that_no_label_names_show_their_names():
    async def script(app, pilot):
        await pilot.press(*"mae", "enter")
        assert moves(app) == ["ae"]
        named = re.findall("[a-i]{2}", app.place.view.render().plain)
        assert named == ["ea", "eb", "ec", "ed", "ee", "ef", "eg", "eh", "ei"]

    play("ultimate-tic-tac-toe", TWO, script)


def test_a_game_goes_on_after_moves_which_are_taken_back_and_a_new_one_begins():
    async def script(app, pilot):
        assert moves(app) == ["4", "4"]
        await pilot.press("5", "u", "u")
        assert moves(app) == ["4"]
        await pilot.press("n")
        assert moves(app) == []

    play("connect-four", TWO, script, moves=["4", "4"])


def test_the_cursor_stays_on_the_board():
    async def script(app, pilot):
        await pilot.press(*["left"] * 5, *["up"] * 5)
        assert app.place.view.cursor == (0, 0)
        await pilot.press(*["right"] * 5, *["down"] * 5)
        assert app.place.view.cursor == (2, 2)

    play("tic-tac-toe", TWO, script)


def test_stones_fall_wherever_a_column_is_clicked_and_digits_play():
    async def script(app, pilot):
        await click(app, pilot, 0, 3)
        await click(app, pilot, 4, 3)
        await pilot.press("7", "9")
        assert moves(app) == ["4", "4", "7"]
        await click(app, pilot, 5, 3)
        assert "cannot be played" in said(app)

    play("connect-four", TWO, script)


@pytest.mark.parametrize("size", ["rows=6,columns=7", "rows=3,columns=12"])
@pytest.mark.parametrize("closed", ["top", "middle", "bottom"])
def test_columns_with_a_forbidden_cell_are_played_by_clicks_and_keys(closed, size):
    """The cell is drawn, and a stone jumps over it."""
    rows = int(size[5])
    row = {"top": 0, "middle": rows - 2, "bottom": rows - 1}[closed]

    async def script(app, pilot):
        view = app.place.view
        assert not app.moves.display
        assert set(drawn_at(view, row, 2)) == {"░"}
        assert "░" not in drawn_at(view, row, 3)
        await click(app, pilot, row, 2)
        assert "cannot be played" in said(app)
        open_cells = [at for at in range(rows) if at != row]
        await click(app, pilot, open_cells[0], 2)
        await pilot.press("right", "enter", "left", "enter")
        assert moves(app) == ["3", "4", "3"]
        stones = [at for at in range(rows) if view.board.cells[at][2] in "XO"]
        assert stones == open_cells[-2:]

    play(f"connect-four:{size},forbidden={row}/2", TWO, script)


def drawn_at(view, row, column):
    """What a cell shows, in its middle line."""
    geometry = view.geometry
    line = view.render().plain.split("\n")[geometry.y(row) + geometry.cell_height // 2]
    return line[geometry.x(column) :][: geometry.cell_width]


def test_moves_can_be_typed_and_wrong_ones_are_explained():
    async def script(app, pilot):
        await pilot.press("m", "q", "9", "enter")
        assert "is not a cell" in said(app)
        await pilot.press("m", *"b2", "enter", "m", *"b2", "enter")
        assert "b2 cannot be played here" in said(app)
        await pilot.press("m", "a", "escape")
        await pilot.press("up", "enter")
        assert moves(app) == ["b2", "b3"]

    play("tic-tac-toe", TWO, script)


def test_against_a_program_undo_takes_back_both_moves():
    async def script(app, pilot):
        await click(app, pilot, 1, 1)
        await until(pilot, lambda: len(moves(app)) == 2)
        both = moves(app)
        await pilot.press("u")
        assert moves(app) == []
        assert "Your move (X)" in said(app)
        await pilot.press("r")
        assert moves(app) == both
        await pilot.press("u", "u")
        assert "no move to take back" in said(app)

    play("tic-tac-toe", ["human", "greedy"], script)


def test_the_program_begins_and_the_log_says_what_it_thinks():
    async def script(app, pilot):
        await until(pilot, lambda: moves(app))
        assert moves(app) == ["b1"]
        assert "100.0%" in text(app, "said")
        await click(app, pilot, 0, 0)
        await until(pilot, lambda: app.host.table.over)
        assert said(app).startswith("X wins.")
        assert "█" in text(app, "rate")

    play(LINE, ["mcts:simulations=500", "human"], script)


def test_hint():
    async def script(app, pilot):
        await pilot.press("h")
        await until(pilot, lambda: "Hint" in said(app))
        assert said(app) == "Hint: b1 (win rate 100.0%)"
        assert app.place.view.hint == {(0, 1)}
        await pilot.press("enter")
        assert moves(app) == ["b1"]
        assert not app.place.view.hint

    play(LINE, TWO, script)


def test_analysis_on_and_off():
    async def script(app, pilot):
        assert "analysis" in text(app, "best")
        await pilot.press("a")
        await until(pilot, lambda: app.host.thought is not None)
        await until(pilot, lambda: app.place.view.heat.get((0, 1), 0) > 0.1)
        assert "sims" in text(app, "progress")
        assert "line: b1" in text(app, "progress")
        await until(pilot, lambda: "%" in text(app, "rate"))  # before any other move
        await pilot.press("right", "enter")  # c1: it goes on with the new position
        await until(pilot, lambda: app.host.thought is not None)
        assert app.host.thought.moves == ("c1",)
        await pilot.press("a")
        assert "off" in said(app)
        await pilot.pause(0.3)
        assert app.host.thought is None

    play(LINE, TWO, script)


def test_a_game_without_a_board_is_played_from_the_list():
    async def script(app, pilot):
        assert app.moves.names == ["1", "2", "3"]
        await pilot.press("down", "enter")
        assert moves(app) == ["2"]
        await pilot.press("3")
        await pilot.click(app.moves, offset=(3, 0))
        assert moves(app) == ["2", "3", "1"]
        await pilot.press("3", "1")
        assert said(app).startswith("X wins.")

    play(Nim(stones=10), TWO, script)


def test_three_people_and_programs_share_a_board():
    async def script(app, pilot):
        await pilot.press("3")
        await until(pilot, lambda: len(moves(app)) == 2)  # the program's
        await pilot.press("1")
        assert "Player 1" in text(app, "seats")
        assert "Player 3" in text(app, "seats")
        await until(pilot, lambda: app.host.table.mover in (0, None))

    play(Ring(stones=20), ["human", "random", "human"], script)


def test_arrow_keys_play_moves_that_are_called_like_them():
    async def script(app, pilot):
        names = app.moves.names
        assert {"left", "right", "up", "down"} >= set(names)
        await pilot.press(names[0])
        played = [move for move in moves(app) if "=" not in move]
        assert played == [names[0]]

    play("2048", ["human"], script)


def test_a_clock_that_runs_out_loses():
    now = [0.0]

    async def script(app, pilot):
        await click(app, pilot, 1, 1)
        assert "1:00" in text(app, "seats")
        now[0] = 3.0
        await until(pilot, lambda: "0:57" in text(app, "seats"))
        now[0] = 70.0
        await until(pilot, lambda: app.host.table.over)
        assert said(app).startswith("X wins. (O: time")

    clock = {"time": TimeControl(base=60), "clock": lambda: now[0]}
    play("tic-tac-toe", TWO, script, **clock)


def test_giving_up_a_new_game_and_swapping_sides():
    async def script(app, pilot):
        await click(app, pilot, 1, 1)
        await until(pilot, lambda: len(moves(app)) == 2)
        await pilot.press("g")
        assert "g again" in said(app)
        await pilot.press("g")
        assert said(app).startswith("O wins. (X: resignation)")
        await pilot.press("s")  # whoever takes the seat of the winner has not won
        assert said(app).startswith("O wins. (X: resignation)")
        await pilot.press("s")
        await pilot.press("n")
        assert moves(app) == []
        await pilot.press("s")
        await until(pilot, lambda: len(moves(app)) == 1)
        assert app.host.table.specs == ["greedy", "human"]
        assert "you" in text(app, "seats").splitlines()[1]

    play("tic-tac-toe", ["human", "greedy"], script)


def test_a_player_that_fails_loses(monkeypatch):
    def fail(self, position, allowance):
        raise PlayerFailure("crash", "it fell over")

    monkeypatch.setattr("playout.players.baselines.RandomPlayer.choose", fail)

    async def script(app, pilot):
        await until(pilot, lambda: app.host.table.over)
        assert said(app).startswith("You win! (X: crash, it fell over)")

    play("tic-tac-toe", ["random", "human"], script)


def test_an_answer_to_the_game_before_does_not_count():
    from playout.arena.turn import Answer
    from playout.players.player import Decision
    from playout.ui.tui.messages import Answered

    async def script(app, pilot):
        before = app.host.moment
        await pilot.press("n")
        app.post_message(Answered(before, Answer(0, Decision(4), 0.0)))
        await pilot.pause()
        assert moves(app) == []

    play(make_game("tic-tac-toe"), TWO, script)


def test_help_and_light_colours():
    async def script(app, pilot):
        dark = app.place.view._style("player-0")
        await pilot.press("question_mark")
        assert len(app.screen_stack) == 2
        shown = app.screen.query_one(Static)
        await pilot.pause()
        assert shown.size.height == len(HELP.splitlines())  # no line is broken
        await pilot.press("escape", "t")
        assert len(app.screen_stack) == 1
        assert app.place.view._style("player-0") != dark

    play("tic-tac-toe", TWO, script)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_leaving_ends_the_thread(key):
    async def script(app, pilot):
        await pilot.press("a")
        await until(pilot, lambda: app.host.thought is not None)  # compiled by then
        await pilot.press(key)

    app = play(LINE, TWO, script)
    assert not app.host.thinker._thread.is_alive()


def test_what_is_hidden_is_not_shown():
    async def script(app, pilot):
        await click(app, pilot, 1, 1)
        await until(pilot, lambda: len(moves(app)) == 2)
        cells = "".join(app.place.view.board.cells)
        assert (cells.count("X"), cells.count("O"), cells.count("o")) == (1, 0, 0)
        assert "2. O ?" in text(app, "said")
        assert app.host.thought is None
        for key in "sur":
            await pilot.press(key)
            assert "begin a new game" in said(app)
        assert len(moves(app)) == 2
        await pilot.press("g", "g")  # now all is shown
        await pilot.press("u")
        assert "moves stand" in said(app)
        await pilot.press("s", "n")
        assert app.host.table.people == [1]

    play("phantom-tic-tac-toe", ["human", "mcts:simulations=20"], script)

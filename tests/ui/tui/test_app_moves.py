"""Every kind of move on the whole screen: from and to, a choice, by name."""

from textual.events import Key
from textual.widgets import Input

from tests.games_for_boards import (
    Boxes,
    Breakthrough,
    Groups,
    ManyWords,
    Promotion,
    SmallHex,
    SmallOthello,
)

from .support import click, moves, play, said, until

TWO = ["human", "human"]


def test_from_and_to_by_mouse_and_by_keys():
    async def script(app, pilot):
        await click(app, pilot, 4, 1)
        assert "where it goes" in said(app)
        assert app.place.picking.targets == {(3, 0), (3, 1), (3, 2)}
        await pilot.press("escape")
        assert app.place.picking.picked == ()
        await click(app, pilot, 4, 1)
        await click(app, pilot, 3, 0)
        assert moves(app) == ["b1a2"]
        await click(app, pilot, 2, 2)
        assert "cannot be played" in said(app)
        await pilot.press("up", "up", "enter", "down", "enter")
        assert moves(app) == ["b1a2", "c5c4"]
        assert not app.moves.display

    play(Breakthrough(), TWO, script)


def test_a_choice_is_made_in_the_list():
    async def script(app, pilot):
        await click(app, pilot, 3, 0)
        await click(app, pilot, 2, 0)
        assert app.moves.names == ["a2"]
        assert app.moves.has_focus
        await pilot.press("escape")
        assert not app.moves.display
        assert app.place.view.has_focus
        await pilot.press("m", *"a2-a3", "enter", "m", *"b3", "enter")
        await click(app, pilot, 1, 0)
        await click(app, pilot, 0, 0)
        assert app.moves.names == ["a4=queen", "a4=knight", "a4=rook"]
        await pilot.press("down", "enter")
        assert moves(app) == ["a2-a3", "b3", "a4=knight"]
        assert app.place.view.has_focus

    play(Promotion(), TWO, script)


def test_a_move_that_is_pasted_is_played():
    """All its keys are there before the first was looked at, as on a slow line."""

    async def script(app, pilot):
        for key in ("m", "b", "3", "enter"):
            app.post_message(Key(key, key if len(key) == 1 else "\r"))
        await until(pilot, lambda: moves(app) == ["b3"])
        assert not app.screen.has_class("-typing")
        assert app.place.view.has_focus
        for key in ("m", "a", "1", "enter", "m", "b", "2", "enter"):
            app.post_message(Key(key, key if len(key) == 1 else "\r"))
        await until(pilot, lambda: moves(app) == ["b3", "a1", "b2"])

    play("tic-tac-toe", TWO, script)


def test_a_column_may_be_called_m():
    async def script(app, pilot):
        for key in ("m", "m", "8", "enter"):
            app.post_message(Key(key, key if len(key) == 1 else "\r"))
        await until(pilot, lambda: moves(app) == ["M8"])

    play("gomoku", TWO, script)


def test_moves_that_have_no_cell_are_listed_beside_the_board():
    async def script(app, pilot):
        assert not app.moves.display
        for move in ("b4", "c4", "d2", "a4"):
            await pilot.press("m", *move, "enter")
        assert app.moves.names == ["pass"]
        assert app.moves.display
        assert app.place.view.has_focus
        await pilot.press("tab", "enter")
        assert moves(app)[-1] == "pass"
        assert not app.moves.display
        assert app.place.view.has_focus

    play(SmallOthello(), TWO, script)


def test_hexagons_are_clicked_where_they_stand():
    async def script(app, pilot):
        view = app.place.view
        lines = view.render().plain.split("\n")
        starts = [len(line) - len(line.lstrip()) for line in lines if "·" in line]
        assert starts == sorted(set(starts))
        await click(app, pilot, 2, 2)
        assert moves(app) == ["c1"]
        await pilot.click(app.moves, offset=(2, 0))
        assert moves(app) == ["c1", "swap"]

    play(SmallHex(), TWO, script)


def test_lines_and_places_without_a_cell():
    async def script(app, pilot):
        assert app.place.view.cursor == (1, 2)
        await pilot.press("enter", "left", "enter")
        assert moves(app) == ["d", "c"]
        await click(app, pilot, 1, 1)  # no cell
        assert moves(app) == ["d", "c"]

    play(Boxes(), TWO, script)


def test_any_cell_of_a_group_will_do():
    async def script(app, pilot):
        await click(app, pilot, 1, 0)
        assert moves(app) == ["a2"]

    play(Groups(), ["human"], script)


def test_what_is_typed_narrows_a_long_list():
    async def script(app, pilot):
        assert len(app.moves.names) == 300
        await pilot.press("m", *"29")
        assert len(app.moves.shown) == 13
        await pilot.press("7", "enter")
        assert moves(app) == ["take 297"]
        assert not app.query_one("#typed", Input).can_focus

    play(ManyWords(), TWO, script)

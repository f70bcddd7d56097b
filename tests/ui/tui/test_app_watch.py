"""Programs play each other on the whole screen, and everything fits 80 x 24."""

import pytest

from playout import make_game
from playout.games.registry import game_names
from playout.players.player import Allowance
from tests.ui.support import UNSOLVED

from .support import SMALL, moves, play, said, text, until


def test_two_programs_play_to_the_end():
    async def script(app, pilot):
        await until(pilot, lambda: app.host.table.over)
        assert len(moves(app)) == 9
        assert said(app).startswith("Draw.")
        assert text(app, "said").count("\n") == 8

    play("tic-tac-toe", ["perfect", "perfect"], script)


def test_pause_and_single_steps():
    async def script(app, pilot):
        await until(pilot, lambda: len(moves(app)) >= 2)
        await pilot.press("p")
        await until(pilot, lambda: said(app).startswith("Paused"))
        stood = len(moves(app))
        await pilot.press("full_stop")
        await until(pilot, lambda: len(moves(app)) == stood + 1)
        await pilot.pause(0.2)
        assert len(moves(app)) == stood + 1
        await pilot.press("u")
        assert len(moves(app)) == stood
        await pilot.press("p")
        await until(pilot, lambda: app.host.table.over)
        assert len(moves(app)) == 9

    # Slowly, so that the game is not over before it is paused.
    play("tic-tac-toe", ["perfect", "perfect"], script, delay=0.5)


def test_pausing_a_program_that_thinks_does_not_make_it_move():
    async def script(app, pilot):
        await until(pilot, lambda: app.host.thought is not None)
        await pilot.press("p")
        await pilot.pause(0.5)
        assert moves(app) == []
        await pilot.press("p")
        await until(pilot, lambda: app.host.thought is not None)
        await pilot.press("f")
        await until(pilot, lambda: len(moves(app)) == 1)

    play(UNSOLVED, ["mcts", "mcts"], script, allowance=Allowance(seconds=60))


def test_a_thought_while_the_screen_is_taken_down_comes_too_late():
    async def script(app, pilot):
        await until(pilot, lambda: app.host.thought is not None)
        await app.side.query_one("#best").remove()
        await pilot.pause(0.5)  # thoughts come ten times a second

    play(UNSOLVED, ["mcts", "mcts"], script, allowance=Allowance(seconds=60))


@pytest.mark.parametrize(
    "spec",
    ["tic-tac-toe", "connect-four", "ultimate-tic-tac-toe", "gomoku", "gomoku:size=20"],
)
def test_everything_fits_a_small_terminal(spec):
    async def script(app, pilot):
        view, place = app.place.view, app.place
        assert place.region.contains_region(view.region)
        assert not place.show_vertical_scrollbar
        assert not place.show_horizontal_scrollbar
        for panel in ("seats", "rate", "best", "log", "status"):
            region = app.query_one(f"#{panel}").region
            assert region.height >= 1
            assert app.screen.region.contains_region(region)
            assert not region.overlaps(view.region)
        assert app.query_one("#log").size.height >= 4

    play(spec, ["human", "human"], script, size=SMALL)


def test_a_narrow_terminal_keeps_the_board():
    async def script(app, pilot):
        assert not app.query_one("#side").display
        assert app.place.region.contains_region(app.place.view.region)

    play("connect-four", ["human", "human"], script, size=(40, 20))


def test_what_stands_beside_the_board_is_as_wide_as_there_is_place_now():
    player = "mcts:simulations=20,c_uct=0.7"

    async def script(app, pilot):
        await until(pilot, lambda: app.host.table.over)
        await pilot.resize_terminal(60, 24)
        await until(pilot, lambda: not app.side.display)
        await pilot.resize_terminal(200, 60)
        await until(pilot, lambda: player in text(app, "seats"))
        assert max(map(len, text(app, "said").splitlines())) > 32

    play("tic-tac-toe", [player, "greedy"], script)


def test_a_board_that_does_not_fit_scrolls_to_the_cursor():
    async def script(app, pilot):
        await pilot.press(*["down"] * 8, *["right"] * 8)
        view = app.place.view
        x, y = view.geometry.x(view.cursor[1]), view.geometry.y(view.cursor[0])
        at = view.region.x + x, view.region.y + y
        assert app.place.region.contains(*at)

    play("gomoku", ["human", "human"], script, size=(30, 12))


@pytest.mark.parametrize("spec", game_names())
def test_every_game_can_be_played(spec):
    async def script(app, pilot):
        for _ in range(3):
            table = app.host.table
            if table.over:  # poker may end after two
                break
            legal = table.seen.legal_actions()
            app.play(legal[len(legal) // 2])
            await pilot.pause()
        made = [move for move in moves(app) if move]
        assert len(made) >= 3
        assert "Your move" in said(app) or app.host.table.over

    game = make_game(spec)
    play(game, ["human"] * game.num_players(), script)

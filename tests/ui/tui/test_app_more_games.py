"""The games of `games/more` on the whole screen, played by mouse and by keys.

Also of `ui/tui/board_pane.py`. No program plays but `random`, so nothing is compiled.
"""

import re
from dataclasses import dataclass, replace

import pytest

from playout.games.more.breakthrough import Breakthrough
from playout.games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
from tests.ui.othello import A_PASS_IS_FORCED

from .support import click, moves, play, said, text, until

TWO = ["human", "human"]


async def type_move(pilot, move):
    keys = {"/": "slash", "-": "minus"}
    await pilot.press("m", *(keys.get(sign, sign) for sign in move), "enter")


def shown(app):
    """The lines of the board."""
    return app.place.view.render().plain.split("\n")


def test_othello_turns_discs_and_passes():
    async def script(app, pilot):
        await click(app, pilot, 2, 3)
        assert app.place.view.board.cells[3] == "...XX..."
        for move in A_PASS_IS_FORCED.split()[1:]:
            await type_move(pilot, move)
        assert app.moves.names == ["pass"]
        assert text(app, "caption") == "Black (X) 8, White (O) 4"
        await pilot.press("tab", "enter")
        assert moves(app)[-1] == "pass"
        assert "White" in said(app)

    play("othello", TWO, script)


@dataclass(frozen=True)
class Cards(Breakthrough):
    """A caption as long as the names of five cards."""

    CAPTION = "Blue: tiger, crab; Red: monkey, crane; in the middle: boar"

    def board(self, state, last_action=None):
        return replace(super().board(state, last_action), caption=self.CAPTION)


def test_a_long_caption_is_shown_whole():
    async def script(app, pilot):
        caption = app.place.caption
        width, height = caption.content_size
        assert (height, width < len(Cards.CAPTION)) == (2, True)
        assert app.place.view.region.bottom <= caption.region.y

    play(Cards(), TWO, script)


def test_breakthrough_moves_pawns():
    async def script(app, pilot):
        await click(app, pilot, 6, 3)
        assert app.place.picking.targets == {(5, 2), (5, 3), (5, 4)}
        await click(app, pilot, 5, 3)
        await pilot.press("up", "up", "up", "up", "enter", "down", "enter")
        assert moves(app) == ["d2d3", "d7d6"]

    play("breakthrough", TWO, script)


def test_hex_has_hexagons_and_a_swap():
    async def script(app, pilot):
        await click(app, pilot, 0, 1)
        rows = [line for line in shown(app) if "·" in line]
        starts = [len(row) - len(row.lstrip()) for row in rows]
        assert starts == sorted(set(starts))
        assert app.moves.names == ["swap"]
        await pilot.press("tab", "enter")
        assert app.place.view.board.cells == ("...", "O..", "...")
        await click(app, pilot, 1, 1)
        assert moves(app) == ["b1", "swap", "b2"]

    play("hex:size=3", TWO, script)


def test_backgammon_rolls_and_moves_checkers():
    async def script(app, pilot):
        roll = moves(app)[0]
        assert re.fullmatch("[1-6]-[1-6]", roll)
        upper, lower = (row.split() for row in shown(app) if "7" in row or "18" in row)
        assert (upper[0], upper[-1], lower[0], lower[-1]) == ("13", "24", "12", "off")
        dice = "-".join(sorted(roll.split("-"), reverse=True))
        assert dice in text(app, "caption")
        (start, end), *_ = app.place.picking.routes.moves
        stack = start[0] + (1 if start[0] == 0 else -1), start[1]
        await click(app, pilot, *stack)  # any checker of a point will do
        assert end in app.place.picking.targets
        await click(app, pilot, *end)
        assert len(moves(app)) == 2
        assert f"{app.host.game.player_names[app.host.table.mover]}: " in text(
            app, "caption"
        )

    play("backgammon", TWO, script)


@pytest.mark.parametrize("game", ["kuhn-poker", "leduc-poker"])
def test_poker_shows_only_ones_own_card(game):
    async def script(app, pilot):
        mine, other = text(app, "picture").splitlines()[:2]
        assert re.match("A  [JQK]", mine)
        assert re.match(r"B  \?", other)
        await pilot.press("down", "enter")  # bet, raise
        await until(pilot, lambda: len(moves(app)) >= 4)
        assert moves(app)[2] in ("bet", "raise")

    play(game, ["human", "random"], script)


def test_dots_and_boxes_draws_lines_and_moves_again():
    async def script(app, pilot):
        for move in ("b1", "c2", "a2"):
            await type_move(pilot, move)
        await click(app, pilot, 2, 1)
        assert text(app, "caption") == "X 0, O 1"
        assert "───" in shown(app)[1]
        assert "O" in said(app)
        await pilot.press("right", "right", "enter")
        assert moves(app)[-1] == "d3"

    play("dots-and-boxes:rows=1,columns=2", TWO, script)


def test_go_captures_and_ends_by_passes():
    async def script(app, pilot):
        await type_move(pilot, "a2")
        await click(app, pilot, 4, 0)
        await click(app, pilot, 4, 1)
        assert app.place.view.board.cells[3:] == ("X....", ".X...")
        await pilot.press("tab", "enter")
        assert text(app, "caption") == "White has passed"
        await pilot.press("enter")  # the list has kept the focus
        assert "Black wins" in said(app)

    play("go:size=5,komi=0", TWO, script)


def test_any_tile_of_a_group_takes_it():
    async def script(app, pilot):
        await click(app, pilot, 4, 7)
        assert moves(app) == ["f12"]
        assert text(app, "caption") == "4 points"
        assert said(app).startswith("Your move (Player)")  # no colour is the player's
        board = app.place.view.board
        for cell in board.places:
            if (mark := board.cells[cell[0]][cell[1]]) in board.inks:
                style = app.place.view._cell(cell, 0.0)[1]
                assert style.color.name == board.inks[mark]
        await pilot.press("left", "enter")
        assert len(moves(app)) == 2

    play("samegame", ["human"], script)


def test_a_tour_goes_from_city_to_city():
    async def script(app, pilot):
        await click(app, pilot, 12, 14)
        assert moves(app) == ["d"]
        assert "tour ad" in text(app, "caption")
        assert "·" not in "".join(shown(app))  # cities and nothing else
        await type_move(pilot, "b")
        await type_move(pilot, "c")
        assert moves(app) == ["d", "b", "c"]

    play("tsp:cities=4", ["human"], script, size=(80, 30))


def test_nobody_is_to_play_where_a_game_was_given_up():
    async def script(app, pilot):
        assert app.place.text.endswith("; X plays in a b c d e f g h i")
        await pilot.press("g", "g")
        await pilot.pause()
        assert app.place.text == "boards a to i; won: none"

    play(UltimateTicTacToe(), TWO, script)

"""CodinGame's cells: every one is read."""

from playout.games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
from playout.protocols import codinggame


def test_every_cell_of_codingame():
    game = UltimateTicTacToe()
    for action in range(81):
        assert game.parse_action(codinggame.format_cell(action)) == action

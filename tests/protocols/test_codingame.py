"""CodinGame's cells: every one is read."""

from playout.games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
from playout.protocols import codingame


def test_every_cell_of_codingame():
    game = UltimateTicTacToe()
    for action in range(81):
        assert game.parse_action(codingame.format_cell(action)) == action

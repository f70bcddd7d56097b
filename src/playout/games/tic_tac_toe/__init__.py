"""Tic-tac-toe, and every m,n,k-game."""

#: name -> (module, class)
GAMES = {
    "tic-tac-toe": ("rules", "TicTacToe"),
    "mnk": ("rules", "MNK"),
}

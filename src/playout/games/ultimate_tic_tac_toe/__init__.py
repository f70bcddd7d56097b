"""Ultimate tic-tac-toe."""

#: name -> (module, class)
GAMES = {"ultimate-tic-tac-toe": ("rules", "UltimateTicTacToe")}

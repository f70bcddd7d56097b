"""Gomoku."""

#: name -> (module, class)
GAMES = {"gomoku": ("rules", "Gomoku")}

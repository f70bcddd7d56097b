"""Backgammon."""

#: name -> (module, class)
GAMES = {"backgammon": ("rules", "Backgammon")}

"""Go."""

#: name -> (module, class)
GAMES = {"go": ("rules", "GoGame")}

"""Connect Four."""

#: name -> (module, class)
GAMES = {"connect-four": ("rules", "ConnectFour")}

"""What can be typed at the prompt of a game besides its moves."""

__all__ = ["AFTER_THE_END", "HELP", "LEAVING"]

HELP = """\
Type a move, such as {examples}, or
  undo    take back your last move and the program's answer (or: regret)
  hint    let the search suggest a move
  moves   list the legal moves
  steps   list the moves so far
  board   show the board again
  log     show the search's log after its moves, or no longer
  help    show this
  quit    leave (so do q, Ctrl-D and Ctrl-C)
A move of the same name goes before; /quit is never a move."""

#: Answers that end the program.
LEAVING = ("n", "no", "q", "quit", "exit")
#: What can be asked for when a game is over, too.
AFTER_THE_END = ("undo", "regret", "steps", "board")

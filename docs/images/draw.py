"""Draw the README's picture; `python docs/images/draw.py` writes it next to this."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from playout import MCTS, ConnectFour, Limit, Position

position = Position.from_moves(ConnectFour(), "44444")
MCTS(position.game).compile()  # the picture says nothing of how long that takes
search = MCTS(position.game, seed=1)
result = search.search(position, Limit(simulations=100_000))
position.play(result.action)

with open("/dev/null", "w") as nowhere:
    console = Console(record=True, width=72, file=nowhere, force_terminal=True)
    console.print(Text(result.show(width=64)), "\n", sep="")
    console.print(f"O plays {result.move} ({result.win_rate:.1%})\n")
    console.print(Text.from_ansi(position.render(color=True)))
    console.save_svg(
        str(Path(__file__).with_name("connect-four.svg")),
        title="playout play connect-four",
        unique_id="playout",
    )

"""Does Playout win Connect Four as first player, and never lose a drawn opening?

Games against the perfect player (PyPI's `bitbully`), which plays a move of the highest
score, of equal ones a random one: it loses as late as it can. As first player Playout
begins on the empty board; as second player after one of the drawn openings, in turn.
It thinks for seconds of processor time a move; what is in its book needs none. Games go
to a file, line by line; a second call goes on where the first one ended.

    python benchmarks/strength/connect_four_perfect.py first --seconds 1 --out first.txt
    python benchmarks/strength/connect_four_perfect.py second --seconds 1 --out 2nd.txt
    python benchmarks/strength/connect_four_perfect.py first --player mcts:book=no
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from playout import ConnectFour, Position
from playout.players.player import Allowance, Player
from playout.players.registry import make_player

#: The first moves after which the game is drawn.
DRAWN = ("3", "5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seat", choices=("first", "second"), help="Playout's")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1.0, help="a move, processor")
    parser.add_argument("--player", default="mcts", help="an mcts spec")
    parser.add_argument("--openings", nargs="+", default=DRAWN, help="of second seats")
    parser.add_argument("--out", type=Path, help="games; made, or gone on with")
    given = parser.parse_args()
    known = read(given.out)
    player, perfect = (
        make_player(given.player, ConnectFour()),
        make_player("perfect", ConnectFour()),
    )
    player.search.clock = time.process_time
    player.prepare()
    first = given.seat == "first"
    openings = ("",) if first else given.openings
    for number in range(len(known), given.games):
        opening = openings[number % len(openings)]
        players = (player, perfect) if first else (perfect, player)
        position = play(players, opening, number, Allowance(seconds=given.seconds))
        ours = position.returns(0 if first else 1)
        result = {1.0: "won", 0.0: "drawn", -1.0: "lost"}[ours]
        known.append((result, "".join(position.moves)))
        note(given.out, *known[-1])
    count = Counter(result for result, _ in known)
    print(f"{count['won']} won, {count['drawn']} drawn, {count['lost']} lost;", end=" ")
    print(f"{len({moves for _, moves in known})} different games")


def play(
    players: tuple[Player, Player], opening: str, seed: int, allowance: Allowance
) -> Position:
    """A game to its end."""
    position = Position.from_moves(ConnectFour(), opening)
    for player in players:
        player.new_game(seed)
    while not position.is_terminal:
        player = players[position.current_player]
        position.play(player.choose(position.copy(), allowance).action)
    return position


def read(path: Path | None) -> list[tuple[str, str]]:
    """Results and moves of the games that were played."""
    if path is None or not path.exists():
        return []
    lines = (line.split() for line in path.read_text().splitlines())
    return [(result, moves) for result, moves in lines]


def note(path: Path | None, result: str, moves: str) -> None:
    if path is not None:
        with path.open("a") as file:
            file.write(f"{result} {moves}\n")


if __name__ == "__main__":
    main()

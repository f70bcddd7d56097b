"""Does the search keep what a Connect Four position is worth, in so much time?

The positions are those of `connect_four_positions.py`: some legal moves throw the
result away, and none wins at once. Each is searched anew, for seconds of processor time
or for simulations; counted are moves that keep the result, for each band of plies.
Players that do not search, such as the policy of a network, are asked as they are.
`--file` names other positions, lines of columns played, whose moves PyPI's `bitbully`
judges; what comes after the columns does not count.
Answers go to a file, line by line; a second call goes on where the first one ended.

    python benchmarks/strength/connect_four.py --seconds 1 --out kept-1s.txt
    python benchmarks/strength/connect_four.py --seconds 0.1 --from-ply 12 --every 10
    python benchmarks/strength/connect_four.py --player net:c4,policy=yes
    python benchmarks/strength/connect_four.py --player net:c4,policy=yes \
        --file tests/data/connect_four_middles.txt
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from connect_four_positions import BANDS, keeping

from playout import ConnectFour, Limit, Position
from playout.players.mcts import MCTSPlayer
from playout.players.perfect import bitbully_scores
from playout.players.player import Allowance, Player
from playout.players.registry import make_player

#: Names the moves that keep what a position is worth.
Judge = Callable[[Position], str]
DATA = Path(__file__).parent / "data" / "connect_four_kept.txt"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, help="of processor time a position")
    parser.add_argument("--simulations", type=int, help="a position")
    parser.add_argument("--player", default="mcts", help="its spec")
    parser.add_argument("--file", type=Path, default=DATA, help="of positions")
    parser.add_argument("--every", type=int, default=1, help="every N-th position only")
    parser.add_argument("--from-ply", type=int, default=0)
    parser.add_argument("--to-ply", type=int, default=99)
    parser.add_argument("--out", type=Path, help="answers; made, or gone on with")
    given = parser.parse_args()
    player = make_player(given.player, ConnectFour())
    limit = None
    if isinstance(player, MCTSPlayer):
        if given.seconds is None and given.simulations is None:
            parser.error("say --seconds or --simulations")
        limit = Limit(seconds=given.seconds, simulations=given.simulations)
        player.search.clock = time.process_time
        player.search.compile()
    known = read(given.out)
    for moves, good in positions(given.file, given.every):
        if moves not in known and given.from_ply <= len(moves) <= given.to_ply:
            position = Position.from_moves(ConnectFour(), moves)
            action = answer(player, position, limit)
            known[moves] = position.game.action_name(action) in good(position)
            note(given.out, moves, known[moves])
    for line in summary(known):
        print(line)


def positions(file: Path, every: int) -> Iterator[tuple[str, Judge]]:
    """The moves that lead to each position, and what tells those that keep its worth.

    Lines are `#` comments or columns, and in our own file the moves that keep it.
    """
    lines = [line for line in file.read_text().splitlines() if line[:1].isdigit()]
    scores = None if file == DATA else bitbully_scores()
    for line in lines[::every]:
        moves, known, *_ = line.split()
        if scores is None:
            yield moves, lambda position, known=known: known
        else:
            yield moves, lambda position: keeping(position, scores(position))


def answer(player: Player, position: Position, limit: Limit | None) -> int:
    """The action of a new game's search, or of a player without one."""
    if limit is None:
        player.new_game(seed=1)
        return player.choose(position, Allowance()).action
    player.search.reset(seed=1)
    return player.search.search(position, limit, forced_too=True).action


def read(path: Path | None) -> dict[str, bool]:
    """Whether the result was kept, by the moves that lead to a position."""
    if path is None or not path.exists():
        return {}
    pairs = (line.split() for line in path.read_text().splitlines())
    return {moves: said == "kept" for moves, said in pairs}


def note(path: Path | None, moves: str, kept: bool) -> None:
    if path is not None:
        with path.open("a") as file:
            file.write(f"{moves} {'kept' if kept else 'lost'}\n")


def summary(known: dict[str, bool]) -> list[str]:
    """A line for each band of plies, and one for all."""
    lines = []
    longest = max(map(len, known), default=0)
    for first, last in (*BANDS, (BANDS[-1][1] + 1, 42), (0, longest)):
        kept = [known[moves] for moves in known if first <= len(moves) <= last]
        if not kept:
            continue
        share = sum(kept) / len(kept)
        lines.append(
            f"{first} to {last} plies: {sum(kept)} of {len(kept)}, {share:.3f}"
        )
    return lines


if __name__ == "__main__":
    main()

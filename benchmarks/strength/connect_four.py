"""Does the search keep what a Connect Four position is worth, in so much time?

The positions are those of `connect_four_positions.py`: some legal moves throw the
result away, and none wins at once. Each is searched anew, for seconds of processor time
or for simulations; counted are moves that keep the result, for each band of plies.
Answers go to a file, line by line; a second call goes on where the first one ended.

    python benchmarks/strength/connect_four.py --seconds 1 --out kept-1s.txt
    python benchmarks/strength/connect_four.py --seconds 0.1 --from-ply 12 --every 10
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from connect_four_positions import BANDS

from playout import ConnectFour, Limit, Position
from playout.players.registry import make_player

DATA = Path(__file__).parent / "data" / "connect_four_kept.txt"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, help="of processor time a position")
    parser.add_argument("--simulations", type=int, help="a position")
    parser.add_argument("--player", default="mcts", help="an mcts spec")
    parser.add_argument("--every", type=int, default=1, help="every N-th position only")
    parser.add_argument("--from-ply", type=int, default=0)
    parser.add_argument("--to-ply", type=int, default=99)
    parser.add_argument("--out", type=Path, help="answers; made, or gone on with")
    given = parser.parse_args()
    if given.seconds is None and given.simulations is None:
        parser.error("say --seconds or --simulations")
    limit = Limit(seconds=given.seconds, simulations=given.simulations)
    known = read(given.out)
    search = make_player(given.player, ConnectFour()).search
    search.clock = time.process_time
    search.compile()
    for line in DATA.read_text().splitlines()[:: given.every]:
        moves, keeping = line.split()
        if moves not in known and given.from_ply <= len(moves) <= given.to_ply:
            search.reset(seed=1)
            position = Position.from_moves(ConnectFour(), moves)
            result = search.search(position, limit, forced_too=True)
            known[moves] = position.game.action_name(result.action) in keeping
            note(given.out, moves, known[moves])
    for line in summary(known):
        print(line)


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
    for first, last in (*BANDS, (BANDS[0][0], BANDS[-1][1])):
        kept = [known[moves] for moves in known if first <= len(moves) <= last]
        share = sum(kept) / max(1, len(kept))
        lines.append(
            f"{first} to {last} plies: {sum(kept)} of {len(kept)}, {share:.3f}"
        )
    return lines


if __name__ == "__main__":
    main()

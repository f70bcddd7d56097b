"""Does the search keep what a Connect Four position is worth?

Public sets of positions with exact scores by Pascal Pons: his endgames, middles and
openings (Test_L3_R1, Test_L2_R1 and Test_L1_R1). Every position is searched for some
time; counted are proofs, right and wrong, and chosen moves that keep the value of the
game, by the exact scores of `bitbully` for every move.

    pip install bitbully
    python benchmarks/solved.py endgames
    python benchmarks/solved.py openings --seconds 1 --part 1/2 --player mcts:c_uct=1
"""

import argparse
import math
from pathlib import Path

from playout import ConnectFour, Limit, Position
from playout.players.perfect import bitbully_scores
from playout.players.registry import make_player

SETS = ("endgames", "middles", "openings")
DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
SIGN = {"win": 1, "draw": 0, "loss": -1}


def read(name: str, part: str) -> list[tuple[str, int]]:
    """Moves from the start, and the score: above 0 the player to move wins."""
    lines = (DATA / f"connect_four_{name}.txt").read_text().splitlines()
    number, parts = map(int, part.split("/"))
    pairs = (line.split() for line in lines[number - 1 :: parts])
    return [(moves, int(score)) for moves, score in pairs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", choices=SETS)
    parser.add_argument("--seconds", type=float, default=1.0, help="for a position")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every N-th only")
    parser.add_argument("--player", default="mcts", help="an mcts spec")
    given = parser.parse_args()
    game, limit = ConnectFour(), Limit(seconds=given.seconds)
    search, scores = make_player(given.player, game).search, bitbully_scores()
    search.compile()
    positions = read(given.set, given.part)
    proven = wrong = kept = 0
    longest = 0.0
    for number, (moves, score) in enumerate(positions, 1):
        position = Position.from_moves(game, moves)
        search.reset(seed=1)
        result = search.search(position, limit, forced_too=True)
        value = math.copysign(1, score) if score else 0
        worth = {action: sign for action, (sign, _) in scores(position).items()}
        assert max(worth.values()) == value, moves
        kept += worth[result.action] == value
        if result.proven is not None:
            proven += 1
            longest = max(longest, result.seconds)
            wrong += SIGN[result.proven] != value
        if worth[result.action] != value or number % 100 == 0:
            print(
                f"{number} of {len(positions)}: {kept} kept, {proven} proven, "
                f"{wrong} wrongly; longest proof {longest:.3f} s",
                flush=True,
            )
    print(
        f"{given.set}, {given.seconds:g} s each: {kept} of {len(positions)} kept, "
        f"{proven} proven, {wrong} wrongly; longest proof {longest:.3f} s"
    )


if __name__ == "__main__":
    main()

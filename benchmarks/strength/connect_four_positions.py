"""Positions of Connect Four in which something can be thrown away.

Random games from the start, of 3 to 20 plies, equally many of each band; a position is
kept if no move wins at once and its legal moves are not all worth the same, by the
exact scores of PyPI's `bitbully`. Always the same for a seed.

    pip install bitbully
    python benchmarks/strength/connect_four_positions.py > \
        benchmarks/strength/data/connect_four_kept.txt
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping

from playout import ConnectFour, Position
from playout.players.perfect import Scores, bitbully_scores

#: The first and the last ply of each band.
BANDS = ((3, 5), (6, 8), (9, 11), (12, 14), (15, 17), (18, 20))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="positions in all")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng, scores = random.Random(given.seed), bitbully_scores()
    seen: set[str] = set()
    while len(seen) < given.count:
        band = BANDS[len(seen) % len(BANDS)]
        moves, good = drawn(rng, rng.randint(*band), scores)
        if good and moves not in seen:
            seen.add(moves)
            print(moves, good, flush=True)


def drawn(rng: random.Random, plies: int, scores: Scores) -> tuple[str, str]:
    """The moves of a random game; those that keep its worth, or nothing if unfit."""
    position, moves = Position(ConnectFour()), ""
    for _ in range(plies):
        move = rng.choice(position.legal_actions())
        moves += position.game.action_name(move)
        position.play(move)
        if position.is_terminal:
            return moves, ""
    if _wins_at_once(position):
        return moves, ""
    good = keeping(position, scores(position))
    return moves, "" if len(good) == len(position.legal_actions()) else good


def keeping(position: Position, scores: Mapping[int, tuple[int, int]]) -> str:
    """The moves that keep what a position is worth, by the scores of its actions."""
    best = max(sign for sign, _ in scores.values())
    good = [action for action, (sign, _) in scores.items() if sign == best]
    return "".join(position.game.action_name(action) for action in good)


def _wins_at_once(position: Position) -> bool:
    for action in position.legal_actions():
        position.play(action)
        ends = position.is_terminal and position.returns(0) != 0
        position.undo()
        if ends:
            return True
    return False


if __name__ == "__main__":
    main()

"""How much of its chances of winning does the search give away in Pig?

Positions from games by best play, in which every fifth hold or roll is a random one.
Each is one where somebody has half of the points, both moves are legal, and holding
does not win. They are searched for some simulations; what a move gives away is by the
exact chances, from value iteration (Neller and Presser 2004; see the tests' oracle).

    python benchmarks/pig.py
    python benchmarks/pig.py --player "mcts:rollout=race.py:RaceOrKeepPace"
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.oracles.pig_oracle import win_probabilities

from playout import Limit, Position
from playout.games.more.pig import Pig
from playout.players.registry import make_player

TARGET = 100
SIMULATIONS = (1_000, 10_000, 100_000)
#: More than this part of the games, given away by a move, counts as a mistake.
MISTAKE = 0.01

#: The score of the player to move, that of the other, and the turn's total.
Scores = tuple[int, int, int]
Chances = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="mcts", help="an mcts spec")
    parser.add_argument("--positions", type=int, default=200)
    given = parser.parse_args()
    game, known = Pig(), win_probabilities(TARGET)
    search = make_player(given.player, game).search
    found = positions(known, given.positions)
    for simulations in SIMULATIONS:
        lost = []
        for seed, scores in enumerate(found):
            search.reset(seed=seed)
            position = Position(game, "{},{} {} A".format(*scores))
            move = search.search(position, Limit(simulations=simulations)).move
            chances = moves(known, scores)
            lost.append(max(chances.values()) - chances[move])
        mistakes = sum(part > MISTAKE for part in lost) / len(lost)
        print(
            f"{simulations:7,} simulations: {mistakes:5.1%} mistakes, "
            f"{sum(lost) / len(lost):.2%} given away a move, {max(lost):.1%} at most"
        )


def moves(known, scores: Scores) -> Chances:
    """What the player to move wins by each move."""
    mine, theirs, total = scores

    def after(points: int) -> float:
        return 1.0 if points >= TARGET - mine else known[mine, theirs, points]

    kept = sum(after(total + face) for face in range(2, 7))
    held = mine + total
    return {
        "roll": (1 - known[theirs, mine, 0] + kept) / 6,
        "hold": 1.0 if held >= TARGET else 1 - known[theirs, held, 0],
    }


def positions(known, count: int) -> list[Scores]:
    """So many different ones."""
    dice, found = random.Random(1), {}
    while len(found) < count:
        mine = theirs = total = 0
        while max(mine, theirs) < TARGET:
            if total and mine + total < TARGET and max(mine, theirs) >= TARGET // 2:
                found[mine, theirs, total] = None
            face = 1
            if not total or not holds(known, (mine, theirs, total), dice):
                face = dice.randint(1, 6)
            else:
                mine += total
            total = 0 if face == 1 else total + face
            if face == 1:
                mine, theirs = theirs, mine
    return random.Random(2).sample(sorted(found), count)


def holds(known, scores: Scores, dice: random.Random) -> bool:
    chances = moves(known, scores)
    if chances["hold"] == 1:
        return True
    return (chances["hold"] > chances["roll"]) != (dice.random() < 0.2)


if __name__ == "__main__":
    main()

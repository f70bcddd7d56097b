"""A selection policy of your own, compiled with the search like Playout's.

python examples/own_policy.py [GAMES [SIMULATIONS]]
"""

import math
import sys
from dataclasses import dataclass

from playout import MCTS, UCT, ConnectFour, Limit, Position, Selection


@dataclass(frozen=True)
class Optimistic(Selection):
    """UCT that believes a little more of what it has hardly seen.

    `(W + optimism) / n + c_uct * sqrt(ln N / n)`: as if every child had begun with a
    win or two on credit, which its visits pay back.
    """

    c_uct: float = 1.0
    optimism: float = 1.0

    def parent_term(self, parent):  # once a visit: what all children share
        return self.c_uct * math.sqrt(math.log(parent.visits))

    def score(self, child, parent_term):  # once a child; the highest is taken
        visits = child.visits
        value = (child.value_sum + self.optimism) / visits
        return value + parent_term / math.sqrt(visits)


def play(players: list[MCTS], limit: Limit) -> float:
    """One game; the result for whoever moves first."""
    position = Position(players[0].game)
    while not position.is_terminal:
        player = players[position.current_player]
        position.play(player.search(position, limit).action)
    return position.returns(0)


def main(games: int, simulations: int) -> None:
    game, limit = ConnectFour(), Limit(simulations=simulations)
    score = 0.0
    for number in range(games):
        mine = MCTS(game, selection=Optimistic(), seed=number)
        theirs = MCTS(game, selection=UCT(), seed=1000 + number)
        if number % 2 == 0:
            score += play([mine, theirs], limit)
        else:
            score -= play([theirs, mine], limit)
    print(f"Optimistic against UCT: {(score / games + 1) / 2:.1%} of {games} games")


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(*(numbers + [20, 2000][len(numbers) :]))

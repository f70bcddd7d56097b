"""Whether a game from elsewhere is searched as Playout's own is, statistically."""

import math
from typing import Any

import numpy as np

from playout import MCTS, UCT, Limit, Position, RandomChild, Uniform, Unsolved

#: Differences of so many standard errors are an alarm. A false one comes at most once
#: in 1,700,000 comparisons (normal distribution, both sides); at most 8 are made.
ALARM = 5.0


def expect_agreement(
    own: tuple[Any, list[str]],
    other: tuple[Any, list[str]],
    moves: dict[str, str],
    searches: int = 60,
    simulations: int = 150,
) -> None:
    """Compare the root's value and every move's share of the visits.

    Args:
        own: a game of Playout's, and the moves that lead to the position.
        other: the same of another package's.
        moves: what the moves of the position are called there.
        searches: with as many seeds each.
        simulations: of each search.
    """
    samples = []
    for offset, (game, path) in enumerate((own, other)):
        search = MCTS(
            game,
            seed=0,
            selection=UCT(),
            expansion=RandomChild(urgent="never"),
            rollout=Uniform(),
            solver=Unsolved(),
        )
        position = Position.from_moves(game, path)
        rows = []
        for seed in range(searches):
            search.reset(seed=seed + 1000 * offset)
            result = search.search(position, Limit(simulations=simulations))
            shares = {one.move: one.share for one in result.actions}
            named = moves.values() if offset else moves.keys()
            rows.append([result.value, *(shares[name] for name in named)])
        samples.append(np.array(rows))
    for column, name in enumerate(["value", *moves]):
        first, second = (sample[:, column] for sample in samples)
        error = math.sqrt((first.var() + second.var()) / searches) + 1e-12
        distance = (first.mean() - second.mean()) / error
        assert abs(distance) < ALARM, (name, first.mean(), second.mean(), distance)

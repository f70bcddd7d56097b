"""The chances of both players of Pig under best play, by value iteration.

Neller and Presser, "Optimal Play of the Dice Game Pig" (2004), section 3: P[i, j, k] is
the probability that a player with score i wins who has k points in this turn, against
a player with score j. At 100 points it is 0.5306 at the start.
"""

import numpy as np
from numba import njit


def win_probabilities(target: int, error: float = 1e-9) -> np.ndarray:
    """`[target, target, target]` P[i, j, k]; k at least 1 may hold, k = 0 must roll.

    Sums of scores never fall, so states are solved from the highest sum of the two
    scores downwards; within one sum they depend on each other in pairs.
    """
    p = np.zeros((target, target, target))
    for total in range(2 * target - 2, -1, -1):
        for i in range(max(0, total - target + 1), min(target - 1, total) + 1):
            j = total - i
            if i <= j:
                _solve_pair(p, i, j, error)
    return p


@njit
def _solve_pair(p: np.ndarray, i: int, j: int, error: float) -> None:
    """Iterate over the turns of both players at these scores until nothing changes."""
    target = len(p)
    while True:
        before = p[i, j, 0], p[j, i, 0]
        for mine, theirs in ((i, j), (j, i)):
            for k in range(target - mine - 1, -1, -1):
                roll, hold = _roll(p, mine, theirs, k), _hold(p, mine, theirs, k)
                p[mine, theirs, k] = max(roll, hold)
        if max(abs(p[i, j, 0] - before[0]), abs(p[j, i, 0] - before[1])) < error:
            return


@njit
def _roll(p: np.ndarray, mine: int, theirs: int, k: int) -> float:
    target = len(p)
    lost = 1.0 - p[theirs, mine, 0]
    kept = 0.0
    for face in range(2, 7):
        kept += 1.0 if mine + k + face >= target else p[mine, theirs, k + face]
    return (lost + kept) / 6


@njit
def _hold(p: np.ndarray, mine: int, theirs: int, k: int) -> float:
    return 1.0 - p[theirs, mine + k, 0] if k else 0.0

"""The lowest and the highest return of some random games.

It is the scale of a search in a game whose returns have no bounds. Better returns that
the search finds count more than 1; `NormalizedUCT`, the default for such games, scales
by the returns that the search itself has seen.

    Schrittwieser et al., "Mastering Atari, Go, Chess and Shogi by Planning with a
    Learned Model", Nature 588 (2020), appendix B, for measuring by what was seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.errors import RulesError
from ...core.jit.native import NativeFunction, kernel
from ...core.jit.rows import Rows
from ...core.rng import Rng, make_rng
from ...games.contract.game import Actions, Game
from ...games.contract.units import LARGEST, UNBOUNDED, Units
from ...games.positions.position import Position

__all__ = ["RANGE_STREAM", "compile_range", "seen_range"]

#: How many games; and the stream of their random numbers, which is their own.
GAMES, RANGE_STREAM = 100, 3


def seen_range(position: Position, rng: Rng, interpreted: bool = False) -> Units:
    """The range of the returns of random games from a position.

    Args:
        position: as the player to move knows it.
        rng: random numbers.
        interpreted: whether to play as plain Python.

    Raises:
        RulesError: a return is no finite number.
    """
    game = position.game
    run = play_games.function if interpreted else compile_range(game)
    ends = np.zeros(2)
    with np.errstate(over="ignore"):
        run(game, *_arguments(game, position.array), rng, ends, GAMES)
    low, high = ends.tolist()
    if not -LARGEST <= low <= high <= LARGEST:
        raise RulesError(
            f"{type(game).__name__} breaks law 4: returns are not all "
            f"{UNBOUNDED.describe()} in games from {position.to_text()}"
        )
    return Units(low, high) if low < high else Units(low - 1.0, high + 1.0)


def compile_range(game: Game) -> NativeFunction:
    """Compile or load what `seen_range` runs."""
    arguments = _arguments(game, np.zeros(1, game.state_dtype()))
    return play_games.compile(game, *arguments, make_rng(0), np.zeros(2), 0)


def _arguments(game: Game, root: NDArray[np.void]) -> tuple[Rows, Actions]:
    states = np.zeros(2, dtype=game.state_dtype())
    states[0] = root[0]
    return Rows(states), np.zeros(max(1, game.num_actions()), dtype=np.int32)


@kernel
def play_games(
    game: Game,
    states: Rows,
    actions: Actions,
    rng: Rng,
    ends: NDArray[np.float64],
    games: int,
) -> None:
    """Play so many games from `states[0]`; `ends` gets the extremes of the returns."""
    ends[0] = np.inf
    ends[1] = -np.inf
    for _ in range(games):
        state = states[1]
        states[1] = states[0]
        if game.has_hidden:
            game.determinize(state, game.current_player(state), rng)
        game.rollout(state, actions, rng)
        if game.is_terminal(state):
            for player in range(game.num_players()):
                value = game.returns(state, player)
                ends[0] = min(ends[0], value)
                ends[1] = max(ends[1], value)

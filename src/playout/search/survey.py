"""What a game is like: how wide, how long, how it ends, how fast it is searched.

For `playout check`: figures of random games, and what would make the rules faster.
Advice is given only where it was tried or counted on these rules.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.jit.fallback import is_interpreted
from ..core.jit.native import kernel
from ..core.jit.rows import Rows
from ..core.rng import Rng, make_rng
from ..games.check.bounds import expect_bounds
from ..games.contract.game import CHANCE, Actions, Game
from ..games.positions.counting import perft
from ..games.positions.position import Position
from .advice import advice
from .limit import Limit
from .mcts import MCTS

__all__ = ["Survey", "survey"]

#: Sequences of moves are counted to the depth at which there are so many, compiled and
#: interpreted, and no deeper than that.
MOST_PATHS, MOST_SLOWLY, MOST_DEPTH = 1_000_000, 2000, 6
#: Random games, fewer where they take longer than so many seconds.
GAMES, ENOUGH_SECONDS = 1000, 0.5
#: A shorter search does not tell its speed: to begin it takes a good part of that.
LEAST_SECONDS = 0.005


@dataclass(frozen=True)
class Survey:
    """What random games and a short search have shown.

    Attributes:
        perft: sequences of 1, 2, 3, ... moves from the start.
        games: random games played.
        branching: legal actions in a position where a player moves, on average.
        most_actions: the most legal actions in one.
        mean_length, shortest, longest: actions in a game.
        returns: each player's return, on average.
        draws: share of the games in which all returns are alike; 0 where the game is
            not zero-sum, as players who win together have no draw.
        simulations_per_second: of the default search, on one thread.
        proven_after: simulations after which that search was over, as it had proven
            the start, too soon for its speed to be told; 0 of other searches.
        state_bytes: size of a state.
        advice: what would make the rules faster, in sentences.
    """

    perft: tuple[int, ...]
    games: int
    branching: float
    most_actions: int
    mean_length: float
    shortest: int
    longest: int
    returns: tuple[float, ...]
    draws: float
    simulations_per_second: float
    state_bytes: int
    advice: tuple[str, ...]
    proven_after: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values under stable names, ready for JSON."""
        return asdict(self)


def survey(game: Game, seed: int = 0, seconds: float = ENOUGH_SECONDS) -> Survey:
    """Play and search a game for its figures.

    Args:
        game: the game; its rules are compiled.
        seed: of the random games and of the search.
        seconds: for the games, and for the search, at most.

    Raises:
        CompileError: one of the rules cannot be compiled.
        RulesError: the rules read or write outside their arrays, or break a law.
    """
    expect_bounds(game)
    with np.errstate(over="ignore"):  # of rules and random numbers interpreted
        return _survey(game, seed, seconds)


def _survey(game: Game, seed: int, seconds: float) -> Survey:
    played = _Games(game, seed, seconds)
    speed, proven_after = _speed(game, seed, seconds)
    return Survey(
        perft=_perft(game),
        games=played.games,
        branching=float(played.totals[0] / max(1.0, played.totals[1])),
        most_actions=int(played.totals[2]),
        mean_length=float(played.lengths.mean()),
        shortest=int(played.lengths.min()),
        longest=int(played.lengths.max()),
        returns=tuple(float(value) for value in played.returns.mean(axis=0)),
        draws=_draws(played.returns) if game.zero_sum else 0.0,
        simulations_per_second=speed,
        state_bytes=game.state_dtype().itemsize,
        advice=advice(game, bool(played.fills[0]), played.least, played.most),
        proven_after=proven_after,
    )


def _draws(returns: NDArray[np.float64]) -> float:
    """The share of games in which all players got the same."""
    return float(np.mean(np.ptp(returns, axis=1) == 0))


class _Games:
    """Random games, and what they showed.

    Attributes:
        totals: `[3]` legal actions of all positions where a player moved, how many
            these were, and the most legal actions in one.
        lengths: `[games]` actions.
        returns: `[games, players]` returns; those of a game that did not end are 0.
        fills: `[1]` whether law 9 held in all games.
        least, most: `[1]` states of the least and the largest numbers at the ends.
    """

    def __init__(self, game: Game, seed: int, seconds: float) -> None:
        self.totals = np.zeros(3)
        lengths = np.zeros(GAMES, dtype=np.int64)
        returns = np.zeros((GAMES, game.num_players()))
        start = Position(game).array
        states = Rows(np.repeat(start, 2))
        actions = np.zeros(max(1, game.num_actions()), dtype=np.int32)
        rng = make_rng(seed)
        self.fills = np.zeros(1, dtype=np.bool_)
        arguments = game, states, actions, rng, self.totals
        before = np.zeros_like(actions)
        play = _play.compile(*arguments, returns[0], before, self.fills)
        self.fills[0] = not game.has_chance
        self.least, self.most = start.copy(), start.copy()
        ends, self.games = time.process_time() + seconds, 0
        while self.games < GAMES and (not self.games or time.process_time() < ends):
            states[1] = states[0]
            row = returns[self.games]
            lengths[self.games] = play(*arguments, row, before, self.fills)
            self.games += 1
            self._note_range(states.array[1:])
        self.lengths, self.returns = lengths[: self.games], returns[: self.games]

    def _note_range(self, end: NDArray[np.void]) -> None:
        for name in end.dtype.names or ():
            self.least[name] = np.minimum(self.least[name], end[name])
            self.most[name] = np.maximum(self.most[name], end[name])


@kernel
def _play(
    game: Game,
    states: Rows,
    actions: Actions,
    rng: Rng,
    totals: NDArray[np.float64],
    returns: NDArray[np.float64],
    before: Actions,
    fills: NDArray[np.bool_],
) -> int:
    """Play a random game on the second state; returns how many actions it took.

    `fills` becomes false where law 9 does not hold; `before` is a buffer to work in.
    """
    state = states[1]
    plies, expected = 0, -1
    while plies < game.max_game_length() and not game.is_terminal(state):
        count = game.legal_actions(state, actions)
        drawn = rng.below(count)
        action = int(actions[drawn])
        if game.has_chance and game.current_player(state) == CHANCE:
            action = game.sample_chance(state, actions, rng)
        else:
            totals[0] += count
            totals[1] += 1
            totals[2] = max(totals[2], count)
            fills[0] = fills[0] and _as_expected(actions, count, before, expected)
            expected = _note_rest(actions, count, drawn, before)
        game.apply(state, action)
        plies += 1
    for player in range(len(returns)):
        returns[player] = game.returns(state, player) if game.is_terminal(state) else 0
    return plies


def _as_expected(actions: Actions, count: int, before: Actions, expected: int) -> bool:
    """Whether the legal actions are those before without the one that was played."""
    if expected < 0:
        return True
    if expected != count:
        return False
    for index in range(count):
        if actions[index] != before[index]:
            return False
    return True


def _note_rest(actions: Actions, count: int, drawn: int, before: Actions) -> int:
    """Write all actions but one to a buffer; returns how many these are."""
    rest = 0
    for index in range(count):
        if index != drawn:
            before[rest] = actions[index]
            rest += 1
    return rest


def _perft(game: Game) -> tuple[int, ...]:
    counts: list[int] = []
    paths = growth = 1.0
    most = MOST_SLOWLY if is_interpreted(game) else MOST_PATHS
    while paths * growth <= most and len(counts) < game.max_game_length():
        counts.append(perft(game, len(counts) + 1))
        growth, paths = counts[-1] / paths, float(counts[-1])
        if paths == 0 or len(counts) == MOST_DEPTH:
            break
    return tuple(counts)


def _speed(game: Game, seed: int, seconds: float) -> tuple[float, int]:
    """Simulations a second of processor time, compiling apart, and `proven_after`."""
    search = MCTS(game, seed=seed)
    search.compile()
    start = Position(game).play_chance(make_rng(seed))
    started = time.process_time()
    limit = Limit(seconds=seconds, simulations=200_000)
    found = search.search(start, limit, forced_too=True)
    if found.stopped_by == "interrupted":
        raise KeyboardInterrupt
    took = time.process_time() - started
    at_once = found.stopped_by == "proven" and took < LEAST_SECONDS
    return found.simulations / max(1e-9, took), found.simulations if at_once else 0

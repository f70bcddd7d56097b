"""Two ways to count what rules allow: every game to a depth, and games at random.

`perft` counts the sequences of exactly `depth` actions, as chess programs do, to be
compared with published numbers. `random_play` plays uniformly random games and reports
who won how often and how long they took.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import UsageError
from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ...core.rng import make_rng
from ...core.text.fields import expect_whole
from ..check.bounds import expect_bounds
from ..contract.game import Game, uniform_rollout
from .position import Position

__all__ = ["RandomPlay", "divide", "perft", "random_play"]


def perft(game: Game, depth: int, position: Position | None = None) -> int:
    """How many sequences of exactly `depth` legal actions there are.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> perft(TicTacToe(), 5)
    15120

    Raises:
        UsageError: no game is so long, or the position is of another game.
        CompileError: one of the rules cannot be compiled.
        RulesError: the rules read or write outside their arrays, or break a law.
    """
    position = _start(game, position)
    depth = expect_whole("depth", depth, 0, game.max_game_length())
    if depth == 0:
        return 1
    expect_bounds(game)
    arguments = _perft_arguments(game, depth, position)
    return int(_count_paths.compile(*arguments)(*arguments))


def divide(
    game: Game,
    depth: int,
    position: Position | None = None,
    progress: Callable[[int], Any] | None = None,
) -> dict[int, int]:
    """`perft` per first action, in order; they add up to `perft(game, depth)`.

    Args:
        game: the rules.
        depth: how many actions are played.
        position: from where; the start by default.
        progress: called after each first action with the sum so far.

    Raises:
        PlayoutError: as `perft`.
    """
    position = _start(game, position)
    depth = expect_whole("depth", depth, 0, game.max_game_length())
    counts = {}
    for action in position.legal_actions() if depth else ():
        position.play(action)
        counts[action] = perft(game, depth - 1, position)
        position.undo()
        if progress is not None:
            progress(sum(counts.values()))
    return counts


def _start(game: Game, position: Position | None) -> Position:
    if position is None:
        return Position(game)
    if not isinstance(position, Position) or position.game != game:
        raise UsageError(f"the position must be a Position of {game}")
    return position


def _perft_arguments(game: Game, depth: int, position: Position) -> tuple[Any, ...]:
    states = np.zeros(depth + 1, dtype=game.state_dtype())
    states[0] = position.array[0]
    buffers = np.zeros((depth, max(1, game.num_actions())), dtype=np.int32)
    counts = np.zeros(depth, dtype=np.int64)
    return game, Rows(states), buffers, counts, np.zeros_like(counts), depth


@kernel
def _count_paths(
    game: Any, states: Any, buffers: Any, counts: Any, tried: Any, depth: int
) -> int:
    """Walk all paths with a stack of states; the last ply is counted, not walked."""
    total = 0
    level = 0
    counts[0] = game.legal_actions(states[0], buffers[0])
    tried[0] = 0
    if depth == 1:
        return counts[0]
    while level >= 0:
        if tried[level] == counts[level]:
            level -= 1
            continue
        action = buffers[level, tried[level]]
        tried[level] += 1
        states[level + 1] = states[level]
        game.apply(states[level + 1], action)
        count = game.legal_actions(states[level + 1], buffers[level + 1])
        if level + 2 == depth:
            total += count
        else:
            level += 1
            counts[level] = count
            tried[level] = 0
    return total


@dataclass(frozen=True)
class RandomPlay:
    """What happened in random games.

    Attributes:
        games: how many were played.
        wins: games with a positive return, per player.
        draws: games in which nobody had one.
        mean_plies: average number of actions in a game.
        seconds: processor time they took, compiling apart.
    """

    games: int
    wins: tuple[int, ...]
    draws: int
    mean_plies: float
    seconds: float


def random_play(
    game: Game, games: int, seed: int = 0, generic: bool = False
) -> RandomPlay:
    """Play random games from the start.

    Args:
        game: the game.
        games: how many.
        seed: the same seed gives the same games.
        generic: by `legal_actions` and `apply` alone, even where the game has a
            rollout of its own.

    Raises:
        CompileError: one of the rules cannot be compiled.
        RulesError: the rules read or write outside their arrays, or break a law.
    """
    start = Position(game)
    games = expect_whole("games", games, 0)
    expect_bounds(game)
    states = np.zeros(2, dtype=start.array.dtype)
    states[0] = start.array[0]
    actions = np.zeros(max(1, game.num_actions()), dtype=np.int32)
    tally = np.zeros(game.num_players() + 2, dtype=np.int64)
    play = _play_generic if generic else _play_own
    arguments = game, Rows(states), actions, make_rng(seed), tally, games
    native = play.compile(*arguments)
    started = time.process_time()
    native(*arguments)
    seconds = time.process_time() - started
    *wins, draws, plies = (int(number) for number in tally)
    return RandomPlay(games, tuple(wins), draws, plies / max(1, games), seconds)


@kernel
def _play_own(
    game: Any, states: Any, actions: Any, rng: Any, tally: Any, games: int
) -> None:
    for _ in range(games):
        states[1] = states[0]
        plies = game.rollout(states[1], actions, rng)
        _tally(game, states[1], plies, tally)


@kernel
def _play_generic(
    game: Any, states: Any, actions: Any, rng: Any, tally: Any, games: int
) -> None:
    for _ in range(games):
        states[1] = states[0]
        plies = uniform_rollout(game, states[1], actions, rng)
        _tally(game, states[1], plies, tally)


def _tally(game: Any, state: Any, plies: int, tally: Any) -> None:
    players = game.num_players()
    won = False
    if game.is_terminal(state):
        for player in range(players):
            if game.returns(state, player) > 0:
                tally[player] += 1
                won = True
    if not won:
        tally[players] += 1
    tally[players + 1] += plies

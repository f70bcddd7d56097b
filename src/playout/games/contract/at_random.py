"""What a game does at random where it has nothing of its own: rollouts, outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.rng import draw_from, draws_per_number

__all__ = ["CHANCE", "decisive_rollout", "draw_outcome", "uniform_rollout"]

#: What `current_player` says where dice, cards or the like decide.
CHANCE = -1


def uniform_rollout(game: Any, state: Any, actions: Any, rng: Any) -> int:
    """Play random legal actions to the end, by `legal_actions` and `apply` alone."""
    if game.fills() and not game.has_chance:
        return _fill_at_random(game, state, actions, rng)
    draws = draws_per_number(game.num_actions())  # a power of two
    plies, moves, bits = 0, 0, np.uint64(0)
    limit = game.max_game_length()
    while plies < limit and not game.is_terminal(state):
        if game.has_chance and game.current_player(state) == CHANCE:
            game.apply(state, game.sample_chance(state, actions, rng))
            plies += 1
            continue
        count = game.legal_actions(state, actions)
        if count <= 0:  # against law 1; a search must not hang on it
            break
        if moves & (draws - 1) == 0:
            bits = rng.next()
        drawn, bits = draw_from(bits, count)
        game.apply(state, int(actions[drawn]))  # NumPy's would be narrow
        moves += 1
        plies += 1
    return plies


def decisive_rollout(game: Any, state: Any, actions: Any, rng: Any) -> int:
    """Play to the end: an urgent action where there are any, else any legal one."""
    plies, limit = 0, game.max_game_length()
    while plies < limit and not game.is_terminal(state):
        if game.has_chance and game.current_player(state) == CHANCE:
            action = game.sample_chance(state, actions, rng)
        else:
            count = game.urgent_actions(state, actions)
            if count == 0:
                count = game.legal_actions(state, actions)
            action = int(actions[rng.below(count)])
        game.apply(state, action)
        plies += 1
    return plies


def draw_outcome(game: Any, state: Any, actions: Any, rng: Any) -> int:
    """An outcome drawn by `chance_probability`: the first whose sum passes a number."""
    count = game.legal_actions(state, actions)
    left = rng.uniform()
    for index in range(count - 1):
        left -= game.chance_probability(state, int(actions[index]))
        if left < 0:
            return int(actions[index])
    return int(actions[count - 1])


def _fill_at_random(game: Any, state: Any, actions: Any, rng: Any) -> int:
    """The same where actions are only used up: each is drawn once (Fisher-Yates)."""
    draws = draws_per_number(game.num_actions())  # a power of two
    plies, bits = 0, np.uint64(0)
    count = game.legal_actions(state, actions)
    rest = max(0, count - game.max_game_length())
    while count > rest and not game.is_terminal(state):
        if plies & (draws - 1) == 0:
            bits = rng.next()
        drawn, bits = draw_from(bits, count)
        count -= 1
        action = int(actions[drawn])
        actions[drawn] = actions[count]
        game.apply(state, action)
        plies += 1
    return plies

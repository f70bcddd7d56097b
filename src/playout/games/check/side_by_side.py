"""All rules of a game, called for one state; interpreted or compiled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ..contract.game import CHANCE, Game

__all__ = ["SENTINEL", "Side", "draw", "observe", "roll"]

#: What stands in the buffer of actions where nothing was written.
SENTINEL = -7_777_777


@kernel
def observe(game: Any, states: Any, actions: Any, action: int, seen: Any) -> None:
    """Apply an action (unless negative) to the middle state and note what rules say.

    `seen` receives the number of legal and of urgent actions, whether the state is
    terminal, the player to move, the returns, and what the action has brought.
    """
    state = states[1]
    if action >= 0:
        game.apply(state, action)
    seen[2] = 1.0 if game.is_terminal(state) else 0.0
    seen[3] = game.current_player(state) if seen[2] == 0.0 else 0
    player_moves = seen[2] == 0.0 and not (game.has_chance and seen[3] == CHANCE)
    seen[0] = game.urgent_actions(state, actions) if player_moves else 0
    seen[1] = game.legal_actions(state, actions)
    for player in range(game.num_players()):
        seen[4 + player] = game.returns(state, player) if seen[2] != 0.0 else 0.0
    if game.has_rewards:
        rewards = seen[4 + game.num_players() :]
        for player in range(game.num_players()):
            rewards[player] = game.rewards(state, player)


@kernel
def draw(game: Any, states: Any, actions: Any, rng: Any, chances: Any) -> int:
    """An outcome of chance; `chances` receives the probabilities of all."""
    if not game.has_chance:
        return CHANCE
    state = states[1]
    for index in range(game.legal_actions(state, actions)):
        chances[index] = game.chance_probability(state, actions[index])
    return game.sample_chance(state, actions, rng)


@kernel
def roll(game: Any, states: Any, actions: Any, rng: Any) -> int:
    """Play the middle state to the end by the game's own rollout."""
    return game.rollout(states[1], actions, rng)


@dataclass
class Side:
    """Buffers for one way of running the rules."""

    game: Game
    native: Any = None
    states: np.ndarray = field(init=False)
    actions: np.ndarray = field(init=False)
    seen: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.states = np.zeros(3, dtype=self.game.state_dtype())
        self.actions = np.zeros(max(1, self.game.num_actions()), dtype=np.int32)
        kinds = 2 if self.game.has_rewards else 1
        self.seen = np.zeros(4 + kinds * self.game.num_players())

    def observe(self, action: int) -> None:
        self.actions[:] = SENTINEL
        run = self.native or observe.function
        run(self.game, Rows(self.states), self.actions, action, self.seen)

    @property
    def returns(self) -> list[float]:
        return [float(r) for r in self.seen[4 : 4 + self.game.num_players()]]

    @property
    def rewards(self) -> list[float]:
        return [float(r) for r in self.seen[4 + self.game.num_players() :]]

    @property
    def legal(self) -> list[int]:
        return [int(action) for action in self.actions[: int(self.seen[1])]]

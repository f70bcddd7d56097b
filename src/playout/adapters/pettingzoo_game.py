"""`PettingZooGame`: an environment of PettingZoo's as `Foreign` rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..core.errors import RulesError, UsageError
from .environment import copied, number, try_copy
from .foreign import Choices, Foreign

__all__ = ["PettingZooGame"]


class _Underway:
    """An environment somewhere on its way.

    Attributes:
        env: the environment, which is stepped for this state alone.
        totals: the rewards of every agent until now.
        plies: actions until now.
    """

    __slots__ = ("env", "plies", "totals")

    def __init__(self, env: Any, totals: Sequence[float], plies: int) -> None:
        self.env, self.totals, self.plies = env, list(totals), plies


class PettingZooGame(Foreign):
    """An environment of PettingZoo.

    Args:
        name: of the game.
        environment: that is copied.
        seed: of `reset`.
        length: after so many actions a game is cut off.

    Attributes:
        agents: the names of the players.
        tried: how many random games have shown `zero_sum` and `return_range`.
    """

    def __init__(self, name: str, environment: Any, seed: int, length: int) -> None:
        self.name, self.most_plies = name, length
        self.env = try_copy(name, environment)
        self.env.reset(seed=seed)
        self.agents = list(self.env.possible_agents)
        self.players = len(self.agents)
        self._seats = {agent: seat for seat, agent in enumerate(self.agents)}
        spaces = [self.env.action_space(agent) for agent in self.agents]
        for space in spaces:
            if not hasattr(space, "n"):
                raise UsageError(
                    f"{name}: actions are {space}; a search needs ones that can be "
                    "counted (Discrete)"
                )
        self.first = min(int(getattr(space, "start", 0)) for space in spaces)
        self.num_actions = max(
            int(getattr(space, "start", 0)) + int(space.n) - self.first
            for space in spaces
        )
        self.tried = 0

    def start(self) -> _Underway:
        return _Underway(copied(self.env), [0.0] * self.players, 0)

    def begin(self, seed: int) -> _Underway:
        """A start with another seed."""
        state = self.start()
        state.env.reset(seed=seed)
        return state

    def copy(self, state: _Underway) -> _Underway:
        return _Underway(copied(state.env), state.totals, state.plies)

    def turn(self, state: _Underway) -> Choices:
        env = state.env
        if not self._alive(env):
            return Choices(0, ())
        agent = env.agent_selection
        actions = self._legal(env, agent)
        if not actions:
            raise RulesError(f"{agent} is to act, and no action is legal")
        return Choices(self._seats[agent], actions)

    def _alive(self, env: Any) -> bool:
        return any(
            not (env.terminations.get(agent) or env.truncations.get(agent))
            for agent in env.agents
        )

    def _legal(self, env: Any, agent: str) -> Sequence[int]:
        """Those of the mask in what the agent observes, or in `infos`; else all."""
        seen = env.observe(agent)
        mask = seen.get("action_mask") if isinstance(seen, dict) else None
        if mask is None:
            mask = env.infos.get(agent, {}).get("action_mask")
        space = env.action_space(agent)
        legal: Iterable[int] = range(int(space.n))
        if mask is not None:
            legal = np.flatnonzero(np.asarray(mask)).tolist()
        ahead = int(getattr(space, "start", 0)) - self.first
        return [ahead + action for action in legal]

    def play(self, state: _Underway, action: int) -> None:
        self._step(state, self.first + action)
        state.plies += 1
        env = state.env
        while self._alive(env) and self._is_out(env, env.agent_selection):
            self._step(state, None)  # one that is out is asked for once more

    def _is_out(self, env: Any, agent: str) -> bool:
        return bool(env.terminations[agent] or env.truncations[agent])

    def _step(self, state: _Underway, action: int | None) -> None:
        state.env.step(action)
        for agent, reward in state.env.rewards.items():
            what = f"the reward of {agent}"
            state.totals[self._seats[agent]] += number(what, reward)

    def returns(self, state: _Underway) -> Sequence[float]:
        found = state.totals
        if self.zero_sum and abs(sum(found)) > 1e-9:
            raise RulesError(
                f"the game ends with {found}; in {self.tried} random games the results "
                "added up to 0, and that was relied upon"
            )
        if self.return_range is not None:
            low, high = self.return_range
            if not low <= min(found) <= max(found) <= high:
                raise RulesError(
                    f"the game ends with {found}; {self.tried} random games ended "
                    f"from {low:g} to {high:g}, and that was relied upon"
                )
        return found

    def action_name(self, action: int) -> str:
        return str(self.first + action)

    def text(self, state: _Underway) -> str:
        """What the environment draws as text, or else who is to act."""
        env = state.env
        if "ansi" in (env.metadata.get("render_modes") or ()):
            env = copied(env)
            env.unwrapped.render_mode = "ansi"
            return str(env.render())
        totals = ", ".join(
            f"{agent} {total:g}"
            for agent, total in zip(self.agents, state.totals, strict=True)
        )
        mover = f"{env.agent_selection} to act" if self._alive(env) else "over"
        return f"{state.plies} actions, {mover}; rewards: {totals}"

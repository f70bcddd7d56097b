"""Playout's games as other packages' environments.

`as_pettingzoo`: each player is an agent (AEC). `as_gymnasium`: one seat is the agent's,
and a player of Playout's has the others. Chance is drawn within the environment.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..adapters.packages import package
from ..core.errors import UsageError, quote
from ..core.rng import make_rng
from ..core.text.fields import expect_whole
from ..games.contract.game import Game, has_own
from ..games.contract.units import declared_range
from ..games.positions.position import Position
from ..games.registry import make_game
from .player import Allowance
from .registry import make_player

__all__ = ["as_gymnasium", "as_pettingzoo"]


class _OwnGame:
    """A game under way: what both kinds of environment do with it.

    Args:
        game: the rules.

    Attributes:
        forfeit: what an illegal move brings: the lowest return, or -1 where returns
            have no bounds; never above 0.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.size = game.num_actions()
        lowest, _ = declared_range(game) or (-1.0, 1.0)
        self.forfeit = min(0.0, lowest)
        self.begin(0)
        self.shape = self.observed(0).shape

    def begin(self, seed: int) -> None:
        """Begin a game; its chance follows from the seed."""
        self.rng = make_rng(seed)
        self.position = Position(self.game).play_chance(self.rng)

    def play(self, action: int) -> None:
        self.position.play(int(action)).play_chance(self.rng)

    def observed(self, player: int) -> NDArray[np.float32]:
        """What a player observes: what `observe` writes, or the state's numbers."""
        state = self.position.copy()
        if self.game.has_hidden and not state.is_terminal:
            self.game.hide(state.state, player)
        if has_own(self.game, "observe"):
            planes = np.zeros(self.game.observation_shape(), np.float32)
            if not state.is_terminal:
                self.game.observe(state.state, planes)
            return planes
        row = state.array[0]
        numbers = [np.ravel(row[name]) for name in row.dtype.names]
        return np.concatenate(numbers).astype(np.float32)

    def is_legal(self, action: Any, player: int) -> bool:
        """Whether a player may play an action now.

        Raises:
            UsageError: there is no such action.
        """
        return bool(self.mask(player)[expect_whole("action", action, 0, self.size - 1)])

    def mask(self, player: int) -> NDArray[np.int8]:
        """1 for every legal action, where it is the player's turn."""
        found = np.zeros(self.size, np.int8)
        if not self.position.is_terminal and self.position.current_player == player:
            found[self.position.legal_actions()] = 1
        return found

    def returns(self) -> list[float]:
        return [self.position.returns(p) for p in range(self.game.num_players())]


def _game(game: Game | str, render_mode: str | None) -> Game:
    if render_mode not in (None, "ansi"):
        raise UsageError(
            f"render_mode must be 'ansi' or None, not {quote(render_mode)}"
        )
    return game if isinstance(game, Game) else make_game(game)


def as_pettingzoo(game: Game | str, render_mode: str | None = None) -> Any:
    """A game as an AEC environment of PettingZoo's.

    Agents are called `player_0` and so on. An observation is a dictionary of
    `observation` (what `observe` of the game writes, or the state's numbers) and
    `action_mask`. A finished game rewards every agent with its return; an illegal move
    ends it, with a loss for whoever made it (PettingZoo's own wrapper would raise).

    Args:
        game: the rules, or their text.
        render_mode: "ansi", or None.

    Raises:
        UsageError: PettingZoo is missing.
    """
    pettingzoo = package(
        "pettingzoo", "A PettingZoo environment", "playout[pettingzoo]"
    )
    spaces = package(
        "gymnasium", "A PettingZoo environment", "playout[pettingzoo]"
    ).spaces
    episode = _OwnGame(_game(game, render_mode))

    class PlayoutAEC(pettingzoo.AECEnv):  # type: ignore[misc, name-defined]
        metadata = {  # noqa: RUF012 - the base class has it like that
            "name": f"{episode.game.name or type(episode.game).__name__}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }

        def __init__(self) -> None:
            super().__init__()
            self.episode = episode
            self.render_mode = render_mode
            count = self.episode.game.num_players()
            self.possible_agents = [f"player_{number}" for number in range(count)]
            self._seats = {agent: n for n, agent in enumerate(self.possible_agents)}
            self.agents: list[str] = []
            box = spaces.Box(-np.inf, np.inf, self.episode.shape, np.float32)
            mask = spaces.Box(0, 1, (self.episode.size,), np.int8)
            shown = {"observation": box, "action_mask": mask}
            self.observation_spaces = {
                agent: spaces.Dict(shown) for agent in self.possible_agents
            }
            self.action_spaces = {
                agent: spaces.Discrete(self.episode.size)
                for agent in self.possible_agents
            }

        def observation_space(self, agent: str) -> Any:
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self.action_spaces[agent]

        def reset(self, seed: int | None = None, options: Any = None) -> None:
            self.episode.begin(int(np.random.SeedSequence(seed).generate_state(1)[0]))
            self.agents = list(self.possible_agents)
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {a: {} for a in self.agents}
            self._point()

        def _point(self) -> None:
            """Whose turn it is."""
            self.agent_selection = self.possible_agents[
                self.episode.position.current_player
            ]

        def observe(self, agent: str) -> dict[str, Any]:
            seat = self._seats[agent]
            return {
                "observation": self.episode.observed(seat),
                "action_mask": self.episode.mask(seat),
            }

        def step(self, action: Any) -> None:
            if not self.agents:
                raise UsageError("a game has to be begun: call reset")
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[agent] = 0.0
            self._clear_rewards()
            if self.episode.is_legal(action, self._seats[agent]):
                self.episode.play(int(action))
                if self.episode.position.is_terminal:
                    self._end(self.episode.returns())
                else:
                    self._point()
            else:
                forfeit = self.episode.forfeit
                self._end([forfeit if a == agent else 0.0 for a in self.agents])
            self._accumulate_rewards()

        def _end(self, returns: list[float]) -> None:
            self.rewards = dict(zip(self.agents, returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            seat = self.agents.index(self.agent_selection)
            self.agent_selection = self.agents[(seat + 1) % len(self.agents)]

        def render(self) -> str | None:
            if self.render_mode is None:
                return None
            return str(self.episode.position.render())

        def close(self) -> None:
            return

    return PlayoutAEC()


def as_gymnasium(
    game: Game | str,
    opponent: str = "mcts:simulations=100",
    *,
    seat: int | None = 0,
    render_mode: str | None = None,
) -> Any:
    """A game as an environment of Gymnasium's, against a player of Playout's.

    The observation is what `observe` of the game writes, or the state's numbers;
    `info["action_mask"]` has a 1 for every legal action. The reward is 0 until the end,
    then the agent's return; an illegal move ends the game with the lowest return, or
    with -1 where returns have no bounds.

    Args:
        game: the rules, or their text.
        opponent: who plays all other seats, as on the command line; it knows what they
            know, and no more.
        seat: of the agent; None to draw one for every game.
        render_mode: "ansi", or None.

    Raises:
        UsageError: Gymnasium is missing, or the game has no such seat.
    """
    gymnasium = package("gymnasium", "A Gymnasium environment", "playout[gymnasium]")
    episode = _OwnGame(_game(game, render_mode))
    count = episode.game.num_players()
    if seat is not None and not 0 <= seat < count:
        raise UsageError(f"seat must be 0 to {count - 1}, or None, not {seat}")

    class PlayoutEnv(gymnasium.Env):  # type: ignore[misc, name-defined]
        metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - so is the base class's

        def __init__(self) -> None:
            self.render_mode = render_mode
            spaces = gymnasium.spaces
            self.action_space = spaces.Discrete(episode.size)
            self.observation_space = spaces.Box(
                -np.inf, np.inf, episode.shape, np.float32
            )
            self.player = make_player(opponent, episode.game)
            self._ready, self._over = False, True

        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            super().reset(seed=seed)
            if not self._ready:
                self.player.prepare()
                self._ready = True
            drawn = int(self.np_random.integers(2**31))
            episode.begin(drawn)
            self.player.new_game(drawn)
            self.seat = drawn % count if seat is None else seat
            self._over = False
            self._answer()
            return episode.observed(self.seat), self._info()

        def _answer(self) -> None:
            """Let the opponent move until it is the agent's turn."""
            while True:
                position = episode.position
                if position.is_terminal or position.current_player == self.seat:
                    return
                seen = position.seen_by(position.current_player)
                episode.play(self.player.choose(seen, Allowance()).action)

        def _info(self) -> dict[str, Any]:
            return {"action_mask": episode.mask(self.seat)}

        def step(self, action: Any) -> Any:
            reward = 0.0
            if self._over:
                raise UsageError("a game has to be begun: call reset")
            over = not episode.is_legal(action, self.seat)
            if over:
                reward = episode.forfeit
            else:
                episode.play(int(action))
                self._answer()
                over = episode.position.is_terminal
                reward = episode.position.returns(self.seat) if over else 0.0
            self._over = over
            return episode.observed(self.seat), float(reward), over, False, self._info()

        def render(self) -> str | None:
            if self.render_mode is None:
                return None
            return str(episode.position.render())

        def close(self) -> None:
            self.player.close()

    return PlayoutEnv()

"""`SelfPlay`: a network plays against itself, many games at a time.

    Danihelka, Guez, Schrittwieser, Silver, "Policy improvement by planning with
    Gumbel", ICLR 2022: the root's Gumbel search plays its own choice, and what is
    learnt is not how often actions were tried but the improved policy,
    softmax(logit + sigma(completed q)) (section 4).

The searches of all games find one leaf each, and the network judges them together
(`MCTS.search_many`). What a search has proven counts as it is: the q of a move that is
proven, and the value of a position, are exact. Some games begin with moves at random,
so that positions are seen to which good players would not come; these moves are not
learnt from.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.jit.rows import join_rows
from ..core.rng import make_rng
from ..games.contract.game import Game
from ..games.positions.native_position import NativePosition
from ..players.networks import load_network
from ..search.evaluation.evaluator import Evaluator
from ..search.limit import Limit
from ..search.mcts import MCTS
from ..search.selection.gumbel import Gumbel
from .config import TrainConfig
from .remembered import Remembered
from .replay import Lesson
from .roots import Roots

__all__ = ["SelfPlay"]

#: `Gumbel`'s default lets a difference of 0.1 in value count as 5 logits, which is for
#: values that can be trusted; those of a network that begins to learn are noise.
SIGMA = {"c_visit": 50.0, "c_scale": 0.25}


@dataclass
class _Game:
    """A game that is being played, and what it will teach."""

    position: NativePosition
    states: list[NDArray[np.void]] = field(default_factory=list)
    policies: list[NDArray[np.float32]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    players: list[int] = field(default_factory=list)


class SelfPlay:
    """Games of a network against itself, side by side.

    Args:
        game: the rules.
        config: how it is searched.
        threads: that look for leaves.
        seed: of all random numbers.

    Attributes:
        seconds: that all steps took so far.
        network_seconds: of these, the ones that the network took.
    """

    def __init__(
        self, game: Game, config: TrainConfig, threads: int, seed: int
    ) -> None:
        self.game, self.config, self.threads = game, config, threads
        self._network: Evaluator | None = None
        self.seconds = self.network_seconds = 0.0
        self._rng = np.random.default_rng(seed)
        self._dice = make_rng(seed, stream=7)
        self._selection = Gumbel(config.considered, **SIGMA)
        self._search = MCTS(
            game,
            evaluator=self._ask,
            selection=self._selection,
            threads=threads,
            seed=seed,
        )
        self._games = [self._begin() for _ in range(config.games_at_once)]
        self._compile()

    def _compile(self) -> None:
        """Compile or load all that a step runs, before time is taken."""
        actions = self.game.num_actions()
        self._network = lambda planes: (
            np.zeros(len(planes)),
            np.ones((len(planes), actions)),
        )
        positions = [game.position for game in self._games]
        self._search.search_many(positions, Limit(simulations=2))
        self.network_seconds = 0.0

    def use(self, path: Path) -> None:
        """Play with the network of a file from now on, also in games under way."""
        self._network = Remembered(load_network(path, self.game, self.threads))

    def close(self) -> None:
        """Nothing needs to be closed."""

    def step(self) -> list[Lesson]:
        """Play one move in every game; returns what those that ended teach."""
        started = time.perf_counter()
        positions = [game.position for game in self._games]
        limit = Limit(simulations=self.config.simulations)
        results = self._search.search_many(positions, limit)
        if results.stopped_by == "interrupted":
            raise KeyboardInterrupt  # which the search has taken for its own
        roots = Roots(results, self._selection)
        policies, actions, values = roots.policies(), roots.choices(), roots.values()
        lessons = []
        for index, game in enumerate(self._games):
            self._note(game, policies[index], float(values[index]))
            self._play(game.position, int(actions[index]))
            if self._is_over(game.position):
                lessons.append(self._lesson(game))
                self._games[index] = self._begin()
        self.seconds += time.perf_counter() - started
        return lessons

    def _ask(self, planes: NDArray[np.float32]) -> tuple[Any, Any]:
        """The network's answer, and how long it took."""
        assert self._network is not None
        started = time.perf_counter()
        found = self._network(planes)
        self.network_seconds += time.perf_counter() - started
        return found

    def _note(self, game: _Game, policy: NDArray[np.float32], value: float) -> None:
        """Keep what the search of a position has found."""
        game.states.append(game.position.array.copy())
        game.policies.append(policy)
        game.values.append(value)
        game.players.append(game.position.current_player)

    def _play(self, position: NativePosition, action: int) -> None:
        """Play a move, and what chance draws after it."""
        position.play(action)
        if self.game.has_chance:
            position.play_chance(self._dice)

    def _begin(self) -> _Game:
        """A new game, with some moves at random at times."""
        while True:
            position = NativePosition(self.game)
            plies = 0
            if self._rng.random() < self.config.random_share:
                plies = int(self._rng.integers(0, self.config.random_moves + 1))
            for _ in range(plies):
                self._play_at_random(position)
            if self.game.has_chance:
                position.play_chance(self._dice)
            if not position.is_terminal:
                return _Game(position)

    def _play_at_random(self, position: NativePosition) -> None:
        if self.game.has_chance:
            position.play_chance(self._dice)
        if not position.is_terminal:
            position.play(int(self._rng.choice(position.legal_actions())))

    def _is_over(self, position: NativePosition) -> bool:
        too_long = len(position.actions) >= self.game.max_game_length()
        return too_long or position.is_terminal

    def _lesson(self, game: _Game) -> Lesson:
        """What a finished game teaches; one that is too long counts as a draw."""
        position, mix = game.position, self.config.value_mix
        over = position.is_terminal
        returned = [position.returns(p) if over else 0.0 for p in (0, 1)]
        values = [
            mix * value + (1 - mix) * returned[player]
            for value, player in zip(game.values, game.players, strict=True)
        ]
        return Lesson(
            tuple(position.moves),
            returned[0],
            join_rows(game.states),
            np.array(game.policies, np.float16),
            np.array(values, np.float32),
        )

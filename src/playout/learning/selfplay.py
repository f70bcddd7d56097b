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
from dataclasses import dataclass
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
from .games_at_once import GamesAtOnce
from .remembered import Remembered
from .replay import Lesson
from .roots import Roots

__all__ = ["SelfPlay"]

#: `Gumbel`'s default lets a difference of 0.1 in value count as 5 logits, which is for
#: values that can be trusted; those of a network that begins to learn are noise.
SIGMA = {"c_visit": 50.0, "c_scale": 0.25}


@dataclass(frozen=True)
class _Step:
    """What was found when a move was played in each of B games.

    Attributes:
        states: `[B]` of the game's dtype, before the move.
        players: `[B]` who moved.
        policies: `[B, A]` the improved policies, which sum to 1.
        values: `[B]` the values of the states for who moved, from -1 to 1.
    """

    states: NDArray[np.void]
    players: NDArray[np.int64]
    policies: NDArray[np.float32]
    values: NDArray[np.float64]


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
        self.seconds = self.network_seconds = 0.0
        self._rng = np.random.default_rng(seed)
        self._dice = make_rng(seed, stream=7)
        self._selection = Gumbel(config.considered, **SIGMA)
        self._network = Remembered(game, self._indifferent)
        self._search = MCTS(
            game,
            evaluator=self._network,
            selection=self._selection,
            threads=threads,
            seed=seed,
        )
        self._start = NativePosition(game)
        self._games = GamesAtOnce(game, config.games_at_once, self._dice)
        self._steps: list[_Step] = []
        self._played = 0  # steps that are kept no more
        self._begun = np.zeros(config.games_at_once, np.int64)  # at which step
        for index in range(config.games_at_once):
            self._begin(index)
        # Compile or load all that a step runs, before time is taken.
        self._search.search_many(self._games.states(), Limit(simulations=2))

    def use(self, path: Path) -> None:
        """Play with the network of a file from now on, also in games under way."""
        network = load_network(path, self.game, self.threads)
        self._network.use(lambda planes: self._timed(network, planes))

    def close(self) -> None:
        """Nothing needs to be closed."""

    def step(self) -> list[Lesson]:
        """Play one move in every game; returns what those that ended teach."""
        started = time.perf_counter()
        states, players = self._games.states(), self._games.facts["player"].copy()
        limit = Limit(simulations=self.config.simulations)
        results = self._search.search_many(states, limit)
        if results.stopped_by == "interrupted":
            raise KeyboardInterrupt  # which the search has taken for its own
        roots = Roots(results, self._selection)
        self._steps.append(_Step(states, players, roots.policies(), roots.values()))
        self._games.play(roots.choices())
        lessons = []
        for index in np.flatnonzero(self._games.facts["over"]).tolist():
            lessons.append(self._lesson(index))
            self._begin(index)
        done = int(self._begun.min()) - self._played
        del self._steps[:done]  # which no game needs any more
        self._played += done
        self.seconds += time.perf_counter() - started
        return lessons

    def _indifferent(self, planes: NDArray[np.float32]) -> tuple[Any, Any]:
        """What is asked before there is a network."""
        return np.zeros(len(planes)), np.ones((len(planes), self.game.num_actions()))

    def _timed(self, network: Evaluator, planes: NDArray[np.float32]) -> Any:
        """A network's answer; counts how long it took."""
        started = time.perf_counter()
        found = network(planes)
        self.network_seconds += time.perf_counter() - started
        return found

    def _begin(self, index: int) -> None:
        """Begin a new game, with some moves at random at times."""
        while True:
            position = self._start.copy()
            plies = 0
            if self._rng.random() < self.config.random_share:
                plies = int(self._rng.integers(0, self.config.random_moves + 1))
            for _ in range(plies):
                self._play_at_random(position)
            if self.game.has_chance:
                position.play_chance(self._dice)
            if not position.is_terminal:
                break
        self._games.put(index, position)
        self._begun[index] = self._played + len(self._steps)

    def _play_at_random(self, position: NativePosition) -> None:
        if self.game.has_chance:
            position.play_chance(self._dice)
        if not position.is_terminal:
            position.play(int(self._rng.choice(position.legal_actions())))

    def _lesson(self, index: int) -> Lesson:
        """What a finished game teaches; one that is too long counts as a draw."""
        steps = self._steps[int(self._begun[index]) - self._played :]
        players = [step.players[index] for step in steps]
        values = np.array([step.values[index] for step in steps])
        returned = self._games.facts["returned"][index]
        mix = self.config.value_mix
        return Lesson(
            self._games.moves(index),
            float(returned[0]),
            join_rows([step.states[index : index + 1] for step in steps]),
            np.array([step.policies[index] for step in steps], np.float16),
            np.asarray(mix * values + (1 - mix) * returned[players], np.float32),
        )

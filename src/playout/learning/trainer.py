"""`Training`: self-play, learning and files, again and again.

A folder holds all of a training:

    games.db        the games of self-play (`replay`)
    checkpoint.pt   weights, optimiser and the curve: what it takes to go on
    net.onnx        the network that plays (`net.npz` for a native one)
    card.json       what it is, and how it was trained; `net:FOLDER` reads it
    earlier/        networks of before, which later ones are measured against

Each file is replaced as a whole. Whatever ends the process, the next one learns again
what has been learnt since the checkpoint was written, from games that are all there.
"""

from __future__ import annotations

import dataclasses
import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from ..core.errors import UsageError
from ..core.files import remove_unfinished, replacing
from ..core.text.spec import split_parts
from ..games.registry import make_game
from ..players.networks import CARD, KINDS, read_card, save_network
from .card import card_of
from .config import TrainConfig
from .exports import dense_weights, to_onnx
from .facts import Facts
from .networks import Learner, expect_torch
from .observing import PlaneWriter, RandomSymmetry, expect_trainable
from .replay import FILE as GAMES
from .replay import Lesson, Replay
from .selfplay import SelfPlay

__all__ = ["Budget", "Source", "Training"]

CHECKPOINT = "checkpoint.pt"


class Source(Protocol):
    """Where games come from.

    Attributes:
        seconds: that self-play took so far.
        network_seconds: of these, the ones that the network took.
    """

    seconds: float
    network_seconds: float

    def use(self, path: Path) -> None:
        """Play with the network of a file from now on."""

    def step(self) -> list[Lesson]:
        """Go on for a moment; returns what the games that ended teach."""

    def close(self) -> None:
        """End it."""


@dataclass(frozen=True)
class Budget:
    """When a training ends; with neither limit it goes on until Ctrl-C.

    Attributes:
        minutes: of this call.
        games: in the folder, those of earlier calls included.
    """

    minutes: float | None = None
    games: int | None = None


#: Told of a training whenever something has changed, and in a word what it does.
Observer = Callable[["Training", str], None]
#: Measures a training's network: adds rows to `facts.strength`.
Measure = Callable[["Training"], None]


class Training:
    """A network that learns a game, in a folder.

    Args:
        spec: the game, as on the command line.
        folder: where all is kept; made if it is not there.
        config: how it learns.
        kind: `onnx` or `native`.
        resume: whether a training that the folder holds is to go on.
        make_source: where games come from, made with a seed; by default this process.

    Attributes:
        facts: how it stands.
        replay: its games.
        learner: its network.

    Raises:
        UsageError: the game cannot be learnt, PyTorch is missing, or the folder holds
            a training: of another game or network, or one that is not to go on.
    """

    def __init__(
        self,
        spec: str,
        folder: Path,
        config: TrainConfig,
        kind: str = "onnx",
        *,
        resume: bool = False,
        make_source: Callable[[int], Source] | None = None,
    ) -> None:
        self.spec, self.folder, self.kind = spec, folder, kind
        self.config = config
        self.game = game = make_game(spec)
        expect_trainable(game, spec)
        expect_torch()
        self.shape = config.shape(kind)
        self.threads = config.threads or os.cpu_count() or 1
        self._make_folder(resume)
        self.observations, self.turn_round = PlaneWriter(game), RandomSymmetry(game)
        self.learner = Learner(
            self.shape,
            self.observations.shape,
            game.num_actions(),
            config,
            self.threads,
        )
        self.replay = Replay(folder, game, spec, config.window)
        remove_unfinished(folder)
        self.facts = self._load()
        self._measured = self.facts.seconds
        seeds = np.random.SeedSequence([config.seed, self.replay.games])
        seed = int(seeds.generate_state(1)[0])
        try:
            self.source = (
                SelfPlay(game, config, self.threads, seed)
                if make_source is None
                else make_source(seed)
            )
        except BaseException:
            self.replay.close()
            raise

    @property
    def network_path(self) -> Path:
        """The file that the network plays from."""
        return self.folder / KINDS[self.kind]

    def run(
        self,
        budget: Budget,
        observe: Observer | None = None,
        measure: Measure | None = None,
    ) -> None:
        """Train until the budget is used up; Ctrl-C ends it, and nothing is lost.

        Raises:
            KeyboardInterrupt: at Ctrl-C; all games that were finished are kept.
            UsageError: the learning rate is too large; what was before is kept.
            StoreError: a file cannot be written; what is there is kept.
        """
        self._observe = observe or (lambda training, what: None)
        self._clock = _Clock(self.facts.seconds, budget.minutes)
        self._wanted = budget.games
        try:
            self._publish()
            while self._done < 1.0:
                self._play()
                if self._positions_since >= self.config.checkpoint_positions:
                    self._learn()
                    if self._is_time_to_measure():
                        self._measure(measure)
            self._learn()
            self._measure(measure)
        finally:
            self.close()

    def close(self) -> None:
        """End self-play and close the files; may be called twice."""
        self.source.close()
        self.replay.close()

    @property
    def steps_due(self) -> int:
        """Steps of learning that the games so far have still to bring."""
        wanted = self.replay.positions * self.config.passes / self.config.batch
        return max(0, int(wanted) - self.learner.steps)

    @property
    def _positions_since(self) -> int:
        """Positions since the last network was made."""
        curve = self.facts.curve
        return self.replay.positions - (curve[-1]["positions"] if curve else 0)

    @property
    def _done(self) -> float:
        """How much of the budget is used up, 0 to 1; 0 where there is no end."""
        if self._wanted is None:
            return self._clock.done
        return max(self._clock.done, _share(self.replay.games, self._wanted))

    def _play(self) -> None:
        """Go on with the games, and keep those that have ended."""
        if lessons := self.source.step():
            self.replay.add(lessons)
            self._observe(self, "playing")

    def _learn(self) -> None:
        """Take the steps that are due, note the losses, and play with the result."""
        due = self.steps_due
        if due == 0:
            if self.facts.games != self.replay.games:  # too few for a step
                self._count()
                self._checkpoint()
            return
        self._observe(self, "learning")
        self.learner.set_rate(self.config.rate_at(self._done))
        rng = np.random.default_rng([self.config.seed, self.learner.steps])
        losses = np.zeros(2)
        for _ in range(due):
            states, policies, values = self.replay.sample(self.config.batch, rng)
            planes, policies = self.turn_round(self.observations(states), policies, rng)
            losses += self.learner.learn(planes, policies, values)
        self._expect_finite()
        self._count()
        facts = self.facts
        names = ("games", "positions", "steps", "seconds")
        row = {name: getattr(facts, name) for name in names}
        policy, value = (losses / due).tolist()
        facts.curve.append({**row, "policy_loss": policy, "value_loss": value})
        self._checkpoint()

    def _expect_finite(self) -> None:
        """Complain of steps that were too long, before anything of them is kept."""
        if not self.learner.is_finite():
            raise UsageError(
                f"{self.folder}: the network's weights have grown beyond all numbers: "
                f"learning_rate = {self.config.learning_rate:g} is too large. The "
                "network before is kept; --resume with a smaller one in --config goes "
                "on from it"
            )

    def _measure(self, measure: Measure | None) -> None:
        """Measure the network; this does not count as training time."""
        if measure is None or not self.config.match_minutes:
            return
        self._observe(self, "measuring")
        with self._clock.stopped():
            measure(self)
        self._measured = self.facts.seconds
        self._checkpoint()

    def _is_time_to_measure(self) -> bool:
        return self.facts.seconds - self._measured >= 60 * self.config.match_minutes

    def _count(self) -> None:
        """Bring the facts up to date."""
        facts, source = self.facts, self.source
        facts.games, facts.positions = self.replay.games, self.replay.positions
        facts.steps, facts.seconds = self.learner.steps, self._clock.seconds
        if source.seconds:
            facts.outside = 1 - source.network_seconds / source.seconds

    def _checkpoint(self) -> None:
        """Write all that it takes to go on, then what plays."""
        content = self.learner.to_bytes(**dataclasses.asdict(self.facts))
        with replacing(self.folder / CHECKPOINT) as file:
            file.write_bytes(content)
        self._publish()

    def _publish(self) -> None:
        """Write the network that plays, and its card; self-play goes on with it."""
        weights, actions = self.learner.weights(), self.game.num_actions()
        network = (
            to_onnx(self.shape, self.observations.shape, actions, weights)
            if self.kind == "onnx"
            else dense_weights(self.shape, weights)
        )
        card = card_of(self.spec, self.kind, self.config, self.facts)
        save_network(self.folder, network, card)
        self.source.use(self.network_path)

    def _make_folder(self, resume: bool) -> None:
        if split_parts(str(self.folder)) != [str(self.folder)]:
            raise UsageError(
                f"{self.folder}: net:DIR is a player, and a comma ends DIR there; name "
                "a folder without one"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise UsageError(
                f"{self.folder}: this is a file, not a directory"
            ) from None
        except OSError as error:
            raise UsageError(f"{self.folder}: {error.strerror}") from None
        there = [name for name in (GAMES, CHECKPOINT) if (self.folder / name).exists()]
        if there and not resume:
            raise UsageError(
                f"{self.folder} holds a training already: --resume goes on with it"
            )
        if not there and (self.folder / CARD).exists():
            raise UsageError(
                f"{self.folder} holds a network, which would be written over, and not "
                "the training that made it: name another folder"
            )

    def _load(self) -> Facts:
        """What the checkpoint says, if there is one."""
        path = self.folder / CHECKPOINT
        if not path.exists() and not self._has_learnt():
            return Facts()
        try:
            if not path.exists():
                raise UsageError("it is missing")
            known = self.learner.load(path.read_bytes())
        except UsageError as error:
            self.replay.close()
            raise UsageError(
                f"{path}: {error}; get it back: with neither it nor "
                f"{self.network_path.name} here, a new network learns from the games"
            ) from None
        names = [one.name for one in dataclasses.fields(Facts)]
        return Facts(**{name: known[name] for name in names})

    def _has_learnt(self) -> bool:
        """Whether there is a network that would be written over by a new one."""
        if not (self.network_path.exists() and (self.folder / CARD).exists()):
            return False
        training = read_card(self.folder).get("training")
        return isinstance(training, dict) and bool(training.get("steps"))


def _share(part: float, whole: float) -> float:
    """A part's share of the whole, at most 1, which it is of nothing."""
    return part / whole if part < whole else 1.0


class _Clock:
    """Seconds of a training: those of earlier calls, and what this one has taken."""

    def __init__(self, before: float, minutes: float | None) -> None:
        self._before, self._started = before, time.monotonic()
        self._most = math.inf if minutes is None else 60 * minutes
        self._pauses = 0.0

    @property
    def seconds(self) -> float:
        return self._before + self._own

    @property
    def done(self) -> float:
        """The share of the minutes that has passed, 0 to 1."""
        return _share(self._own, self._most)

    @property
    def _own(self) -> float:
        return time.monotonic() - self._started - self._pauses

    def stopped(self) -> _Pause:
        """Do not count the time of this block."""
        return _Pause(self)


class _Pause:
    def __init__(self, clock: _Clock) -> None:
        self.clock = clock

    def __enter__(self) -> None:
        self.began = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.clock._pauses += time.monotonic() - self.began

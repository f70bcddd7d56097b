"""`Tuning`: finds constants of a player by the results of matches.

Every trial is a small match, in pairs, of the player with some values of its parameters
against the reference. Optuna's tree-structured Parzen estimator proposes the values (J.
Bergstra et al., "Algorithms for Hyper-Parameter Optimization", 2011); what is reported
is not its best trial, which is mostly a lucky one, but the best point of a surface that
is fitted through all trials (see `surface`).
"""

from __future__ import annotations

import contextlib
import hashlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import UsageError
from ..core.files import NoSuchFileError, expect_regular
from ..core.text.fields import expect_at_most
from ..core.text.spec import with_values
from ..games.registry import make_game
from ..players.registry import make_player
from .executors import Executor
from .match import MOST_GAMES, Match, MatchSettings, Observer, play_matches
from .named import files_digest
from .parameter import Parameter
from .rating import Tally, elo_of_score
from .seating import expect_two_seats
from .store import Store
from .surface import Surface, fit_surface

__all__ = ["Estimate", "Trial", "TuneSettings", "Tuning"]

#: Trials with random values, before the sampler learns from them.
RANDOM_TRIALS = 10


@dataclass(frozen=True)
class TuneSettings:
    """What is tuned, and against whom.

    Attributes:
        parameters: what to find, at least one.
        player: the spec that the values are put into.
        match: how games go; its players are A, who is set for each trial, and B, the
            reference.
        games: games of a trial, an even number.
    """

    parameters: tuple[Parameter, ...]
    player: str
    match: MatchSettings
    games: int = 20

    def __post_init__(self) -> None:
        names = [parameter.name for parameter in self.parameters]
        if not names:
            raise UsageError("name at least one parameter, as in c_uct=0.3..2.0")
        if len(set(names)) < len(names):
            raise UsageError("a parameter is named twice")
        if self.games < 2 or self.games % 2:
            raise UsageError(f"games of a trial must be 2, 4, ..., not {self.games}")
        expect_at_most("games of a trial", self.games, MOST_GAMES)
        game = make_game(self.match.game)
        expect_two_seats(game, "tuning")
        for end in ("low", "high"):
            values = {each.name: getattr(each, end) for each in self.parameters}
            make_player(self.candidate(values), game)

    def candidate(self, values: dict[str, float]) -> str:
        """The player with these values."""
        shown = {each.name: each.show(values[each.name]) for each in self.parameters}
        return with_values(self.player, shown)

    @property
    def identity(self) -> str:
        """Equal for equal settings, and equal files that they name."""
        settings = (self.parameters, self.player, self.match, self.games)
        specs = (self.match.game, self.player, self.match.players[1])
        files = [digest for digest in map(files_digest, specs) if digest]
        return repr((*settings, *files))


@dataclass(frozen=True)
class Trial:
    """The values that were tried, and how they did."""

    values: tuple[float, ...]
    tally: Tally


@dataclass(frozen=True)
class Estimate:
    """What all trials together say.

    Attributes:
        values: where the expected score is highest.
        low: the lower ends of what holds the best values, 95 % sure, one by one.
        high: the upper ends.
        elo: of that player above the reference, with the ends of its 95 % interval.
        surface: the fit.
    """

    values: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    elo: tuple[float, float, float]
    surface: Surface


class Tuning:
    """A tuning: its trials so far, and how it goes on.

    Args:
        settings: what is tuned.
        path: where trials are kept, in Optuna's journal; None for memory. One process
            at a time may work on a file.

    Attributes:
        trials: those that are complete.

    Raises:
        UsageError: the extra `tune` is not installed, or the file holds another tuning.
    """

    def __init__(self, settings: TuneSettings, path: str | Path | None = None) -> None:
        self.settings = settings
        self._study = _open_study(settings, path)
        self._resume()

    @property
    def trials(self) -> list[Trial]:
        return [
            Trial(
                tuple(trial.params[each.name] for each in self.settings.parameters),
                _tally(trial.user_attrs["tally"]),
            )
            for trial in self._study.get_trials(deepcopy=False)
            if trial.state.name == "COMPLETE"
        ]

    @property
    def games(self) -> int:
        """Games of all complete trials."""
        return sum(trial.tally.games for trial in self.trials)

    def run(
        self,
        games: int,
        store: Store,
        executor: Executor,
        observe: Callable[[Trial], None] | None = None,
        observe_game: Observer | None = None,
    ) -> None:
        """Go on until the trials have so many games; what was cut short is continued.

        Args:
            games: of all trials together, at most; the last trial is the smaller.
            store: keeps the games.
            executor: plays them.
            observe: told of every trial.
            observe_game: told of every game.
        """
        while (size := min(self.settings.games, (games - self.games) // 2 * 2)) > 0:
            seed = self._next_seed()
            self._study.sampler = _sampler(seed)
            trial = self._study.ask(self._distributions())
            match = self._match(trial.params, seed, size)
            play_matches([match], store, executor, observe_game)
            trial.set_user_attr("tally", _numbers(match.tally))
            self._study.tell(trial, match.tally.score)
            if observe is not None:
                observe(self.trials[-1])

    def estimate(self) -> Estimate:
        """What the trials say of the best values.

        Raises:
            UsageError: there are no trials.
        """
        trials = self.trials
        if not trials:
            raise UsageError("no trial is complete")
        parameters = self.settings.parameters
        units = [
            [each.to_unit(v) for each, v in zip(parameters, trial.values, strict=True)]
            for trial in trials
        ]
        tallies = [trial.tally for trial in trials]
        scores = np.array([tally.score for tally in tallies])
        variances = score_variances(tallies)
        surface = fit_surface(np.array(units), scores, variances, self._nearest)
        ends = surface.mean.max(), *np.quantile(surface.best_scores, (0.025, 0.975))
        value, low, high = (elo_of_score(float(score)) for score in ends)
        best_low, best_high = surface.best_interval()
        return Estimate(
            values=self._values(surface.best),
            low=self._values(best_low),
            high=self._values(best_high),
            elo=(value, low, high),
            surface=surface,
        )

    def _nearest(self, points: Any) -> Any:
        """The points of the unit cube nearest to these that can be tried."""
        columns = zip(self.settings.parameters, points.T, strict=True)
        return np.array([[*map(each.nearest, column)] for each, column in columns]).T

    def _values(self, units: Any) -> tuple[float, ...]:
        """The parameters at a point of the unit cube."""
        parameters = self.settings.parameters
        pairs = zip(parameters, units.tolist(), strict=True)
        return tuple(each.from_unit(unit) for each, unit in pairs)

    def _match(self, values: dict[str, float], seed: int, games: int) -> Match:
        settings = self.settings.match
        players = (self.settings.candidate(values), settings.players[1])
        return Match(replace(settings, players=players, seed=seed), games)

    def _next_seed(self) -> int:
        """The seed of the next trial, the same if the last one was cut short."""
        text = f"{self.settings.match.seed} {len(self.trials)}".encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:4], "big")

    def _distributions(self) -> dict[str, Any]:
        from optuna.distributions import FloatDistribution, IntDistribution

        return {
            each.name: IntDistribution(int(each.low), int(each.high), log=each.log)
            if each.integer
            else FloatDistribution(each.low, each.high, log=each.log)
            for each in self.settings.parameters
        }

    def _resume(self) -> None:
        """Give up trials that were cut short: the next one has their values again."""
        from optuna.trial import TrialState

        for trial in self._study.get_trials(states=(TrialState.RUNNING,)):
            self._study.tell(trial.number, state=TrialState.FAIL)


def score_variances(tallies: Sequence[Tally]) -> Any:
    """`[T]` the variances of the trials' scores.

    The variance of a pair is taken over all trials, each around its own mean: a trial
    of a few pairs says little about its own.
    """
    steps = np.arange(5) / 4
    counts = np.array([tally.pentanomial for tally in tallies], dtype=float)
    pairs = counts.sum(axis=1)
    means = counts @ steps / pairs
    squares = (counts * (steps - means[:, None]) ** 2).sum()
    freedom = max(1.0, (pairs - 1).sum())
    return max(squares / freedom, 0.25 / (4 * pairs.sum())) / pairs


def _open_study(settings: TuneSettings, path: str | Path | None) -> Any:
    try:
        import optuna
        from optuna.storages import InMemoryStorage, JournalStorage
        from optuna.storages.journal import JournalFileBackend
    except ImportError:
        raise UsageError(
            "tuning needs the package optuna: pip install playout[tune]"
        ) from None
    if path is not None:
        with contextlib.suppress(NoSuchFileError):  # it will be made
            expect_regular(path, wanted="a file of a tuning")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        study = optuna.create_study(
            study_name="playout",
            storage=InMemoryStorage()
            if path is None
            else JournalStorage(JournalFileBackend(str(path))),
            direction="maximize",
            load_if_exists=True,
        )
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise UsageError(f"{path} is not a file of a tuning: {error}") from None
    known = study.user_attrs.setdefault("settings", settings.identity)
    if known != settings.identity:
        raise UsageError(
            f"{path} holds the trials of another tuning: of other parameters, players, "
            "limits or files; name another file"
        )
    study.set_user_attr("settings", settings.identity)
    return study


def _sampler(seed: int) -> Any:
    """The sampler of one trial: what it draws depends on those complete, and the seed.

    So a tuning that was interrupted goes on as it would have.
    """
    import optuna

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        return optuna.samplers.TPESampler(
            seed=seed,
            n_startup_trials=RANDOM_TRIALS,
            multivariate=True,
        )


def _numbers(tally: Tally) -> list[Any]:
    return [tally.wins, tally.draws, tally.losses, list(tally.pentanomial)]


def _tally(numbers: list[Any]) -> Tally:
    wins, draws, losses, (zero, half, one, three_halves, two) = numbers
    return Tally(wins, draws, losses, (zero, half, one, three_halves, two))

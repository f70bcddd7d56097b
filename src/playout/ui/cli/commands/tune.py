"""`playout tune`: constants of a player, found by the results of matches."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ....core.errors import UsageError
from ....core.files import expect_apart
from ....core.text.fields import expect_at_most
from ..arena import observer_of, table_of_games
from ..completing import complete_player
from ..match_options import (
    Running,
    make_settings,
    needed_files,
    running_options,
    settings_options,
)
from ..options import HelpfulCommand, check_plot, game_argument, load_game, plot_option
from ..terminal import say_json

if TYPE_CHECKING:
    from ....arena.match import MatchSettings
    from ....arena.tune import Estimate, Trial, TuneSettings, Tuning

__all__ = ["tune"]

#: A range that is so large a part of the one that was asked for tells nothing.
NEARLY_ALL = 0.9


@click.command(cls=HelpfulCommand)
@game_argument
@click.argument("parameters", nargs=-1, required=True, metavar="NAME=LOW..HIGH...")
@click.option(
    "--player",
    default="mcts",
    show_default=True,
    metavar="SPEC",
    shell_complete=complete_player,
    help="The player that the values are put into.",
)
@click.option(
    "--against",
    metavar="SPEC",
    help="The reference; by default the same player without the values.",
)
@click.option(
    "--games",
    type=int,
    default=1000,
    show_default=True,
    metavar="N",
    help="Of all trials together.",
)
@click.option(
    "--per-trial",
    type=int,
    default=20,
    show_default=True,
    metavar="N",
    help="Games of a trial, in pairs.",
)
@settings_options
@running_options
@plot_option("the trials and the fit")
@click.option("--json", "as_json", is_flag=True, help="An object, for programs.")
def tune(
    game: str,
    parameters: tuple[str, ...],
    player: str,
    against: str | None,
    games: int,
    per_trial: int,
    rules: dict[str, Any],
    running: Running,
    plot: str | None,
    as_json: bool,
) -> None:
    """Find the values of parameters that are best in GAME.

    Each trial is a small match of the player with some values against the reference;
    Optuna's Parzen estimator chooses the values. The answer is not the luckiest trial
    but the top of a surface (a Gaussian process) fitted through all of them, with the
    range that holds the best value in 95 % of the surfaces that the games leave open.
    Whole numbers make an integer, :log after a range makes factors count.

    With --save, games go to FILE.db and trials beside it, to FILE.db.trials; the same
    command goes on. Ctrl-C ends with what there is.

    Examples:
      playout tune connect-four c_uct=0.3..2.0 --simulations 1000 --games 400
      playout tune gomoku c_uct=0.1..4:log --simulations 500 --save tune.db
      playout tune tic-tac-toe threshold=1..64:log --player mcts:expansion=all
    """
    from ....arena.match import MOST_GAMES
    from ....arena.tune import Tuning

    if games < 2:
        raise UsageError(f"--games must be at least 2, not {games}")
    expect_at_most("--games", games, MOST_GAMES)
    check_plot(plot)
    expect_apart({"--plot": plot}, needed_files(running, rules["openings"]))
    load_game(game)
    players = player, player if against is None else against
    settings = _settings(parameters, make_settings(game, players, **rules), per_trial)
    tuning = Tuning(settings, _trials_file(running))
    complete = _run(tuning, games, running)
    if tuning.trials:
        _report(tuning, as_json, plot)
    if not complete or not tuning.trials:
        raise KeyboardInterrupt


def _settings(
    parameters: tuple[str, ...], match: MatchSettings, per_trial: int
) -> TuneSettings:
    from ....arena.parameter import Parameter
    from ....arena.tune import TuneSettings

    wanted = tuple(Parameter.parse(text) for text in parameters)
    return TuneSettings(wanted, match.players[0], match, per_trial)


def _report(tuning: Tuning, as_json: bool, plot: str | None) -> None:
    """Print what was found, and draw it if that is wanted."""
    found = tuning.estimate()
    if as_json:
        say_json(_summary(tuning, found))
    else:
        click.echo(_text(tuning, found))
    if plot is not None:
        from ....arena.tuning_plot import plot_tuning

        plot_tuning(plot, tuning.settings.parameters, tuning.trials, found)


def _trials_file(running: Running) -> str | None:
    """Where trials are kept: beside the games, whose file is tried first."""
    if running.save is None:
        return None
    from ....arena.store import Store

    Store(running.save).close()  # complains
    return f"{running.save}.trials"


def _run(tuning: Tuning, games: int, running: Running) -> bool:
    """Play until there are so many games, or Ctrl-C; returns whether there are."""

    def observe(trial: Trial) -> None:
        click.echo(_trial_line(tuning, trial, games), err=True)

    with table_of_games(running) as (store, executor):
        try:
            tuning.run(games, store, executor, observe, observer_of(running))
        except KeyboardInterrupt:
            print(file=sys.stderr)
            return False
    return True


def _trial_line(tuning: Tuning, trial: Trial, games: int) -> str:
    played = f"{tuning.games:,} of {games:,} games"
    return (
        f"{played}   {_values(tuning.settings, trial.values)}   {trial.tally.score:.1%}"
    )


def _values(settings: TuneSettings, values: tuple[float, ...]) -> str:
    pairs = zip(settings.parameters, values, strict=True)
    return ",".join(f"{each.name}={each.show(value)}" for each, value in pairs)


def _text(tuning: Tuning, found: Estimate) -> str:
    """What was found, as a person reads it."""
    from ....arena.report import from_to

    settings = tuning.settings
    width = max(12, *(len(each.name) + 1 for each in settings.parameters))
    lines = [
        f"{settings.match.game}: {len(tuning.trials)} "
        f"{'trial' if len(tuning.trials) == 1 else 'trials'}, {tuning.games:,} games "
        f"against {settings.match.players[1]}",
        "",
        *(
            f"{each.name:<{width}} {each.show(best)}   "
            f"({each.show(from_)} to {each.show(to)})"
            for each, best, from_, to in zip(
                settings.parameters, found.values, found.low, found.high, strict=True
            )
        ),
        f"{'Elo':<{width}} {from_to(*found.elo)}",
        *_open_question(settings, found),
        "",
        settings.candidate(dict(_named(settings, found.values))),
    ]
    return "\n".join(lines)


def _open_question(settings: TuneSettings, found: Estimate) -> list[str]:
    """A line where what the games allow is nearly all that was asked about."""
    told = [
        each.to_unit(to) - each.to_unit(from_) < NEARLY_ALL
        for each, from_, to in zip(
            settings.parameters, found.low, found.high, strict=True
        )
    ]
    return [] if any(told) else ["the games do not tell yet: more are needed"]


def _named(settings: TuneSettings, values: tuple[float, ...]) -> Any:
    return zip((each.name for each in settings.parameters), values, strict=True)


def _summary(tuning: Tuning, found: Estimate) -> dict[str, Any]:
    """The same for programs; infinite Elo is None."""
    from ....arena.report import finite

    settings = tuning.settings
    value, low, high = found.elo
    return {
        "game": settings.match.game,
        "player": settings.candidate(dict(_named(settings, found.values))),
        "reference": settings.match.players[1],
        "trials": len(tuning.trials),
        "games": tuning.games,
        "parameters": {
            each.name: {"best": best, "low": from_, "high": to}
            for each, best, from_, to in zip(
                settings.parameters, found.values, found.low, found.high, strict=True
            )
        },
        "elo": finite(value),
        "elo_low": finite(low),
        "elo_high": finite(high),
    }

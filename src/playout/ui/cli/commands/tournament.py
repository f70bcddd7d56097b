"""`playout tournament`: many players, a cross-table and a rating list."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ....core.errors import UsageError
from ....core.files import expect_apart
from ..arena import Progress, match_figures, play, remarks
from ..match_options import Running, needed_files, running_options
from ..options import FILE, HelpfulCommand, check_plot, load_game, plot_option
from ..terminal import say_json

if TYPE_CHECKING:
    from ....arena.match import Match
    from ....arena.record import GameRecord
    from ....arena.tournament import Tournament

__all__ = ["draw_ratings", "ranking", "standing", "tournament"]

Value = TypeVar("Value")


@click.command(cls=HelpfulCommand)
@click.argument("file", type=FILE, metavar="FILE.toml")
@running_options
@plot_option("the ratings")
@click.option("--json", "as_json", is_flag=True, help="A list, for programs.")
def tournament(file: str, running: Running, plot: str | None, as_json: bool) -> None:
    """Let many players play each other, as FILE.toml says.

    Kinds are round-robin, gauntlet (the first against all others) and ladder (each
    against the next). What --save and --concurrency say here goes before what the file
    says. With --save, or save in the file, the same command goes on where it ended.

    Examples:
      playout tournament league.toml
      playout tournament league.toml --save league.db --concurrency 4

    Examples of a file; only the first two keys are needed:
      game = "connect-four"
      players = ["random", "greedy", "mcts:simulations=100", "level:3"]
      kind = "round-robin"
      games = 20                       # of every pairing
      time = "1+0.1"                   # also seconds, simulations
      openings = "random:plies=4"
      save = "league.db"
    """
    check_plot(plot)
    described, matches = _read(file)
    running = dataclasses.replace(
        running,
        save=_first(running.save, described.save),
        concurrency=_first(running.concurrency, described.concurrency),
    )
    needed = needed_files(running, described.openings)
    expect_apart({"--plot": plot}, {"FILE.toml": file, **needed})
    progress = (
        None if as_json else Progress(matches, lambda: ranking(_records(matches)))
    )
    complete = play(matches, running, progress)
    _report(matches, as_json)
    if plot is not None:
        draw_ratings(plot, _records(matches))
    if not complete:
        raise KeyboardInterrupt


def _read(file: str) -> tuple[Tournament, list[Match]]:
    """What a file describes, and the matches of it, which can be played."""
    from ....arena.tournament import read_tournament

    described = read_tournament(file)
    load_game(described.game)
    try:
        return described, described.matches()
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from None


def _first(given: Value | None, otherwise: Value) -> Value:
    return otherwise if given is None else given


def ranking(records: Sequence[GameRecord]) -> str:
    """The tables of games: who beat whom, ratings, and payoffs.

    Ratings need an extra. Payoffs are told where they say more than who won.
    """
    from ....arena.payoff_report import payoff_tables
    from ....arena.report import NOBODY_MET, cross_table, rating_list

    if not records:
        return NOBODY_MET
    tables = payoff_tables(records)
    shared = [record for record in records if len(record.players) > 1]
    if not shared:
        return "\n\n".join(tables)
    try:
        ratings = rating_list(shared)
    except UsageError as error:
        ratings = str(error)
    return "\n\n".join(dict.fromkeys([cross_table(shared), ratings, *tables]))


def standing(game: str, records: Sequence[GameRecord]) -> dict[str, Any]:
    """What `ranking` tells of the records of a game, ready for JSON."""
    from ....arena.payoff_report import payoff_summary, told_payoffs
    from ....arena.ranking import rate

    shared = [record for record in records if len(record.players) > 1]
    found = {"game": game, "ratings": [dataclasses.asdict(row) for row in rate(shared)]}
    for _, _, payoffs in told_payoffs(records):
        found |= payoff_summary(payoffs)
    return found


def draw_ratings(path: str, records: Sequence[GameRecord]) -> None:
    """Draw the rating list, as PNG or SVG."""
    from ....arena.plots import plot_ratings
    from ....arena.ranking import rate

    plot_ratings(path, rate(records))


def _records(matches: Sequence[Match]) -> list[GameRecord]:
    return [record for match in matches for record in match.records]


def _report(matches: Sequence[Match], as_json: bool) -> None:
    """The tables, or for programs the figures of every pairing."""
    if as_json:
        say_json([_summary(match) for match in matches])
    else:
        click.echo(ranking(_records(matches)))
    for match in matches:
        for line in remarks(match):
            click.echo(f"{match.label}: {line}", err=as_json)


def _summary(match: Match) -> dict[str, Any]:
    figures = match_figures(match)
    if len(match.settings.players) != 2:
        return figures
    a, b = match.settings.players
    return {"a": a, "b": b, **figures}

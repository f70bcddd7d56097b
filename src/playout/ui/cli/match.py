"""`playout match`: is A stronger than B, by how much, how sure?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ...core.files import expect_apart
from .arena import Progress, match_text, play, remarks, seat_names
from .match_options import (
    Running,
    make_settings,
    needed_files,
    running_options,
    settings_options,
)
from .options import FILE, HelpfulCommand, check_plot, game_argument, load_game

if TYPE_CHECKING:
    from ...arena.match import Match

__all__ = ["match"]

DEFAULT_GAMES = 100


@click.command(cls=HelpfulCommand)
@game_argument
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option(
    "--games",
    type=int,
    metavar="N",
    help=f"How many at most; {DEFAULT_GAMES} where there is no --sprt.",
)
@click.option(
    "--sprt",
    metavar="elo0=0,elo1=10",
    help="Play until a sequential test has an answer (alpha=0.05, beta=0.05).",
)
@settings_options
@running_options
@click.option(
    "--plot", type=FILE, metavar="FILE", help="Draw how it went, as PNG or SVG."
)
@click.option("--json", "as_json", is_flag=True, help="An object, for programs.")
def match(
    game: str,
    a: str,
    b: str,
    games: int | None,
    sprt: str | None,
    rules: dict[str, Any],
    running: Running,
    plot: str | None,
    as_json: bool,
) -> None:
    """Let A play B: which is stronger, by how much, how surely?

    Games come in pairs with the same opening and the seats swapped. A player that
    crashes, hangs, is late or plays illegally loses the game, and the match goes on.
    All figures are from A's side. Ctrl-C ends the match with what was played.

    Examples:
      playout match connect-four mcts:simulations=1000 random --games 20
      playout match gomoku level:5 level:4 --openings random:plies=4 --save g.db
      playout match connect-four mcts mcts:c_uct=1 --time 1+0.1 --sprt elo1=10
      playout match tic-tac-toe bots.py:make_player exec:./engine --seconds 0.5
    """
    from ...arena.match import Match
    from ...arena.rating import SPRT

    check_plot(plot)
    expect_apart({"--plot": plot}, needed_files(running, rules["openings"]))
    load_game(game)
    test = None if sprt is None else SPRT.parse(sprt)
    if games is None and test is None:
        games = DEFAULT_GAMES
    played = Match(make_settings(game, (a, b), **rules), games, test)
    progress = None if as_json else Progress([played], lambda: match_text(played))
    complete = play([played], running, progress)
    _report(played, as_json)
    if plot is not None:
        from ...arena.plots import numbered_results, plot_match

        results = numbered_results(enumerate(played.records))
        plot_match(plot, seat_names(played), results, test)
    if not complete:
        raise KeyboardInterrupt


def _report(played: Match, as_json: bool) -> None:
    """The figures, and what else should be known."""
    if as_json:
        from ...arena.report import match_summary

        summary = match_summary(played.tally, played.sprt, len(played.forfeits))
        click.echo(json.dumps(summary, indent=2))
    else:
        click.echo(match_text(played))
    for line in remarks(played):
        click.echo(line, err=as_json)

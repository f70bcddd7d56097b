"""`playout match`: is A stronger than B, by how much, how sure?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ....core.files import expect_apart
from ..arena import Progress, match_figures, match_text, play, remarks
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
    from ....arena.match import Match

__all__ = ["match"]

DEFAULT_GAMES = 100


@click.command(cls=HelpfulCommand)
@game_argument
@click.argument(
    "players",
    nargs=-1,
    required=True,
    metavar="A B [C]...",
    shell_complete=complete_player,
)
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
@plot_option("how it went")
@click.option("--json", "as_json", is_flag=True, help="An object, for programs.")
def match(
    game: str,
    players: tuple[str, ...],
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

    In games of more seats two or more players change seats until each has had all, and
    mean payoffs are compared. A game for one is played by everyone, with the same luck.

    Examples:
      playout match connect-four mcts:simulations=1000 random --games 20
      playout match gomoku level:5 level:4 --openings random:plies=4 --save g.db
      playout match connect-four mcts mcts:c_uct=1 --time 1+0.1 --sprt elo1=10
      playout match connect-four mcts ./strategy.so --vary rows=9-12,columns=9-12
      playout match tic-tac-toe bots.py:make_player exec:./engine --seconds 0.5
      playout match 2048 mcts:simulations=200 greedy random --games 30
    """
    from ....arena.match import Match
    from ....arena.rating import SPRT
    from ....arena.seating import expect_two_seats

    check_plot(plot)
    expect_apart({"--plot": plot}, needed_files(running, rules["openings"]))
    load_game(game)
    test = None if sprt is None else SPRT.parse(sprt)
    if games is None and test is None:
        games = DEFAULT_GAMES
    played = Match(make_settings(game, players, **rules), games, test)
    if plot is not None:
        expect_two_seats(played.game, "--plot")
    progress = None if as_json else Progress([played], lambda: match_text(played))
    complete = play([played], running, progress)
    _report(played, as_json)
    if plot is not None:
        from ....arena.plots import numbered_results, plot_match

        results = numbered_results(enumerate(played.records))
        a, b = played.names
        plot_match(plot, (a, b), results, test)
    if not complete:
        raise KeyboardInterrupt


def _report(played: Match, as_json: bool) -> None:
    """The figures, and what else should be known."""
    if as_json:
        say_json(match_figures(played))
    else:
        click.echo(match_text(played))
    for line in remarks(played):
        click.echo(line, err=as_json)

"""`playout check`: whether rules are right, and what the game is like."""

from __future__ import annotations

import math
import textwrap
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ....core.errors import RulesError, counted
from ....core.interrupt import interruptible
from ....core.text.fields import expect_whole
from ..options import HelpfulCommand, game_argument, interpreted_option, load_game
from ..terminal import NOTICE_SECONDS, say_json, saying, show_compiling

if TYPE_CHECKING:
    from ....games.check.report import GameReport
    from ....games.contract.game import Game
    from ....search.survey import Survey

__all__ = ["check"]

#: More random games than these take days.
MOST_GAMES = 10_000_000
#: How wide hints and advice are.
WIDTH = 80


@click.command(cls=HelpfulCommand)
@game_argument
@click.option(
    "--games",
    "count",
    type=int,
    default=20,
    metavar="N",
    show_default=True,
    help="How many random games to play.",
)
@click.option("--seed", type=int, default=0, metavar="N", help="Of the random games.")
@click.option("--laws", "only_laws", is_flag=True, help="Leave out the figures.")
@click.option("--json", "as_json", is_flag=True, help="An object, for programs.")
@interpreted_option
def check(game: str, count: int, seed: int, only_laws: bool, as_json: bool) -> None:
    """Test whether the rules of GAME keep the laws of games.

    Random games are played interpreted, compiled, and compiled with every index
    checked. The first broken law is reported with the fewest moves found that lead
    there and the states around the last one. Hints break no law, but are likely
    mistakes. Figures of random games and of a search follow, with what would make
    the rules faster. Meant for rules of your own.

    Examples:
      playout check my_game.py:MyGame
      playout check my_game.py:MyGame:stones=30 --games 200 --seed 7
      playout check my_game.py:MyGame --laws
      playout check my_game.py:MyGame --json
    """
    expect_whole("--games", count, 1, MOST_GAMES)
    loaded = load_game(game)
    with show_compiling():
        try:
            report = interruptible(lambda: _check(loaded, count, seed))
        except RulesError as error:
            if as_json:
                shown = {"game": game, "fault": _fault(loaded, error)}
                say_json(shown)
            raise
        if not as_json:
            click.echo(f"{game}: {_wrapped(report)}")
        figures = None
        if not only_laws and not _is_over_at_once(loaded):
            figures = interruptible(lambda: _survey(loaded, seed))
    if as_json:
        say_json(_as_dict(game, report, figures))
    elif figures is not None:
        click.echo("\n".join(_rows(loaded, figures)))


def _check(game: Game, count: int, seed: int) -> GameReport:
    from ....games.check.random_games import check_game

    said = math.inf

    def say(played: int) -> None:
        nonlocal said
        said = min(said, time.monotonic())
        if time.monotonic() - said >= NOTICE_SECONDS:
            said = time.monotonic()
            click.echo(f"{played} of {count} games ...", err=True)

    return check_game(game, games=count, seed=seed, progress=say)


def _is_over_at_once(game: Game) -> bool:
    """Whether nobody ever moves, so that there is nothing to measure."""
    from ....games.positions.position import Position

    return Position(game).is_terminal


def _survey(game: Game, seed: int) -> Survey:
    from ....search.survey import survey

    with saying("Measuring ...", unless=[]):
        return survey(game, seed)


def _wrapped(report: GameReport) -> str:
    head, *hints = str(report).splitlines()
    return "\n".join([head, *(_indented("hint", hint[6:]) for hint in hints)])


def _rows(game: Game, figures: Survey) -> Iterator[str]:
    """What a game is like, a line each."""
    from ...common.words import name_of

    depth = len(figures.perft)
    counts = ", ".join(f"{count:,}" for count in figures.perft)
    yield _indented("perft", f"{counts} (1 to {depth} moves)")
    yield _indented(
        "moves", f"{figures.branching:.1f} on average, {figures.most_actions} at most"
    )
    lengths = f"{figures.shortest:,} to {figures.longest:,}"
    yield _indented("length", f"{figures.mean_length:,.1f} on average, {lengths}")
    sign = "+" if game.zero_sum else ""
    returns = ", ".join(
        f"{name_of(game, player)} {value:{sign}.3g}"
        for player, value in enumerate(figures.returns)
    )
    rivals = game.zero_sum and len(figures.returns) > 1
    alike = f"; {figures.draws:.0%} draws" if rivals else ""
    games = f"{figures.games:,} random games"
    yield _indented("results", f"{returns} on average{alike} ({games})")
    speed = f"{figures.simulations_per_second:,.0f} simulations/s"
    if figures.proven_after:
        after = counted(figures.proven_after, "simulation")
        speed = f"not told: the start is proven after {after}"
    yield _indented("speed", speed)
    for said in figures.advice:
        yield _indented("faster", said)


def _indented(heading: str, text: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=f"  {heading:<9}",
        subsequent_indent=" " * 11,
        break_on_hyphens=False,
    )


def _fault(game: Game, error: RulesError) -> dict[str, Any]:
    """What is wrong; moves and states are null where no game showed it."""
    path = getattr(error, "path", None)
    return {
        "kind": getattr(error, "kind", None),
        "message": getattr(error, "what", str(error)),
        "moves": None if path is None else [game.action_name(a) for a in path],
        "before": getattr(error, "before", None) if path else None,
        "after": getattr(error, "after", None),
    }


def _as_dict(game: str, report: GameReport, figures: Survey | None) -> dict[str, Any]:
    shown = None if figures is None else figures.to_dict()
    return {"game": game, **report.to_dict(), "figures": shown}

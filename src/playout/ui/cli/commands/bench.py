"""`playout bench`: how fast the search is."""

from __future__ import annotations

from typing import Any

import click

from ....core.errors import UsageError
from ....core.text.fields import expect_whole
from ..completing import complete_game
from ..options import (
    STANDARD_GAMES,
    HelpfulCommand,
    interpreted_option,
    load_game,
    simulations_option,
)
from ..terminal import say_json, saying, show_compiling

__all__ = ["bench"]

#: A search has no more.
MOST_SIMULATIONS = 2**32 - 1


@click.command(cls=HelpfulCommand)
@click.argument("names", nargs=-1, metavar="[GAME]...", shell_complete=complete_game)
@click.option(
    "--json", "as_json", is_flag=True, help="A list of objects, for programs."
)
@click.option(
    "--signature",
    "signed",
    is_flag=True,
    help="Only print a number, which changes when the search does.",
)
@simulations_option(" 100,000 unless given (10,000 for gomoku).")
@interpreted_option
def bench(
    names: tuple[str, ...], as_json: bool, signed: bool, simulations: int | None
) -> None:
    """Measure how fast the search is.

    Plain UCT with uniform rollouts, one thread, from the start position; the four
    standard games if none is named. Speeds are per second of processor time, compiling
    apart.

    Examples:
      playout bench
      playout bench connect-four gomoku:size=19 --json
      playout bench --signature                 the same on every run and machine
    """
    if simulations is not None:
        expect_whole("--simulations", simulations, 1, MOST_SIMULATIONS)
    if signed and (names or simulations is not None):
        raise UsageError(
            "--signature is of fixed searches: name neither a game nor --simulations"
        )
    games = [load_game(name) for name in names or STANDARD_GAMES if not signed]
    from ....games.registry import game_spec
    from ....search import bench as benchmark

    with show_compiling():
        if signed:
            number = benchmark.signature()
            say_json(number) if as_json else click.echo(number)
            return
        rows: list[dict[str, Any]] = []
        for game in games:
            with saying(f"Measuring {game_spec(game)} ...", unless=[]):
                found = benchmark.measure(game, simulations).to_dict()
            if not (as_json or rows):
                click.echo(_HEADER)
            rows.append(found)
            if not as_json:
                click.echo(_bench_row(found))
    if as_json:
        say_json(rows)


_HEADER = (
    f"{'game':<24} {'simulations/s':>14} {'rollouts/s':>12} "
    f"{'bytes/sim.':>10} {'compile':>9}"
)


def _bench_row(found: dict[str, Any]) -> str:
    return (
        f"{found['game']:<24} {found['simulations_per_second']:>14,.0f} "
        f"{found['rollouts_per_second']:>12,.0f} "
        f"{found['bytes_per_simulation']:>10.1f} {found['compile_seconds']:>7.1f} s"
    )

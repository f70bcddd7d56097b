"""`playout bench`, `warm` and `cache`: how fast, and what is compiled already."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import click

from ...core.errors import PlayoutError, UsageError
from ...core.interrupt import interruptible
from ...core.text.fields import expect_whole
from .options import STANDARD_GAMES, HelpfulCommand, interpreted_option, load_game
from .terminal import saying, show_compiling

__all__ = ["bench", "cache", "warm"]

#: A search has no more.
MOST_SIMULATIONS = 2**32 - 1


@click.command(cls=HelpfulCommand)
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option(
    "--json", "as_json", is_flag=True, help="A list of objects, for programs."
)
@click.option(
    "--signature",
    "signed",
    is_flag=True,
    help="Only print a number, which changes when the search does.",
)
@click.option(
    "--simulations",
    type=int,
    metavar="N",
    help="Instead of 100,000 (10,000 for gomoku).",
)
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
    from ...games.registry import game_spec
    from ...search import bench as benchmark

    with show_compiling():
        if signed:
            click.echo(benchmark.signature())
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
        click.echo(json.dumps(rows, indent=2))


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


@click.command(cls=HelpfulCommand)
@click.argument("names", nargs=-1, metavar="[GAME]...")
def warm(names: tuple[str, ...]) -> None:
    """Compile games ahead of time.

    The default search and all presets; the four standard games if none is named.
    Compiled rules are kept on disk, so this is worth it once, after an installation or
    before a demonstration.

    Examples:
      playout warm
      playout warm gomoku:size=19,rule=renju connect-four
      playout warm my_game.py:MyGame
    """
    games = {name: load_game(name) for name in names or STANDARD_GAMES}
    from ...players.registry import make_player
    from ...search.presets import PRESETS

    with show_compiling() as compiled:
        for name, game in games.items():
            _warm(name, make_player("mcts", game).prepare, compiled)
        for name, game in games.items():
            for preset in PRESETS:
                what = f"{name} --preset {preset}"
                try:
                    player = make_player(f"mcts:preset={preset}", game)
                except UsageError:
                    click.echo(f"{what:<44} does not fit")
                else:
                    _warm(what, player.prepare, compiled)


def _warm(what: str, compile_it: Callable[[], Any], compiled: list[str]) -> None:
    before, started = len(compiled), time.perf_counter()
    interruptible(compile_it)
    took = time.perf_counter() - started
    done = f"compiled in {took:.1f} s" if len(compiled) > before else "compiled already"
    click.echo(f"{what:<44} {done}")


@click.command(cls=HelpfulCommand)
@click.option("--clear", is_flag=True, help="Remove all of it.")
def cache(clear: bool) -> None:
    """Show where compiled rules are kept, and how much there is.

    Entries are never stale: edited rules are compiled anew. Where all take more than
    512 MiB, those not used for longest are removed. The environment variable
    PLAYOUT_CACHE_DIR names another place.

    Examples:
      playout cache
      playout cache --clear
    """
    from ...core.jit.cache import cache_directory, cache_entries, clear_cache

    click.echo(f"directory  {cache_directory()}")
    entries, errors = clear_cache() if clear else (cache_entries(), {})
    size = f"{sum(entry.size for entry in entries) / 1e6:.1f} MB"
    if clear:
        click.echo(f"removed    {len(entries)} entries, {size}")
    else:
        click.echo(f"entries    {len(entries)}\nsize       {size}")
    if errors:
        path, error = next(iter(errors.items()))
        raise PlayoutError(
            f"{len(errors)} could not be removed, such as {path} ({error.strerror}); "
            "see to it that you may write there, then clear the cache again"
        )

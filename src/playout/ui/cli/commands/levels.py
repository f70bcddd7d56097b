"""`playout levels`: the graded opponents of a game, and how they are measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....core.errors import UsageError
from ....core.files import expect_apart, read_text, write_text
from ..arena import observer_of, table_of_games
from ..completing import complete_player
from ..match_options import (
    Running,
    make_settings,
    needed_files,
    openings_option,
    running_options,
    vary_option,
)
from ..options import (
    FILE,
    HelpfulCommand,
    check_writable,
    game_argument,
    keep_examples,
    load_game,
)
from ..terminal import say_json

if TYPE_CHECKING:
    from ....arena.calibrate import LadderLevel, LadderSettings
    from ....arena.rating import Tally
    from ....players.levels import FoundLadder

__all__ = ["levels"]


@click.group(
    help=keep_examples(
        """The graded opponents `level:1` and up of a game.

        Examples:
          playout levels show connect-four
          playout levels calibrate connect-four --save ladder.db --concurrency 2
        """
    )
)
def levels() -> None:
    """The group of both commands."""


@levels.command(cls=HelpfulCommand)
@game_argument
@click.option("--json", "as_json", is_flag=True, help="A list, for programs.")
def show(game: str, as_json: bool) -> None:
    """Show the levels of GAME, and how far apart they were measured to be.

    Examples:
      playout levels show gomoku
      playout levels show connect-four --json
    """
    from ....arena.calibrate import table
    from ....core.text.spec import split_spec
    from ....games.registry import game_spec
    from ....players.levels import find_ladder, levels_of

    loaded = load_game(game)
    found = find_ladder(loaded)
    if as_json:
        say_json(_rows(levels_of(loaded), found))
        return
    if found is not None and found.exact:
        if found.measured_on != game_spec(loaded):
            click.echo(f"Measured on {found.measured_on}.\n")
        click.echo(table(found.ladder))
        return
    click.echo(f"The levels of {game} have not been measured.")
    if found is not None:
        file, name, _ = split_spec(game)
        _, _, parameters = found.measured_on.partition(":")
        own = ":".join(filter(None, (file, name, parameters)))
        there = own if file else found.measured_on
        click.echo(
            f"These are those of {there}, measured there: "
            f"`playout levels show {there}`."
        )
    click.echo()
    for number, player in enumerate(levels_of(loaded), start=1):
        click.echo(f"level:{number:<3} {player}")


def _rows(players: Sequence[str], found: FoundLadder | None) -> list[dict[str, Any]]:
    """The levels for programs; Elo is None where it was not measured, or infinite."""
    from ....arena.report import finite

    ladder = found.ladder if found is not None and found.exact else None
    rows = []
    for index, player in enumerate(players):
        known = ladder is not None and ladder.games[index] > 0
        rows.append(
            {
                "level": index + 1,
                "player": player,
                "elo": finite(ladder.steps[index]) if ladder and known else None,
                "error": finite(ladder.errors[index]) if ladder and known else None,
                "games": ladder.games[index] if ladder else 0,
                "measured_on": None if found is None else found.measured_on,
            }
        )
    return rows


@levels.command(cls=HelpfulCommand)
@game_argument
@click.option("--levels", "count", type=int, default=10, show_default=True, metavar="N")
@click.option(
    "--step",
    type=float,
    default=130.0,
    show_default=True,
    metavar="ELO",
    help="Wanted between neighbours.",
)
@click.option(
    "--start",
    type=float,
    default=0.1,
    show_default=True,
    metavar="RUNG",
    help="Level 1: 0 moves at random, 0.9 in one move of ten, 1 never.",
)
@click.option(
    "--base",
    type=int,
    default=50,
    show_default=True,
    metavar="N",
    help="Simulations of the players that move at random now and then.",
)
@click.option(
    "--most",
    type=int,
    default=100_000,
    show_default=True,
    metavar="N",
    help="Simulations of the strongest player that may be used.",
)
@click.option(
    "--player",
    default="mcts",
    show_default=True,
    metavar="SPEC",
    shell_complete=complete_player,
    help="The search, with all but simulations and blunder.",
)
@click.option("--last", metavar="SPEC", help="The player of the last level, if given.")
@click.option(
    "--games",
    type=int,
    default=400,
    show_default=True,
    metavar="N",
    help="Of the match that measures a step.",
)
@click.option(
    "--probe",
    type=int,
    default=80,
    show_default=True,
    metavar="N",
    help="Games of a match that tries a player.",
)
@openings_option
@vary_option
@click.option("--seed", type=int, default=0, show_default=True, metavar="N")
@running_options
@click.option(
    "--output",
    type=FILE,
    metavar="FILE.toml",
    help="Put the ladder into this file, beside those of other games.",
)
def calibrate(
    game: str,
    count: int,
    base: int,
    most: int,
    player: str,
    openings: str | None,
    vary: str | None,
    seed: int,
    running: Running,
    output: str | None,
    **wanted: Any,
) -> None:
    """Find a ladder of opponents for GAME, and measure every step of it.

    Level by level, players that blunder less and then think longer are tried against
    the level below until one wins by the wanted step; a match of its own then measures
    the step. With --save, the same command goes on where it was.

    Examples:
      playout levels calibrate connect-four --save ladder.db --concurrency 2
      playout levels calibrate tic-tac-toe --levels 5 --step 110 --last perfect
      playout levels calibrate connect-four --vary rows=9-12,columns=9-12
      playout levels calibrate gomoku --output levels.toml --openings random:plies=2
    """
    from ....arena.calibrate import Family, LadderSettings, measured_levels, table

    name = _expect_players(game, vary, player, wanted["last"])
    expect_apart({"--output": output}, needed_files(running, openings))
    write = _ladder_writer(output)
    settings = LadderSettings(
        make_settings(game, ("", ""), openings=openings, seed=seed, vary=vary),
        Family(base, most, player),
        levels=count,
        **wanted,
    )
    steps = _find(settings, running)
    ladder = measured_levels(steps, openings)
    click.echo(table(ladder))
    if len(steps) < count:
        click.echo(
            f"\nThe strongest player, of {most:,} simulations, is level {len(steps)}.",
            err=True,
        )
    write(name, ladder)


def _expect_players(game: str, vary: str | None, *players: str | None) -> str:
    """The whole spec of a game; complains of players now, not after hours."""
    from ....games.registry import game_spec
    from ....games.variation import varied_spec
    from ....players.registry import make_player

    loaded = load_game(game)
    for player in players:
        if player is not None:
            make_player(player, loaded).close()
    return game_spec(loaded) if vary is None else varied_spec(game, vary)


def _find(settings: LadderSettings, running: Running) -> list[LadderLevel]:
    from ....arena.calibrate import Ladder

    def observe(below: str, above: str, tally: Tally) -> None:
        from ....arena.rating import elo

        value, low, high = elo(tally)
        click.echo(
            f"{above} against {below}: {tally.score:.1%} of {tally.games} games, "
            f"Elo {value:+z.0f} ({low:+z.0f} to {high:+z.0f})",
            err=True,
        )

    with table_of_games(running) as (store, executor):
        return Ladder(settings, store, executor, observe, observer_of(running)).find()


def _ladder_writer(output: str | None) -> Any:
    """What puts a ladder into a file; complains before the games if it could not."""
    from ....players.levels import read_ladders, write_ladders

    if output is None:
        return lambda *_: None
    path = Path(output)
    check_writable("--output", path)
    try:
        known = read_ladders(read_text(path)) if path.exists() else {}
    except UsageError as error:
        raise UsageError(f"--output: {output}: {error}") from None

    def write(name: str, ladder: Any) -> None:
        write_text(path, write_ladders({**known, name: ladder}))

    return write

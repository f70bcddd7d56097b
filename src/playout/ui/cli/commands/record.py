"""`playout record`: look at the games that matches have kept."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....core.errors import UsageError, counted
from ....core.files import expect_apart
from ...common.messages import one_line, printable
from ..options import FILE, HelpfulCommand, check_plot, keep_examples, plot_option
from ..terminal import is_terminal, say_json, use_color

if TYPE_CHECKING:
    from ....arena.record import GameRecord
    from ....arena.store import StoredGame, StoredMatch

__all__ = ["record"]

#: Between two moves of a replay that a person watches, in seconds.
REPLAY_SECONDS = 0.7
#: So many damaged games are named; the others are counted.
MOST_DAMAGED = 10

file_argument = click.argument("file", type=FILE, metavar="FILE")
game_argument = click.argument("number", metavar="GAME", type=int)


def match_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--match`, which narrows a file to one of its matches."""
    return click.option(
        "--match", "match", type=int, metavar="N", help="Only this match of the file."
    )(command)


@click.group(
    help=keep_examples(
        """Look at the games that matches and tournaments have saved.

        FILE is such a file, which may still be growing.

        Examples:
          playout record list games.db
          playout record list games.db --match 1
          playout record show games.db 17
          playout record replay games.db 17
          playout record ratings games.db
          playout record export games.db games.jsonl
        """
    )
)
def record() -> None:
    """See `help` above."""


@record.command("list", cls=HelpfulCommand)
@file_argument
@match_option
@click.option("--json", "as_json", is_flag=True, help="A list, for programs.")
def list_(file: str, match: int | None, as_json: bool) -> None:
    """List the matches of FILE, or the games of one.

    Every game is read, so that damage is told of.

    Examples:
      playout record list games.db
      playout record list games.db --match 1
      playout record list games.db --json
    """
    from ....arena.store import Store

    damage = _Damage()
    with Store(file, read_only=True) as store:
        if match is None:
            rows = [_match_row(found) for found in store.matches(damage.append)]
            store.examine(damage.append)
        else:
            _expect_match(file, match, store.match_ids())
            rows = [_game_row(game) for game in store.games(match, 0, damage.append)]
    if as_json:
        say_json(rows)
    elif rows or not damage:
        _print_table(rows)
    damage.complain()


@record.command(cls=HelpfulCommand)
@file_argument
@game_argument
def show(file: str, number: int) -> None:
    """Show game GAME of FILE: players, result, moves and the final board.

    Examples:
      playout record show games.db 17
    """
    from ....arena.replaying import positions_of

    game = _read_game(file, number)
    click.echo("\n".join(_describe(game.record)))
    *_, position = positions_of(file, game)
    click.echo("\n" + position.render(color=use_color()), color=use_color() or None)


@record.command(cls=HelpfulCommand)
@file_argument
@game_argument
@click.option(
    "--delay",
    type=float,
    metavar="S",
    help=f"Seconds between moves; {REPLAY_SECONDS} in a terminal, else none.",
)
def replay(file: str, number: int, delay: float | None) -> None:
    """Show game GAME of FILE move by move.

    Examples:
      playout record replay games.db 17
      playout record replay games.db 17 --delay 2
    """
    from ....arena.replaying import positions_of

    if delay is None:
        delay = REPLAY_SECONDS if is_terminal(sys.stdout) else 0.0
    if not 0 <= delay < 1e6:
        raise UsageError(f"--delay must be at least 0, not {delay}")
    stored = _read_game(file, number)
    game = stored.record
    for plies, position in enumerate(positions_of(file, stored)):
        if plies:
            time.sleep(delay)
            click.echo(f"\n{_move_line(game, plies - 1)}")
        board = position.render(color=use_color())
        click.echo(board, color=use_color() or None)
    click.echo("\n" + _result(game))


@record.command(cls=HelpfulCommand)
@file_argument
@click.argument("target", type=FILE, metavar="TARGET")
@click.option(
    "--format",
    "format_",
    metavar="F",
    help="jsonl, sgf, psq, pos or columns; by TARGET's suffix if not given.",
)
@match_option
@click.option(
    "--game",
    "number",
    type=int,
    metavar="N",
    help="Only this game, by its number in FILE.",
)
def export(
    file: str, target: str, format_: str | None, match: int | None, number: int | None
) -> None:
    """Write the games of FILE to TARGET, for other programs; - is standard output.

    JSON lines keep everything and are for every game; sgf, psq and pos are for Gomoku,
    columns for Connect Four. A psq file holds one game: for several, TARGET is a
    directory.

    Examples:
      playout record export games.db games.jsonl
      playout record export games.db games.sgf --match 2
      playout record export games.db game.psq --game 17
      playout record export games.db - --format jsonl --game 17
    """
    from ....arena.formats import FORMATS, save_games

    if target != "-":
        expect_apart({"TARGET": target}, {"FILE": file})
    damage = _Damage()
    if number is None:
        games = _read_games(file, match, damage, named=True)
    else:
        games = [_chosen(file, number, match)]
    if target != "-":
        count = save_games(target, games, format_, source=file)
        several = Path(target).is_dir()
        where = f"the directory {target}, a file for each" if several else target
        click.echo(f"{counted(count, 'game')} written to {where}")
    elif format_ in FORMATS:
        click.echo(FORMATS[format_].write(games), nl=False)
    else:
        raise UsageError(f"--format: for - name one of {', '.join(FORMATS)}")
    damage.complain()


@record.command(cls=HelpfulCommand)
@file_argument
@match_option
@plot_option("the ratings")
@click.option("--json", "as_json", is_flag=True, help="A list, for programs.")
def ratings(file: str, match: int | None, plot: str | None, as_json: bool) -> None:
    """Show a cross-table and a rating list of the games of FILE.

    Where FILE has games by several rules, each has tables of its own.

    Examples:
      playout record ratings league.db
      playout record ratings league.db --plot ratings.svg
      playout record ratings league.db --json
    """
    from .tournament import draw_ratings, ranking, standing

    check_plot(plot)
    expect_apart({"--plot": plot}, {"FILE": file})
    damage = _Damage()
    games = _read_games(file, match, damage)
    kinds = sorted({record.game for record in games})
    if plot is not None and len(kinds) > 1:
        raise UsageError(
            f"--plot draws one game's ratings, and the file has {', '.join(kinds)}: "
            "choose a match by --match"
        )
    parts = {kind: [game for game in games if game.game == kind] for kind in kinds}
    if as_json:
        say_json([standing(kind, part) for kind, part in parts.items()])
    elif len(kinds) < 2:
        click.echo(printable(ranking(games)))
    else:
        tables = [f"{kind}\n\n{ranking(part)}" for kind, part in parts.items()]
        click.echo("\n\n".join(map(printable, tables)))
    if plot is not None:
        draw_ratings(plot, games)
    damage.complain()


# -- reading ---------------------------------------------------------------------------


class _Damage(list[Any]):
    """The damage found in a file; the rest is shown first, then an error is raised."""

    def complain(self) -> None:
        """End the command with an error, if there was anything.

        Raises:
            UsageError: names the first; the others are told before.
        """
        for error in self[1:MOST_DAMAGED]:
            click.echo(f"playout: error: {one_line(str(error))}", err=True)
        if len(self) > MOST_DAMAGED:
            more = len(self) - MOST_DAMAGED
            click.echo(f"playout: error: {more:,} more are damaged", err=True)
        if self:
            raise self[0]


def _read_game(file: str, number: int) -> StoredGame:
    from ....arena.store import Store

    with Store(file, read_only=True) as store:
        return store.game(number)


def _chosen(file: str, number: int, match: int | None) -> GameRecord:
    """A game by its number in the file, which must be one of the match, if any."""
    from ....arena.replaying import games_of, named_by_file
    from ....arena.store import Store

    with Store(file, read_only=True) as store:
        game = store.game(number)
        if match not in (None, game.match):
            raise UsageError(
                f"--game: game {number} is of match {game.match}, not {match}"
            )
        return named_by_file(game, games_of(store))


def _read_games(
    file: str, match: int | None, damage: _Damage, *, named: bool = False
) -> list[GameRecord]:
    """The games that can be read, perhaps named by their files; damage is noted."""
    from ....arena.replaying import games_of, named_by_file
    from ....arena.store import Store

    with Store(file, read_only=True) as store:
        if match is not None:
            _expect_match(file, match, store.match_ids())
        names = games_of(store) if named else {}
        games = store.games(match, 0, damage.append)
        return [named_by_file(game, names) for game in games]


def _expect_match(file: str, match: int, known: list[int]) -> None:
    if match not in known:
        shown = ", ".join(map(str, known)) or "none"
        raise UsageError(f"--match: {Path(file).name} has {shown}, not {match}")


# -- words -----------------------------------------------------------------------------


def _match_row(match: StoredMatch) -> dict[str, Any]:
    players = match.settings.get("players", ("?", "?"))
    pair = {"a": players[0], "b": " - ".join(players[1:])}
    return {
        "match": match.id,
        "game": match.settings.get("game", "?"),
        **pair,
        "games": match.games,
        "created": match.created,
    }


def _game_row(game: StoredGame) -> dict[str, Any]:
    return {
        "game": game.id,
        "number": game.number + 1,
        "players": " - ".join(game.record.players),
        "result": game.record.result(),
        "moves": len(game.record.moves),
        "reason": game.record.reason,
    }


def _print_table(rows: list[dict[str, Any]]) -> None:
    """Rows as columns under their names, numbers to the right."""
    if not rows:
        click.echo("no games yet")
        return
    names = list(rows[0])
    lines = [names, *([one_line(str(row[name])) for name in names] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    right = [isinstance(rows[0][name], int) for name in names]
    for line in lines:
        cells = zip(line, widths, right, strict=True)
        click.echo(
            "  ".join(f"{c:{'>' if r else '<'}{w}}" for c, w, r in cells).rstrip()
        )


def _describe(game: GameRecord) -> list[str]:
    """Lines of a game's players, result and moves; texts of others cannot forge one."""
    seats = enumerate(map(one_line, game.players))
    lines = [f"game      {one_line(game.game)}"]
    lines += [f"seat {seat}    {name}" for seat, name in seats]
    lines += [f"result    {_result(game)}", f"seed      {game.seed}"]
    lines += [f"started   {one_line(game.started)}", ""]
    return [*lines, *(_move_line(game, ply) for ply in range(len(game.moves)))]


def _move_line(game: GameRecord, ply: int) -> str:
    move = f"{ply + 1:>3}. {one_line(game.moves[ply])}"
    if ply < game.opening:
        return f"{move}  (opening)"
    return f"{move}  {game.seconds[ply]:.3f} s  {one_line(game.comments[ply])}".rstrip()


def _result(game: GameRecord) -> str:
    """The result of a game, its reason, and details, perhaps of several lines."""
    why = "" if game.reason == "rules" else f"  ({one_line(game.reason)})"
    detail = f"\n{printable(game.detail)}" if game.detail else ""
    return f"{game.result()}{why}{detail}"

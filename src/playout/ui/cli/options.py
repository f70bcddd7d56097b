"""What several commands have in common: arguments, options, and reading them."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...core.errors import PlayoutError, UsageError
from ...core.files import expect_file_name
from ...core.text.fields import expect_at_most
from .completing import complete_game, complete_preset
from .terminal import prints_aside
from .watchdog import watching

if TYPE_CHECKING:
    from ...games.contract.game import Game
    from ...games.positions.position import Position
    from ...search.limit import Limit
    from ...search.mcts import MCTS

__all__ = [
    "FILE",
    "STANDARD_GAMES",
    "HelpfulCommand",
    "check_plot",
    "check_writable",
    "clock_option",
    "executor_option",
    "game_argument",
    "interpreted_option",
    "keep_examples",
    "limit_options",
    "load_game",
    "log_option",
    "make_limit",
    "make_search",
    "plot_option",
    "position_options",
    "read_position",
    "search_options",
    "seed_option",
    "simulations_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])

#: The games that commands take when none is named.
STANDARD_GAMES = ("tic-tac-toe", "connect-four", "ultimate-tic-tac-toe", "gomoku")


class HelpfulCommand(click.Command):
    """A command whose docstring is its help, the examples set as they are written."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["help"] = keep_examples(kwargs.get("help") or "")
        super().__init__(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As usual; a number with a sign is not called an option."""
        signed = [word for word in args if re.fullmatch(r"-\d+", word)]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if signed and error.option_name == signed[0][:2]:
                message = f"{signed[0]}: no number with a sign can stand here"
                raise click.UsageError(message, ctx) from None
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """As usual; with `--json`, nothing else comes to standard output."""
        with prints_aside(bool(ctx.params.get("as_json"))):
            return super().invoke(ctx)


def keep_examples(text: str) -> str:
    """Mark paragraphs that begin with "Examples" for Click to leave their lines."""
    return inspect.cleandoc(text).replace("\n\nExamples", "\n\n\b\nExamples")


class FileName(click.ParamType[str]):
    """The name of a file, which is not blank."""

    name = "file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        text = str(value)
        try:
            expect_file_name(text)
        except UsageError as error:
            self.fail(f"{error}", param, ctx)
        return text


FILE = FileName()
game_argument = click.argument("game", metavar="GAME", shell_complete=complete_game)


def interpreted_option(command: Command) -> Command:
    """`--interpreted`, which keeps this process from compiling rules."""

    def told(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            from ...core.jit.fallback import interpreting

            ctx.with_resource(interpreting())

    return click.option(
        "--interpreted",
        is_flag=True,
        expose_value=False,
        callback=told,
        help="Run the rules as plain Python, to debug them.",
    )(command)


moves_option = click.option(
    "--moves", metavar="TEXT", help='Moves from the start, as in "4 4 4".'
)


def position_options(command: Command) -> Command:
    """`--moves` and `--position`, which exclude each other."""
    position = click.option(
        "--position", metavar="TEXT", help="A position in the game's text form."
    )
    return moves_option(position(command))


def limit_options(command: Command) -> Command:
    """`--seconds` and `--simulations`; whichever comes first ends a search."""
    seconds = click.option(
        "--seconds",
        type=float,
        metavar="S",
        help="Time for a move or a search, above 0.",
    )
    return seconds(simulations_option()(command))


def simulations_option(more: str = "") -> Callable[[Command], Command]:
    """`--simulations`, perhaps with more that a command has to say of it."""
    help_ = f"Simulations of a search, at least 1.{more}"
    return click.option("--simulations", type=int, metavar="N", help=help_)


def clock_option(more: str = "") -> Callable[[Command], Command]:
    """`--time`, a clock, perhaps with more that a command has to say of it."""
    help_ = f"Seconds for the game, and after each move, as in 1+0.1.{more}"
    return click.option("--time", "clock", metavar="BASE+INC", help=help_)


def plot_option(what: str) -> Callable[[Command], Command]:
    """`--plot`, which draws something."""
    help_ = f"Draw {what}, as PNG or SVG."
    return click.option("--plot", type=FILE, metavar="FILE", help=help_)


executor_option = click.option(
    "--executor",
    metavar="WHERE",
    default="local",
    show_default=True,
    help="Where games are played: local, ray, or ray:ADDRESS of a cluster.",
)
seed_option = click.option(
    "--seed",
    type=int,
    metavar="N",
    help="Same seed and simulations, same result; at random if not given.",
)


def search_options(command: Command) -> Command:
    """`--preset` and `--seed`."""
    preset = click.option(
        "--preset",
        metavar="P",
        shell_complete=complete_preset,
        help="Search as fachada, tutorial, tiny, group21 or tsinghua do.",
    )
    return preset(seed_option(command))


log_option = click.option(
    "--log",
    type=click.Choice(["table", "plain"]),
    default="table",
    show_default=True,
    help="What is said of a search: a table, or (row, column) -> ratio (W/n).",
)


def load_game(spec: str) -> Game:
    """The game that an argument names; its start must be a position."""
    from ...games.positions.position import Position
    from ...games.registry import make_game

    try:
        with watching():
            game = make_game(spec)
            Position(game)
        if reading := getattr(game, "reading", ""):
            click.echo(reading, err=True)
    except NotImplementedError:
        raise UsageError(
            f"{spec}: the rules are not complete; `playout.Game` says which methods a "
            "game must have"
        ) from None
    return game


def read_position(game: Game, moves: str | None, text: str | None) -> Position:
    """The position that `--moves` or `--position` describe; the start without them."""
    from ...games.positions.position import Position

    if moves is not None and text is not None:
        raise UsageError("--moves and --position exclude each other: give one of them")
    try:
        if text is not None:
            return Position(game, text)
        return Position.from_moves(game, (moves or "").split())
    except PlayoutError as error:
        option = "--moves" if text is None else "--position"
        raise type(error)(f"{option}: {error}") from None


def make_limit(
    seconds: float | None, simulations: int | None, default_seconds: float
) -> Limit:
    """The limit that the options give; with neither, so many seconds."""
    from ...players.player import LONGEST_SECONDS
    from ...search.limit import Limit

    expect_at_most("--seconds", seconds, LONGEST_SECONDS)
    if seconds is None and simulations is None:
        seconds = default_seconds
    return Limit(seconds=seconds, simulations=simulations)


def make_search(
    game: Game, preset: str | None, seed: int | None, threads: int = 1
) -> MCTS:
    """The search with the policies of a preset, or Playout's own."""
    from ...search import presets
    from ...search.mcts import MCTS

    policies = {} if preset is None else presets.preset(preset)
    return MCTS(game, seed=seed, threads=threads, **policies)


def check_plot(plot: str | None) -> None:
    """Complain of the file of `--plot`, if there is one, before what it is to show.

    Raises:
        UsageError: Matplotlib is missing, or such a file cannot be written.
    """
    if plot is not None:
        from ...core.pictures import check_plot_path

        check_writable("--plot", check_plot_path(plot))


def check_writable(option: str, path: Path) -> None:
    """Complain of a file before the work whose results it is to hold.

    Raises:
        UsageError: names the option.
    """
    if not path.parent.is_dir():
        raise UsageError(f"{option}: there is no directory {path.parent}")
    if path.is_dir():
        raise UsageError(f"{option}: {path} is a directory")
    new = not path.exists() or path.is_file()  # a new file takes its place
    places = [path] * path.exists() + [path.parent] * new
    if not all(os.access(place, os.W_OK) for place in places):
        raise UsageError(f"{option}: {path} cannot be written: permission denied")

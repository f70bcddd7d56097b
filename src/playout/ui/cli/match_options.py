"""Options of commands that play matches: how games go, and where and what is kept."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ...core.errors import UsageError
from .options import FILE, clock_option, executor_option, limit_options

if TYPE_CHECKING:
    from ...arena.match import MatchSettings

__all__ = [
    "Running",
    "make_settings",
    "needed_files",
    "openings_option",
    "running_options",
    "settings_options",
    "vary_option",
]

Command = Callable[..., Any]


@dataclass(frozen=True)
class Running:
    """Where games run, how many at once, what is kept and what is said of them."""

    concurrency: int | None
    save: str | None
    executor: str
    verbose: bool

    @property
    def games_at_once(self) -> int:
        return 1 if self.concurrency is None else self.concurrency


def running_options(command: Command) -> Command:
    """`--concurrency`, `--save`, `--executor`, `--verbose`, passed as `running`."""

    @click.option(
        "--concurrency",
        type=int,
        metavar="N",
        help="Games at once; 1 unless given.",
    )
    @click.option(
        "--save",
        type=FILE,
        metavar="FILE.db",
        help="Keep games as they finish; the same command then goes on.",
    )
    @executor_option
    @click.option(
        "--verbose", "-v", is_flag=True, help="A line on stderr for every game."
    )
    @functools.wraps(command)
    def wrapped(
        *,
        concurrency: int | None,
        save: str | None,
        executor: str,
        verbose: bool,
        **others: Any,
    ) -> Any:
        return command(running=Running(concurrency, save, executor, verbose), **others)

    return wrapped


def _expect_something(_: click.Context, __: click.Parameter, vary: str | None) -> Any:
    if vary is not None and not vary.strip():
        raise UsageError("--vary: nothing is named; write what varies, as in rows=9-12")
    return vary


vary_option = click.option(
    "--vary",
    callback=_expect_something,
    metavar="NAME=A-B,...",
    help="Draw the board anew for every round of games: "
    "rows=9-12,columns=9-12,forbidden=random.",
)

openings_option = click.option(
    "--openings",
    type=FILE,
    metavar="FILE|random:plies=N",
    help="Given moves, the same for all games of a pair or round.",
)


def settings_options(command: Command) -> Command:
    """What decides how games go, passed as `rules`: the keywords of `make_settings`."""

    @clock_option()
    @limit_options
    @openings_option
    @click.option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        metavar="N",
        help="Of openings and players.",
    )
    @vary_option
    @click.option(
        "--tolerance",
        type=float,
        default=0.2,
        show_default=True,
        metavar="S",
        help="Seconds by which an answer may be late.",
    )
    @click.option(
        "--adjudicate",
        multiple=True,
        metavar="RULE",
        help="End games early: draw:moves=8,score=0.05,after=30 or "
        "resign:moves=3,score=0.95. Never unless given.",
    )
    @functools.wraps(command)
    def wrapped(**given: Any) -> Any:
        names = ("clock", "seconds", "simulations", "openings", "seed", "vary")
        others = ("tolerance", "adjudicate")
        rules = {name: given.pop(name) for name in (*names, *others)}
        return command(rules=rules, **given)

    return wrapped


def needed_files(running: Running, openings: str | None) -> dict[str, Any]:
    """The files that a command must not overwrite, by the options that name them."""
    from ...arena.openings import book_file

    trials = None if running.save is None else f"{running.save}.trials"
    return {"--save": running.save, "trials": trials, "--openings": book_file(openings)}


def make_settings(
    game: str,
    players: tuple[str, ...],
    *,
    clock: str | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    openings: str | None = None,
    seed: int = 0,
    vary: str | None = None,
    tolerance: float = 0.2,
    adjudicate: tuple[str, ...] = (),
) -> MatchSettings:
    """The settings that options describe.

    Raises:
        UsageError: a value that is not accepted.
    """
    from ...arena.adjudication import Adjudication
    from ...arena.clock import TimeControl
    from ...arena.match import MatchSettings
    from ...arena.session import Conduct

    return MatchSettings(
        game,
        players,
        TimeControl.parse(clock, seconds, simulations),
        Conduct(tolerance=tolerance, adjudication=Adjudication.parse(adjudicate)),
        openings,
        seed,
        vary,
    )

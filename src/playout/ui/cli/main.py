"""`playout`: the command line's entry, and what it does when something goes wrong.

Every file in `commands` is a command of its name, and is imported when it is asked for.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import click
from click.shell_completion import shell_complete

from ...core.numba_settings import expect_numba
from ..common.size import bound_size
from . import commands
from .completing import COMPLETE
from .ctrl_c import leave, take_over
from .failure import (
    EXIT_BROKEN_PIPE,
    explain,
    no_sudden_end,
    report_unraisable,
    report_warning,
)
from .look_alikes import LOOK_ALIKES, register_look_alikes
from .options import keep_examples
from .terminal import expect_output
from .watchdog import end_what_hangs

__all__ = ["cli", "main"]

#: The order in which a newcomer meets them; the help tells others behind, by name.
_ORDER = (
    *("play", "serve", "analyze", "solve", "match", "tournament", "record", "tune"),
    *("levels", "train", "engine", "games", "new", "check", "perft", "bench", "warm"),
    "cache",
)


class PlayoutGroup(click.Group):
    """The commands; their failures are one line on stderr and an exit code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["help"] = keep_examples(kwargs.get("help") or "")
        super().__init__(*args, **kwargs)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command line and leave with its exit code (`SystemExit`)."""
        kwargs["standalone_mode"] = False
        kwargs["prog_name"] = "playout"
        if asked := os.environ.get(COMPLETE):  # by a shell whose Tab key was pressed
            sys.exit(shell_complete(self, {}, "playout", COMPLETE, asked))
        try:
            expect_output()
            bound_size()
            with no_sudden_end():
                code = super().main(*args, **kwargs)
            _flush()
        except BaseException as error:
            if os.environ.get("PLAYOUT_TRACEBACK"):
                raise
            sys.exit(explain(error))
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what Click would report in its own way is caught here."""
        try:
            expect_numba()
            value = super().invoke(ctx)
            _flush()
        except BrokenPipeError:
            _silence_stdout()
            ctx.exit(EXIT_BROKEN_PIPE)
        except KeyboardInterrupt as error:
            ctx.exit(explain(error))
        return value

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the files in `commands`."""
        return _names(*commands.__path__)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """What a file in `commands` has by the file's own name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"{commands.__name__}.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command


@cache
def _names(*folders: str) -> list[str]:
    names = sorted(each.name for each in iter_modules(folders))
    return sorted(names, key=[*_ORDER, *names].index)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    import platform
    from importlib import metadata

    import playout

    own = getattr(playout, "__version__", None) or metadata.version("playout")
    numba, numpy = metadata.version("numba"), metadata.version("numpy")
    click.echo(
        f"playout {own} "
        f"(Numba {numba}, NumPy {numpy}, Python {platform.python_version()})"
    )
    ctx.exit()


@click.group(
    cls=PlayoutGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
    epilog="`playout COMMAND --help` explains a command, with examples.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the versions of Playout, Numba, NumPy and Python.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Monte Carlo Tree Search at native speed on rules written in plain Python.

    Examples:
      playout play connect-four                 you begin
      playout play gomoku:size=9 --second       the program begins
      playout analyze connect-four --moves "4 4 4"
      playout games                             what there is, with parameters
      playout check my_game.py:MyGame           test rules of your own
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run this process's command line and leave with its exit code."""
    take_over()
    end_what_hangs()
    sys.unraisablehook = report_unraisable
    register_look_alikes()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            marked = stream is sys.stdin and stream.encoding.lower() == "utf-8"
            encoding = "utf-8-sig" if marked else None  # some editors mark the start
            stream.reconfigure(encoding=encoding, errors=LOOK_ALIKES)
    if not sys.warnoptions:
        warnings.showwarning = report_warning
    try:
        cli.main()
    except SystemExit as end:
        leave(end)


def _flush() -> None:
    click.echo(nl=False)


def _silence_stdout() -> None:
    """Keep the interpreter from failing once more when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

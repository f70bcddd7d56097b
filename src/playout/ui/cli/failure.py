"""What went wrong, as one line on stderr and an exit code; never a traceback.

| code | meaning                                                     |
|------|-------------------------------------------------------------|
| 0    | done                                                        |
| 1    | a fault of Playout itself                                   |
| 2    | an input that is not accepted: an argument, a file, a rule  |
| 130  | ended with Ctrl-C                                           |
| 141  | the program that read the output has ended                  |
"""

from __future__ import annotations

import _thread
import contextlib
import os
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any, NoReturn

import click

from ...core.errors import CompileError, PlayoutError
from ..common.messages import foreign_failure, is_installed, one_line

__all__ = [
    "EXIT_BROKEN_PIPE",
    "explain",
    "no_sudden_end",
    "report_unraisable",
    "report_warning",
]

EXIT_FAULT, EXIT_USAGE, EXIT_INTERRUPTED, EXIT_BROKEN_PIPE = 1, 2, 130, 141


def explain(error: BaseException) -> int:
    """Say on stderr what went wrong; returns the exit code."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, KeyboardInterrupt | click.Abort):
        click.echo(err=True)
        return EXIT_INTERRUPTED
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return EXIT_USAGE
    message, code = _message(error)
    with contextlib.suppress(OSError):  # there is nowhere left to say it
        click.echo(f"playout: error: {message}", err=True)
    return code


@contextlib.contextmanager
def no_sudden_end() -> Iterator[None]:
    """Make `os._exit` in the code of others an exception, as `sys.exit` is one.

    Else the process would end without its reason, and leave the terminal as it is.
    """
    leave, process = os._exit, os.getpid()

    def refuse(status: int) -> NoReturn:
        caller = sys._getframe(1).f_code.co_filename
        if os.getpid() != process or is_installed(caller):
            leave(status)
        raise SystemExit(f"os._exit({status})")

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = leave


def report_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: str | None = None,
) -> None:
    """Show a warning in one line; takes the place of `warnings.showwarning`."""
    text = str(message).partition("\nThe parse failed with exception:")[0]  # Numba's
    click.echo(f"playout: warning: {one_line(click.unstyle(text))}", err=True)


def report_unraisable(error: sys.UnraisableHookArgs) -> None:
    """Take the place of `sys.unraisablehook`, where a Ctrl-C that came too early goes.

    An exception in what Python calls when an object is deleted is shown and lost. If
    raised here, Ctrl-C would be lost again, so a thread repeats it when this is over.
    It is a bare thread, as `threading` takes locks that the main thread may hold here.
    """
    if isinstance(error.exc_value, KeyboardInterrupt):
        _thread.start_new_thread(_interrupt_soon, ())
    else:
        sys.__unraisablehook__(error)


def _interrupt_soon() -> None:
    time.sleep(0.02)
    _thread.interrupt_main()


def _message(error: BaseException) -> tuple[str, int]:
    if isinstance(error, click.ClickException):
        return one_line(_click_message(error)), EXIT_USAGE
    if isinstance(error, CompileError):
        return str(error), EXIT_USAGE
    if isinstance(error, PlayoutError):
        lines = getattr(error, "lines", [str(error)])  # of broken rules
        return "\n  ".join(map(one_line, lines)), EXIT_USAGE
    what = one_line(f"{type(error).__name__}: {error}").removesuffix(": ")
    if isinstance(error, SystemExit):  # Playout itself never ends that way
        what = f"{error.code}" if "os._exit" in str(error.code) else "sys.exit"
        what += " ends the program; raise an error instead"
    if (failure := foreign_failure(error, what)) is not None:
        return failure, EXIT_USAGE
    if isinstance(error, OSError) and error.strerror:
        name = error.filename
        if name is None and _is_output(error):
            name = "standard output"
        where = "" if name is None else f"{name}: "
        return one_line(f"{where}{error.strerror}"), EXIT_USAGE
    if isinstance(error, MemoryError):
        return "there is not enough memory for this", EXIT_USAGE
    return (
        f"a fault of Playout itself, please report it: {what} "
        "(PLAYOUT_TRACEBACK=1 in the environment shows where)"
    ), EXIT_FAULT


def _click_message(error: click.ClickException) -> str:
    """Click's message, and where to read what is accepted."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    see = " See" if message.endswith("?") else "; see"
    return f"{message}{see} `{context.command_path} --help`"


def _is_output(error: OSError) -> bool:
    """Whether it happened while something was printed."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return frames[-1].f_code is click.echo.__code__

"""What the terminal can show, and the line that shows that rules are compiled."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import Any, TextIO

import click

from ...core.errors import UsageError
from ...core.garbage import start_collecting
from ..common.compiling import IN_BACKGROUND, compiling_sentence
from .watchdog import watching

__all__ = [
    "expect_output",
    "is_terminal",
    "prints_aside",
    "quiet_keyboard",
    "say_json",
    "saying",
    "show_compiling",
    "spinning",
    "use_color",
]

#: What takes longer is explained.
NOTICE_SECONDS = 3.0
#: Where `say_json` writes while prints go elsewhere.
_outputs: list[TextIO] = []


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person sees (or types) what goes through this stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def expect_output() -> None:
    """Raise a `UsageError` where nothing that is printed would arrive.

    Python has no `sys.stdout` if the program was started with it closed (`>&-`), and
    what is printed would be lost without a word.
    """
    if sys.stdout is None:
        raise UsageError(
            "standard output is closed; send what should not be seen to /dev/null"
        )


@contextmanager
def prints_aside(wanted: bool) -> Iterator[None]:
    """Meanwhile prints go to stderr, and standard output is left to `say_json`.

    Else a `print` in rules or players of a user's own would tear what programs read.
    """
    if not wanted:
        yield
        return
    _outputs.append(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _outputs.pop()


def say_json(value: Any) -> None:
    """Print a value for programs."""
    output = _outputs[-1] if _outputs else None
    click.echo(json.dumps(value, indent=2), file=output)


def use_color() -> bool:
    """Whether to colour the output; see https://no-color.org."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return is_terminal(sys.stdout) and not plain


@contextmanager
def show_compiling() -> Iterator[list[str]]:
    """Show on stderr what is compiled, or hangs; gives the list of what was compiled.

    Garbage collection begins when it ends, as everything is loaded then. Before, it
    would look through Numba's many objects again and again, which takes 0.2 seconds.
    """
    from ...core.jit.native import on_compile

    show_here = _spin if is_terminal(sys.stderr) else _announce
    compiled: list[str] = []
    # At Ctrl-C a thread that compiles goes on by itself, so this may end before it.
    lock, shown, ended = threading.Lock(), ExitStack(), threading.Event()

    def observer(label: str) -> Callable[[], None]:
        again = label in compiled  # another kernel over the same rules
        show = _announce if label.endswith(IN_BACKGROUND) else show_here
        compiled.append(label)
        with lock:
            if ended.is_set() or (again and show is _announce):
                return lambda: None
            return shown.callback(show(compiling_sentence(label)))

    on_compile(observer)
    try:
        with watching():
            yield compiled
    finally:
        with lock:
            ended.set()
            shown.close()
        on_compile(None)
        start_collecting()


def _announce(sentence: str) -> Callable[[], None]:
    click.echo(sentence, err=True)
    return lambda: None


@contextmanager
def spinning(sentence: Callable[[], str]) -> Iterator[None]:
    """Meanwhile a sentence stands on stderr, with a clock, if that is a terminal."""
    if not is_terminal(sys.stderr):
        yield
        return
    end = _spin(sentence)
    try:
        yield
    finally:
        end()


def _spin(sentence: str | Callable[[], str]) -> Callable[[], None]:
    """A line with a clock, which a thread keeps going and the end wipes."""
    from rich.console import Console
    from rich.live import Live
    from rich.spinner import Spinner

    started = time.perf_counter()
    spinner = Spinner("dots")

    def frame() -> Any:
        said = sentence if isinstance(sentence, str) else sentence()
        spinner.update(text=f"{said} {time.perf_counter() - started:.1f} s")
        return spinner

    stack = ExitStack()
    stack.enter_context(quiet_keyboard())
    live = Live(get_renderable=frame, console=Console(stderr=True), transient=True)
    live.start(refresh=True)
    stack.callback(live.stop)
    return stack.close


@contextmanager
def saying(sentence: str, unless: list[str]) -> Iterator[None]:
    """Say this on stderr if what follows takes seconds, and nothing else was said."""

    def say() -> None:
        if not unless:
            click.echo(sentence, err=True)

    timer = threading.Timer(NOTICE_SECONDS, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def quiet_keyboard() -> Iterator[None]:
    """Do not show what is typed while a line is kept up to date: it would be torn.

    The keys are not lost: whatever reads next gets them. Ctrl-C works as ever.
    """
    if not _owns_terminal():
        yield
        return
    import termios

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    silent = [*before]
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(keyboard, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def _owns_terminal() -> bool:
    """Whether the keyboard is ours; a process in the background must not touch it."""
    if not (is_terminal(sys.stdin) and hasattr(os, "tcgetpgrp")):
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:  # it is not the terminal that jobs of ours are controlled from
        return True

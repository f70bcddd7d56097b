"""How commands play matches: shown while they run, ended cleanly, explained."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ...core.cluster import read_executor
from ...core.garbage import start_collecting
from ..common.compiling import compiling_sentence
from ..common.messages import is_cut, one_line, printable
from .match_options import Running
from .terminal import is_terminal
from .watchdog import watching

if TYPE_CHECKING:
    from ...arena.executors import Executor
    from ...arena.match import Match
    from ...arena.record import GameRecord
    from ...arena.store import Store

__all__ = [
    "Progress",
    "make_executor",
    "match_figures",
    "match_text",
    "observer_of",
    "play",
    "remarks",
    "table_of_games",
]

#: How often a live table is drawn anew, in seconds.
REFRESH_SECONDS = 0.1
#: Forfeits that are shown one by one; the others are counted.
MOST_FORFEITS = 10


def play(matches: Sequence[Match], running: Running, progress: Progress | None) -> bool:
    """Play matches until they are done, or Ctrl-C; returns whether they are done."""
    from ...arena.match import play_matches

    _warn_of_slow_clocks(matches, running)
    display = _MatchDisplay(progress if is_terminal(sys.stdout) else None)
    with display, table_of_games(running, display.say) as (store, executor):

        def observe(match: Match, number: int, record: GameRecord) -> None:
            if running.verbose:
                display.say(game_line(match, number, record))
            display.refresh()

        try:
            with watching(say=display.say):  # this process plays openings
                play_matches(matches, store, executor, observe)
        except KeyboardInterrupt:
            return False
    return True


@contextlib.contextmanager
def table_of_games(
    running: Running, say: Callable[[str], None] | None = None
) -> Iterator[tuple[Store, Executor]]:
    """Where games are kept and where they run, as the options say.

    Args:
        running: the options.
        say: tells people what is being waited for; a line on stderr by default.
    """
    from ...arena.store import Store

    start_collecting()
    say = say or functools.partial(click.echo, err=True)
    with (
        Store(running.save) as store,
        contextlib.closing(make_executor(running, say)) as executor,
    ):
        yield store, executor


def match_text(match: Match) -> str:
    """A match's tables: who won, what was paid, or both."""
    from ...arena.payoff_report import payoff_table
    from ...arena.report import match_table

    tables, forfeits = [], len(match.forfeits)
    compares = match.seats == 2 and not _is_shared(match)
    if compares:
        a, b = match.names
        tables = [match_table(a, b, match.tally, match.sprt, forfeits)]
    elif not match.counted:
        tables = ["games        0: none is finished"]
    if match.in_chips and match.counted:
        tables.append(payoff_table(match.payoffs, match.seats))
        if forfeits and not compares:
            tables.append(f"forfeits     {forfeits:,}")
    return "\n\n".join(tables)


def _is_shared(match: Match) -> bool:
    """Whether two players have always got the same, as where they win together."""
    compared = match.tally.wins + match.tally.losses
    return not (match.game.zero_sum or match.sprt or compared)


def match_figures(match: Match) -> dict[str, Any]:
    """The same for programs."""
    from ...arena.payoff_report import payoff_summary
    from ...arena.report import match_summary

    forfeits = len(match.forfeits)
    if match.seats == 2:
        figures = match_summary(match.tally, match.sprt, forfeits)
    else:
        figures = {"games": match.counted, "forfeits": forfeits}
    return {**figures, **payoff_summary(match.payoffs)} if match.in_chips else figures


def remarks(match: Match) -> list[str]:
    """Remarks besides the figures: forfeits, repeated games."""
    lines = []
    for forfeit in match.forfeits[:MOST_FORFEITS]:
        lines.append(
            f"game {forfeit.game}: {forfeit.player} lost by {forfeit.reason}: "
            f"{one_line(forfeit.detail)}"
        )
    if any(is_cut(one.detail) for one in match.forfeits[:MOST_FORFEITS]):
        lines.append(
            "[...] is left out above; games kept with --save have all of it: "
            "`playout record list` and `playout record show`"
        )
    if len(match.forfeits) > MOST_FORFEITS:
        lines.append(f"and {len(match.forfeits) - MOST_FORFEITS} more forfeits")
    if match.duplicates and not match.game.has_chance:  # whose luck may repeat itself
        rounds = match.round_of(match.counted - 1) + 1
        advice = match.book.advice(match.game, rounds)
        lines.append(
            f"{len(match.duplicates):,} of {match.counted:,} games repeat an earlier "
            f"one move for move{f'; {advice}' if advice else ''}"
        )
    return lines


def game_line(match: Match, number: int, record: GameRecord) -> str:
    """How a game went, in a line."""
    seats = " against ".join(record.players)
    label = f"{match.label}, " if match.label else ""
    how = f"{record.reason}, {len(record.moves)} moves"
    return printable(f"{label}game {number + 1}: {seats}  {record.result()}  ({how})")


class Progress:
    """The text to show while matches are played.

    Args:
        matches: those that are played.
        table: the figures so far.
    """

    def __init__(self, matches: Sequence[Match], table: Callable[[], str]) -> None:
        self._matches, self._table = matches, table
        self._started = time.monotonic()

    def text(self) -> str:
        """The figures so far, and how far the matches are."""
        counted = sum(match.counted for match in self._matches)
        seconds = time.monotonic() - self._started
        line = f"{counted:,} games{self._goal()}   {seconds:,.0f} s   Ctrl-C ends"
        return f"{self._table()}\n\n{line}"

    def _goal(self) -> str:
        if any(match.sprt is not None for match in self._matches):
            return ""
        return f" of {sum(match.games for match in self._matches):,}"


class _MatchDisplay:
    """A text that is redrawn while games are played, and erased at the end."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._live: Any = None
        self._shown = 0.0

    def __enter__(self) -> _MatchDisplay:
        if self._progress is not None:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(), auto_refresh=False, transient=True)
            self._live.start()
            self.refresh()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def refresh(self) -> None:
        """Draw the text as it is now, unless that was done a moment ago."""
        if self._progress is None or time.monotonic() - self._shown < REFRESH_SECONDS:
            return
        from rich.text import Text

        self._shown = time.monotonic()
        self._live.update(Text(self._progress.text()), refresh=True)

    def say(self, line: str) -> None:
        """A line on stderr; above the text, where there is one."""
        if self._live is None:
            click.echo(line, err=True)
        else:
            self._live.console.print(line, markup=False, highlight=False)


def observer_of(running: Running) -> Callable[[Match, int, GameRecord], None] | None:
    """The observer that prints a line for every game, with `--verbose`."""
    if not running.verbose:
        return None
    return lambda *game: click.echo(game_line(*game), err=True)


def make_executor(running: Running, say: Callable[[str], None]) -> Executor:
    """Where games run, as the options say; what is compiled is told once."""
    told: set[str] = set()

    def notify(label: str) -> None:
        sentence = compiling_sentence(label)
        if sentence not in told:
            told.add(sentence)
            say(sentence)

    kind, address = read_executor(running.executor, "--executor")
    if kind == "local":
        from ...arena.executors import LocalExecutor

        return LocalExecutor(running.games_at_once, notify, say)
    from ...arena.ray_executor import RayExecutor

    return RayExecutor(address, running.games_at_once, say)


def _processors() -> int:
    """How many this process may use, which in a container can be few."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _warn_of_slow_clocks(matches: Sequence[Match], running: Running) -> None:
    processors, games = _processors(), running.games_at_once
    timed = any(match.settings.time.timed for match in matches)
    if running.executor == "local" and timed and games > processors:
        click.echo(
            f"playout: warning: {games} games at once on {processors} processors: "
            "players think slower than their clocks run",
            err=True,
        )

"""The limits of a server are those that its page of the docs names."""

import os
import re
from pathlib import Path

from playout.core.jit.native import MOST_KEPT
from playout.ui.web import compile_process, compiler, guard, socket
from playout.ui.web.settings import Settings

WORDS = {"eight": 8, "twenty": 20, "a": 1}


def number_of(before: str, after: str) -> int:
    """The number between two texts of the page."""
    page = " ".join((Path(__file__).parents[3] / "docs/board.md").read_text().split())
    [found] = re.findall(rf"{before}(\w+){after}", page)
    return WORDS.get(found) or int(found)


def test_limits_are_those_of_the_docs() -> None:
    settings = Settings()
    assert settings.tables == number_of("", " games; ")
    assert settings.sockets == number_of("", " open pages; ")
    assert settings.seconds == number_of("", " s for a move")
    assert settings.connections == number_of("", " at a time, 200")
    assert settings.connections_at_address == number_of("at a time, ", " from one")
    assert settings.patience == number_of("A request has ", " s to arrive")
    assert 2 * settings.patience == number_of("no ping for ", " s is closed")
    assert number_of("together they can open ", " pages") == 200
    assert number_of("ends after ", " compiles") == compile_process.MOST_JOBS
    minutes = number_of(r"compiles, or after ", " minute without")
    assert 60 * minutes == compile_process.IDLE_SECONDS
    assert number_of("for at most ", " games or players") == compiler.MOST_HERE
    assert number_of("for the ", " of each kernel that were used last") == MOST_KEPT


def test_there_are_as_many_searches_as_cores() -> None:
    assert Settings().cores == os.cpu_count()


def test_searches_share_half_of_the_memory_there_may_be(monkeypatch) -> None:
    """Where nobody knows how much is free, as if it were 4 GB; three for each game."""

    def unknown(name):
        raise ValueError(name)

    monkeypatch.setattr(os, "sysconf", unknown)
    assert Settings(tables=10).memory == (4 << 30) // 2 // 30


def test_what_is_sent_is_of_bounded_size() -> None:
    """No page needs more, and more would fill the memory of the server."""
    assert guard.LARGEST_BODY == 600_000
    assert (socket.BURST, socket.RATE) == (60, 20)

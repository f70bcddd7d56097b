"""What the tests that kill a match have in common."""

import re
import time
from pathlib import Path

from playout.arena.store import Store


def reported(log):
    """The games that a command line said were finished."""
    text = log.read_text() if log.exists() else ""
    return {int(n) - 1 for n in re.findall(r"^game (\d+): .*\)$", text, re.MULTILINE)}


def wait(seconds, condition=lambda: False):
    until = time.monotonic() + seconds
    while time.monotonic() < until and not condition():
        time.sleep(0.005)


def kept(path):
    with Store(path) as store:
        return {game.number: game.record for game in store.games()}


def survivors(tag):
    """Processes that still run with a tag in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if tag.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            pass
    return found

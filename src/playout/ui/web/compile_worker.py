"""The process that compiles for the server: what it makes is left on disk.

| line to it, as JSON | line from it |
|---|---|
| `{"game": spec, "player": spec}` | `{"error": null}`, or why it cannot be compiled |

It ends when its input does, in the middle of a compile as well.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import warnings
from contextlib import suppress
from typing import TextIO

from ...core.errors import PlayoutError
from ...core.jit.fallback import InterpretedWarning
from ...games.registry import make_game
from ...players.registry import make_player
from .turns import NICENESS

__all__ = ["main"]

#: Characters of what is told of an error.
LONGEST_ERROR = 5000


def main() -> None:
    """Compile what is asked for until the input ends."""
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    # The server runs the same rules, and says so itself.
    warnings.simplefilter("ignore", InterpretedWarning)
    answers = _take_output()
    jobs: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    while True:
        print(json.dumps({"error": _compile(jobs.get())}), file=answers, flush=True)


def _take_output() -> TextIO:
    """The output, out of reach of what rules print, which goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _listen(jobs: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        jobs.put(line)
    os._exit(0)


def _compile(line: str) -> str | None:
    """Compile for a player of a game; why it cannot be done, if it cannot."""
    job = json.loads(line)
    try:
        player = make_player(job["player"], make_game(job["game"]))
        player.prepare()
        player.close()
    except PlayoutError as error:
        return str(error)[:LONGEST_ERROR]
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:LONGEST_ERROR]
    return None

"""Rules that hang are named on the screen; see `ui/cli/test_screen` for a terminal.

Also of `ui/tui/messages.py`.
"""

import threading
from typing import Any

import pytest

from playout.core import watchdog
from playout.ui.tui.hanging import RulesWatch
from playout.ui.tui.messages import Hanging
from tests.toys import Nim

from .support import moves, play, said, until

#: A thread that is held by the rules until it is let go.
held: list[threading.Thread] = []
let_go = threading.Event()


class Waits(Nim):
    def apply(self, state, action):
        if threading.current_thread() in held:
            let_go.wait(60)
        state.left -= action
        state.player = 1 - state.player


def test_a_method_that_hangs_while_a_program_thinks_is_named_until_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE_SECONDS", 0.2)

    async def script(app: Any, pilot: Any) -> None:
        held[:] = [app.host.thinker._thread]
        app.play("1")
        await until(pilot, lambda: said(app).startswith("Still running Waits.apply, "))
        assert "-alert" in app.status.classes
        assert not app.rules.is_stuck  # another thread than the screen's is held
        let_go.set()
        await until(pilot, lambda: len(moves(app)) == 2)
        assert said(app).startswith("Your move")

    play(Waits(), ["human", "greedy"], script)


class _Driver:
    def __init__(self) -> None:
        self.written = ""

    def write(self, text: str) -> None:
        self.written += text

    def flush(self) -> None:
        pass


def test_a_screen_that_takes_no_message_is_written_over_until_it_does() -> None:
    posted: list[Any] = []
    watch: Any = RulesWatch(posted.append)
    watch.driver = _Driver()
    watch.tell("Stuck.move, \x1b[2Jrules.py line 3")
    assert watch.is_stuck
    assert r"Still running Stuck.move, \x1b[2Jrules.py line 3" in watch.driver.written
    (message,) = posted
    assert watch.take(message)
    assert not watch.is_stuck


def test_a_screen_that_takes_the_message_is_not_written_over() -> None:
    def post(message: Any) -> None:
        assert isinstance(message, Hanging)
        assert not watch.take(message)

    watch: Any = RulesWatch(post)
    watch.driver = _Driver()
    watch.tell("Stuck.move, rules.py line 3")
    assert not watch.is_stuck
    assert watch.driver.written == ""

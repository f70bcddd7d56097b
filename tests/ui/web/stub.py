"""A player whose answers a test gives, and that tells what was asked of it."""

import sys
import threading
from types import SimpleNamespace

from playout.players.player import Decision, Player
from playout.players.registry import PLAYERS

#: Seconds after which a test has failed; nobody waits longer for anything.
LONGEST = 60.0


class Stub(Player):
    """Thinks until it is stopped, and then until the test lets it answer."""

    def __init__(self, script, game):
        super().__init__("stub", game)
        self.script, self._stopped = script, threading.Event()
        script.tell("made")

    def choose(self, position, allowance):
        self.script.tell("asked")
        self.script.allowances.append(allowance)
        self._stopped.wait(LONGEST)
        self.script.may_answer.wait(LONGEST)
        self._stopped.clear()
        self.script.tell("answered")
        return Decision(position.legal_actions()[0])

    def stop(self):
        self._stopped.set()

    def close(self):
        self.script.tell("closed")


class Script:
    """What happened to all stubs, and on which threads.

    Attributes:
        said: "made", "asked", "answered" and "closed", in their order.
        threads: the names of the threads where that was.
        allowances: of every `choose`.
        may_answer: set where those that are stopped answer at once.
    """

    def __init__(self):
        self.said, self.threads, self.allowances = [], [], []
        self.may_answer = threading.Event()

    def tell(self, what):
        self.said.append(what)
        self.threads.append(threading.current_thread().name)


def install(monkeypatch) -> Script:
    """Have the spec "stub" name such players."""
    script = Script()
    module = SimpleNamespace(make=lambda game: Stub(script, game))
    monkeypatch.setitem(sys.modules, "playout.players.stub", module)
    monkeypatch.setitem(PLAYERS, "stub", ("stub", "make"))
    return script

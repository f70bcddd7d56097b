"""Conversations with each engine: every command, every rule of time, exact answers.

Also of `ui/engine/swap2.py`, `ui/engine/bots.py`, `ui/engine/protocols/codingame.py`,
`ui/engine/gomocup_limits.py`, `ui/engine/protocols/gomocup.py`,
`ui/engine/protocols/riddles.py` and `ui/engine/protocols/jsonl.py`.
"""

from unittest import mock

import pytest

from playout.games.registry import make_game
from playout.players.player import Decision, Player
from playout.ui.engine.known import PROTOCOLS
from playout.ui.engine.loop import InputLine, clean
from playout.ui.engine.making import engine_class, make_engine
from playout.ui.engine.thinker import Thinker
from tests.conversations import find, read

#: The time at which everything happens: what is allowed can be told exactly.
NOW = 1000.0


class First(Player):
    """Plays the first legal move, and remembers what it was allowed."""

    def __init__(self, game, value=None):
        super().__init__("first", game)
        self.value, self.allowances, self.games = value, [], 0

    def new_game(self, seed):
        self.games += 1

    def choose(self, position, allowance):
        self.allowances.append(allowance)
        return Decision(position.legal_actions()[0], value=self.value)


class Patient(Thinker):
    """Waits for its players however little time is left: a busy machine is no fault."""

    def _wait(self, seat, seconds, number):
        return super()._wait(seat, 60.0, number)


def now():
    """The engine's clock; a mock would take longer than what is asked of the engine."""
    return NOW


class Bench:
    """An engine whose lines are taken at once, one after the other."""

    def __init__(self, protocol, game=None, value=None):
        self.said, self.players, self.number = [], [], 0
        game = make_game(game or engine_class(protocol).default or "connect-four")

        def make(other):
            self.players.append(First(other, value))
            return self.players[-1]

        thinker = Patient(make, keep=4)

        def say(line):
            self.said.append(clean(line))

        self.engine = make_engine(
            protocol, say, thinker=thinker, game=game, version="1.0"
        )

    def hear(self, text):
        self.number += 1
        line = InputLine(text, self.number, NOW)
        with mock.patch("time.monotonic", now):
            if not self.engine.hear(line):
                self.engine.handle(line)

    @property
    def allowance(self):
        return [a for player in self.players for a in player.allowances][-1]


def test_every_protocol_has_a_conversation():
    assert {path.stem.partition("_")[0] for path in find("engine")} == set(PROTOCOLS)


@pytest.mark.parametrize("path", find("engine"), ids=lambda path: path.stem)
def test_engine(path):
    settings, steps = read(path)
    value = float(settings["value"]) if "value" in settings else None
    bench = Bench(path.stem.partition("_")[0], settings.get("game"), value)
    for step in steps:
        if step.sign == ">":
            assert not bench.said, f"{step.place}: too much was said before"
            bench.hear(step.text)
        elif step.sign == "<":
            assert bench.said, f"{step.place}: nothing was said"
            assert bench.said.pop(0) == step.text, step.place
        else:
            check_allowance(bench.allowance, step)
    assert not bench.said


def check_allowance(allowance, step):
    words = step.text.split()
    for name, wanted in zip(words[::2], words[1::2], strict=True):
        found = getattr(allowance, name)
        if wanted == "none":
            assert found is None, f"{step.place}: {name} is {found}"
        else:
            assert found == pytest.approx(float(wanted)), f"{step.place}: {name}"

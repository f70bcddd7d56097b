"""What no conversation shows of `ui/engine/protocols/gtp.py`: clocks and failures."""

import pytest

from playout.core.errors import PlayoutError
from playout.players.player import Decision
from playout.ui.engine.loop import InputLine

from ..test_protocols import NOW, Bench, First


def test_the_time_of_a_move_is_taken_off_where_nobody_tells(monkeypatch):
    """Two moves took three seconds each; the game has ten."""
    clock = [NOW]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])

    def choose(self, position, allowance):
        self.allowances.append(allowance)
        clock[0] += 3.0
        return Decision(position.legal_actions()[0])

    monkeypatch.setattr(First, "choose", choose)
    gtp = Bench("gtp", "go:size=5")
    found = []
    for number, text in enumerate(["time_settings 10 0 0", *["genmove b"] * 2]):
        gtp.engine.handle(InputLine(text, number, clock[0]))
        if gtp.players:
            found.append(gtp.allowance.remaining)
    assert found == pytest.approx([9.95, 6.95])


def test_a_move_that_fails_leaves_the_position_as_it_was(monkeypatch):
    """White is asked for the first move; the pass for Black is taken back."""

    def choose(self, position, allowance):
        raise PlayoutError("no move today")

    monkeypatch.setattr(First, "choose", choose)
    gtp = Bench("gtp", "go:size=5")
    gtp.hear("genmove w")
    assert gtp.said[0].startswith("? ")
    assert gtp.engine.position.actions == []


@pytest.mark.parametrize("text", ["time_settings ² 0 0", "time_left b ² 0"])
def test_digits_that_are_no_numbers(text):
    gtp = Bench("gtp", "go:size=5")
    gtp.hear(text)
    assert gtp.said[0] == "? syntax error"

"""`lz-analyze` of `ui/engine/protocols/gtp.py`, which another line ends."""

import io
import threading
from types import SimpleNamespace
from unittest.mock import Mock

from playout import Result
from playout.players.player import Decision
from playout.ui.engine.loop import serve

from ..test_protocols import Bench, First

#: What Go's players are supposed to have found.
FOUND = Mock(
    spec=Result,
    actions=[
        SimpleNamespace(move="c3", visits=7, mean=0.5),
        SimpleNamespace(move="a5", visits=2, mean=-1.0),
        SimpleNamespace(move="pass", visits=0, mean=0.0),
    ],
    pv=["c3", "b2"],
)
LINE = (
    "info move C3 visits 7 winrate 7500 order 0 pv C3 B2 "
    "info move A5 visits 2 winrate 0 order 1 pv A5"
)


def bench(monkeypatch, choose):
    monkeypatch.setattr(First, "choose", choose)
    return Bench("gtp", "go:size=5")


def test_the_next_line_ends_it_and_is_answered(monkeypatch):
    def choose(self, position, allowance):
        return Decision(position.legal_actions()[0], result=FOUND)

    gtp = bench(monkeypatch, choose)
    serve(gtp.engine, io.BytesIO(b"1 lz-analyze b 10\n2 name\nlz-analyze\n"))
    assert gtp.said == ["=1", LINE, "", "=2 Playout", "", "=", LINE, ""]


def test_it_tells_what_is_found_while_it_thinks(monkeypatch):
    asked = []
    other = threading.Event()

    def choose(self, position, allowance):
        while allowance.progress(FOUND):
            asked.append(1)
            if gtp.said.count(LINE) == 3:
                other.set()
        return Decision(position.legal_actions()[0], result=FOUND)

    class Source(io.BytesIO):
        """Its second line comes when three have been told."""

        def readline(self, size=-1):
            if self.tell():
                assert other.wait(60)
            return super().readline(size)

    gtp = bench(monkeypatch, choose)
    serve(gtp.engine, Source(b"lz-analyze 5\n\n"))
    assert gtp.said[0] == "="
    assert gtp.said.count(LINE) >= 4
    assert gtp.said[-1] == ""


def test_where_a_game_is_over_there_is_nothing_to_tell(monkeypatch):
    gtp = Bench("gtp", "go:size=5")
    serve(gtp.engine, io.BytesIO(b"play b pass\nplay w pass\nlz-analyze\n"))
    assert gtp.said == ["=", "", "=", "", "=", ""]

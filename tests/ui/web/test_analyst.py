"""Searches for the page that begin before their rules are compiled."""

import asyncio
import time

from playout import Limit, TicTacToe
from playout.games.positions.position import Position
from playout.search.mcts import MCTS
from playout.ui.common.adviser import Adviser
from playout.ui.web.analyst import (
    COMPILE_SECONDS,
    SLOW_SECONDS,
    AnalysisRequest,
    Analyst,
)
from playout.ui.web.turns import Pool
from tests.ui.web.support import in_a_loop

GAME = TicTacToe()


class Asked(Adviser):
    """Notes how long each search may take; those are short, and told of once."""

    def __init__(self, simulations=None):
        super().__init__(GAME, seed=1)
        self.seconds, self.simulations = [], simulations

    def analyse(self, position, limit, progress=None):
        self.seconds.append(limit.seconds)
        few = self.simulations and Limit(simulations=self.simulations)
        result = super().analyse(position, few or limit)
        progress(result)
        return result


def asked(monkeypatch, kind, *compiling, simulations=None):
    """The seconds of the searches for a request, and what the page is told of code.

    `compiling` is what is said whenever one asks whether it is being made.
    """
    pool, adviser, answers = Pool(1, 1), Asked(simulations), iter(compiling)
    adviser.prepare()
    analyst = Analyst(GAME, pool, 10**8, print, lambda: True, print)
    analyst._main = analyst._other = adviser
    request = AnalysisRequest(kind, Position(GAME), 0.2, move="b2")
    told = []

    def say(kind, message, position):
        if kind == "analysis":
            told.append(message["compiling"])

    with monkeypatch.context() as patch:
        patch.setattr(analyst, "_say", say)
        patch.setattr(MCTS, "is_compiling", property(lambda _: next(answers)))
        analyst._find(request)
    pool.close()
    assert list(answers) == []
    return adviser.seconds, told


def test_seconds_of_an_analysis_begin_when_its_code_is_there(monkeypatch):
    found = asked(monkeypatch, "analysis", True, True, False, False)
    assert found == ([COMPILE_SECONDS, 0.2], [True, False])
    assert asked(monkeypatch, "analysis", False, False) == ([0.2], [False])


def test_other_questions_are_answered_at_once(monkeypatch):
    assert asked(monkeypatch, "why", True, True) == ([0.2, 0.2], [True, True])


def test_a_review_waits_for_code_and_takes_longer_by_slow_rules(monkeypatch):
    found = asked(monkeypatch, "review", True, True, False, False)
    assert found == ([COMPILE_SECONDS, 0.2], [True, False])
    seconds, _ = asked(monkeypatch, "review", False, False, False, simulations=20)
    assert seconds == [0.2, SLOW_SECONDS]


def test_the_end_waits_for_what_is_under_way(monkeypatch):
    """Else it would go on when the server's threads are closed."""
    ended = []

    def find(request):
        while not request.stopped:
            time.sleep(0.01)
        time.sleep(0.1)
        ended.append(request.kind)
        return {}

    async def ask():
        pool = Pool(1, 1)
        analyst = Analyst(GAME, pool, 10**8, lambda *said: None, lambda: True, print)
        analyst._main = Asked()
        monkeypatch.setattr(analyst, "_find", find)
        analyst.request(AnalysisRequest("hint", Position(GAME), 1.0))
        await asyncio.sleep(0.1)
        await analyst.close(60)
        pool.close()

    in_a_loop(ask)
    assert ended == ["hint"]


def test_what_cannot_be_answered_is_not_tried_for_ever():
    """As at the end of the server, when a search is the last that its pool has run."""
    told = []

    async def ask():
        pool = Pool(1, 1)
        analyst = Analyst(GAME, pool, 10**8, lambda *said: None, lambda: True, print)
        pool.close()
        analyst.look(["b2"], told.append)
        await asyncio.wait_for(analyst._task, 60)

    in_a_loop(ask)
    assert told == [{"path": ["b2"], "children": []}]

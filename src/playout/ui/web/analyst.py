"""`Analyst`: searches positions of one game for the pages that show it.

There is one request at a time. A new one ends the search that is under way; where it is
for the same position or one that follows, the tree is kept.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...arena.values import LEAST_VISITS
from ...core.errors import PlayoutError
from ...games.contract.game import Game
from ...games.positions.position import Position
from ...players.player import Allowance
from ...search.limit import Limit
from ...search.result.result import Result
from ..common.adviser import Adviser
from .explain import explain
from .outbox import sentence
from .thoughts import ON_THE_WAY, branch, thought
from .turns import Pool

__all__ = [
    "HINT_SECONDS",
    "REVIEW_SECONDS",
    "WHY_SECONDS",
    "AnalysisRequest",
    "Analyst",
]

#: Time for a hint, for the move that is asked about, and for each move of a review.
HINT_SECONDS, WHY_SECONDS, REVIEW_SECONDS = 1.0, 0.8, 0.25
#: The same where that was too short to say anything.
SLOW_SECONDS = 2.0
#: So long an analysis may run interpreted before its own seconds begin.
COMPILE_SECONDS = 120.0


class SendResult(Protocol):
    """Sends what is found out to the pages."""

    def __call__(
        self, kind: str, message: dict[str, Any], line: Sequence[int] = ..., /
    ) -> None:
        """A message of a kind, about the position after these actions, if any."""


class PrepareSearch(Protocol):
    """Compiles what a player runs, then does the work that needs it."""

    async def __call__(
        self, work: Callable[[], object], player: str, wanted: Callable[[], bool], /
    ) -> bool:
        """Do the work; False if it was not wanted any more."""


@dataclass(eq=False)
class AnalysisRequest:
    """What is to be found out.

    Attributes:
        kind: "analysis", "hint", "why" or "review".
        position: where.
        seconds: the time for it.
        move: the move that "why" is about.
        skip: plies that a review can leave out.
        stopped: set where it is no longer wanted.
    """

    kind: str
    position: Position
    seconds: float
    move: str = ""
    skip: frozenset[int] = frozenset()
    stopped: bool = False


@dataclass
class _Question:
    """A path into the tree, and the function that gets the answer."""

    path: list[str]
    tell: Callable[[dict[str, Any]], None] = field(repr=False)


class Analyst:
    """Searches positions of a game on a thread of the pool.

    Args:
        game: the rules.
        pool: where searches run.
        memory: bytes for each of its two trees.
        tell: called in the event loop.
        clients: whether anybody is there to be told.
        prepare: has compiled what its searches run.
    """

    def __init__(
        self,
        game: Game,
        pool: Pool,
        memory: int,
        tell: SendResult,
        clients: Callable[[], Any],
        prepare: PrepareSearch,
    ) -> None:
        self.game, self.pool, self.memory = game, pool, memory
        self._tell, self._clients, self._prepare = tell, clients, prepare
        self._main: Adviser | None = None
        self._other: Adviser | None = None
        self._next: AnalysisRequest | None = None
        self._current: AnalysisRequest | None = None
        self._task: asyncio.Task[None] | None = None
        self._questions: deque[_Question] = deque()

    # -- in the event loop -------------------------------------------------------------

    @property
    def busy(self) -> str:
        """The kind of what is being found out; "" for nothing."""
        return "" if self._current is None else self._current.kind

    def request(self, request: AnalysisRequest) -> None:
        """Answer this request next, and end the one under way."""
        self._want(request)
        self._go()

    def stop(self) -> None:
        """End what is under way, soon."""
        self._want(None)

    async def close(self, patience: float | None = None) -> None:
        """End what is under way, and wait for that, at most so many seconds."""
        self.stop()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=patience)
            self._task.cancel()

    def _want(self, request: AnalysisRequest | None) -> None:
        dropped, self._next = self._next, request
        if dropped is not None:
            self._end(dropped)
        if self._current is not None:
            self._current.stopped = True

    def follow(self, actions: Sequence[int]) -> None:
        """End a request about a position that is no longer in the game."""
        wishes = [each for each in (self._current, self._next) if each is not None]
        if any(not begins_with(actions, each.position.actions) for each in wishes):
            self.stop()

    def forget(self) -> None:
        """Free the trees, unless one is being searched."""
        if self._task is None or self._task.done():
            self._main = self._other = None

    def look(self, path: list[str], tell: Callable[[dict[str, Any]], None]) -> None:
        """Tell the children of a node of the tree, when the search can be looked at."""
        if len(self._questions) < 50:
            self._questions.append(_Question(path, tell))
            self._go()

    def _go(self) -> None:
        self._loop = asyncio.get_running_loop()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._next is not None or self._questions:
            self._current, self._next = self._next, None
            try:
                if self._current is not None:
                    await self._fulfil(self._current)
                await self.pool.run(self._answer_questions)
            except Exception as error:
                self._tell("error", {"message": sentence(error)})
                if self._current is not None:
                    self._end(self._current)
                for question in self._questions:  # which would fail again and again
                    question.tell({"path": question.path, "children": []})
                self._questions.clear()
            finally:
                self._current = None

    async def _fulfil(self, request: AnalysisRequest) -> None:
        if self._main is None:
            self._tell("analysis", {"preparing": True})
            spec = Adviser(self.game).spec
            if not await self._prepare(self._make, spec, self._is_wanted):
                self._end(request)
                return
        message = await self.pool.run(lambda: self._find(request))
        if request.stopped and request.kind != "analysis":
            self._end(request)
        else:
            line = request.position.actions
            self._tell(request.kind, {**message, "done": True}, line)

    def _is_wanted(self) -> bool:
        """Whether there is anything to be found out."""
        current = self._current is not None and not self._current.stopped
        return current or self._next is not None

    def _end(self, request: AnalysisRequest) -> None:
        """Say that a request has no result, unless the next asks for the same."""
        if self._next is None or self._next.kind != request.kind:
            self._tell(request.kind, {"done": True, "stopped": True})

    # -- on a thread of the pool -------------------------------------------------------

    def _make(self) -> None:
        clock = self.pool.clock
        made = [Adviser(self.game, clock=clock) for _ in range(2)]
        for adviser in made:
            adviser.prepare()
        self._main, self._other = made

    def _find(self, request: AnalysisRequest) -> dict[str, Any]:
        assert self._main is not None
        assert self._other is not None
        if request.kind == "review":
            return self._review(request, self._other)
        if request.kind == "hint":
            return self._hint(request, self._main)
        if request.kind == "analysis" and self._main.search.is_compiling:
            self._await_code(request, self._main, request.position)
        result = self._search(self._main, request, request.position, request.seconds)
        message = thought(result, request.position, self._main.search.tree)
        if request.kind == "why":
            after = request.position.copy().play(request.move)
            answer = None
            if not after.is_terminal and not after.is_chance:
                answer = self._search(self._other, request, after, request.seconds)
            return explain(request.position, request.move, result, answer)
        return message

    def _hint(self, request: AnalysisRequest, adviser: Adviser) -> dict[str, Any]:
        """A move as the terminal suggests it: from a book, too, without a search."""
        position = request.position
        report = self._reporter(request, adviser, position)
        allowance = Allowance(seconds=request.seconds, memory=self.memory)
        decision = adviser.hint(position, allowance, report)
        if decision.result is not None:
            return thought(decision.result, position, adviser.search.tree)
        return {
            "ply": len(position.actions),
            "move": self.game.action_name(decision.action),
            "comment": decision.comment,
        }

    def _await_code(
        self, request: AnalysisRequest, adviser: Adviser, position: Position
    ) -> None:
        """Search while another process compiles: that is not charged to a request.

        What is found stays in the tree.
        """
        report = self._reporter(request, adviser, position)

        def go_on(result: Result | None) -> bool:
            return report(result) and adviser.search.is_compiling

        limit = Limit(seconds=COMPILE_SECONDS, memory=self.memory)
        adviser.analyse(position, limit, go_on)

    def _search(
        self,
        adviser: Adviser,
        request: AnalysisRequest,
        position: Position,
        seconds: float,
    ) -> Result:
        limit = Limit(seconds=seconds, memory=self.memory)
        report = self._reporter(request, adviser, position)
        return adviser.analyse(position, limit, report)

    def _reporter(
        self, request: AnalysisRequest, adviser: Adviser, position: Position
    ) -> Callable[[Result | None], bool]:
        """What is called during a search: tells the page, and whether to go on."""

        def report(result: Result | None) -> bool:
            if adviser is self._main and result is not None:
                self._answer_questions()
                tree = adviser.search.tree
                message = thought(result, position, tree, ON_THE_WAY)
                message["compiling"] = adviser.search.is_compiling
                self._say("analysis", message, position)
            return not request.stopped and bool(self._clients())

        return report

    def _review(self, request: AnalysisRequest, adviser: Adviser) -> dict[str, Any]:
        """Search the positions of the game in their order, each for a short time."""
        actions = request.position.actions
        position = Position(self.game, request.position.start_text)
        for ply in range(len(actions) + 1):
            if request.stopped or not self._clients():
                break
            if ply:
                position.play(actions[ply - 1])
            skip = ply in request.skip or position.is_terminal or position.is_chance
            if not skip:
                result = self._glance(request, adviser, position)
                self._say("value", thought(result, position.copy(), None), position)
        return {"ply": len(actions)}

    def _glance(
        self, request: AnalysisRequest, adviser: Adviser, position: Position
    ) -> Result:
        """What a short search of a position finds; by slow rules one less short."""
        if adviser.search.is_compiling:
            self._await_code(request, adviser, position)
        result = self._search(adviser, request, position, request.seconds)
        if result.visits < LEAST_VISITS and result.proven is None:
            return self._search(adviser, request, position, SLOW_SECONDS)
        return result

    def _answer_questions(self) -> None:
        while self._questions:
            question = self._questions.popleft()
            answer: dict[str, Any] = {"path": question.path, "children": []}
            try:
                if self._main is not None:
                    search = self._main.search
                    answer = branch(search.tree, search.position, question.path)
            except PlayoutError:
                pass  # the tree is of another position by now
            self._loop.call_soon_threadsafe(question.tell, answer)

    def _say(self, kind: str, message: dict[str, Any], position: Position) -> None:
        line = tuple(position.actions)
        self._loop.call_soon_threadsafe(self._tell, kind, message, line)


def begins_with(actions: Sequence[int], line: Sequence[int]) -> bool:
    """Whether a game begins with the actions of a line.

    >>> begins_with([4, 0, 8], (4, 0)), begins_with([4], (4, 0))
    (True, False)
    """
    return list(actions[: len(line)]) == list(line)

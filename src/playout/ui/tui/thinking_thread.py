"""`ThinkingThread`: where players and the analysis think, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

from textual.message import Message

from ...arena.table import Table
from ...arena.turn import Turn
from ...core.errors import PlayoutError
from ...games.contract.game import Game
from ...games.positions.position import Position
from ...players.player import Allowance, Player, PlayerFailure
from ...search.limit import Limit
from ...search.result.result import Result
from ..common.adviser import Adviser
from ..common.messages import foreign_failure
from .messages import Answered, Failed, Hinted, Moment, Prepared, Thought

__all__ = ["ThinkingThread"]

#: For the analysis of one position, and the memory of its tree in bytes.
ANALYSIS_SECONDS, MEMORY = 60.0, 512 << 20
#: How long to wait at the end for a player that does not stop.
PATIENCE = 2.0


class _ThinkingTask:
    """What a player or search is asked; `stop` says that it is no longer wanted."""

    def __init__(self, moment: Moment, player: Player | None = None) -> None:
        self.moment, self.player = moment, player
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True
        if self.player is not None:
            self.player.stop()


class ThinkingThread:
    """Runs one task at a time; a new task ends the one before.

    Args:
        game: the rules.
        search: the spec of the search that gives hints and analyses.
        allowance: what a hint may use.
        seed: of that search's random numbers.
        post: sends a message to the screen; called on any thread.
    """

    def __init__(
        self,
        game: Game,
        search: str,
        allowance: Allowance,
        seed: int,
        post: Callable[[Message], object],
    ) -> None:
        self.allowance, self.post = allowance, post
        self.adviser = Adviser(game, search, seed=seed)
        self._task = _ThinkingTask((0, -1))
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    # -- on the screen's thread --------------------------------------------------------

    def prepare(self, table: Table, moment: Moment) -> None:
        """Have the program to move compile or load what it needs."""
        task = self._begin(_ThinkingTask(moment))

        def job() -> None:
            table.prepare()
            if not task.stopped:
                self.post(Prepared(task.moment))

        self._jobs.put(job)

    def ask(self, turn: Turn, moment: Moment) -> None:
        """Have a program move."""
        task = self._begin(_ThinkingTask(moment, turn.player))

        def job() -> None:
            if task.stopped:
                return
            answer = turn.ask(self._reporter(task))
            if not task.stopped:  # else it was cut short, not chosen
                self.post(Answered(moment, answer))

        self._jobs.put(job)

    def hint(self, position: Position, moment: Moment) -> None:
        """Suggest a move."""
        task = self._begin(_ThinkingTask(moment))

        def job() -> None:
            if task.stopped:
                return
            report = self._reporter(task)
            try:
                decision = self.adviser.hint(position, self.allowance, report)
            except PlayerFailure as failure:
                self.post(Failed(str(failure)))
            else:
                self.post(Hinted(moment, decision))

        self._jobs.put(job)

    def analyse(self, position: Position, moment: Moment) -> None:
        """Search a position for a long time, or until there is another task."""
        task = self._begin(_ThinkingTask(moment))

        def job() -> None:
            if task.stopped:
                return
            limit = Limit(seconds=ANALYSIS_SECONDS, memory=MEMORY)
            report = self._reporter(task)
            report(self.adviser.analyse(position, limit, report))

        self._jobs.put(job)

    def hurry(self) -> None:
        """Have the program that thinks move now."""
        if self._task.player is not None:
            self._task.player.stop()

    def stop(self) -> None:
        """End what is thought about; no more is heard of it."""
        self._task.stop()

    def then(self, do: Callable[[], None]) -> None:
        """Do something when what is thought about now has been thought."""
        self._jobs.put(do)

    def close(self) -> None:
        """End the thread, unless what it does goes on for too long."""
        self.stop()
        self._jobs.put(None)
        self._thread.join(PATIENCE)

    @property
    def is_busy(self) -> bool:
        """Whether the thread is there; once closed, it does not come back."""
        return self._thread.is_alive()

    def _begin(self, task: _ThinkingTask) -> _ThinkingTask:
        self._task.stop()
        self._task = task
        return task

    # -- on the thread of its own ------------------------------------------------------

    def _reporter(self, task: _ThinkingTask) -> Callable[[Result | None], bool]:
        def report(result: Result | None) -> bool:
            if not task.stopped:
                self.post(Thought(task.moment, result))
            return not task.stopped

        return report

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except PlayoutError as error:
                self.post(Failed(str(error)))
            except Exception as error:  # the thread must go on
                what = foreign_failure(error) or f"{type(error).__name__}: {error}"
                self.post(Failed(what))

"""`StepTeam`: searches one tree with an evaluator, batch by batch.

From outside it is a team of threads like any other. So limits, chunks, memory, moves
and results are those of the compiled search.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.interrupt import allowing_interrupts
from ...core.jit.native import Kernel
from ...core.rng import Rng
from ..evaluation.evaluator import Evaluation
from ..evaluation.judgement import Judgement
from ..kernels.pending import make_pending
from ..kernels.policies import Policies
from ..kernels.stepwise import GOOD, StepWork, begin, finish, undo
from ..tree.tree import Tree
from ..work import Work
from .waiting import WaitingLeaves
from .workers import Call, ThreadTeam

__all__ = ["StepTeam"]


class TreeTurn(threading.Condition):
    """A lock: the thread that holds it may use the tree.

    Attributes:
        failed: whether a thread has failed, so that all are to end.
    """

    failed = False


class StepTeam(ThreadTeam):
    """Who searches a tree with an evaluator.

    Threads take turns at the tree, and ask the evaluator side by side.

    Args:
        policies: what they search by.
        rngs: random numbers, for each of them.
        virtual_loss: the return that a waiting leaf is assumed to lose.
        evaluation: the evaluator.
    """

    def __init__(
        self,
        policies: Policies,
        rngs: list[Rng],
        virtual_loss: float,
        evaluation: Evaluation,
    ) -> None:
        self.evaluation = evaluation
        self.turn = TreeTurn()
        super().__init__(policies, rngs, virtual_loss)

    def calls(self, tree: Tree, until: int, end: int, in_turn: bool) -> list[Call]:
        self.turn.failed = False
        return [(*call, self.turn) for call in super().calls(tree, until, end, in_turn)]

    def fail(self) -> None:
        with self.turn:
            self.turn.failed = True
            self.turn.notify_all()

    def _kernel(self) -> Any:
        return Steps(self.evaluation)

    def _work(self, rng: Rng) -> Work:
        work = super()._work(rng)
        pending = make_pending(
            self.policies,
            self.evaluation.batch,
            len(work.path),
            shared=len(self.rngs) > 1,
            observes=self.evaluation.observes,
        )
        return StepWork.of(work, pending, self.virtual_loss)

    def _shared(self, work: Any) -> Any:
        return work  # they take turns, and have leaves and virtual losses already


class Steps:
    """What the threads of a team run, in place of a kernel: one step after another.

    Attributes:
        function: as plain Python.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.function = _Loop(evaluation, *(k.function for k in _KERNELS))

    def compile(self, *call: Any, checked: bool = False) -> _Loop:
        """The same, compiled for such arguments, as by `Kernel.compile`."""
        policies, tree, work, until, end, _ = call
        native = [
            begin.compile(policies, tree, work, until, end, checked=checked),
            finish.compile(policies, tree, work, checked=checked),
            undo.compile(policies, tree, work, checked=checked),
        ]
        loop = _Loop(self.evaluation, *native)
        loop.compile_seconds = sum(kernel.compile_seconds for kernel in native)
        return loop


_KERNELS: tuple[Kernel, Kernel, Kernel] = (begin, finish, undo)


class _Loop:
    """Steps of a search until it is where it should be.

    Args:
        evaluation: the evaluator.
        begin: the kernels of these names, compiled or not.
        finish: see `begin`.
        undo: see `begin`.
    """

    compile_seconds = 0.0

    def __init__(
        self,
        evaluation: Evaluation,
        begin: Callable[..., int],
        finish: Callable[..., int],
        undo: Callable[..., None],
    ) -> None:
        self.evaluation = evaluation
        self.begin, self.finish, self.undo = begin, finish, undo

    def __call__(
        self,
        policies: Policies,
        tree: Tree,
        work: StepWork,
        until: int,
        end: int,
        turn: TreeTurn,
    ) -> None:
        """Run simulations like `simulate`; who holds `turn` may use the tree.

        Raises:
            EvaluatorError: the evaluator failed; the tree is as it was.
        """
        leaves = WaitingLeaves(policies, work.pending)
        known = policies, tree, work

        def find() -> bool:
            """Whether leaves wait; if not, the search is where it should be, or fails.

            Where all that it comes to are leaves of other threads, it waits for them.
            """
            while not turn.failed:
                if self.begin(*known, until, end) > 0:
                    return True
                if not leaves.crowded():
                    break
                turn.wait()
            return False

        try:
            with turn:
                found = find()
            while found:
                states, answer = self._ask(leaves)
                with turn:
                    wrong = self.finish(*known)
                    turn.notify_all()
                    found = wrong == GOOD and find()
                if wrong != GOOD:
                    raise self.evaluation.wrong(answer, states, wrong)
        except BaseException:
            with turn:
                self.undo(policies, tree, work)
                turn.notify_all()
            raise

    def _ask(self, leaves: WaitingLeaves) -> tuple[NDArray[np.void], Judgement]:
        """Ask the evaluator about the leaves that wait, and note its answer."""
        count = leaves.count()
        states = leaves.states[:count]
        with allowing_interrupts():  # nothing is locked, and it may take long
            answer = self.evaluation.ask(states, leaves.seen[:count])
        leaves.answer(answer.values, answer.priors)
        return states, answer

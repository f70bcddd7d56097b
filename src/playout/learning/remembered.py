"""`Remembered`: keeps an evaluator's answers, so that it is asked once a state."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import EvaluatorError
from ..core.jit.hashing import row_hash
from ..core.jit.native import kernel
from ..core.jit.rows import Rows
from ..games.contract.game import Game
from ..search.evaluation.evaluator import Evaluator
from .observing import PlaneWriter

__all__ = ["Remembered"]

#: So many answers are kept before all are dropped: 7 MB in Connect Four, 122 in Gomoku.
MOST = 2**17


class Remembered:
    """Asks an evaluator only about what it has not judged yet.

    Games of self-play begin alike, and the search of a position visits again much of
    what that of the position before has visited: of the leaves of 64 games of Connect
    Four two in three are known. Two states with one 64-bit hash count as one.

        >>> from playout.games.tic_tac_toe.rules import TicTacToe
        >>> asked = []
        >>> def judge(planes):
        ...     asked.append(len(planes))
        ...     return planes[:, 0].sum(axis=(1, 2)), np.ones((len(planes), 9))
        >>> remembered = Remembered(TicTacToe(), judge)
        >>> states = np.zeros(3, TicTacToe().state_dtype())
        >>> states["stones"][1, 0] = 7
        >>> remembered(states)[0]
        array([0., 3., 0.], dtype=float32)
        >>> asked
        [2]

    Args:
        game: the rules, which have `observe`.
        evaluator: values and priors of a batch of planes; the same for the same planes.
        most: states whose answers are kept; more at once are asked about and forgotten.
    """

    sees_states = True

    def __init__(self, game: Game, evaluator: Evaluator, most: int = MOST) -> None:
        self.evaluator, self.most = evaluator, most
        self.planes = PlaneWriter(game)
        self._count = 0
        self._table = np.zeros(most, np.uint64), np.zeros(2 << most.bit_length(), "i4")
        self._answers: tuple[NDArray[Any], ...] = ()
        none = np.zeros(0, np.int64)
        rows = Rows(np.zeros(0, game.state_dtype()))
        self._find: Any = find.compile(rows, *self._table, 0, none, none)

    def __call__(self, states: NDArray[np.void]) -> tuple[Any, Any]:
        """`[B]` or `[B, P]` values and `[B, A]` priors of `[B]` states.

        Raises:
            EvaluatorError: the evaluator gave too few or too many answers.
        """
        count = len(states)
        if count > self.most:
            return self.evaluator(self.planes(states))
        if self._count + count > self.most:
            self._forget()
        places, new = np.zeros((2, count), np.int64)
        try:
            added = self._find(Rows(states), *self._table, self._count, places, new)
            if added:
                self._ask(states.take(new[:added]))
        except BaseException:
            self._forget()  # some states have a place, and no answer
            raise
        values, priors = self._answers
        return values.take(places, axis=0), priors.take(places, axis=0)

    def use(self, evaluator: Evaluator) -> None:
        """Forget all answers, and ask another evaluator from now on."""
        self.evaluator = evaluator
        self._forget()

    def _ask(self, states: NDArray[np.void]) -> None:
        """Have these judged, and keep the answers at the next places."""
        answers = [np.asarray(a) for a in self.evaluator(self.planes(states))]
        if not self._answers:
            self._answers = tuple(
                np.empty((self.most, *answer.shape[1:]), answer.dtype)
                for answer in answers
            )
        for known, answer in zip(self._answers, answers, strict=True):
            if len(answer) != len(states):  # NumPy would repeat a single one
                raise EvaluatorError(
                    f"it gave {len(answer)} answers to {len(states)} states"
                )
            known[self._count : self._count + len(states)] = answer
        self._count += len(states)

    def _forget(self) -> None:
        """Have no state known. A key that no slot names is not looked at."""
        _, slots = self._table
        slots[:] = 0
        self._count = 0
        self._answers = ()


# -- compiled --------------------------------------------------------------------------


@kernel
def find(
    rows: Rows,
    keys: NDArray[np.uint64],
    slots: NDArray[np.int32],
    known: int,
    places: NDArray[np.int64],
    new: NDArray[np.int64],
) -> int:
    """Give every row a place, the same to equal rows; returns how many are new.

    Args:
        rows: the states.
        keys: the hash of what has each place.
        slots: a table of places plus 1, by the hash or, where a slot is taken, the
            next; 0 where there is none. At least half of it is free.
        known: how many places are taken.
        places: of each row, written.
        new: the first row of each new place, in their order; written.
    """
    mask, added = len(slots) - 1, 0
    for row in range(len(rows)):
        key = row_hash(rows[row])
        slot = int(np.int64(key & np.uint64(mask)))
        while slots[slot] > 0 and keys[slots[slot] - 1] != key:
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            keys[known + added] = key
            new[added] = row
            added += 1
            slots[slot] = known + added
        places[row] = slots[slot] - 1
    return added

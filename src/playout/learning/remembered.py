"""`Remembered`: keeps an evaluator's answers, so that it is asked once a state."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..search.evaluation.evaluator import Evaluator

__all__ = ["Remembered"]

#: So many answers are kept before all are dropped, some 20 MB in Connect Four.
MOST = 2**17


class Remembered:
    """Asks an evaluator only about what it has not judged yet.

    Games of self-play begin alike, and the search of a position visits again much of
    what that of the position before has visited: of the leaves of 64 games of Connect
    Four two in three are known.

        >>> asked = []
        >>> def judge(planes):
        ...     asked.append(len(planes))
        ...     return planes.sum(axis=1), planes
        >>> remembered = Remembered(judge, most=10)
        >>> remembered(np.float32([[0, 1], [2, 3], [0, 1]]))[0]
        array([1., 5., 1.], dtype=float32)
        >>> remembered(np.float32([[2, 3], [4, 5]]))[0]
        array([5., 9.], dtype=float32)
        >>> asked
        [2, 1]

    Args:
        evaluator: values and priors of a batch of planes; the same for the same planes.
        most: states whose answers are kept; more at once are asked about and forgotten.
    """

    def __init__(self, evaluator: Evaluator, most: int = MOST) -> None:
        self.evaluator, self.most = evaluator, most
        self._places: dict[bytes, int] = {}
        self._known: tuple[NDArray[Any], NDArray[Any]] | None = None

    def __call__(self, planes: NDArray[np.float32]) -> tuple[Any, Any]:
        """`[B]` or `[B, P]` values and `[B, A]` priors of `[B, ...]` planes."""
        if len(planes) > self.most:
            return self.evaluator(planes)
        digests = [blake2b(row, digest_size=16).digest() for row in planes]
        if len(self._places) + len(planes) > self.most:
            self._places.clear()
        first = len(self._places)
        new: list[int] = []
        for row, digest in enumerate(digests):
            if digest not in self._places:
                self._places[digest] = first + len(new)
                new.append(row)
        if new:
            try:
                self._ask(planes[new], first)
            except BaseException:
                for row in new:
                    del self._places[digests[row]]
                raise
        places = [self._places[digest] for digest in digests]
        assert self._known is not None
        values, priors = self._known
        return values[places], priors[places]

    def _ask(self, planes: NDArray[np.float32], first: int) -> None:
        """Have these judged, and keep the answers at the places from `first` on."""
        answers = [np.asarray(answer) for answer in self.evaluator(planes)]
        if self._known is None:
            values, priors = (
                np.empty((self.most, *answer.shape[1:]), answer.dtype)
                for answer in answers
            )
            self._known = values, priors
        for known, answer in zip(self._known, answers, strict=True):
            known[first : first + len(planes)] = answer

"""`Roots`: what the searches of a step have found, as arrays of all of them.

    Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022: sections
    3 and 4, appendix D.

`[B]` searches, `[A]` actions. Moves that the search did not consider, illegal ones
mostly, have a logit of minus infinity. A move that is proven has its exact value.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..search.result.many import ManyResults
from ..search.selection.gumbel import Gumbel
from ..search.solver.bounds import lower_of, upper_of

__all__ = ["Roots"]

Floats = NDArray[np.float64]


class Roots:
    """The roots of searches by `Gumbel`.

    Args:
        results: of `search_many`.
        selection: by which they were searched.

    Attributes:
        logits: `[B, A]` of the network.
        visits: `[B, A]` how often each action was tried.
        q: `[B, A]` what each is worth, for the player to move; where it was neither
            tried nor proven, the mixed value estimate.
        scores: `[B, A]` logit + sigma(q).
    """

    def __init__(self, results: ManyResults, selection: Gumbel) -> None:
        children = results.children
        self.visits = results.visits
        logits = children["logit"].astype(float)
        self.logits = np.where(results.has_child, logits, -np.inf)
        self._gumbel, self._proven = children["gumbel"], children["proven"]
        own = results.roots["own_value"].astype(float)
        self.known = lower_of(self._proven) == upper_of(self._proven)
        self.q = self._completed(results, own)
        most = self.visits.max(axis=1, keepdims=True)
        sigma = (selection.c_visit + most) * selection.c_scale * self.q
        self.scores = self.logits + sigma

    def policies(self) -> NDArray[np.float32]:
        """`[B, A]` the improved policies, softmax(logit + sigma(q))."""
        weights = np.exp(self.scores - self.scores.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)

    def choices(self) -> NDArray[np.int64]:
        """`[B]` the moves to play: of the most visited the highest g + logit + sigma.

        A proven win goes before all, a proven loss after all.
        """
        exact = lower_of(self._proven)
        wins = self.known & (exact == 1)
        losses = self.known & (exact == -1)
        visits = np.where(losses | np.isinf(self.logits), -1, self.visits)
        first = visits == visits.max(axis=1, keepdims=True)
        first &= visits >= 0  # else all of them lose
        first = np.where(first.any(axis=1, keepdims=True), first, losses)
        first = np.where(wins.any(axis=1, keepdims=True), wins, first)
        score = np.where(first, self.scores + self._gumbel, -np.inf)
        return np.asarray(score.argmax(axis=1))

    def values(self) -> Floats:
        """`[B]` what the positions are worth by the moves chosen, from -1 to 1."""
        rows = np.arange(len(self.q))
        return np.clip(self.q[rows, self.choices()], -1.0, 1.0)

    def _completed(self, results: ManyResults, own: Floats) -> Floats:
        """The q of every action; see appendix D for those that were not tried."""
        tried = self.visits > 0
        means = np.where(tried, results.value_sums / np.maximum(self.visits, 1), 0.0)
        means = np.where(self.known, lower_of(self._proven), means)
        priors = np.where(tried, np.exp(self.logits), 0.0)
        weight, visits = priors.sum(axis=1), self.visits.sum(axis=1)
        mean = (priors * means).sum(axis=1) / np.maximum(weight, 1e-300)
        mixed = np.where(weight > 0, (own + visits * mean) / (1 + visits), own)
        return np.where(tried | self.known, means, mixed[:, None])

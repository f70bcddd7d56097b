"""Selection: which child a simulation goes on to.

A selection policy gives every child a score; the highest is taken, the earlier child
where scores are equal (children stand in random order). A child without visits comes
first, unless the policy says otherwise. Values are for the player who moved into the
child, who is the one choosing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.bits import highest, likely
from ..core.compiled import static
from ..core.errors import UsageError
from .expansion import Expansion, RandomChild
from .policy import Policy
from .tree import CLOSED, MAX_VISITS, block_size

__all__ = ["ISUCT", "UCT", "Selection", "UCB1Tuned"]


#: Counts below this are looked up: logarithms, roots and divisions were a third of a
#: search's time. The tables are large, but a count grows by one: what is read next to
#: what was read last is in the cache.
_TABLE = 1 << 14
_COUNTS = [1, *range(1, _TABLE)]
_ROOT_OF_LOG = np.sqrt([math.log(n) for n in _COUNTS])
_INVERSE_ROOT = 1.0 / np.sqrt(_COUNTS)


#: Larger ones fall into parts, 128 from a power of two to the next.
_PARTS = 128
_SMALLEST, _BITS = _TABLE.bit_length() - 1, MAX_VISITS.bit_length()


def _cubics() -> NDArray[np.float64]:
    """`[parts, 4]` polynomials of a count that are `sqrt(ln count)` to 12 digits.

    Each passes through the values at four Chebyshev nodes of its part (Newton's form,
    then by powers of the count). All steps are exactly rounded but the logarithm, so
    that searches are the same on all processors; NumPy's own logarithms are not.
    """
    halves = np.repeat(np.ldexp(0.5 / _PARTS, np.arange(_SMALLEST, _BITS)), _PARTS)
    middles = np.tile(2.0 * np.arange(_PARTS, 2 * _PARTS) + 1, _BITS - _SMALLEST)
    nodes = [math.cos(math.pi * (k + 0.5) / 4) for k in range(4)]
    steps = [
        np.sqrt([math.log(count) for count in halves * (middles + node)])
        for node in nodes
    ]
    for order in range(1, 4):
        for k in range(3, order - 1, -1):
            steps[k] = (steps[k] - steps[k - 1]) / (nodes[k] - nodes[k - order])
    cubic = [steps[3]]
    for k in (2, 1, 0):  # times (count / half - middle - node), plus the next
        by_count = [np.zeros_like(halves), *(factor / halves for factor in cubic)]
        by_place = [-(middles + nodes[k]) * factor for factor in cubic]
        cubic = [a + b for a, b in zip(by_count, [*by_place, 0.0], strict=True)]
        cubic[0] = cubic[0] + steps[k]
    return np.stack(cubic, axis=1)


_CUBICS = _cubics()


def root_of_log(count: int) -> float:
    """`sqrt(ln count)` of a count of 1 to `MAX_VISITS`; 0 for 0."""
    if likely(count < _TABLE):
        return float(_ROOT_OF_LOG[count])
    exponent = highest(count)
    part = (exponent - _SMALLEST - 1) * _PARTS + (count >> (exponent - 7))
    c = _CUBICS[np.uint64(part)]  # unsigned: no test for a negative index
    return float(c[0] + count * (c[1] + count * (c[2] + count * c[3])))


def inverse_root(count: int) -> float:
    """`1 / sqrt(count)` of a count of at least 1."""
    if likely(count < _TABLE):
        return float(_INVERSE_ROOT[count])
    return 1.0 / math.sqrt(count)


class Selection(Policy):
    """Base of selection policies: write `score`, and `parent_term` if it helps."""

    interpreted_methods = Policy.interpreted_methods | {"usual_expansion"}

    def usual_expansion(self) -> Expansion:
        """The expansion that suits this policy, where none is asked for."""
        return RandomChild()

    def parent_term(self, parent: Any) -> float:
        """What the scores of all children of a node share, computed once a visit."""
        return 0.0

    def score(self, child: Any, parent_term: float) -> float:
        """How much a visited child should be taken; a row of the tree is given."""
        raise NotImplementedError

    def first_score(self, child: Any, parent_term: float) -> float:
        """The score of a child without visits."""
        return math.inf

    def promise(self, prior: float, parent_term: float) -> float:
        """The score of an action without a child, by its share of the sum of priors.

        Asked by `LikeliestFirst`; it should be what `first_score` says of the child.
        """
        return math.inf

    def offer(self, child: Any) -> None:
        """Learn that a child could have been taken, in games of hidden information.

        It is told of every child whose action was legal, the one taken too, after
        `select`. The row may be modified.
        """
        return

    def single_observer(self) -> bool:
        """Whether all players decide by what the one at the root knows.

        Asked in games of hidden information; see `hidden`.
        """
        return False

    def select(self, game: Any, tree: Any, node: int, work: Any, depth: int) -> int:
        """The child to go on to, of the node `work.path[depth]`."""
        return self.best_child(tree, node)

    def best_child(self, tree: Any, node: int) -> int:
        """The child with the highest score."""
        nodes = tree.nodes
        parent = nodes[node]
        term = self.parent_term(parent)
        count = parent.num_children
        block = parent.first_child
        best, top = block, -math.inf  # a score that is no number never wins
        done = 0
        while done < count:
            size = block_size(done, count)
            child, end = block, block + size
            while True:  # one at least; a range would test that, and is 4 % slower
                row = nodes[child]
                if row.visits == 0:
                    score = self.first_score(row, term)
                    if score == math.inf:
                        return child
                else:
                    score = self.score(row, term)
                if score > top and likely(row.proven & CLOSED == 0):
                    best, top = child, score
                child += 1
                if child == end:
                    break
            block = nodes[block].link
            done += size
        return best


def expect_at_least(least: float, **values: float) -> None:
    """Complain about a parameter that is too small, infinite or no number.

    Raises:
        UsageError: names the parameter.
    """
    for name, value in values.items():
        if not (math.isfinite(value) and value >= least):
            raise UsageError(
                f"{name} must be a number of at least {least}, not {value}"
            )


@dataclass(frozen=True)
class UCT(Selection):
    """UCB1 applied to trees: `W/n + c_uct * sqrt(ln N / n)`.

    Kocsis and Szepesvári, "Bandit Based Monte-Carlo Planning", ECML 2006, section 2.2;
    first-play urgency: Gelly and Wang, "Exploration Exploitation in Go: UCT for
    Monte-Carlo Go", NIPS workshop 2006, section 3.3.

    Attributes:
        c_uct: exploration constant, at least 0, on the scale of returns in [-1, 1]
            (twice what it would be for win rates in [0, 1]).
        first_play: the score of a child without visits; the default, infinity, takes
            every child once before any is taken twice. It matters where selection says
            when a child is visited first: with `LikeliestFirst()`, and with
            `AllChildren(visit_all=False)`.

    >>> from types import SimpleNamespace as Row
    >>> uct = UCT(c_uct=1.0)
    >>> term = uct.parent_term(Row(visits=100))
    >>> round(uct.score(Row(visits=10, value_sum=5.0), term), 6)
    1.178614
    """

    c_uct: float = 1.0
    first_play: float = math.inf

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, c_uct=self.c_uct)
        if math.isnan(self.first_play):
            raise UsageError("first_play must be a number, not nan")
        object.__setattr__(self, "c_uct", float(self.c_uct))
        object.__setattr__(self, "first_play", float(self.first_play))

    def parent_term(self, parent: Any) -> float:
        return self.c_uct * root_of_log(parent.visits)

    def score(self, child: Any, parent_term: float) -> float:
        root = inverse_root(child.visits)
        return (child.value_sum * root + parent_term) * root

    def first_score(self, child: Any, parent_term: float) -> float:
        return self.first_play

    def promise(self, prior: float, parent_term: float) -> float:
        return self.first_play


@dataclass(frozen=True)
class UCB1Tuned(Selection):
    """UCB1 that explores less where results vary little.

    `W/n + c_tuned * sqrt(ln N / n * min(1, V))` with `V = S/n - (W/n)^2 + 4 sqrt(2 ln N
    / n)` and S the sum of squared returns: the formula of Auer, Cesa-Bianchi, Fischer,
    "Finite-time Analysis of the Multiarmed Bandit Problem", Machine Learning 47, 2002,
    section 4, brought from rewards in [0, 1] to returns in [-1, 1], whose variance is
    four times as large: their 1/4 is our 1. S counts results before any discount.

    Attributes:
        c_tuned: factor of the exploration term, at least 0; 1 is the paper's.

    >>> from types import SimpleNamespace as Row
    >>> tuned = UCB1Tuned()
    >>> term = tuned.parent_term(Row(visits=10**6))
    >>> child = Row(visits=5000, value_sum=0.0, sum_of_squares=50.0)
    >>> round(tuned.score(child, term), 6)
    0.029142
    """

    c_tuned: float = 1.0

    columns = (("sum_of_squares", "f8"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, c_tuned=self.c_tuned)
        object.__setattr__(self, "c_tuned", float(self.c_tuned))

    def parent_term(self, parent: Any) -> float:
        return root_of_log(parent.visits) ** 2

    def score(self, child: Any, parent_term: float) -> float:
        mean = child.value_sum / child.visits
        spread = parent_term / child.visits
        variance = max(0.0, child.sum_of_squares / child.visits - mean * mean)
        most = min(1.0, variance + 4.0 * math.sqrt(2.0 * spread))
        return mean + self.c_tuned * math.sqrt(spread * most)

    def update(self, tree: Any, work: Any, depth: int, plies: int) -> None:
        for index in range(depth + 1):
            step = work.path[index]
            result = work.returns[step.mover]
            tree.nodes[step.node].sum_of_squares += result * result


@dataclass(frozen=True)
class ISUCT(UCT):
    """UCT where actions come and go: `W/n + c_uct * sqrt(ln m / n)`.

    Here m is how often the child could have been taken, which is less often than its
    parent was visited where some of the states that look alike do not allow its action.
    Where nothing is hidden m is the visits of the parent, as in UCT.

    Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG
    4 (2012), section IV.C.

    Attributes:
        c_uct: exploration constant, at least 0, on the scale of returns in [-1, 1]; by
            default the paper's 0.7 for returns in [0, 1].
        observers: "many", each player deciding by what it knows (MO-ISMCTS), or "one",
            all by what the player at the root knows (SO-ISMCTS).

    >>> from types import SimpleNamespace as Row
    >>> child = Row(visits=10, value_sum=5.0, offers=100)
    >>> round(ISUCT(c_uct=1.0).score(child, 0.0), 6)
    1.178614
    """

    columns = (("offers", "u4"),)

    c_uct: float = 1.4
    observers: str = static("many")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.observers not in ("many", "one"):
            raise UsageError(f"observers must be many or one, not {self.observers!r}")

    def offer(self, child: Any) -> None:
        child.offers += 1

    def single_observer(self) -> bool:
        return self.observers == "one"

    def score(self, child: Any, parent_term: float) -> float:
        root = inverse_root(child.visits)
        if child.offers > 0:
            parent_term = self.c_uct * root_of_log(child.offers)
        return (child.value_sum * root + parent_term) * root

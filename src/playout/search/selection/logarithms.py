"""Square roots and logarithms of visit counts, from tables."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...core.jit.bits import highest, likely
from ..tree.nodes import MAX_VISITS

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

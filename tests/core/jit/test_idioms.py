"""`not`, `any`, `all` and `@` mean compiled what they mean in Python."""

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from playout.core.jit import lowering  # imports what is tested
from playout.core.jit.advice import advice_on

assert lowering


@pytest.mark.parametrize(
    "numbers", [[1, 2, 3], [3, 3], [0, 3], [0, 0, 1], [1, 1], [2, 2, 2], [0]]
)
def test_they_are_those_of_python(numbers) -> None:
    def look(line):
        large = [number for number in line if number > 2]
        found = set(large)
        none = not large, not found, not (1, 2), not {1: 2}
        return (
            none,
            any(line),
            all(line),
            any(large),
            all(found),
            all((line[0] > 0, line[0] > 1)),
        )

    line = np.array(numbers)
    assert njit(look)(line) == look(line)


def test_no_array_is_true_or_false() -> None:
    def is_empty(table):
        return not table

    def is_any(table):
        return any(table)

    with pytest.raises(TypingError) as negated:
        njit(is_empty)(np.zeros(3))
    assert "ask for its length" in str(advice_on(str(negated.value)))
    with pytest.raises(TypingError) as asked:
        njit(is_any)(np.zeros((2, 2)))
    assert "as in (cells == 1).any()" in str(advice_on(str(asked.value)))


def test_a_range_is_not_assigned_to_a_part() -> None:
    def number(line):
        line[:2] = range(2)

    with pytest.raises(TypingError) as found:
        njit(number)(np.zeros(3, np.int32))
    assert "write np.arange" in str(advice_on(str(found.value)))


def test_lines_that_are_multiplied_are_of_one_length() -> None:
    """What products give is tested with the idioms of the page."""
    product = njit(lambda a, b: a @ b)
    assert product(np.arange(3), np.arange(3)) == 5
    with pytest.raises(ValueError, match="different lengths"):
        product(np.arange(3), np.arange(4))

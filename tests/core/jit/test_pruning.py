"""What is left of a function without some of its statements."""

import pytest

from playout.core.jit.pruning import names_at, without_lines


def _sample(values, limit):
    total = 0
    for value in values:
        if value > limit:
            break
        total += value
    return total


FIRST = _sample.__code__.co_firstlineno


def test_a_statement_is_taken_out_and_lines_stay() -> None:
    left = without_lines(_sample, [FIRST + 5])  # total += value
    assert left([1, 2], 5) == 0
    lines = {line for *_, line in left.__code__.co_lines()}
    assert FIRST + 6 in lines
    assert left.__code__.co_filename == _sample.__code__.co_filename


def test_blocks_stay_where_their_statement_goes() -> None:
    assert without_lines(_sample, [FIRST + 2]) is None  # its `break` has no loop then
    left = without_lines(_sample, [FIRST + 3])  # if value > limit:
    assert left([1, 2], 5) == 0  # it breaks at once
    with pytest.raises(ValueError):
        without_lines(_sample, [FIRST + 6])([1], 5)  # it returned
    several = without_lines(_sample, [FIRST + 4, FIRST + 3])  # the `break` goes first
    assert several([1, 2], 0) == 3


def test_what_a_statement_reads_and_sets() -> None:
    assert names_at(_sample, FIRST + 2) == ({"values"}, {"value"})
    assert names_at(_sample, FIRST + 6) == ({"total"}, set())
    assert without_lines(eval("lambda: 1"), [1]) is None  # nobody knows its source

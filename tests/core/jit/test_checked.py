"""Checked code finds indices that wrap and numbers that do not fit, with their line."""

import linecache
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import Compiled
from playout.core.jit.checked import CodeLine, RuleFault
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows

DTYPE = np.dtype(
    [
        ("cells", "i1", (3, 4)),
        ("flags", "?", (3,)),
        ("narrow", "i1"),
        ("unsigned", "u1"),
        ("wide", "i8"),
    ]
)
TABLE = np.arange(4)
PAIR = (5, 6, 7)


def helper(table: Any, number: int) -> Any:
    return table[number]  # helper


@dataclass(frozen=True)
class Uses(Compiled):
    """Each case uses a number otherwise."""

    case: int = 0

    def use(self, state: Any, number: int) -> Any:
        case = self.case
        if case == 0:
            return state.cells[number, 0]  # case 0
        if case == 1:
            state.cells[1, number] = 1  # case 1
        if case == 2:
            return TABLE[number]  # case 2
        if case == 3:
            return PAIR[number]  # case 3
        if case == 4:
            return helper(TABLE, number)
        if case == 5:
            state.narrow = number  # case 5
        if case == 6:
            state.cells[0, 0] += number  # case 6
        if case == 7:
            state.unsigned = number  # case 7
        if case == 8:
            state.narrow = number / 2  # case 8
        if case == 9:
            state.cells[1, :2] = np.array([0, number])  # case 9
        if case == 10:
            numbers = [4, 5, 6]
            return numbers[number]  # case 10
        if case == 11:

            def inner(index: int) -> Any:
                return TABLE[index]  # case 11

            return inner(number)
        if case == 12:
            return state.cells[-1, -1] + TABLE[-1] + PAIR[-1] + TABLE[number:][0]
        if case == 13:
            return TABLE[-number] + state.cells[1][-number]
        if case == 14:
            state.wide = number * 10**18 * 100
        if case == 15:
            state.flags[0] = number
        if case == 16:
            state.wide = number / 2  # case 16
        if case == 17:
            state.cells[1, :2] = np.array([0, number / 2])  # case 17
        return 0


@kernel
def run(uses: Any, rows: Any, number: int) -> Any:
    return uses.use(rows[0], number)


def outcome(case: int, number: int) -> Any:
    """What checked code raises; None where it runs to its end."""
    arguments = Uses(case), Rows(np.zeros(1, dtype=DTYPE)), number
    native = run.compile(*arguments, checked=True)
    try:
        native(*arguments)
    except RuleFault as fault:
        return fault
    return None


@pytest.mark.parametrize("case", [0, 1, 2, 3, 4, 10, 11])
def test_a_computed_index_below_0_is_found(case: int) -> None:
    assert outcome(case, 0) is None
    assert outcome(case, 2) is None
    fault = outcome(case, -1)
    assert "a computed index is below 0" in fault.what
    assert line_of(fault).endswith("# helper" if case == 4 else f"# case {case}")


@pytest.mark.parametrize(
    ("case", "fits", "number", "said"),
    [
        (5, 127, 128, "the field 'narrow', which holds -128 to 127"),
        (5, -128, -129, "in state_dtype()"),
        (6, 100, 200, "the field 'cells'"),
        (7, 255, -1, "the field 'unsigned', which holds 0 to 255"),
        (8, 254, 256, "the field 'narrow'"),
        (9, 127, 200, "the field 'cells'"),
    ],
)
def test_a_number_that_does_not_fit_is_found(
    case: int, fits: int, number: int, said: str
) -> None:
    assert outcome(case, fits) is None
    fault = outcome(case, number)
    assert said in fault.what
    assert line_of(fault).endswith(f"# case {case}")


@pytest.mark.parametrize(
    ("case", "said"),
    [(8, "'narrow' holds whole"), (16, "'wide' holds"), (17, "'cells' holds")],
)
def test_a_fraction_that_is_cut_off_is_found(case: int, said: str) -> None:
    assert outcome(case, 4) is None
    assert outcome(case, -4) is None
    for number in (3, -3):
        fault = outcome(case, number)
        assert said in fault.what
        assert line_of(fault).endswith(f"# case {case}")


@pytest.mark.parametrize("case", [12, 13, 14, 15])
def test_what_is_written_on_purpose_is_not(case: int) -> None:
    """Written negative indices, slices, 64 bits that wrap, numbers as booleans."""
    assert outcome(case, 2) is None


def test_code_that_is_not_checked_asks_nothing() -> None:
    arguments = Uses(2), Rows(np.zeros(1, dtype=DTYPE)), -1
    assert run.compile(*arguments)(*arguments) == TABLE[-1]


def test_a_place_is_told_by_code_that_may_move() -> None:
    place = CodeLine.of_line(helper, helper.__code__.co_firstlineno + 1)
    assert CodeLine.of_text(str(place)) == place
    moved = compile(
        f"\n\n\n{'def helper(table, number):'}\n    return 1\n", "x", "exec"
    )
    names: dict[str, Any] = {}
    exec(moved, names)
    assert place.line_in(names["helper"]) == 5


def line_of(fault: RuleFault) -> str:
    function = helper if fault.place.function == "helper" else Uses.use
    assert fault.place.function == function.__qualname__
    return linecache.getline(__file__, fault.place.line_in(function)).strip()

import numpy as np
import pytest

from playout.core.errors import PositionError, UsageError
from playout.core.jit.rows import Rows
from playout.games.contract.fields import (
    field_text,
    read_number,
    set_field,
    set_fields,
)

DTYPE = np.dtype(
    [
        ("left", "i2"),
        ("marks", "i1", (3,)),
        ("high", "f8"),
        ("on", "?"),
        ("used", "?", (2,)),
    ]
)


def test_fields_read_back_as_they_are_written():
    state, again = (Rows(np.zeros(1, DTYPE))[0] for _ in range(2))
    state.left, state.high, state.on = -300, 0.1, True
    state.marks[1] = -7
    state.used[1] = True
    for name in DTYPE.names:
        text = field_text(getattr(state, name))
        set_field(again, name, text, DTYPE[name])
        assert field_text(getattr(again, name)) == text


@pytest.mark.parametrize("text", ["0,1", "False,True"])
def test_booleans_are_short_and_read_either_way(text):
    state = Rows(np.zeros(1, DTYPE))[0]
    set_field(state, "used", text, DTYPE["used"])
    assert field_text(state.used) == "0,1"


def test_a_field_without_numbers_reads_back():
    dtype = np.dtype([("left", "i4"), ("none", "i1", 0)])
    state = Rows(np.zeros(1, dtype))[0]
    set_fields(state, f"left=3 none={field_text(state.none)}", dtype)
    assert state.left == 3
    with pytest.raises(PositionError, match="left=: expected 1 value of type int32"):
        set_field(state, "left", "", dtype["left"])


def test_records_within_a_state_are_told_by_their_numbers():
    place = [("row", "i1"), ("marks", "?", 2), ("high", "f8")]
    dtype = np.dtype([("at", place), ("men", place, 2)])
    state, again = (Rows(np.zeros(1, dtype))[0] for _ in range(2))
    state.at.row, state.men[1].high = 3, 0.5
    state.men[1].marks[0] = True
    texts = field_text(state.at), field_text(state.men)
    assert texts == ("3,0,0,0.0", "0,0,0,0.0,0,1,0,0.5")
    set_fields(again, "at={} men={}".format(*texts), dtype)
    assert (field_text(again.at), field_text(again.men)) == texts


@pytest.mark.parametrize("text", ["1,2", "a,b,c", "1,2,300", "1,2,3,4", ""])
def test_what_is_no_field_is_refused(text):
    state = Rows(np.zeros(1, DTYPE))[0]
    with pytest.raises(PositionError, match="expected 3 values of type int8"):
        set_field(state, "marks", text, DTYPE["marks"])


def test_actions_are_read_by_their_numbers():
    assert read_number("8", 9) == 8
    for text in ("9", "-1", "a1", ""):
        with pytest.raises(UsageError, match="is not a move; moves are 0 to 8"):
            read_number(text, 9)

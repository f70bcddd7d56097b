"""Names of cells: letters, numbers from the top or the bottom, and what is none."""

import pytest

from playout import UsageError
from playout.games.drawing.names import letters, name_cell, numbers, read_cell


@pytest.mark.parametrize("from_bottom", [False, True])
def test_names_read_back(from_bottom: bool) -> None:
    for row in range(12):
        for column in range(7):
            name = name_cell((row, column), 12 if from_bottom else 0)
            assert read_cell(name.upper(), 12, 7, from_bottom) == (row, column)
            assert name[0] == letters(7)[column]
            assert name[1:] == numbers(12, from_bottom)[row]


def test_an_alphabet_may_leave_letters_out() -> None:
    assert name_cell((0, 8), alphabet="abcdefghjk") == "j1"
    assert read_cell("j1", 9, 9, alphabet="abcdefghjk") == (0, 8)
    with pytest.raises(UsageError, match="'i1' is not a cell; cells are a1 to j9"):
        read_cell("i1", 9, 9, alphabet="abcdefghjk")


@pytest.mark.parametrize("text", ["", "a", "a0", "a9", "h1", "1a", "a1b", "a01", "aa1"])
def test_what_is_no_cell_says_what_is(text: str) -> None:
    with pytest.raises(UsageError, match="cells are a1 to g8"):
        read_cell(text, 8, 7)

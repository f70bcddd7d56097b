"""Good Python that is beyond Numba: it runs, and a line says what to write instead."""

import sys
from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

from playout import MCTS, InterpretedWarning, Limit
from tests.toys import Nim

NAMES = ["few", "many"]
VALUES = np.zeros(3)


class Colour(Enum):
    RED = 1


@dataclass(frozen=True)
class TextsOfAState(Nim):
    def is_terminal(self, state):
        names = {name for name, left in zip(NAMES, VALUES) if left < 1}  # noqa: B905
        return NAMES[1].upper() in names or state.left == 0


def test_a_set_of_texts_and_their_methods_are_beyond_numba_but_no_mistake() -> None:
    with pytest.warns(InterpretedWarning, match="build a set in a loop"):
        MCTS(TextsOfAState()).search(limit=Limit(simulations=1))


@dataclass(frozen=True)
class StrictZip(Nim):
    def is_terminal(self, state):
        for left, value in zip((1, state.left), VALUES[:2], strict=True):
            if left == value:
                return True
        return False


def test_a_keyword_that_numba_does_not_take() -> None:
    with pytest.warns(InterpretedWarning, match="without keywords only"):
        MCTS(StrictZip()).search(limit=Limit(simulations=1))


@dataclass(frozen=True)
class ComparesEnum(Nim):
    def is_terminal(self, state):
        return (VALUES == Colour.RED).any() or state.left == 0


def test_an_array_and_a_member_of_an_enum() -> None:
    with pytest.warns(InterpretedWarning, match=r"\(VALUES == Colour.*an IntEnum"):
        MCTS(ComparesEnum()).search(limit=Limit(simulations=1))


@dataclass(frozen=True)
class NamesWithinBrackets(Nim):
    def is_terminal(self, state):
        halves = [half for x in VALUES if (half := x / 2) > state.left]
        return state.left == 0 or len(halves) > 3


def test_a_name_that_is_set_within_a_list_in_brackets() -> None:
    """Since Python 3.12 such a list is no function within a function, and compiles."""
    search, one = MCTS(NamesWithinBrackets()), Limit(simulations=1)
    if sys.version_info >= (3, 12):
        search.search(limit=one)
        return
    with pytest.warns(InterpretedWarning, match=r"\(:=\).*write a loop"):
        search.search(limit=one)

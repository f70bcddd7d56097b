"""What is said of rules that failed: the method, the line, and the game's own words."""

from dataclasses import dataclass

import numpy as np
import pytest

from playout import Position, RulesError, UsageError, check_game
from playout.games.check.bounds import check_bounds
from tests.toys import Nim


class NoSuchMoveError(Exception):
    pass


@dataclass(frozen=True)
class Speaks(Nim):
    """Its moves are one, two and three, and it says so."""

    def action_name(self, action):
        return ("none", "one", "two", "three")[action]

    def parse_action(self, text):
        names = ("none", "one", "two", "three")
        if text.isdigit():
            raise NoSuchMoveError("write moves as words")
        if len(text) > 5:
            raise ValueError("moves are short:", len(text))
        return names.index(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7", "'7' is not a move: write moves as words"),
        ("sixteen", "'sixteen' is not a move: moves are short: 7"),
        ("four", "'four' is not a move"),  # Python's words are for programmers
    ],
)
def test_a_players_move_is_answered_by_the_games_own_words(text, said) -> None:
    with pytest.raises(UsageError) as caught:
        Position(Speaks()).play(text)
    assert str(caught.value) == said


@dataclass(frozen=True)
class OnlyNames(Nim):
    def action_name(self, action):
        return f"take {action}"


def test_names_are_enough() -> None:
    check_game(OnlyNames(), compiled=False)


def before(marks, at):
    return marks[at - 1]


@dataclass(frozen=True)
class Wraps(Nim):
    """A row of marks, in which a neighbour of the first is asked for."""

    count_to: int = 127

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1"), ("marks", "i1", 22)])

    def apply(self, state, action):
        state.marks[state.left] = self.count_to - 1
        state.marks[state.left] += 1
        state.left -= action
        state.player = 1 - state.player

    def returns(self, state, player):
        bonus = 0 if self.count_to == 0 else before(state.marks, state.left)
        return 1.0 if state.player != player else -1.0 + 0 * bonus


def test_an_index_that_wraps_and_a_number_that_does_not_fit_are_located() -> None:
    check_bounds(Wraps(count_to=0))
    with pytest.raises(
        RulesError,
        match=r"before, .*test_failures.py line \d+: `return marks\[at - 1\]`: a comp",
    ):
        check_bounds(Wraps())
    with pytest.raises(
        RulesError, match=r"Wraps.apply, .*`state.marks\[state.left\] \+= 1`: a number "
    ):
        check_bounds(Wraps(count_to=128))

"""All that keeps rules from being compiled is told at once.

Also of `core/jit/places.py`.
"""

import re
from dataclasses import dataclass

import pytest

from playout import static
from playout.core.errors import CompileError, UncompilableError
from playout.games.check.bounds import compile_bounds
from tests.toys import Nim

NAMES = {0: "x", 1: "o"}


@dataclass(frozen=True)
class ThreeMethods(Nim):
    """What each does is right in Python, and none of it can be compiled."""

    def apply(self, state, action):
        state.left -= int(f"{action:>3}")
        state.player = 1 - state.player

    def is_terminal(self, state):
        return sum(1 for _ in range(state.left)) == 0

    def returns(self, state, player):
        return 1.0 if NAMES[player] != NAMES[state.player] else -1.0


@dataclass(frozen=True)
class OneMethod(Nim):
    def legal_actions(self, state, actions):
        name = NAMES[state.player]
        letter = name[0]  # follows from the line above, and is not told
        if letter == "x":
            with open("x") as file:
                file.read()
        count = sum(1 for n in range(4) if n < state.left)
        for i in range(count):
            actions[i] = i + 1
        return count


STEPS = {"N": (-1, 0), "S": (1, 0)}


@dataclass(frozen=True)
class ByHelper(Nim):
    """A helper cannot be compiled, which other methods call."""

    def last(self, state):
        for down, right in STEPS.values():
            if state.left + down + right == 0:
                return down
        return 0

    def apply(self, state, action):
        state.left -= action + 0 * self.last(state)
        state.player = 1 - state.player

    def is_terminal(self, state):
        return state.left == 0 * len(NAMES)


@dataclass(frozen=True)
class OneIsWrong(Nim):
    def apply(self, state, action):
        state.left -= int(f"{action:>3}")
        state.plyer = 1 - state.player

    def returns(self, state, player):
        return {"a": 1.0}[NAMES[player]]


def _by_name(left):
    return winer(left)  # noqa: F821


@dataclass(frozen=True)
class WrongName(Nim):
    """A helper of the class, or of the file, reads a name that is nowhere."""

    deep: bool = static(False)

    def lost(self, state):
        return _by_name(state.left) if self.deep else losser(state)  # noqa: F821

    def is_terminal(self, state):
        return state.left == 0 or self.lost(state) > 0


@dataclass(frozen=True)
class Imports(Nim):
    def last(self, state):
        import itertools

        pairs = list(itertools.pairwise(range(state.left)))
        return len(pairs) == 0

    def is_terminal(self, state):
        return self.last(state) and state.left < 1


@dataclass(frozen=True)
class OnlyLine(Nim):
    """Without its only statement a helper gives its callers nothing to compare."""

    def last(self, state):
        return sum(n for n in range(state.left))

    def is_terminal(self, state):
        return not self.last(state) > 0


def _error(game):
    with pytest.raises(CompileError) as caught:
        compile_bounds(game)
    return caught.value


def _lines(error):
    """The source of the lines that are named, and what is said of each."""
    return {one.where.split(": ", 1)[1]: one.advice for one in error.obstacles}


def test_each_method_is_told_with_its_line_and_what_to_write() -> None:
    error = _error(ThreeMethods())
    assert isinstance(error, UncompilableError)
    found = _lines(error)
    assert list(found) == [
        'state.left -= int(f"{action:>3}")',
        "return sum(1 for _ in range(state.left)) == 0",
        "return 1.0 if NAMES[player] != NAMES[state.player] else -1.0",
    ]
    for word, advice in zip(
        ["action_name", "in brackets", "NumPy array or a tuple"],
        found.values(),
        strict=True,
    ):
        assert word in advice
        assert f"  Instead: {advice}" in str(error)
    for name in ("apply", "is_terminal", "returns"):
        assert f"cannot compile ThreeMethods.{name}, " in str(error)
        assert f"ThreeMethods.{name}, " in error.short
    assert str(error).count("interpreted=True") == 1


def test_several_of_one_method_are_told_but_not_what_follows_from_them() -> None:
    assert list(_lines(_error(OneMethod()))) == [
        "name = NAMES[state.player]",
        'with open("x") as file:',
        "count = sum(1 for n in range(4) if n < state.left)",
    ]


def test_what_a_helper_is_left_without_is_no_mistake_of_its_callers() -> None:
    error = _error(ByHelper())
    assert isinstance(error, UncompilableError)
    assert list(_lines(error)) == [
        "for down, right in STEPS.values():",
        "return state.left == 0 * len(NAMES)",
    ]


def test_in_short_each_thing_to_do_is_said_once() -> None:
    short = _error(ByHelper()).short
    assert short.count("make it a NumPy array or a tuple") == 1
    assert re.match(r"ByHelper\.last, .*: for .*:? \(and line \d+\): a global", short)


def test_a_mistake_among_them_makes_it_an_error() -> None:
    error = _error(OneIsWrong())
    assert not isinstance(error, UncompilableError)
    assert list(_lines(error)) == [
        'state.left -= int(f"{action:>3}")',
        "state.plyer = 1 - state.player",
        'return {"a": 1.0}[NAMES[player]]',
    ]
    assert "did you mean player?" in str(error)


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        (WrongName(), ["return _by_name(state.left) if self.deep else losser(state)"]),
        (Imports(), ["import itertools"]),
        (OnlyLine(), ["return sum(n for n in range(state.left))"]),
    ],
)
def test_the_line_itself_is_told_and_none_that_calls_it(game, lines) -> None:
    found = [line.partition("  # noqa")[0] for line in _lines(_error(game))]
    assert found == lines


def test_a_name_that_a_function_reads_is_told_of_its_line() -> None:
    (one,) = _error(WrongName(deep=True)).obstacles
    assert one.place == (__file__, _by_name.__code__.co_firstlineno + 1)
    assert "winer" in one.reason

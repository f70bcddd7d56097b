"""Good Python that is beyond Numba: it runs, and a line says what to write instead."""

import functools
import sys
from collections import defaultdict
from dataclasses import dataclass
from enum import Enum

import numpy as np
import pytest

from playout import MCTS, CompileError, InterpretedWarning, Limit
from playout.core.jit.advice import advice_on
from tests.toys import Nim

NAMES = ["few", "many"]
VALUES = np.zeros(3)
COUNT = 0


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


COUNTED = []


def _through(method):
    @functools.wraps(method)
    def called(*args, **keywords):
        return method(*args, **keywords)

    return called


@dataclass(frozen=True)
class Decorated(Nim):
    @_through
    def is_terminal(self, state):
        return state.left == 0


@dataclass(frozen=True)
class Remembered(Nim):
    @functools.lru_cache  # noqa: B019
    def least(self):
        return 1

    def is_terminal(self, state):
        return state.left < self.least()


@dataclass(frozen=True)
class Unpacked(Nim):
    def is_terminal(self, state):
        first, *_ = VALUES + state.left
        return first == 0


@dataclass(frozen=True)
class InAClass(Nim):
    names = {0: "x"}  # noqa: RUF012

    def is_terminal(self, state):
        return state.left == 0 and self.names[0] == "x"


@dataclass(frozen=True)
class Counts(Nim):
    def apply(self, state, action):
        COUNTED.append(int(action))
        state.left -= action
        state.player = 1 - state.player


@dataclass(frozen=True)
class Default(Nim):
    def is_terminal(self, state):
        found = defaultdict(int)
        return state.left == found[0]


@dataclass(frozen=True)
class AsTuple(Nim):
    def is_terminal(self, state):
        return tuple(VALUES + state.left) == (0, 0, 0)


@dataclass(frozen=True)
class EmptyDict(Nim):
    def is_terminal(self, state):
        counts = {}
        for value in VALUES:
            counts[int(value)] = counts.get(int(value), 0) + 1
        return counts.get(0, 0) == 3 and state.left == 0


@pytest.mark.filterwarnings("ignore::numba.NumbaTypeSafetyWarning")
@pytest.mark.parametrize(
    ("game", "advice"),
    [
        (Decorated(), "leave the decorator away"),
        (Remembered(), "what is computed once is a `constant`"),
        (Unpacked(), "name all that is unpacked"),
        (InAClass(), "make it a NumPy array or a tuple"),
        (Counts(), "what changes during a game belongs into the state"),
        (Default(), "classes cannot be used inside compiled methods"),
        (AsTuple(), "of an array no tuple is made"),
        (EmptyDict(), "put something in before it is asked"),
    ],
)
def test_each_is_told_what_to_write_instead(game: Nim, advice: str) -> None:
    with pytest.warns(InterpretedWarning, match=advice) as told:
        MCTS(game).search(limit=Limit(simulations=1))
    assert "text is not" not in str(told[-1].message)


@dataclass(frozen=True)
class Halves(Nim):
    def is_terminal(self, state):
        return VALUES[state.left / 2] == state.left


@dataclass(frozen=True)
class Written(Nim):
    def apply(self, state, action):
        values = np.zeros(9)
        values[action / 1] = 1.0
        state.left -= action
        state.player = 1 - state.player


@dataclass(frozen=True)
class Shadows(Nim):
    def is_terminal(self, state):
        min = 1
        return min(state.left, 1) == 0


@dataclass(frozen=True)
class ComparesList(Nim):
    def is_terminal(self, state):
        return bool(VALUES + state.left == [0, 0])


@dataclass(frozen=True)
class Brackets(Nim):
    def is_terminal(self, state):
        return state["lft"] == 0


@dataclass(frozen=True)
class CallsEnum(Nim):
    def is_terminal(self, state):
        return Colour(state.left) is Colour.RED


@pytest.mark.parametrize(
    ("game", "advice"),
    [
        (Halves(), "an index is a whole number"),
        (Written(), "an index is a whole number"),
        (Shadows(), "a variable has the name of a function"),
        (ComparesList(), "is compared with a number or an array"),
        (Brackets(), "fields are read and written by name"),
        (CallsEnum(), "make it an IntEnum"),
    ],
)
def test_what_is_wrong_in_python_too_is_an_error(game: Nim, advice: str) -> None:
    with pytest.raises(CompileError, match=advice):
        MCTS(game).search(limit=Limit(simulations=1))


@pytest.mark.parametrize(
    ("opcode", "advice"),
    [
        ("LOAD_SUPER_ATTR", "super() is not compiled"),
        ("FORMAT_WITH_SPEC", "text is not for compiled rules"),
        ("CONVERT_VALUE", "text is not for compiled rules"),
    ],
)
def test_instructions_of_later_pythons(opcode: str, advice: str) -> None:
    """Numba names them where it knew a name or a text before."""
    said = advice_on(f"Use of unsupported opcode ({opcode}) found")
    assert said is not None
    assert said.startswith(advice)


class ByItsNameAlone(Nim):
    def least(self, state, *, of):
        return min(of, state.left)

    def legal_actions(self, state, actions):
        count = self.least(state, of=3)
        for index in range(count):
            actions[index] = index + 1
        return count


def test_a_parameter_that_is_given_by_its_name_alone_is_no_mistake() -> None:
    with pytest.warns(InterpretedWarning, match="leave the \\* away"):
        MCTS(ByItsNameAlone()).search(limit=Limit(simulations=1))


class Unsigned(Nim):
    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1"), ("taken", "u1", 2)])

    def apply(self, state, action):
        state.left -= action
        state.taken += action
        state.player = 1 - state.player


def test_unsigned_numbers_in_place_are_told_with_their_line() -> None:
    said = r"Unsigned.apply, .*: state.taken \+= action: in place, arrays take what"
    with pytest.warns(InterpretedWarning, match=said):
        MCTS(Unsigned()).search(limit=Limit(simulations=1))


def test_del_is_not_needed() -> None:
    assert "needs no `del`" in str(advice_on("Illegal IR, del found at: del x"))


def test_two_lists_of_places_and_a_condition_are_no_index() -> None:
    rows = "setitem(nestedarray(int8, (3, 3)), UniTuple(list(int64)<iv=[0, 1]> x 2), 1)"
    for reason in (rows, "setitem(nestedarray(int8, (40,)), bool, Literal[int](1))"):
        assert "an array is indexed by" in str(advice_on(reason))


@dataclass(frozen=True)
class HasNoSelf(Nim):
    @staticmethod
    def apply(state, action):
        state.left -= action
        state.player = 1 - state.player


@dataclass(frozen=True)
class ChoosesByKey(Nim):
    def is_terminal(self, state):
        return state.left == 0 * max((1, 2), key=lambda n: -n)


@dataclass(frozen=True)
class ChoosesByState(Nim):
    def is_terminal(self, state):
        return state.left == 0 * max((1, 2), key=lambda n: n - state.left)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (HasNoSelf, r"HasNoSelf\.apply, tests.* it is a staticmethod: .* take `self`"),
        (ChoosesByKey, r"is_terminal, .*key=lambda n: -n\): .* the best so far"),
        (ChoosesByState, r"is_terminal, .*n - state\.left\): .* the best so far"),
    ],
)
def test_good_python_that_is_told_with_its_line(game: type[Nim], said: str) -> None:
    with pytest.warns(InterpretedWarning, match=said):
        MCTS(game()).search(limit=Limit(simulations=1))


def test_no_address_is_told() -> None:
    with pytest.raises(CompileError, match=r"max\(Tuple.*, key=a function\)\n"):
        MCTS(ChoosesByKey(), interpreted=False).search(limit=Limit(simulations=1))


def count_up() -> None:
    global COUNT
    COUNT = COUNT + 1


@dataclass(frozen=True)
class CountsElsewhere(Nim):
    def apply(self, state, action):
        count_up()
        state.left -= action


def test_a_line_of_a_function_that_is_no_method_is_shown() -> None:
    with pytest.raises(CompileError, match=r"test_advice\.py line \d+: COUNT = COUNT"):
        MCTS(CountsElsewhere()).search(limit=Limit(simulations=1))

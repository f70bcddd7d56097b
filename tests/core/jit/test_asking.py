"""Python functions called from compiled code, and what they raise."""

from dataclasses import dataclass

import pytest

from playout.core.jit.asking import address_of, ask
from playout.core.jit.compiled import Compiled
from playout.core.jit.native import kernel


@dataclass(frozen=True)
class Asker(Compiled):
    address: int


@kernel
def add_up(asker, count):
    total = 0
    for number in range(count):
        total += ask(asker.address, number, total, -7)
    return total


def answer(number, total, third):
    if number == 50:
        raise KeyboardInterrupt("here")
    return -1 if number == 3 else number + third


def complaint(number, total, third):
    return "not a number"


@pytest.fixture(scope="module")
def native():
    return add_up.compile(Asker(address_of(answer)), 3)


def test_answers_are_those_of_the_function(native):
    asker = Asker(address_of(answer))
    wanted = sum(-1 if n == 3 else n - 7 for n in range(40))
    assert native(asker, 40) == add_up(asker, 40) == wanted


def test_what_is_raised_comes_through_with_its_traceback(native):
    with pytest.raises(KeyboardInterrupt, match="here") as caught:
        native(Asker(address_of(answer)), 60)
    assert caught.traceback[-1].name == "answer"
    assert native(Asker(address_of(answer)), 2) == -13  # nothing is left behind


def test_what_is_no_whole_number(native):
    with pytest.raises(TypeError):
        native(Asker(address_of(complaint)), 2)

"""Compiled rules that do not come back: a warning says in which position."""

import threading
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.check import bounds, hanging
from playout.games.check.bounds import check_bounds

from ...toys import Nim


@dataclass(frozen=True)
class StandsStill(Nim):
    """An endless loop where five stones are left."""

    stones: int = 12

    def apply(self, state: Any, action: int) -> None:
        Nim.apply(self, state, action)
        while state.left == 5:
            time.sleep(0.01)


def wait_for(threads: int) -> None:
    """Wait until there are no more threads than before: none plays on."""
    end = time.monotonic() + 20
    while threading.active_count() > threads:
        assert time.monotonic() < end, "it plays on though nobody waits"
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hanging, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(hanging, "STILL_SECONDS", 0.3)


def test_the_position_is_told_in_which_they_stand_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Something that waits stands for the compiled games; Python plays real ones."""
    told: list[str] = []
    monkeypatch.setattr(warnings, "warn", lambda text, *_, **__: told.append(text))

    def native(*_: Any) -> int:
        while not told:
            time.sleep(0.05)
        return 0

    monkeypatch.setattr(bounds, "compile_bounds", lambda game: native)
    threads = threading.active_count()
    check_bounds(StandsStill())
    wait_for(threads)
    (text,) = told
    assert text.startswith("StandsStill: the compiled rules have not come back for ")
    assert text.endswith(("'left=5 player=0'", "'left=5 player=1'"))


def test_games_that_only_take_long_are_not_told_of() -> None:
    """They end when the compiled ones do, and say nothing."""
    game, threads = Nim(12), threading.active_count()
    arguments = (
        game, Rows(np.zeros(3, game.state_dtype())), np.zeros(3, np.int32), make_rng(1)
    )  # fmt: skip
    asked = []

    def walk(game: Any, states: Any, actions: Any, rng: Any) -> None:
        while True:
            asked.append(rng.below(3))
            time.sleep(0.02)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with hanging.looking_on(walk, arguments):
            time.sleep(1.0)
    assert len(asked) > 10
    wait_for(threads)


def test_quick_games_are_not_looked_at() -> None:
    def walk(*_: Any) -> None:
        raise AssertionError("it was not slow")

    game = Nim(12)
    states = Rows(np.zeros(3, game.state_dtype()))
    with hanging.looking_on(walk, (game, states, np.zeros(3), make_rng(1))):
        pass
    time.sleep(0.3)

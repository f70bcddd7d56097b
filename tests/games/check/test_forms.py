"""What a game says of a network's planes, and of moves in a row, has their form.

Also that `core/text/signatures.py` looks at what the contract's bases have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    ConnectFour,
    Gomoku,
    RulesError,
    TicTacToe,
    UltimateTicTacToe,
    check_game,
)
from playout.games.check.forms import expect_symmetries
from playout.games.contract.symmetry import Symmetry
from playout.learning.observing import RandomSymmetry
from tests.toys import Nim


@dataclass(frozen=True)
class Seen(Nim):
    shape: Any = None

    def observation_shape(self) -> Any:
        return self.shape

    def observe(self, state: Any, planes: Any) -> None:
        planes[:] = 1.0


@pytest.mark.parametrize("shape", [19, [3, 3], (3, 1.5), (0, 3), (-2,), "33", None])
def test_a_shape_is_a_tuple_of_whole_numbers(shape: Any) -> None:
    with pytest.raises(RulesError, match=r"Seen\.observation_shape\(\) gives .* tuple"):
        check_game(Seen(shape=shape), games=1)
    with pytest.raises(RulesError, match=r"observation_shape\(\) gives"):
        MCTS(Seen(shape=shape), evaluator=lambda planes: None)


class Shapeless(Nim):
    def observe(self, state: Any, planes: Any) -> None:
        planes[0, 0] = 1.0


class Blind(Nim):
    def observation_shape(self) -> Any:
        return (3, 3)


class Silent(Nim):
    moves_in_a_row = "8"  # type: ignore[assignment]


class Short(Seen):
    def observe(self, state: Any) -> Any:  # type: ignore[override]
        return state.left


class Awaited(Nim):
    async def apply(self, state: Any, action: Any) -> Any:  # type: ignore[override]
        state.left -= action


class Yields(Nim):
    def legal_actions(self, state: Any, actions: Any) -> Any:
        yield from range(state.left)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Awaited(), r"Awaited\.apply, .* line \d+: it is async, and does nothing"),
        (Yields(), r"Yields\.legal_actions, .*: it has a yield, .* write `def`"),
        (Shapeless(), "Shapeless has observe and no observation_shape"),
        (Blind(), "Blind has observation_shape and no observe"),
        (Silent(), "Silent.moves_in_a_row is '8'; it must be a whole number"),
        (Short(shape=(3,)), r"Short\.observe, .* takes \(self, state\), the contract"),
    ],
)
def test_each_is_named_before_anything_is_compiled(game: Any, said: str) -> None:
    with pytest.raises(RulesError, match=said):
        check_game(game, games=1)


def turned(ways: Any) -> Nim:
    """Nim with an observation of two numbers, and these symmetries."""

    class Turned(Nim):
        def observation_shape(self) -> Any:
            return (2,)

        def observe(self, state: Any, planes: Any) -> None:
            planes[:] = 1.0

        def symmetries(self) -> Any:
            return ways

    return Turned()


TURN = Symmetry(np.array([1, 0]), np.array([1, 2, 3, 0]))


@pytest.mark.parametrize(
    "ways",
    [
        None,
        TURN,
        [1, 2],
        [TURN, (np.array([1, 0]),)],
        [TURN, Symmetry(np.array([1, 1]), np.array([0, 1, 2, 3]))],
        [TURN, Symmetry(np.array([0, 1]), np.array([0, 1, 2]))],
        [TURN, Symmetry(np.array([1, 2]), np.array([0, 1, 2, 3]))],
        [(["a", 1], [None, 1, 2, 3])],
    ],
)
def test_symmetries_put_each_number_and_action_somewhere(ways: Any) -> None:
    with pytest.raises(RulesError, match=r"Turned\.symmetries\(\) must give a list of"):
        expect_symmetries(turned(ways))


def test_symmetries_of_a_base_may_not_fit() -> None:
    class Flat(TicTacToe):
        def observation_shape(self) -> Any:
            return (9,)

    with pytest.raises(RulesError, match=r"Flat.*boards \(it raised IndexError: .*\)"):
        expect_symmetries(Flat())


def test_sound_symmetries_pass() -> None:
    for game in (TicTacToe(), ConnectFour(), Gomoku(size=7), UltimateTicTacToe()):
        assert len(game.symmetries()) > 0
        expect_symmetries(game)
    expect_symmetries(turned([TURN]))
    expect_symmetries(turned([]))


def test_they_are_looked_at_by_check_and_before_training() -> None:
    with pytest.raises(RulesError, match=r"Turned\.symmetries\(\) must give"):
        check_game(turned([1, 2]), games=1, compiled=False)
    with pytest.raises(RulesError, match=r"Turned\.symmetries\(\) must give"):
        RandomSymmetry(turned([1, 2]))

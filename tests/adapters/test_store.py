"""What is kept of states that only Python knows."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from playout import MCTS, Limit, from_object


class Race:
    """Whoever comes to ten has lost; the number is NumPy's once one has moved."""

    def __init__(self, at: Any = 0, player: int = 1) -> None:
        self.at, self.player = at, player

    def get_legal_actions(self) -> Any:
        return np.array([1, 2, 3])

    def is_game_over(self) -> Any:
        return self.at >= 10  # np.bool_

    def game_result(self) -> int:
        return self.player

    def move(self, step: int) -> Race:
        return type(self)(self.at + step, -self.player)


class Named(Race):
    def is_game_over(self) -> Any:
        return "X" if self.at >= 10 else None


class Counted(Race):
    def is_game_over(self) -> Any:
        return [self.at] if self.at >= 10 else []


@pytest.mark.parametrize("cls", [Race, Named, Counted])
def test_whether_a_game_is_over_may_be_said_by_any_truth(cls: type[Race]) -> None:
    result = MCTS(from_object(cls, reward="first"), seed=1).search(
        limit=Limit(simulations=2000)
    )
    assert (result.move, result.proven) == ("1", "win")


class Open:
    """An object with a stream, which nothing copies or writes; moves are taken back."""

    def __init__(self) -> None:
        self.stream, self.taken = io.TextIOWrapper(io.BytesIO()), [0]

    def get_legal_actions(self) -> list[int]:
        return [1, 2, 3]

    def is_game_over(self) -> bool:
        return self.taken[-1] >= 10

    def game_result(self) -> int:
        return 1  # whoever comes to ten has won

    def move(self, step: int) -> None:
        self.taken.append(self.taken[-1] + step)

    def undo(self) -> None:
        self.taken.pop()


def test_what_cannot_be_copied_is_played_on_and_undone() -> None:
    """It was taken for plain values, as the stream has fields, of which it has none."""
    for source in (Open, Open()):
        game = from_object(source)
        assert "and is undone" in game.reading
        result = MCTS(game, seed=1).search(limit=Limit(simulations=2000))
        assert (result.move, result.proven) == ("2", "win")

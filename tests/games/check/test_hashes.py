"""Law 17: a hash tells states apart that go on differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import RulesError, TicTacToe, check_game
from playout.games.more.dots_and_boxes import DotsAndBoxes
from tests.toys import Nim


@dataclass(frozen=True)
class Hashed(Nim):
    """Stones alone, or with whose turn it is."""

    turn: bool = True

    def hash(self, state: Any) -> Any:
        found = np.uint64(state.left) << np.uint64(1)
        return found | np.uint64(state.player) if self.turn else found


def test_a_hash_that_tells_states_apart_is_good() -> None:
    check_game(Hashed(), compiled=False)
    check_game(DotsAndBoxes(), games=2, compiled=False)


def test_a_hash_without_the_player_is_found_with_the_other_state() -> None:
    said = r"breaks law 17: hash gives \d+ here and in 'left=\d+ player=\d', a state "
    with pytest.raises(RulesError, match=said + "with other player to move"):
        check_game(Hashed(turn=False), compiled=False)


@dataclass(frozen=True)
class Alike(TicTacToe):
    """Of finished games only the number of stones is told."""

    def hash(self, state: Any) -> Any:
        stones = int(state.stones[0]), int(state.stones[1])
        over = bool(self.is_terminal(state))
        return sum(map(int.bit_count, stones)) if over else stones[0] << 9 | stones[1]


def test_other_returns_are_found_too() -> None:
    with pytest.raises(RulesError, match=r"law 17: .*a state with other returns"):
        check_game(Alike(), games=100, compiled=False)


class Half(Nim):
    def hash(self, state: Any) -> Any:
        return state.left / 2


class Nothing(Nim):
    def hash(self, state: Any) -> Any:
        pass


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Half(), r"law 17: hash gives 10\.5; it must be a whole number"),
        (Nothing(), r"Nothing\.hash returned nothing; is there a `return`"),
    ],
)
def test_a_hash_is_a_whole_number(game: Nim, said: str) -> None:
    with pytest.raises(RulesError, match=said):
        check_game(game, compiled=False)

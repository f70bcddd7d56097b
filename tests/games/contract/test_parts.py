"""What a game says of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from playout import RulesError, TicTacToe, UltimateTicTacToe, UsageError, check_game
from playout.games.contract.parts import expect_parts


@dataclass(frozen=True)
class Given(UltimateTicTacToe):
    """Its shape of parts is whatever is given."""

    given: int = 0

    def parts_shape(self) -> Any:
        return SHAPES[self.given]


SHAPES = (3, (9.0, 39_369.0), (9,), (0, 5), None)


def test_it_is_two_whole_numbers() -> None:
    assert expect_parts(UltimateTicTacToe()) == (9, 39_369)
    for number in range(len(SHAPES)):
        with pytest.raises(UsageError, match=r"parts_shape\(\) of .* two whole num"):
            expect_parts(Given(given=number))
    with pytest.raises(UsageError, match="which tic-tac-toe has not"):
        expect_parts(TicTacToe())


@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_check_says_so_of_rules(number: int) -> None:
    with pytest.raises(RulesError, match=r"two whole numbers .* \(law 16\)"):
        check_game(Given(given=number), games=1)

"""Law 15: faults of `settle` are found; right ones are told of nothing."""

import re
from dataclasses import dataclass

import pytest

from playout import Game, RulesError, check_game
from tests.games.check.planted_settle import SETTLED, RightNim


@pytest.mark.parametrize(
    ("game", "sentence"), SETTLED, ids=lambda value: type(value).__name__
)
def test_faults_are_found(game: Game, sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        check_game(game, compiled=False)
    assert re.search(sentence, str(caught.value)), str(caught.value)


@dataclass(frozen=True)
class Right(RightNim):
    """As it should be."""


def test_what_is_right_passes_compiled_too() -> None:
    assert check_game(Right(), games=5).games == 5

"""An index below 0 is told of `hide` and `determinize`, and not what follows."""

from dataclasses import dataclass

import pytest

from playout import RulesError, check_game

from .poker import UNKNOWN, Kuhn


def _told(state, player):
    return state.dealt > 1 - player and state.bets < 4


@dataclass(frozen=True)
class Marks(Kuhn):
    """How many cards are hidden is counted back from the number dealt."""

    def hide(self, state, player):
        if _told(state, player):
            state.cards[1 - player] = UNKNOWN
            state.cards[player - state.dealt] = UNKNOWN


@dataclass(frozen=True)
class Draws(Kuhn):
    def hide(self, state, player):
        if _told(state, player):
            state.cards[1 - player] = UNKNOWN

    def determinize(self, state, player, rng):
        if _told(state, player):
            place = 1 - player - state.dealt
            state.cards[place] = 1 + (state.cards[player] + rng.below(2)) % 3


@pytest.mark.parametrize(
    ("game", "method"), [(Marks(), "Marks.hide"), (Draws(), "Draws.determinize")]
)
def test_the_line_is_told_and_not_what_follows(game, method) -> None:
    said = rf"^{method}, .* line \d+: `state\.cards\[p.*a computed index is below 0"
    with pytest.raises(RulesError, match=said):
        check_game(game)

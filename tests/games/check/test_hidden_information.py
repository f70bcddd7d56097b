"""Faults of what is hidden, and of what is said to be seen by all.

An index below 0 is told of `hide` and `determinize`, and not what follows.
"""

from dataclasses import dataclass

import pytest

from playout import RulesError, check_game

from .poker import PASS, UNKNOWN, Kuhn


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


@dataclass(frozen=True)
class BetsInPublic(Kuhn):
    def is_public(self, action):
        return action >= PASS


@dataclass(frozen=True)
class DealsInPublic(Kuhn):
    """The other player's card does not show."""

    def is_public(self, action):
        return action < PASS


def test_what_is_public_shows_in_what_everybody_knows() -> None:
    assert check_game(BetsInPublic(), games=5).games == 5
    said = (
        r"breaks law 11: for player \d, is_public\(\d\) is true, .* as after action \d"
    )
    with pytest.raises(RulesError, match=said):
        check_game(DealsInPublic(), games=5)

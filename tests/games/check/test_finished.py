"""Finished games: what is counted and kept of them keeps laws 4 and 7."""

import math

import pytest

from playout import Position, RulesError
from playout.games.check import finished
from playout.games.check.finished import expect_finished, returns_fault
from tests.toys import Nim


class NoNumber(Nim):
    def returns(self, state, player):
        return math.nan


class Large(Nim):
    def returns(self, state, player):
        return 3.0 if state.player != player else -3.0


class Kind(Nim):
    def returns(self, state, player):
        return 1.0


class Alike(Nim):
    def action_name(self, action):
        return "take"


class Deaf(Nim):
    def parse_action(self, text):
        return 1


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (NoNumber, "NoNumber breaks law 4: returns .nan, nan. are not all "),
        (Large, "Large breaks law 4: returns .3.0, -3.0. are not all .* `return_range"),
        (Kind, "Kind breaks law 4: returns .1.0, 1.0. of a zero-sum game do not add"),
        (Alike, "Alike breaks law 7: action 3 is called 'take', as another action is"),
        (Deaf, "Deaf breaks law 7: action 3 is called '3', which reads back as 1"),
    ],
)
def test_a_game_that_cannot_be_counted_or_kept(rules, said):
    position = Position(rules(stones=3)).play(3)
    returns = [position.returns(player) for player in (0, 1)]
    with pytest.raises(RulesError, match=said):
        expect_finished(position.game, position.actions, returns)


def test_what_is_sound_passes():
    expect_finished(NoNumber(), [3, 2], None)  # the game goes on
    expect_finished(Nim(), [3, 2], (1.0, -1.0))
    assert returns_fault(Nim(), (0.0, 0.0)) == ""


def test_names_of_very_many_actions_are_not_listed(monkeypatch):
    monkeypatch.setattr(finished, "MOST_NAMES", 3)
    expect_finished(Alike(), [3, 2], None)
    with pytest.raises(RulesError, match="law 7"):  # which says itself what it reads
        expect_finished(Deaf(), [3, 2], None)

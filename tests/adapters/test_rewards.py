"""Whose result an object gives: found by play where play shows it, else asked.

Also of `adapters/plan.py`.
"""

import pytest

from playout import RulesError, UsageError
from playout.adapters.objects import from_object
from playout.adapters.rewards import Ending, find_reward


class Take:
    """Five to eight stones, one to three at a time: the last one wins."""

    view = "first"

    def __init__(self, left=8, player=0):
        self.left, self.player = left, player

    def get_legal_actions(self):
        return [n for n in (1, 2, 3) if n <= self.left]

    def is_game_over(self):
        return self.left == 0

    def move(self, taken):
        return type(self)(self.left - taken, 1 - self.player)

    def game_result(self):
        winner = 1 - self.player
        return 1 if winner == self.judge() else -1

    def judge(self):
        views = {"first": 0, "second": 1, "to_move": self.player}
        return views.get(self.view, 1 - self.player)


def taking(view):
    return type("Take", (Take,), {"view": view})


@pytest.mark.parametrize("view", ["first", "to_move", "moved"])
def test_play_shows_it(view):
    assert from_object(taking(view)).reward == view


def test_the_second_players_result_or_a_game_that_is_lost_by_the_last_move():
    with pytest.raises(UsageError, match="reward='second' or reward='first'"):
        from_object(taking("second"))
    assert from_object(taking("second"), reward="second").reward == "second"


def test_an_unknown_reading():
    with pytest.raises(UsageError, match="reward must be first, second, to_move"):
        from_object(Take, reward="mine")


@pytest.mark.parametrize("view", ["first", "second", "to_move", "moved"])
def test_each_reading_gives_the_same_returns(view):
    game = from_object(taking(view), reward=view)
    from playout import Position

    position = Position.from_moves(game, ["3", "3", "2"])
    assert (position.returns(0), position.returns(1)) == (1.0, -1.0)


def endings(*pairs):
    return [Ending(last, value) for last, value in pairs] * 5


def reading(*pairs, documented="", view=None, bounds=None):
    return find_reward("result", endings(*pairs), documented, view, bounds)


def test_points_that_have_nothing_to_do_with_the_last_move():
    mixed = (0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)
    with pytest.raises(
        UsageError, match=r"do not tell.*on the command line it is FILE.py:NAME:reward="
    ):
        reading(*mixed)
    assert reading(*mixed, documented="player").view == "player"


def test_only_draws_show_nothing():
    with pytest.raises(UsageError, match="all 10 random games ended alike"):
        reading((0, 0.0), (1, 0.0))


def test_halves_are_draws():
    found = reading((0, 1.0), (1, 0.0), (1, 0.5))
    assert (found.view, found.low, found.high) == ("first", 0.0, 1.0)
    assert [found.scaled(value) for value in (0, 0.5, 1)] == [-1.0, 0.0, 1.0]


def test_nought_may_be_a_loss_or_a_draw():
    with pytest.raises(UsageError, match=r"is 0 a lost game or a draw"):
        reading((0, 1.0), (1, 0.0))
    assert reading((0, 1.0), (1, 0.0), bounds=(0, 1)).view == "first"


def test_shares_of_a_win_without_a_half_may_be_seen_from_nought_or_from_minus_one():
    with pytest.raises(UsageError, match=r"is 0 a lost game or a draw"):
        reading((0, 0.9), (1, 0.1), (0, 0.3))


@pytest.mark.parametrize("first", [1.0, 2.0])
@pytest.mark.parametrize("options", [{}, {"bounds": (0, 2)}, {"view": "second"}])
def test_the_number_of_the_winner_is_no_result(first, options):
    """Scaled, it would make the first player's wins draws."""
    with pytest.raises(UsageError, match=rf"the winner: {first:g} after the first"):
        reading((0, first), (1, 3 - first), (1, 0.0), **options)


def test_of_two_numbers_the_second_players_is_the_higher_one():
    assert reading((0, 1.0), (1, 2.0), view="second", bounds=(1, 2)).scaled(1) == -1


def test_who_moved_last_wins_or_nobody_does():
    ended = [(0, 1.0), (1, 1.0), (0, 1.0), (1, 1.0), (1, 0.0)]
    assert reading(*ended).view == "moved"


def test_numbers_beyond_one_need_a_range():
    with pytest.raises(UsageError, match=r"from -12 to 12.*reward_range"):
        reading((0, 12.0), (1, -12.0))
    assert reading((0, 12.0), (1, -12.0), bounds=(-12, 12)).scaled(6) == 0.5


@pytest.mark.parametrize(
    "bounds", [(), (3,), "ab", (1, 0), (-1, float("nan")), ("a", "b"), 5]
)
def test_a_range_is_two_numbers_the_lower_one_first(bounds):
    with pytest.raises(UsageError, match="reward_range must be the numbers of a lost"):
        reading((0, 1.0), (1, -1.0), bounds=bounds)


def asked(*triples, bounds=None):
    ended = [Ending(last, one, two) for last, one, two in triples]
    return find_reward("GetResult", ended, "", None, bounds)


def test_a_method_that_is_asked_for_each_player():
    assert asked((0, 1.0, 0.0), (1, 0.5, 0.5)).low == 0.0
    assert asked((0, 1.0, -1.0), (1, 0.0, 0.0)).low == -1.0


def test_both_players_cannot_win():
    with pytest.raises(RulesError, match="adds up to 1 in one game and to 2"):
        asked((0, 1.0, 0.0), (1, 1.0, 1.0))
    with pytest.raises(UsageError, match="adds up to 3"):
        asked((0, 1.0, 2.0))


@pytest.mark.parametrize("value", [float("nan"), 1.5, None, "won"])
def test_what_is_no_result(value):
    found = reading((0, 1.0), (1, -1.0))
    with pytest.raises(RulesError, match=r"not a number|not from -1 to 1"):
        found.scaled(value)

"""Rounds: everybody has every seat, and the same luck."""

import pytest

from playout import TicTacToe, UsageError
from playout.arena.seating import (
    expect_players,
    expect_two_seats,
    player_of,
    roles_of,
    round_seed,
)
from tests.toys import ThreeWays

SIZES = [
    (players, seats)
    for seats in range(1, 9)
    for players in range(1 if seats == 1 else 2, 9 if seats == 1 else seats + 1)
]


@pytest.mark.parametrize(("players", "seats"), SIZES)
def test_in_a_round_each_player_has_each_seat_once(players, seats):
    games = [roles_of(number, players, seats) for number in range(players)]
    for seat in range(seats):
        assert {player_of(game[seat], players) for game in games} == {*range(players)}
    for game in games:
        assert len({*game}) == seats  # nobody shares a tree
    assert roles_of(players, players, seats) == games[0]


def test_the_seeds_of_rounds_differ():
    assert len({round_seed(7, number) for number in range(100)}) == 100


@pytest.mark.parametrize(
    ("game", "count", "message"),
    [
        (TicTacToe(), 1, "tic-tac-toe has 2 seats: .* between two players, not 1"),
        (TicTacToe(), 3, "not 3; a tournament has room for more"),
        (ThreeWays(), 1, "has 3 seats: .* between two to 3 players, not 1"),
        (ThreeWays(), 4, "not 4; a tournament"),
    ],
)
def test_players_must_fit_the_seats(game, count, message):
    with pytest.raises(UsageError, match=message):
        expect_players(game, count)


def test_some_things_are_for_two():
    expect_two_seats(TicTacToe(), "tuning")
    with pytest.raises(UsageError, match="has 3 seats; tuning is for two"):
        expect_two_seats(ThreeWays(), "tuning")

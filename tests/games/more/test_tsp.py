"""Tours of cities: the rules, and the shortest tour by an oracle of its own."""

import itertools
import math

import pytest

from playout import Position, PositionError, UsageError, check_game
from playout.games.more.tsp import Tour, shortest_tour


def test_laws():
    check_game(Tour(cities=7), games=5)


def test_the_return_is_minus_the_length_of_the_round():
    position = Position.from_moves(Tour(cities=5, seed=9), ["c", "e", "b", "d"])
    game = position.game
    places = [game.cell(city) for city in (0, 2, 4, 1, 3, 0)]
    legs = itertools.pairwise(places)
    assert position.returns(0) == pytest.approx(-sum(math.dist(*leg) for leg in legs))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_shortest_tour_is_that_of_all(seed):
    game = Tour(cities=6, seed=seed)
    cells = [game.cell(city) for city in range(6)]
    tours = itertools.permutations(cells[1:])
    lengths = [
        sum(math.dist(*leg) for leg in itertools.pairwise([cells[0], *t, cells[0]]))
        for t in tours
    ]
    assert shortest_tour(game) == pytest.approx(min(lengths))


def test_every_city_has_a_cell_of_its_own():
    for seed in range(20):
        game = Tour(cities=26, seed=seed)
        assert len({game.cell(city) for city in range(26)}) == 26


def test_cells_and_board_agree():
    game = Tour(cities=5)
    board = game.board(Position(game).state)
    for city, letter in enumerate("Abcde"):
        row, column = game.cell(city)
        assert board.cells[row][column] == letter


@pytest.mark.parametrize("text", ["", "b", "aa", "az", "ab!"])
def test_what_is_no_tour_is_refused(text):
    with pytest.raises(PositionError):
        Position(Tour(), text)


def test_what_is_no_city_is_refused():
    with pytest.raises(UsageError, match="cities are a to l"):
        Position(Tour()).play("m")
    with pytest.raises(UsageError, match="cities must be"):
        Tour(cities=2)
    with pytest.raises(UsageError, match="seed must be"):
        Tour(seed=-1)

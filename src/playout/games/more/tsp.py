"""A round tour of cities, as short as possible; a seed decides where they lie.

Cities are called a, b, c, ... and lie on different cells of a square of 24 by 24. The
tour begins in a and ends there; an action is the city to go to next, a being 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.compiled import static
from ...core.jit.hashing import mix
from ...core.jit.rows import Rows
from ..contract.game import Actions, Game, State
from ..drawing.board import Board, Cell

__all__ = ["Tour", "shortest_tour"]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: Rows and columns of the square.
_SIDE = 24
#: From one of these to the next on a page, in cell widths.
_APART = 0.75


@dataclass(frozen=True)
class Tour(Game):
    """One player visits every city once and comes home; the return is minus the length.

    Attributes:
        cities: how many, 3 to 26.
        seed: of the places; each is another problem, by the same compiled rules.

    >>> from playout.games.positions.position import Position
    >>> position = Position.from_moves(Tour(cities=4), ["d", "b", "c"])
    >>> position.to_text(), round(position.returns(0), 3)
    ('adbc', -43.139)
    """

    name = "tsp"
    title = "Tour of cities"
    player_names = ("Traveller",)
    zero_sum = False

    cities: int = static(12)
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 3 <= self.cities <= len(_LETTERS):
            raise UsageError(f"cities must be 3 to 26, not {self.cities}")
        if not 0 <= self.seed < 2**32:
            raise UsageError(f"seed must be 0 to {2**32 - 1}, not {self.seed}")

    @property
    def return_range(self) -> tuple[float, float]:  # type: ignore[override]
        """No leg is longer than the square's diagonal, or shorter than a cell."""
        return (-self.cities * math.sqrt(2) * (_SIDE - 1), -float(self.cities))

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return self.cities

    def num_players(self) -> int:
        return 1

    def max_game_length(self) -> int:
        return self.cities - 1

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("length", "f8"),  # from city to city so far
                ("visited", "u4"),  # a bit for each city
                ("at", "i1"),
                ("count", "i1"),
                ("route", "i1", (self.cities,)),
                ("rows", "i1", (self.cities,)),  # where the cities lie, from the top
                ("columns", "i1", (self.cities,)),
            ]
        )

    def initial_state(self, state: State) -> None:
        number = np.uint64(self.seed)
        placed = 0
        while placed < self.cities:
            number = mix(number + np.uint64(0x9E3779B97F4A7C15))
            cell = int(number >> np.uint64(33)) % (_SIDE * _SIDE)
            row, column = cell // _SIDE, cell % _SIDE
            taken = False
            for city in range(placed):
                if state.rows[city] == row and state.columns[city] == column:
                    taken = True
            if not taken:
                state.rows[placed] = row
                state.columns[placed] = column
                placed += 1
        state.visited = 1
        state.count = 1

    def current_player(self, state: State) -> int:
        return 0

    def legal_actions(self, state: State, actions: Actions) -> int:
        count = 0
        for city in range(self.cities):
            if (state.visited >> city) & 1 == 0:
                actions[count] = city
                count += 1
        return count

    def apply(self, state: State, action: int) -> None:
        state.length += self.distance(state, state.at, action)
        state.visited |= 1 << action
        state.route[state.count] = action
        state.at = action
        state.count += 1

    def is_terminal(self, state: State) -> bool:
        return state.count == self.cities

    def returns(self, state: State, player: int) -> float:
        return -(state.length + self.distance(state, state.at, 0))

    def fills(self) -> bool:
        return True

    def distance(self, state: State, one: int, other: int) -> float:
        """Between two cities, in cells."""
        down = float(state.rows[one] - state.rows[other])
        right = float(state.columns[one] - state.columns[other])
        return math.sqrt(down * down + right * right)

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        return _LETTERS[action]

    def parse_action(self, text: str) -> int:
        word = text.strip().lower()
        if len(word) != 1 or word not in _LETTERS[: self.cities]:
            last = _LETTERS[self.cities - 1]
            raise UsageError(f"{quote(text)} is not a move; cities are a to {last}")
        return _LETTERS.index(word)

    def board(self, state: State, last_action: int | None = None) -> Board:
        """The square, with a letter for every city; visited ones are capitals."""
        places = _places_in(state)
        cells = [["."] * _SIDE for _ in range(_SIDE)]
        unvisited = set()
        for city, (row, column) in enumerate(places):
            if int(state.visited) >> city & 1:
                cells[row][column] = _LETTERS[city].upper()
            else:
                cells[row][column] = _LETTERS[city]
                unvisited.add((row, column))
        tour = [places[city] for city in state.route[: state.count]]
        if len(tour) == self.cities:
            tour.append(tour[0])
        length = f"{float(state.length):.5g}"
        return Board(
            cells=tuple(map("".join, cells)),
            marks=tuple(_LETTERS[: self.cities].upper()),
            last=places[int(state.at)],
            playable=frozenset(unvisited),
            layout="free",
            points={(y, x): (_APART * x, _APART * y) for y, x in places},
            lines=tuple(pairwise(tour)),
            pieces={sign: sign for sign in _LETTERS.upper()[: self.cities]},
            caption=f"tour {self.state_to_text(state)}, {length} so far",
        )

    def cell(self, action: int) -> Cell:
        """Where a city lies."""
        return _places_of(self)[action]

    def state_to_text(self, state: State) -> str:
        """The cities visited, in order: `adb`."""
        return "".join(_LETTERS[city] for city in state.route[: state.count])

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no beginning of a tour.
        """
        known = _LETTERS[: self.cities]
        if text[:1] != "a" or len(set(text)) < len(text) or set(text) - set(known):
            raise PositionError(
                f"not a position: {quote(text)}; expected the cities visited so far, "
                f"which are some of {known}, each once, a first"
            )
        self.initial_state(state)
        for letter in text[1:]:
            self.apply(state, _LETTERS.index(letter))


@lru_cache(maxsize=64)
def _places_of(game: Tour) -> tuple[Cell, ...]:
    """The (row, column) of each city."""
    states = Rows(np.zeros(1, game.state_dtype()))
    with np.errstate(over="ignore"):
        game.initial_state(states[0])
    return _places_in(states[0])


def _places_in(state: State) -> tuple[Cell, ...]:
    rows, columns = np.asarray(state.rows), np.asarray(state.columns)
    return tuple(zip(rows.tolist(), columns.tolist(), strict=True))


def shortest_tour(game: Tour) -> float:
    """The length of the shortest tour, by dynamic programming over sets of cities.

    Held and Karp, "A Dynamic Programming Approach to Sequencing Problems", Journal of
    SIAM 10, 1962. It takes some seconds and 2^n n / 2 numbers for n = 16.

    >>> round(shortest_tour(Tour(cities=4)), 3)
    42.648
    """
    down, right = np.array(_places_of(game), dtype=float).T
    legs = np.hypot(down[:, None] - down, right[:, None] - right)
    count = game.cities - 1
    best = np.full((1 << count, count), np.inf)  # by the set visited and the last city
    for city in range(count):
        best[1 << city, city] = legs[0, city + 1]
    for visited in range(1, 1 << count):
        there = best[visited]
        for city in range(count):
            if not visited >> city & 1:
                length = (there + legs[1:, city + 1]).min()
                reached = visited | 1 << city
                best[reached, city] = min(best[reached, city], length)
    return float((best[-1] + legs[1:, 0]).min())

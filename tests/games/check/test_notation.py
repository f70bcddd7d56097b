"""What people are shown is checked: the cells of a move are on the board."""

from dataclasses import dataclass

import pytest

from playout import Board, RulesError, TicTacToe, check_game
from tests.games_for_boards import (
    Boxes,
    Breakthrough,
    Groups,
    ManyWords,
    Promotion,
    SmallHex,
    SmallOthello,
)
from tests.toys import Nim


@pytest.mark.parametrize(
    "game",
    [
        Breakthrough(),
        SmallOthello(),
        Promotion(),
        SmallHex(),
        Boxes(),
        Groups(),
        ManyWords(stones=5),
    ],
    ids=lambda game: game.name,
)
def test_games_with_every_kind_of_move_are_right(game):
    check_game(game, games=2, compiled=False)


@dataclass(frozen=True)
class Astray(TicTacToe):
    """Its moves are not where the board is."""

    def action_cells(self, action):
        return ((0, 0), (3, 0))


@dataclass(frozen=True)
class OneCell(TicTacToe):
    """A cell where cells are wanted."""

    def action_cells(self, action):
        return (0, 0)


class ByNumber(Boxes):
    """A number where a pair is wanted."""

    def cell(self, action):
        return action


class Pointless(Boxes):
    """The moves have cells, and the cells no points."""

    def cell(self, action):
        return 1, 1


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (
            Astray(),
            r"Astray.action_cells\(0\) gives \(\(0, 0\), \(3, 0\)\), and \(3, 0\)",
        ),
        (ByNumber(), r"ByNumber.cell\(0\) gives 0, not a pair \(row, column\) or None"),
        (OneCell(), r"OneCell.action_cells\(0\) gives \(0, 0\), not a tuple of pairs"),
        (
            Pointless(),
            r"Pointless.cell\(0\) gives \(1, 1\), and \(1, 1\) is no",
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else type(given).__name__,
)
def test_cells_that_are_not_on_the_board_are_found(game, fault):
    with pytest.raises(RulesError, match=fault):
        check_game(game, games=1, compiled=False)


class Unnamed(Nim):
    """The name of its last action is forgotten."""

    def action_name(self, action):
        return ["none", "one", "two"][action]


class Scribbles(Nim):
    """What shows the state to people writes into it."""

    def board(self, state, last_action=None):
        state.left = 1
        return Board(("....",))


def test_a_name_that_fails_is_told_with_its_action_and_line():
    failed = r"law 7: action 3 has no name: Unnamed.action_name, .* IndexError"
    with pytest.raises(RulesError, match=failed):
        check_game(Unnamed(), compiled=False)


def test_what_shows_a_state_leaves_it_as_it_is():
    with pytest.raises(RulesError, match=r"^Scribbles.board changed the state"):
        check_game(Scribbles(), compiled=False)

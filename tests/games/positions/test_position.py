"""A position that begins with a given state."""

import copy
import random

import numpy as np
import pytest

from playout.core.errors import IllegalMoveError, PositionError, UsageError
from playout.core.rng import make_rng
from playout.games.connect_four.rules import ConnectFour
from playout.games.more.kuhn_poker import KuhnPoker
from playout.games.more.pig import Pig
from playout.games.positions.native_position import NativePosition
from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import TicTacToe
from tests.toys import Nim


@pytest.mark.parametrize("kind", [Position, NativePosition])
def test_the_position_of_a_state_knows_no_moves_and_keeps_a_copy(
    kind: type[Position],
) -> None:
    game = TicTacToe()
    played = Position.from_moves(game, ["b2", "a1"])
    given = played.array.copy()
    position = kind.at(game, given)
    given[:] = np.zeros(1, game.state_dtype())
    assert position.moves == []
    assert position.legal_actions() == played.legal_actions()
    assert (position.current_player, position.is_terminal) == (0, False)
    assert position.to_text() == position.start_text == played.to_text()
    position.play("c3")
    assert position.to_text() == played.play("c3").to_text()


class Spoken(Nim):
    """Names of several words, and one of one."""

    def action_name(self, action):
        return ("none", "one", "take two", "take three of them")[action]


def test_words_are_joined_where_a_name_has_several() -> None:
    words = ["Take", "THREE", "of", "them", "one", "take", "two"]
    position = Position.from_moves(Spoken(), words)
    assert position.moves == ["take three of them", "one", "take two"]
    with pytest.raises(UsageError, match=r"move 2: 'take' is not a move"):
        Position.from_moves(Spoken(), ["one", "take", "tow"])


def test_a_text_of_moves_is_taken_apart() -> None:
    assert Position.from_moves(TicTacToe(), "b2 a1\nc3 ").moves == ["b2", "a1", "c3"]
    assert Position.from_moves(Spoken(), "take two one").moves == ["take two", "one"]
    with pytest.raises(UsageError, match=r"legal are one, take two$"):
        Position(Spoken(stones=2)).play(3)
    assert Position.from_moves(Nim(), "123").moves == ["1", "2", "3"], "as before"


def test_columns_may_be_written_as_one_word() -> None:
    """As programs of Connect Four write them."""
    game = ConnectFour()
    assert Position.from_moves(game, ["44", "5"]).moves == ["4", "4", "5"]
    with pytest.raises(IllegalMoveError, match="move 8: 4 cannot be played here"):
        Position.from_moves(game, ["5", "4444444"])
    with pytest.raises(UsageError, match="move 1: '48' is not a column"):
        Position.from_moves(game, ["48"])
    wide = ConnectFour(columns=12)
    with pytest.raises(UsageError, match="move 1: '44' is not a column"):
        Position.from_moves(wide, ["44"])
    with pytest.raises(UsageError, match="move 1: 'b2a1' is not a cell"):
        Position.from_moves(TicTacToe(), ["b2a1"])


def rolled(rng) -> list[str]:
    position = Position(Pig())
    while len(position.actions) < 20 and not position.is_terminal:
        position.play_chance(rng)
        position.play(position.legal_actions()[0])
    return position.moves


def test_chance_draws_by_a_random_of_pythons_too() -> None:
    """A number would draw the same dice again and again."""
    first = rolled(random.Random(1))
    assert first == rolled(random.Random(1)) != rolled(random.Random(2))
    assert len(set(rolled(make_rng(1)))) > 2 < len(set(first))
    for wrong in (1, None, random):
        with pytest.raises(UsageError, match=r"by a random\.Random, which is kept"):
            Position(Pig()).play_chance(wrong)


def test_a_position_shows_its_game_and_how_to_make_it_again() -> None:
    position = Position(Nim(stones=5)).play("2")
    shown = "Position(Nim(stones=5, most=3, first=0), 'left=3 player=1')"
    assert repr(position) == shown
    assert repr(eval(shown, {"Position": Position, "Nim": Nim})) == shown


class Failing(Nim):
    """Rules that fail in the middle of a move."""

    def apply(self, state, action):
        super().apply(state, action)
        if state.left < 10:
            raise ValueError("too few are left")


def test_a_move_that_fails_is_not_half_played() -> None:
    position = Position(Failing(stones=12)).play("1")
    before = position.to_text()
    with pytest.raises(ValueError, match="too few"):
        position.play("2")
    assert position.to_text() == before
    assert position.actions == [1]
    assert position.undo().to_text() == "left=12 player=0"


@pytest.mark.parametrize("kind", [Position, NativePosition])
def test_a_game_that_goes_on_has_no_returns(kind: type[Position]) -> None:
    position = kind.from_moves(Nim(stones=4), ["3"])
    with pytest.raises(PositionError, match="the game is not over"):
        position.returns(0)
    assert position.play("1").returns(1) == 1.0


@pytest.mark.parametrize("kind", [Position, NativePosition])
def test_a_copy_is_played_on_alone(kind: type[Position]) -> None:
    position = kind.from_moves(TicTacToe(), ["b2"])
    for other in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        assert other.play("a1").moves == ["b2", "a1"]
        assert position.moves == ["b2"]
        assert len(position.legal_actions()) == 8


def test_nobody_sees_what_no_player_does() -> None:
    for player in (2, -1, None):
        with pytest.raises(UsageError, match="player must be a whole number from 0 to"):
            Position.from_moves(KuhnPoker(), ["J", "Q"]).seen_by(player)


def test_legal_actions_are_asked_for_once_and_again_where_the_state_is_another() -> (
    None
):
    asked = []

    class Counted(Nim):
        def legal_actions(self, state, actions):
            asked.append(state.left)
            return super().legal_actions(state, actions)

    position = Position(Counted())
    asked.clear()  # what was asked of a class that is new
    position.legal_actions().clear()  # the list is the caller's
    assert position.play(3).play(2).undo().copy().legal_actions() == [1, 2, 3]
    assert asked == [21, 18]
    position.state.left = 2
    assert position.legal_actions() == [1, 2]

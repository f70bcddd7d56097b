"""`NativePosition` answers as `Position` does, move for move."""

from random import Random

import pytest

from playout.core.errors import IllegalMoveError, PositionError, UsageError
from playout.games.positions.native_position import NativePosition
from playout.games.positions.position import Position
from playout.games.registry import make_game
from tests.toys import Nim


def same(native: Position, slow: Position) -> bool:
    """Whether two positions agree in everything that the rules say."""
    players = range(slow.game.num_players())
    over = slow.is_terminal
    return (
        native.array[0] == slow.array[0]
        and native.actions == slow.actions
        and native.legal_actions() == slow.legal_actions()
        and native.is_terminal == over
        and (over or native.current_player == slow.current_player)
        and (not over or all(native.returns(p) == slow.returns(p) for p in players))
    )


@pytest.mark.parametrize(
    "spec",
    ["tic-tac-toe", "connect-four", "ultimate-tic-tac-toe", "gomoku:size=6,rule=renju"],
)
def test_random_games_are_the_same(spec):
    game, random = make_game(spec), Random(1)
    for _ in range(3):
        native, slow = NativePosition(game), Position(game)
        while not slow.is_terminal:
            move = random.choice(slow.legal_actions())
            native.play(move)
            slow.play(game.action_name(move))
            assert same(native, slow)
        native.undo().undo()
        slow.undo().undo()
        assert same(native, slow)
        assert native.to_text() == slow.to_text()


def test_rules_of_ones_own():
    native, slow = NativePosition(Nim(5)), Position(Nim(5))
    for action in (2, 1, 2):
        assert same(native.play(action), slow.play(action))
    assert native.is_terminal


def test_copies_are_independent():
    game = make_game("tic-tac-toe")
    one = NativePosition.from_moves(game, ["b2", "a1"])
    two = one.copy()
    assert type(two) is NativePosition
    two.play("c3").undo().undo().play("a3")
    assert one.moves == ["b2", "a1"]
    assert two.moves == ["b2", "a3"]
    assert same(one, Position.from_moves(game, one.moves))
    assert same(two, Position.from_moves(game, two.moves))


def test_positions_from_text_and_their_errors():
    game = make_game("connect-four")
    text = Position.from_moves(game, list("445")).to_text()
    assert same(NativePosition(game, text), Position(game, text))
    full = NativePosition.from_moves(game, list("444444"))
    with pytest.raises(
        IllegalMoveError, match="4 cannot be played here; legal are 1 2"
    ):
        full.play("4")
    with pytest.raises(UsageError):
        full.play("9")
    assert full.moves == ["4"] * 6
    with pytest.raises(PositionError, match="no move to take back"):
        NativePosition(game).undo()

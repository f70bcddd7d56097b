"""A position that begins with a given state."""

import numpy as np
import pytest

from playout.core.errors import UsageError
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

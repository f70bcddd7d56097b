"""`Boards` plays as a `Position` does, in many games at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from playout.core.rng import make_rng
from playout.games.contract.game import Game
from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.learning.boards import Boards
from tests.toys import Coins

COUNT = 20


def position_of(boards: Boards, index: int) -> Position:
    return Position.from_moves(boards.game, boards.moves(index))


@pytest.mark.parametrize("game", [TicTacToe(), Coins(turns=6)])
def test_games_stand_as_positions_after_the_same_moves(game: Game) -> None:
    """Chance has drawn, so that a player is to move or the game is over."""
    rng, boards = np.random.default_rng(1), Boards(game, COUNT, make_rng(1))
    ended = 0
    for _ in range(30):
        actions = []
        for index in range(COUNT):
            position = position_of(boards, index)
            actions.append(rng.choice(position.legal_actions()))
        boards.play(actions)
        states = boards.states()
        for index, fact in enumerate(boards.facts):
            position = position_of(boards, index)
            assert states[index] == position.array[0]
            assert fact["length"] == len(position.actions)
            assert fact["over"] == position.is_terminal
            if position.is_terminal:
                wanted = [position.returns(player) for player in (0, 1)]
                assert fact["returned"].tolist() == wanted
                boards.put(index, Position(game))
                ended += 1
            else:
                assert fact["player"] == position.current_player
                assert not position.is_chance
    assert ended > COUNT


def test_chance_draws_by_its_probabilities() -> None:
    boards = Boards(Coins(heads=0.3), 2000, make_rng(2))
    boards.play(np.full(2000, 1))
    assert (boards.facts["returned"][:, 0] == 1).mean() == pytest.approx(0.3, abs=0.04)


def test_a_game_goes_on_from_a_position() -> None:
    boards = Boards(TicTacToe(), 2, make_rng(1))
    boards.put(1, Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2"]))
    boards.play([0, TicTacToe().parse_action("a3")])
    assert boards.moves(1) == ("a1", "b1", "a2", "b2", "a3")
    assert boards.facts["over"].tolist() == [0, 1]
    assert boards.facts["returned"].tolist() == [[0, 0], [1, -1]]


@dataclass(frozen=True)
class Endless(Coins):
    """Says that it is shorter than it is."""

    def max_game_length(self) -> int:
        return 3


def test_a_game_that_is_too_long_ends_and_brings_nothing() -> None:
    boards = Boards(Endless(turns=100), 1, make_rng(1))
    for length in range(1, 5):
        boards.play([0])
        assert boards.facts["length"].tolist() == [length]
        assert boards.facts["over"].tolist() == [length > 3]
    assert boards.facts["returned"].tolist() == [[0, 0]]

"""`GamesAtOnce` plays as a `Position` does, in many games at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from playout.core.rng import make_rng
from playout.games.contract.game import Game
from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.learning.games_at_once import GamesAtOnce
from tests.toys import Coins

COUNT = 20


def position_of(games: GamesAtOnce, index: int) -> Position:
    return Position.from_moves(games.game, games.moves(index))


@pytest.mark.parametrize("game", [TicTacToe(), Coins(turns=6)])
def test_games_stand_as_positions_after_the_same_moves(game: Game) -> None:
    """Chance has drawn, so that a player is to move or the game is over."""
    rng, games = np.random.default_rng(1), GamesAtOnce(game, COUNT, make_rng(1))
    ended = 0
    for _ in range(30):
        actions = []
        for index in range(COUNT):
            position = position_of(games, index)
            actions.append(rng.choice(position.legal_actions()))
        games.play(actions)
        states = games.states()
        for index, fact in enumerate(games.facts):
            position = position_of(games, index)
            assert states[index] == position.array[0]
            assert fact["length"] == len(position.actions)
            assert fact["over"] == position.is_terminal
            if position.is_terminal:
                wanted = [position.returns(player) for player in (0, 1)]
                assert fact["returned"].tolist() == wanted
                games.put(index, Position(game))
                ended += 1
            else:
                assert fact["player"] == position.current_player
                assert not position.is_chance
    assert ended > COUNT


def test_chance_draws_by_its_probabilities() -> None:
    games = GamesAtOnce(Coins(heads=0.3), 2000, make_rng(2))
    games.play(np.full(2000, 1))
    assert (games.facts["returned"][:, 0] == 1).mean() == pytest.approx(0.3, abs=0.04)


def test_a_game_goes_on_from_a_position() -> None:
    games = GamesAtOnce(TicTacToe(), 2, make_rng(1))
    games.put(1, Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2"]))
    games.play([0, TicTacToe().parse_action("a3")])
    assert games.moves(1) == ("a1", "b1", "a2", "b2", "a3")
    assert games.facts["over"].tolist() == [0, 1]
    assert games.facts["returned"].tolist() == [[0, 0], [1, -1]]


@dataclass(frozen=True)
class Endless(Coins):
    """Says that it is shorter than it is."""

    def max_game_length(self) -> int:
        return 3


def test_a_game_that_is_too_long_ends_and_brings_nothing() -> None:
    games = GamesAtOnce(Endless(turns=100), 1, make_rng(1))
    for length in range(1, 5):
        games.play([0])
        assert games.facts["length"].tolist() == [length]
        assert games.facts["over"].tolist() == [length > 3]
    assert games.facts["returned"].tolist() == [[0, 0]]

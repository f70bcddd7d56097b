"""`greedy` wins when it can and blocks when it must, on any game of two."""

from dataclasses import dataclass

import pytest

from playout import Gomoku, Position, TicTacToe, make_game
from playout.arena.openings import RandomBook
from playout.players.baselines import GreedyPlayer, opening, wins
from playout.players.player import Allowance
from playout.players.registry import make_player

from ..toys import Nim, TwiceNim


@dataclass(frozen=True)
class AloneNim(Nim):
    """For one player, whose results are all above 0: 2 after an odd number of moves."""

    zero_sum = False
    return_range = (1, 2)

    def num_players(self):
        return 1

    def current_player(self, state):
        return 0

    def returns(self, state, player):
        return 1 + state.player


def greedy_moves(game, *moves: str) -> set[str]:
    """All the moves that it may draw."""
    player = make_player("greedy", game)
    position = Position.from_moves(game, moves)
    names = {game.action_name(action) for action in player.candidates(position)}
    for seed in range(5):
        player.new_game(seed)
        action = player.choose(position.copy(), Allowance()).action
        assert game.action_name(action) in names
    return names


def test_tic_tac_toe():
    game = TicTacToe()
    assert greedy_moves(game, "a1", "a3", "b1", "b3") == {"c1"}  # wins, not blocks
    assert greedy_moves(game, "a1", "a3", "b1") == {"c1"}  # blocks
    assert len(greedy_moves(game, "b2")) == 8


def test_connect_four():
    game = make_game("connect-four")
    assert greedy_moves(game, *["4", "1", "4", "1", "4"]) == {"4"}
    assert greedy_moves(game, *["4", "1", "4", "1", "4", "1"]) == {"4"}


def test_gomoku():
    game = make_game("gomoku:size=9")
    four = ["e5", "a1", "e6", "a2", "e7", "a3", "e4", "a4"]
    assert greedy_moves(game, *four) == {"E3", "E8"}
    assert greedy_moves(game, *four[:-1]) == {"E3", "E8"}  # blocks


def test_games_without_urgent_actions():
    """Nim: whoever takes the last stone wins; at 4 every move lets the other win."""
    assert greedy_moves(Nim(stones=3)) == {"3"}
    assert greedy_moves(Nim(stones=4)) == {"1", "2", "3"}
    assert greedy_moves(Nim(stones=5)) == {"1"}


def test_players_who_move_twice():
    """The opponent takes up to two stones, twice: three left are not safe, but 5 are.

    After one's own first move one is still to move oneself.
    """
    position = Position(TwiceNim(stones=2))
    assert wins(position, position.legal_actions()) == [2]
    assert greedy_moves(TwiceNim(stones=4)) == {"1", "2"}


@pytest.mark.parametrize(("first", "moves"), [(0, {"3"}), (1, {"1", "2", "3"})])
def test_a_game_for_one_is_won_by_the_best_end_alone(first, moves):
    """All its results are above 0; that alone makes no end a good one."""
    game = AloneNim(stones=3, first=first)
    assert greedy_moves(game) == moves
    if first == 0:  # with 1 or 2 stones, whose ends are worth no more than 1
        assert RandomBook(game, plies=1, seed=1).count(9) == 2


def test_trying_moves_and_asking_the_game_agree():
    """Trying all moves finds the game's own `urgent_actions`."""
    game = TicTacToe()
    asked, checked = make_player("greedy", game), 0
    assert isinstance(asked, GreedyPlayer)
    random = make_player("random", game)
    for seed in range(6):
        random.new_game(seed)
        position = Position(game)
        while not position.is_terminal:
            legal = position.legal_actions()
            tried = wins(position, legal) or asked._safe(position, legal)
            if tried and tried != legal:
                assert asked.candidates(position) == tried
                checked += 1
            position.play(random.choose(position.copy(), Allowance()).action)
    assert checked > 5


@pytest.mark.parametrize(
    ("rows", "columns", "cell"), [(15, 15, "H8"), (20, 20, "K10"), (9, 12, "G5")]
)
def test_the_first_stone_of_gomoku_goes_to_the_centre(rows, columns, cell):
    game = Gomoku(rows=rows, columns=columns)
    assert game.action_name(opening(Position(game))) == cell
    assert opening(Position(game).play("a1")) is None

"""`perfect` never gives away half a point."""

import sys

import pytest

from playout import ConnectFour, Position, TicTacToe, UsageError, make_game
from playout.players.perfect import stones_of
from playout.players.player import Allowance
from playout.players.registry import make_player
from tests.toys import Nim

from ..toys import solve
from .test_alphabeta import random_positions, tic_tac_toe
from .test_player_games import play_out


@pytest.mark.parametrize("opponent", ["random", "greedy", "mcts:simulations=60"])
def test_it_never_loses_tic_tac_toe(opponent):
    game = TicTacToe()
    players = [make_player("perfect", game), make_player(opponent, game)]
    for seed in range(6):
        assert play_out(game, players, Allowance(), seed).returns(0) >= 0
        assert play_out(game, players[::-1], Allowance(), seed).returns(1) >= 0


def test_it_wins_and_loses_as_theory_says():
    """Every score is the value of the position that the move leads to."""
    game = TicTacToe()
    player = make_player("perfect", game)
    table = tic_tac_toe()
    for position, value, _ in list(table.values())[::50]:
        assert player.choose(position, Allowance()).value == value
        for action, score in player.scores(position).items():
            position.play(action)
            if position.is_terminal:
                assert score[0] == position.returns(1 - position.current_player)
            else:
                assert score[0] == -table[position.array.tobytes()][1]
            position.undo()


def test_a_short_win_is_preferred_and_a_long_loss():
    player = make_player("perfect", TicTacToe())
    for seed in range(5):
        player.new_game(seed)
        start = ["a1", "b1", "a2", "b2"]  # a3 and b3 would win; a3 is mine
        position = Position.from_moves(TicTacToe(), start)
        decision = player.choose(position, Allowance())
        assert position.game.action_name(decision.action) == "a3"
        assert decision.comment == "won"


def test_other_short_games_are_searched_to_the_end():
    game = make_game("mnk:m=2,n=3,k=2")
    decision = make_player("perfect", game).choose(Position(game), Allowance())
    assert decision.value == solve(Position(game)) == 1.0


def test_what_is_too_long_is_told_by_the_bound_of_its_rules():
    said = r"12 moves by their max_game_length\(\), not Nim, of 10,000"
    with pytest.raises(UsageError, match=said):
        make_player("perfect", Nim(stones=5))


# -- Connect Four ----------------------------------------------------------------------


def test_connect_four_agrees_with_bitbully():
    bitbully = pytest.importorskip("bitbully")
    game = ConnectFour()
    player, solver = make_player("perfect", game), bitbully.BitBully()
    for position in random_positions(game, 40, 34):
        board = bitbully.Board([int(move) - 1 for move in position.moves])
        assert bitbully.Board(stones_of(position)) == board
        theirs = solver.score_all_moves(board)
        best = [column for column in theirs if theirs[column] == max(theirs.values())]
        decision = player.choose(position, Allowance())
        assert decision.action in best
        worth = theirs[decision.action]
        assert decision.value == (worth > 0) - (worth < 0)


def test_connect_four_is_won_by_whoever_begins_in_the_middle():
    """Allis 1988: the first player wins; the second wins if a side column is first."""
    pytest.importorskip("bitbully")
    game = ConnectFour()
    player = make_player("perfect", game)
    decision = player.choose(Position(game), Allowance())
    assert (game.action_name(decision.action), decision.value) == ("4", 1.0)
    assert player.choose(Position.from_moves(game, ["1"]), Allowance()).value == 1.0


def test_without_bitbully_it_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "bitbully", None)
    with pytest.raises(UsageError, match="pip install bitbully"):
        make_player("perfect", ConnectFour())


def test_bitbully_is_loaded_when_a_game_is_prepared(monkeypatch):
    """A page that offers the player need not wait for it."""
    bitbully = pytest.importorskip("bitbully")
    made = []
    monkeypatch.setattr(bitbully, "BitBully", lambda: made.append(1))
    player = make_player("perfect", ConnectFour())
    assert made == []
    player.prepare()
    player.prepare()
    assert made == [1]

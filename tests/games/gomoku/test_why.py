"""What the log says of a move that had to be played (also `players/reasons.py`)."""

import pytest

from playout import MCTS, ConnectFour, Gomoku, Limit, Position, TicTacToe
from playout.players.player import Decision
from playout.players.reasons import urgent_reason
from playout.search.presets import group21

GAME = Gomoku(size=9)

#: Moves, the move that is asked about, and what is said of it.
CASES = [
    ("e5 a1 f5 a9 g5", "d5", "answers the open three at E5, F5, G5"),
    ("e5 a1 f5 a9 h5", "g5", "answers the open three at E5, F5, H5"),
    ("e5 a1 f5 a9 g5 b9 h5", "i5", "answers the four at E5, F5, G5, H5"),
    ("e5 a1 f5 a9 g5 b9", "h5", "makes an open four"),
    (
        "e5 a1 f5 b1 a9 c1 g5",
        "d1",
        "makes a four, sooner than the open three at E5, F5, G5",
    ),
]


@pytest.mark.parametrize(("moves", "move", "said"), CASES)
def test_what_gomoku_has_seen(moves, move, said):
    position = Position.from_moves(GAME, moves.split())
    before = position.to_text()
    assert GAME.why_urgent(position.state, position.find(move)) == said
    assert position.to_text() == before


def decided(game, moves, **policies):
    position = Position.from_moves(game, moves.split())
    search = MCTS(game, seed=1, interpreted=True, **policies)
    result = search.search(position, Limit(simulations=12))
    return urgent_reason(position, Decision(result.action, result))


def test_the_list_has_decided():
    policies = group21()
    assert decided(TicTacToe(), "b2 a1 a2", **policies) == "stops a line"
    assert decided(TicTacToe(), "b2 a1 a2 b1", **policies) == "wins at once"
    assert decided(ConnectFour(), "1 7 1 7 1", **policies) == "stops a line"


def test_nothing_is_said_where_the_search_has_decided():
    assert decided(TicTacToe(), "b2", **group21()) == ""
    position = Position.from_moves(TicTacToe(), ["b2", "a1", "a2"])
    assert urgent_reason(position, Decision(position.find("c2"))) == ""

"""The win rates of a game, as moves are made, taken back and given up."""

from playout import TicTacToe
from playout.arena.table import Table
from playout.arena.values import Values


def said(ply, rate):
    """What a search has found of a position."""
    return {
        "ply": ply,
        "visits": 1000,
        "proven": None,
        "win_rate": rate,
        "to_move": ply % 2,
    }


def test_what_cannot_be_played_again_is_forgotten():
    """Taken back, it still can; after a resignation, or another move, it cannot."""
    for leave in (Table.resign, lambda table: table.play("c3")):
        table = Table(TicTacToe(), ["human", "human"], moves=["b2", "a1"])
        values = Values(table.game)
        for ply in range(3):
            values.learn(said(ply, 0.5))
        before = list(table.position.actions)
        values.follow(before, table.take_back())
        assert list(values.shown()) == [0, 1, 2]
        before = list(table.position.actions)
        leave(table)
        values.follow(before, table)
        assert list(values.shown()) == [0, 1]

"""The log as plain lines."""

import re

from playout import MCTS, ConnectFour, Limit, Position, TicTacToe
from playout.search.result.fachada_log import fachada_log


def test_cells_and_their_ratios():
    result = MCTS(TicTacToe(), seed=1).search(limit=Limit(simulations=400))
    first, *rest = fachada_log(result, TicTacToe()).splitlines()
    total = sum(row.visits for row in result.actions)
    best = result.actions[0]
    assert first == (
        f"Selected {divmod(result.action, 3)} with ratio "
        f"{best.value_sum / best.visits:.4f} after {total} simulations"
    )
    assert len(rest) == 9
    for line, row in zip(rest, result.actions, strict=True):
        cell, ratio, wins, visits = re.fullmatch(
            r"(\(\d, \d\)) -> (-?\d\.\d{4}) \((-?\d+)/(\d+)\)", line
        ).groups()
        assert cell == str(divmod(row.action, 3))
        assert (int(wins), int(visits)) == (row.value_sum, row.visits)
        assert ratio == f"{row.mean:.4f}"


def test_moves_without_a_cell_have_their_names():
    result = MCTS(ConnectFour(), seed=1).search(limit=Limit(simulations=50))
    lines = fachada_log(result, ConnectFour()).splitlines()
    assert {line.partition(" -> ")[0] for line in lines[1:]} == set("1234567")


def test_what_is_proven_is_said_for_the_ratio_does_not_tell():
    """X has a1, a2 and b2, and threatens to win in two ways."""
    position = Position.from_moves(TicTacToe(), "a1 b1 a2 c3 b2")
    result = MCTS(TicTacToe(), seed=1).search(position, Limit(simulations=2000))
    first, *rest = fachada_log(result, TicTacToe()).splitlines()
    assert "proven" not in first
    assert all(line.endswith(", proven loss") for line in rest)

"""Labels for Connect Four's network: what a prover's table knows, beside the search."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playout import MCTS, ConnectFour, Limit, Position

DIRECTORY = Path(__file__).parents[2] / "benchmarks" / "strength"
GAME = ConnectFour()
#: Ten plies, after which much is still open.
MOVES = "4444432666"


@pytest.fixture(scope="module")
def labels() -> Any:
    sys.path.insert(0, str(DIRECTORY))
    try:
        import connect_four_labels
    finally:
        sys.path.remove(str(DIRECTORY))
    return connect_four_labels


def test_stones_are_those_of_the_rules(labels: Any) -> None:
    position, moves = Position(GAME), []
    for name in MOVES:
        position.play(name)
        moves.append(int(name) - 1)
        mine, occupied = labels.stones_after(moves)
        stones = position.array["stones"][0, :, 0]
        assert stones[position.current_player] == mine
        assert stones.sum() == occupied


def test_what_the_table_knows_is_what_the_search_proves(labels: Any) -> None:
    """Of some that took the prover an effort, and have twenty stones or more."""
    moves = [int(name) - 1 for name in MOVES]
    table, history = labels.new_table(20), labels.new_history()
    room = np.zeros(7 * 42, np.int64), np.array([0, 10**6])
    labels.prove_moves(*labels.stones_after(moves), len(moves), table, history, *room)
    stones = np.zeros((len(table), 2), np.uint64)
    known = np.zeros((len(table), 2), np.int8)
    count = labels.harvest(table, stones, known)
    assert count > 1000
    stones, known = stones[:count], known[:count]
    late = np.flatnonzero(np.bitwise_count(stones[:, 1]) >= 20)
    answers = set()
    search = MCTS(GAME, seed=1)
    for index in late[:: max(1, len(late) // 40)]:
        result = search.search(position_of(*stones[index]), Limit(simulations=10**6))
        assert result.proven
        truth = [result.value > 0.75, result.value > 0.25]
        for what, told in zip(truth, known[index], strict=True):
            if told != labels.UNKNOWN:
                assert what == (told == labels.YES)
        answers.add(tuple(known[index].tolist()))
    assert len(answers) > 2


def position_of(mine: Any, occupied: Any) -> Position:
    """The position in which those are the stones of who moves, and of both."""
    states = np.zeros(1, GAME.state_dtype())
    player = int(occupied).bit_count() % 2
    states["stones"][0, player, 0] = mine
    states["stones"][0, 1 - player, 0] = occupied & ~mine
    states["occupied"], states["player"], states["winner"] = occupied, player, -1
    return Position.at(GAME, states)

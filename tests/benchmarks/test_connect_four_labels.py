"""Labels for Connect Four's network: what a prover's table knows, beside the search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from playout import MCTS, ConnectFour, Limit, Position

from .strength import import_strength

GAME = ConnectFour()
#: Ten plies, after which much is still open.
MOVES = "4444432666"


@pytest.fixture(scope="module")
def labels() -> Any:
    return import_strength("connect_four_labels")


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
    sorting, effort = np.zeros(7 * 42, np.int64), np.array([0, 10**6])
    mine, occupied = labels.stones_after(moves)
    labels.prove_moves(mine, occupied, len(moves), table, history, sorting, effort)
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
        truth = result.proven == "win", result.proven != "loss"
        for what, told in zip(truth, known[index], strict=True):
            if told != labels.UNKNOWN:
                assert what == (told == labels.YES)
        answers.add(tuple(known[index].tolist()))
    assert len(answers) > 2


def position_of(mine: Any, occupied: Any) -> Position:
    """The position of these stones: those of the player to move, and all of them."""
    states = np.zeros(1, GAME.state_dtype())
    player = int(occupied).bit_count() % 2
    states["stones"][0, player, 0] = mine
    states["stones"][0, 1 - player, 0] = occupied & ~mine
    states["occupied"], states["player"], states["winner"] = occupied, player, -1
    return Position.at(GAME, states)

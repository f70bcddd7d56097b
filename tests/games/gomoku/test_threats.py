"""Gomoku's urgent actions against the oracle, by hand, and by their value."""

from __future__ import annotations

import random

import numpy as np
import pytest

from playout.core.jit.rows import Rows
from playout.games.gomoku.rules import RULES, Gomoku
from playout.games.positions.position import Position
from tests.games.gomoku.games import (
    choose,
    crowded,
    oracle_from_text,
    stones,
    urgent_natively,
    value_after,
)
from tests.oracles.gomoku_oracle import Oracle

pytestmark = pytest.mark.optimised


@pytest.mark.parametrize("rule", RULES)
def test_urgent_actions_against_oracle(rule):
    game = Gomoku(9, rule)
    states = np.zeros(1, dtype=game.state_dtype())
    buffer = np.zeros(81, dtype=np.int32)
    native = urgent_natively.compile(game, Rows(states), buffer)
    rng = random.Random(f"urgent {rule}")
    lengths = []
    for _ in range(3 if rule == "renju" else 6):
        oracle, position = Oracle(9, rule), Position(game)
        while legal := oracle.legal():
            states[:] = position.array
            count = native(game, Rows(states), buffer)
            assert states.tobytes() == position.array.tobytes()
            assert buffer[:count].tolist() == oracle.urgent(), position.to_text()
            lengths.append(count)
            wise = count > 0 and rng.random() < 0.8
            action = (
                int(buffer[0]) if wise else choose(oracle, legal, rng, clustered=True)
            )
            oracle.play(action)
            position = Position(game, position.to_text()).play(action)
    assert {0, 1, 2} < set(lengths)


URGENT = [
    ("H8 A1 H9 C1 H10 E1", "H7 H11"),  # Black makes an open four
    ("H8 A1 H9 C1 H10 E1 A15", "B1 D1 H7 H11"),  # White stops it, or makes a four
    ("H8 A1 H9 C1 H10 E1 H11", "H7 H12"),  # both ends of the four, though too late
    ("H8 A1 H9 C1 H10 E1 H11 A2", "H7 H12"),  # Black wins
    ("H8 A1", ""),
]


@pytest.mark.parametrize(("moves", "expected"), URGENT)
def test_urgent_actions_by_hand(moves, expected):
    position = Position.from_moves(Gomoku(), moves.split())
    buffer = np.zeros(225, dtype=np.int32)
    with np.errstate(over="ignore"):
        count = position.game.urgent_actions(position.state, buffer)
    names = [position.game.action_name(action) for action in buffer[:count]]
    assert sorted(names) == sorted(expected.split())


@pytest.mark.parametrize("rule", RULES)
def test_urgent_actions_keep_the_value(rule):
    """Where the list is not empty, its best move is as good as the best of all."""
    game, rng, checked = Gomoku(6, rule), random.Random(f"value {rule}"), 0
    buffer = np.zeros(36, dtype=np.int32)
    states = np.zeros(1, dtype=game.state_dtype())
    native = urgent_natively.compile(game, Rows(states), buffer)
    while checked < 6:
        text = crowded(rng)
        oracle = oracle_from_text(text, rule)
        if any(oracle.wins_at(*divmod(i, 6)) for i in stones(oracle)):
            continue
        states[:] = Position(game, text).array
        count = native(game, Rows(states), buffer)
        legal = oracle.legal()
        if 0 < count < len(legal):
            values = {action: -value_after(oracle, action) for action in legal}
            best = max(values[int(action)] for action in buffer[:count])
            assert best == max(values.values()), text
            checked += 1

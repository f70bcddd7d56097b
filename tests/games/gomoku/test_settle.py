"""Gomoku's exact searches against full search and an obvious twin.

Also what it calls: `games/gomoku/fours.py`, `games/gomoku/forcing.py`,
`games/gomoku/windows.py` and `games/gomoku/work.py`.
`PLAYOUT_GOMOKU_PROOFS=1000` looks at so many positions of every rule and size.
"""

from __future__ import annotations

import os
import random
from functools import cache

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.gomoku.fours import FOUND, find_fours
from playout.games.gomoku.rules import RULES, Gomoku
from playout.games.gomoku.settle import SETTLED_LOSS, SETTLED_WIN, UNSETTLED
from playout.games.gomoku.work import key_of, new_work
from playout.games.positions.position import Position
from tests.games.gomoku.full import (
    crowded_position,
    frames_for,
    value_of,
    wins_by_fours,
)
from tests.games.gomoku.games import DATA, oracle_from_text

MANY = int(os.environ.get("PLAYOUT_GOMOKU_PROOFS", "0"))
#: Empty cells, at most: full search looks at all that is left.
EMPTY = 10
BOARDS = [(rule, 6) for rule in ("freestyle", "caro", "renju")]
if MANY:
    BOARDS = [(rule, size) for rule in RULES for size in (5, 6, 7)]

#: White to move wins by H9, which makes no three.
QUIET = "H8 I9 E10 J5 L8 J8 K7 I7 H6 I6 I5 J6 J7 H7 K4"


@kernel
def settle(game, states, nodes, table, said):
    """What is settled, and what a search of fours says."""
    state = states[0]
    said[0], said[1], said[2] = game.settle(state, nodes, table)
    work, key = new_work(game, nodes), key_of(game, state)
    said[3] = find_fours(game, state, work, table, int(state.player), key, nodes)


class Settler:
    """Asks the exact searches about positions, compiled."""

    def __init__(self, game: Gomoku) -> None:
        self.game = game
        self.states = np.zeros(1, dtype=game.state_dtype())
        self.table = np.zeros(1 << 12, dtype=np.uint64)
        self.said = np.zeros(4, dtype=np.int64)
        self.native = settle.compile(game, *self._arguments(1))

    def _arguments(self, nodes):
        return Rows(self.states), nodes, self.table, self.said

    def __call__(self, position: Position, nodes: int, run=None) -> list[int]:
        self.states[:] = position.array
        (run or self.native)(self.game, *self._arguments(nodes))
        assert self.states.tobytes() == position.array.tobytes()
        return self.said.tolist()


settler = cache(Settler)


@cache
def full_value(game: Gomoku) -> object:
    """A function: the value of a position by full search, for who moves."""
    room = frames_for(game, EMPTY + 1)
    states = room[0]
    native = value_of.compile(game, Rows(states), *room[1:])

    def value(position: Position) -> int:
        if position.is_terminal:
            return -1 if position.state.winner >= 0 else 0
        states[0] = position.array[0]
        return native(game, Rows(states), *room[1:])

    return value


@pytest.mark.parametrize(("rule", "size"), BOARDS)
def test_no_false_proof(rule, size):
    """The table stays from position to position, as in a search."""
    game = Gomoku(size, rule)
    ask, value = settler(game), full_value(game)
    rng, seen = random.Random(f"{rule} {size}"), dict.fromkeys((-1, 0, 1), 0)
    for number in range(MANY or 60):
        position = None
        while position is None:
            position = crowded_position(ask.game, rng, rng.randint(6, EMPTY))
        outcome, action, plies, fours = ask(position, rng.choice((20, 3000)))
        found = {SETTLED_WIN: 1, SETTLED_LOSS: -1, UNSETTLED: 0}[outcome]
        seen[found] += 1
        if found or fours == FOUND:
            assert value(position) == (found or 1), position.to_text()
        if found == 1:
            assert plies % 2 == 1
            assert value(position.copy().play(action)) == -1, position.to_text()
        if number % (20 if rule == "renju" else 4) == 0 and rule != "caro":
            twin = wins_by_fours(oracle_from_text(position.to_text(), rule))
            assert twin <= (fours != 0), position.to_text()
            assert twin >= (fours == FOUND), position.to_text()
    assert min(seen.values()) > 0


#: White closes both of Black's columns, which are closed at their other ends, by D7.
CLOSES_TWO = (
    "OXXOO/XXOXX/XXX../XOOXO/OOX.O/.OOXO/OOX.O/XOO.X/OOXXX/XXX../XXOXO/OXOXX/OOXOO O"
)
#: White's open four at B3 would leave Black no move, as A3 and F3 are overlines.
LEAVES_STUCK = "XOXXOX/XXOOOX/XOXXOX/..OOO./XOOOXX/XOXOOX O"


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (Gomoku(rule="caro", rows=13, columns=5), CLOSES_TWO),
        (Gomoku(6, "renju"), LEAVES_STUCK),
    ],
    ids=["an end of a five is closed", "Black cannot move"],
)
def test_what_only_looks_decided(game, text):
    position = Position(game, text)
    assert full_value(game)(position) == 0
    outcome, _, _, fours = settler(game)(position, 3000)
    assert outcome == UNSETTLED
    assert fours != FOUND


def test_a_quiet_move_that_threatens_fours():
    ask = settler(Gomoku(15))
    position = Position.from_moves(ask.game, QUIET.split())
    assert ask(position, 1000)[0] == UNSETTLED
    outcome, action, plies, _ = ask(position, 10_000)
    assert (outcome, ask.game.action_name(action), plies) == (SETTLED_WIN, "H9", 11)


#: Moves, what the player to move is proven, and in how many plies.
KNOWN = [
    ("H8 A1 H9 A3 H10 A5 H11 A7", "win", 1),
    ("H8 A1 H9 A3 H10 A5", "win", 3),  # an open four
    ("H8 A1 H9 A3 H10 A5 H11", "loss", 2),  # two fives of the other side
    ("H8 A1 H9 A3 H10", "", 0),  # an open three can be stopped
    ("H8 G8 I8 A1 J8 A3 K9 A5 K10 A7", "win", 5),  # a four and a three at once
    ("H8 A1 I8 O1 J9 A15 J10 O15", "win", 5),  # two threes at once
]


@pytest.mark.parametrize(("moves", "said", "plies"), KNOWN)
def test_known_shapes(moves, said, plies):
    ask = settler(Gomoku(15))
    position = Position.from_moves(ask.game, moves.split())
    outcome, _, found, _ = ask(position, 2000)
    assert {SETTLED_WIN: "win", SETTLED_LOSS: "loss", UNSETTLED: ""}[outcome] == said
    assert found == plies


def test_interpreted_and_compiled_agree():
    ask = settler(Gomoku(6))
    rng = random.Random(3)
    for _ in range(3):
        position = None
        while position is None:
            position = crowded_position(ask.game, rng, 9)
        ask.table[:] = 0
        compiled, table = ask(position, 12), ask.table.copy()
        ask.table[:] = 0
        with np.errstate(over="ignore"):
            assert ask(position, 12, settle) == compiled
        assert (ask.table == table).all()


def test_asked_again_it_goes_on():
    """What was proven stays in the table, so that little efforts add up."""
    ask = settler(Gomoku(15))
    position = Position.from_moves(ask.game, QUIET.split())
    ask.table[:] = 0
    said = [ask(position, 1000)[0] for _ in range(12)]
    assert said[0] == UNSETTLED
    assert said[-1] == SETTLED_WIN


def test_forced_wins():
    """A sample of wins by forcing moves; `benchmarks/strength/forced_wins.py` has all.

    Each is to be found with fewer positions than a tenth of a second allows.
    """
    ask, missed = settler(Gomoku(15)), []
    lines = (DATA / "gomoku_wins.txt").read_text(encoding="utf-8").splitlines()
    sample = [line for i, line in enumerate(lines) if i % 3 != 2][::11]
    for line in sample:
        _, _, *moves = line.split()
        ask.table[:] = 0
        position = Position.from_moves(ask.game, moves)
        if ask(position, 100_000)[0] != SETTLED_WIN:
            missed.append(line)
    assert len(sample) > 50
    assert len(missed) <= len(sample) // 100, missed

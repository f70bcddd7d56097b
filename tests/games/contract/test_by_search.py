"""Alpha-beta from the rules alone proves what full minimax finds.

Also of `core/jit/carve.py`.
"""

import os
import random
from dataclasses import dataclass

import numpy as np
import pytest

from playout import (
    MCTS,
    MNK,
    SETTLED_DRAW,
    SETTLED_LOSS,
    SETTLED_WIN,
    UNSETTLED,
    ConnectFour,
    Limit,
    Position,
    ScoreBounds,
    TicTacToe,
    make_game,
    settle_by_search,
)
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.players.alphabeta import Deepening
from tests.toys import TwiceNim

#: Random positions of each game searched in each way; PLAYOUT_SOUNDNESS=10000 makes
#: 100,000 of them, of more games.
MANY = int(os.environ.get("PLAYOUT_SOUNDNESS", "0"))
VALUE = {SETTLED_WIN: 1, SETTLED_DRAW: 0, SETTLED_LOSS: -1}
SIGN = {"win": 1, "draw": 0, "loss": -1}
SMALL = [MNK(4, 3, 3), make_game("hex:size=3")]
if MANY:
    SMALL += [TicTacToe(), *(ConnectFour(rows=4, columns=n) for n in (4, 5))]


def full(position: Position) -> float:
    """Plain minimax: the value for the player to move."""
    if position.is_terminal:
        raise ValueError("the game is over")
    mover = position.current_player
    values = []
    for action in position.legal_actions():
        after = position.copy().play(action)
        if after.is_terminal:
            values.append(after.returns(mover))
        else:
            same = after.current_player == mover
            values.append(full(after) if same else -full(after))
    return max(values)


class Truth:
    """Exact values by another search, the player's alpha-beta to the end."""

    def __init__(self, game) -> None:
        self.deepening, self.known = Deepening(game, urgent=False), {}

    def of(self, position: Position) -> float:
        key = position.array.tobytes()
        if key not in self.known:
            found = self.deepening.search(position)
            assert found.complete
            self.known[key] = found.value
        return self.known[key]

    def after(self, position: Position, action: int) -> float:
        """The value of a move for the one who plays it; the players alternate."""
        after = position.copy().play(action)
        if after.is_terminal:
            return after.returns(position.current_player)
        return -self.of(after)


@kernel
def ask(game, states, nodes, table):
    """What is said of a state."""
    return settle_by_search(game, states[0], nodes, table)


def asked(game, position, nodes, table, run=None):
    run = run or ask.function
    before = position.array.copy()
    with np.errstate(over="ignore"):
        said = run(game, Rows(position.array), nodes, table)
    assert position.array[0] == before[0]
    return said


def some_position(game, chance: random.Random, least: int = 0) -> Position:
    """A random position that is not terminal, at least so far from the start."""
    while True:
        position = Position(game)
        for _ in range(chance.randint(least, game.max_game_length())):
            if position.is_terminal:
                break
            position.play(chance.choice(position.legal_actions()))
        if not position.is_terminal:
            return position


def test_interpreted_and_compiled_say_the_same() -> None:
    game, chance = TicTacToe(), random.Random(1)
    tables = np.zeros((2, 4096), dtype=np.uint64)
    native = ask.compile(game, Rows(Position(game).array), 1, tables[0])
    for _ in range(20):
        position = some_position(game, chance, least=3)
        said = [
            asked(game, position, 20, table, run)
            for table, run in zip(tables, (None, native), strict=True)
        ]
        assert said[0] == said[1]
    assert (tables[0][200:] == tables[1][200:]).all()


def test_it_settles_what_enough_positions_settle() -> None:
    game, chance, truth = SMALL[0], random.Random(2), Truth(SMALL[0])
    table = np.zeros(1 << 14, dtype=np.uint64)
    native = ask.compile(game, Rows(Position(game).array), 1, table)
    for _ in range(100):
        position = some_position(game, chance)
        outcome, action, _ = asked(game, position, 10**7, table, native)
        assert VALUE[outcome] == truth.of(position)
        if outcome == SETTLED_WIN:
            assert truth.after(position, action) == 1


def test_few_positions_at_a_time_come_to_the_same_end() -> None:
    game = MNK(4, 3, 3)
    position, table = Position(game), np.zeros(1 << 16, dtype=np.uint64)
    native = ask.compile(game, Rows(position.array), 1, table)
    said = [native(game, Rows(position.array), 300, table)[0] for _ in range(300)]
    settled = said.index(SETTLED_WIN)
    assert set(said[settled:]) == {SETTLED_WIN}


def test_without_a_table_it_says_nothing() -> None:
    position = Position(TicTacToe())
    none = np.zeros(0, dtype=np.uint64)
    assert asked(position.game, position, 9, none)[0] == UNSETTLED


def test_players_may_move_twice() -> None:
    game, table = TwiceNim(), np.zeros(4096, dtype=np.uint64)
    for moves in ([], [1], [1, 1], [2, 1, 1]):
        position = Position.from_moves(game, moves)
        outcome, _, _ = asked(game, position, 10**6, table)
        assert VALUE[outcome] == full(position)


@dataclass(frozen=True)
class SettledMNK(MNK):
    """One line makes it exact."""

    settle = settle_by_search


def test_one_line_in_a_game_is_enough() -> None:
    result = MCTS(SettledMNK(4, 3, 3), seed=1).search(limit=Limit(simulations=5000))
    assert (result.proven, result.simulations < 500) == ("win", True)


@pytest.mark.parametrize("game", SMALL, ids=str)
@pytest.mark.parametrize("way", [{"threads": 2}, {"transpositions": True}], ids=str)
def test_no_proof_is_false(game, way) -> None:
    """Small budgets, so that it is asked everywhere; some moves keep the tree."""
    solver = ScoreBounds("search", 5, 0.01, 20, 4, 30, 20)
    search = MCTS(game, solver=solver, seed=1, **way)
    chance, truth = random.Random(3), Truth(game)
    for _ in range(MANY or 40):
        position = some_position(game, chance, least=game.max_game_length() // 4)
        result = search.search(position, Limit(simulations=60), forced_too=True)
        if result.proven is not None:
            assert SIGN[result.proven] == truth.of(position), position.to_text()
            assert truth.after(position, result.action) == truth.of(position)
        for row in result.actions:
            if row.proven is not None:
                known = truth.after(position, row.action)
                assert SIGN[row.proven] == known, f"{position.to_text()}: {row}"

"""The exact search against slow twins.

Also `games/connect_four/known.py` and `games/connect_four/settling.py`.
"""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from playout import (
    SETTLED_AT_LEAST_DRAW,
    SETTLED_AT_MOST_DRAW,
    SETTLED_DRAW,
    SETTLED_LOSS,
    SETTLED_WIN,
    UNSETTLED,
)
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.connect_four.rules import ConnectFour
from playout.games.positions.position import Position
from tests.games.connect_four.boards import DATA, judge_of

#: What an outcome allows the position to be worth.
ALLOWED = {
    SETTLED_WIN: {1},
    SETTLED_DRAW: {0},
    SETTLED_LOSS: {-1},
    SETTLED_AT_LEAST_DRAW: {0, 1},
    SETTLED_AT_MOST_DRAW: {-1, 0},
    UNSETTLED: {-1, 0, 1},
}
SETTLED = (SETTLED_WIN, SETTLED_DRAW, SETTLED_LOSS)
ENOUGH = 10_000_000


@kernel
def ask(game, rows, nodes, table, out):
    out[0], out[1], out[2] = game.settle(rows[0], nodes, table)


@cache
def asked(game):
    """What `settle` says of a position, after so many nodes; the table is kept."""
    table = np.zeros(game.settle_table_size(), dtype=np.uint64)
    out = np.zeros(3, dtype=np.int64)
    native = ask.compile(game, Rows(Position(game).array), 1, table, out)

    def say(position, nodes):
        before = position.array.tobytes()
        native(game, Rows(position.array), nodes, table, out)
        assert position.array.tobytes() == before
        return tuple(out.tolist())

    return say


def draw(game, rng, plies):
    """A random position after so many plies, none of which wins; None if one has to."""
    position = Position(game)
    for _ in range(plies):
        legal = position.legal_actions()
        rng.shuffle(legal)
        for action in legal:
            position.play(action)
            if not position.is_terminal:
                break
            position.undo()
        else:
            return None
    return position


def draw_many(game, seed, first, last, count):
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        position = draw(game, rng, rng.randint(first, last))
        if position is not None:
            found.append(position)
    return found


def expect_true(game, position, said, value):
    outcome, action, plies = said
    assert value in ALLOWED[outcome], position.to_text()
    assert plies in (0, 1)
    if outcome == SETTLED_WIN or action >= 0:
        assert action in position.legal_actions()
        position.play(action)
        mover = 1 - position.current_player
        over = position.is_terminal
        after = position.returns(mover) if over else -judge_of(game)(position)
        position.undo()
        assert after == value


#: One word of bits, two and three; few free cells, so that all can be tried.
CASES = [
    ({"rows": 4, "columns": 4, "forbidden": (2, 1)}, 7, 13, 150),
    ({"rows": 4, "columns": 5, "line": 3, "forbidden": (3, 2)}, 4, 12, 100),
    ({"rows": 9, "columns": 9, "line": 5, "forbidden": (4, 4)}, 72, 75, 3),
    ({"rows": 12, "columns": 12, "line": 6, "forbidden": (0, 3)}, 136, 138, 2),
]


@pytest.mark.parametrize(("board", "first", "last", "count"), CASES, ids=str)
def test_settled_is_as_by_trying_everything(board, first, last, count):
    game = ConnectFour(**board)
    say, worth, settled = asked(game), judge_of(game), 0
    for position in draw_many(game, 3, first, last, count):
        value = worth(position)
        expect_true(game, position, say(position, 20), value)
        said = say(position, ENOUGH)
        settled += said[0] in SETTLED
        expect_true(game, position, said, value)
    assert settled == count


@pytest.mark.parametrize(("name", "count"), [("endgames", 300), ("middles", 100)])
def test_known_scores(name, count):
    """Pons' sets; a positive score is a win of the player to move."""
    say = asked(ConnectFour())
    lines = (DATA / f"connect_four_{name}.txt").read_text().splitlines()
    for line in lines[:count]:
        moves, score = line.split()
        outcome, _, _ = say(Position.from_moves(ConnectFour(), moves), ENOUGH)
        expected = (int(score) > 0) - (int(score) < 0)
        assert ALLOWED[outcome] == {expected}, moves


def test_asking_again_goes_on():
    """Many calls with little effort find what one call with much effort finds."""
    position = Position.from_moves(ConnectFour(), "7422341735647741")
    say = asked(ConnectFour())
    outcomes = [say(position, 300)[0] for _ in range(200)]
    assert outcomes[0] == UNSETTLED
    assert outcomes[-1] in SETTLED


def test_a_draw_names_its_move_though_that_was_found_before():
    """First some move is known to draw, later that none wins."""
    position = Position(ConnectFour(4, 5), ".XO../.OX../.XOO./XOOXX X")
    said = asked(ConnectFour(4, 5))(position, 100)
    assert said[0] == SETTLED_DRAW
    assert said[1] >= 0
    expect_true(position.game, position, said, 0)


def test_interpreted_is_as_compiled():
    game = ConnectFour(4, 4, forbidden=(2, 1))
    for position in draw_many(game, 8, 9, 13, 5):
        table = np.zeros(game.settle_table_size(), dtype=np.uint64)
        with np.errstate(over="ignore"):
            said = game.settle(position.state, ENOUGH, table)
        assert said[0] == asked(game)(position, ENOUGH)[0]

"""What is said to be sure is: against full searches of the ends of random games."""

from __future__ import annotations

import random

import numpy as np
import pytest

from playout import MCTS, Limit, Position, ScoreBounds, UltimateTicTacToe
from playout.games.contract.game import (
    SETTLED_AT_LEAST_DRAW,
    SETTLED_AT_MOST_DRAW,
    SETTLED_DRAW,
    SETTLED_LOSS,
    SETTLED_WIN,
    UNSETTLED,
)

from .test_value import VARIANTS

NO_TABLE = np.zeros(0, dtype=np.uint64)
#: What each outcome allows the value to be, for the player to move.
ALLOWED = {
    SETTLED_WIN: {1},
    SETTLED_DRAW: {0},
    SETTLED_LOSS: {-1},
    SETTLED_AT_LEAST_DRAW: {0, 1},
    SETTLED_AT_MOST_DRAW: {-1, 0},
    UNSETTLED: {-1, 0, 1},
}


def value(position: Position, known: dict[str, int]) -> int:
    """The exact value for the player to move, by looking at every game."""
    text = position.to_text()
    if text not in known:
        if position.is_terminal:
            known[text] = int(position.returns(position.current_player))
        else:
            legal = position.legal_actions()
            known[text] = max(-value(position.copy().play(a), known) for a in legal)
    return known[text]


@pytest.mark.parametrize("game", VARIANTS, ids=str)
def test_what_is_sure_at_sight_is_true(game: UltimateTicTacToe):
    rng, said = random.Random(2), set()
    for _ in range(12):
        position = Position(game)
        while not position.is_terminal:
            position.play(rng.choice(position.legal_actions()))
        moves, known = position.actions, {}
        for plies in range(max(0, len(moves) - 6), len(moves)):
            position = Position.from_moves(game, moves[:plies])
            before = position.array.tobytes()
            outcome, action, _ = game.settle(position.state, 50, NO_TABLE)
            assert position.array.tobytes() == before
            said.add(outcome)
            if outcome == UNSETTLED:
                continue
            if (position.array["open"] != 0).any() and open_cells(position) <= 9:
                assert value(position, known) in ALLOWED[outcome], position.to_text()
            if outcome == SETTLED_WIN:
                after = position.copy().play(action)
                assert after.is_terminal or game.variant == "count"
    assert {SETTLED_WIN, UNSETTLED} <= said


def open_cells(position: Position) -> int:
    return sum(int(word).bit_count() for word in position.array["open"][0])


def dead_lines(mark_of_e: str) -> str:
    """Boards of which nobody can make a line; the corner g and two more are open."""
    x, o, dead = "XXX......", "OOO......", "XOXXOOOXX"
    return "/".join([x, o, x, o, {"X": x}.get(mark_of_e, dead), o, "." * 9, x, o])


def test_lines_that_nobody_can_make():
    drawn = UltimateTicTacToe()
    position = Position(drawn, dead_lines("dead") + " g X")
    assert drawn.settle(position.state, 50, NO_TABLE)[0] == SETTLED_DRAW
    why = drawn.why_settled(position.state, 0)
    assert why == "nobody can make a line any more"


def test_count_is_settled_where_nobody_can_catch_up():
    x, o, dead = "XXX......", "OOO......", "XOXXOOOXX"
    text = "/".join([x, o, x, o, dead, dead, "." * 9, x, dead]) + " g X"
    game = UltimateTicTacToe(variant="count")
    state = Position(game, text).state
    assert game.settle(state, 50, NO_TABLE)[0] == UNSETTLED  # O may win g: 3 to 3
    text = "/".join([x, o, x, o, dead, x, "." * 9, x, dead]) + " g X"
    state = Position(game, text).state
    assert game.settle(state, 50, NO_TABLE)[0] == SETTLED_WIN
    assert game.why_settled(state, 0) == "has too many boards to be caught up"


def test_a_search_proves_the_draw_at_once():
    """Moves are left, but only in boards that cannot change the result."""
    game = UltimateTicTacToe(variant="play-on")
    text = dead_lines("dead") + " g X XOXO.O.XO"
    proven = {}
    for settle in ("game", "no"):
        solver = ScoreBounds(settle=settle)
        search = MCTS(game, solver=solver, seed=1, interpreted=True)
        search.go_to(Position(game, text))
        proven[settle] = search.search(limit=Limit(simulations=40)).proven
    assert proven == {"game": "draw", "no": None}

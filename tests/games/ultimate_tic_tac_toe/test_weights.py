"""The weights of moves: a slow twin, and the same bits however they are asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from playout import Position, UltimateTicTacToe
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.ultimate_tic_tac_toe.cells import HAS_LINE
from playout.games.ultimate_tic_tac_toe.value import (
    ANY,
    MINE,
    THEIRS,
    open_board_chance,
)
from playout.games.ultimate_tic_tac_toe.weights import WEIGHTS, worth

from .test_value import VARIANTS, random_positions


def log_weight(position: Position, action: int) -> float:
    """The sum as it is meant: the boards before and after, by the table of chances."""
    game, state, me = position.game, position.state, position.current_player
    board, cell = divmod(action, 9)
    own, other = ([int(row) for row in state.stones[side]] for side in (me, 1 - me))
    won = int(state.boards[0]) | int(state.boards[1])
    after, total = own[board] | 1 << cell, 0.0
    wins = not won >> board & 1 and bool(HAS_LINE[after])

    def chance(mine: int, theirs: int, row: int) -> float:
        return open_board_chance(game, mine, theirs, row)

    if not won >> board & 1:
        before = chance(own[board], other[board], ANY)
        theirs_before = chance(other[board], own[board], ANY)
        mine = 1.0 if wins else chance(after, other[board], ANY)
        theirs = 0.0 if wins else chance(other[board], after, ANY)
        total += WEIGHTS.wins * wins
        total += WEIGHTS.blocks * bool(HAS_LINE[other[board] | 1 << cell])
        total += WEIGHTS.gain * worth(game, state, me, board) * (mine - before)
        fall = theirs_before - theirs
        total += WEIGHTS.deny * worth(game, state, 1 - me, board) * fall
    stones = own[cell] | other[cell] | (1 << cell if cell == board else 0)
    closed = won >> cell & 1 or (cell == board and wins)
    if stones == 511 or (closed and game.variant != "play-on"):
        return total + WEIGHTS.frees
    if closed:
        return total
    mine_there = after if cell == board else own[cell]
    grows = chance(other[cell], mine_there, MINE) - chance(other[cell], mine_there, ANY)
    falls = chance(mine_there, other[cell], ANY) - chance(
        mine_there, other[cell], THEIRS
    )
    total += WEIGHTS.give * worth(game, state, 1 - me, cell) * grows
    return total + WEIGHTS.lose * worth(game, state, me, cell) * falls


@kernel
def both_ways(game: Any, states: Rows, actions: Any, row: Any, single: Any) -> int:
    state = states[0]
    count = game.legal_actions(state, actions)
    game.priors(state, actions, count, row)
    for index in range(count):
        single[index] = game.prior(state, actions[index])
    return count


@pytest.mark.parametrize("game", VARIANTS, ids=str)
def test_they_are_what_the_boards_say(game: UltimateTicTacToe) -> None:
    for position in random_positions(game, 4, last=81):
        for action in position.legal_actions():
            found = math.log(game.prior(position.state, action))
            assert found == pytest.approx(log_weight(position, action), abs=1e-9)


@pytest.mark.parametrize("game", VARIANTS, ids=str)
def test_one_move_or_all_compiled_or_not_have_the_same_bits(
    game: UltimateTicTacToe,
) -> None:
    positions = random_positions(game, 6, last=81)
    room = np.zeros(81, np.int32), np.zeros(81), np.zeros(81)
    native = both_ways.compile(game, Rows(positions[0].array), *room)
    for position in positions:
        state, legal = position.state, position.legal_actions()
        count = native(game, Rows(position.array), *room)
        assert count == len(legal)
        row = np.zeros(81)
        game.priors(state, np.array(legal, np.int32), count, row)
        wanted = row[:count].tobytes()
        assert room[1][:count].tobytes() == room[2][:count].tobytes() == wanted
        assert [game.prior(state, action) for action in legal] == row[:count].tolist()

"""Hex: who connects, the swap rule, and OpenSpiel's rules beside it."""

import numpy as np
import pytest

from playout import Position, PositionError, UsageError, check_game
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.more.hex import Hex
from playout.games.positions.native_position import NativePosition
from tests.games.more.lockstep import count, play_in_lockstep

GAME = Hex(size=4)
PLAIN = Hex(size=5, swap=False)


def test_laws() -> None:
    assert check_game(GAME, games=4).longest > 6


def test_lockstep() -> None:
    play_in_lockstep(PLAIN, "hex(board_size=5)")


def test_sequences() -> None:
    """After the first of 25 stones 24 cells are left; the swap is one move more."""
    assert count(PLAIN, 2) == [1, 25, 25 * 24]
    swapping = Position(GAME).play("b2")
    assert len(swapping.legal_actions()) == 16
    assert len(swapping.play("swap").legal_actions()) == 15


def test_a_wide_board_is_connected_at_its_end_only() -> None:
    """Runs of up to 26 stones, and chains that go back up; interpreted."""
    game = Hex(size=26)
    row = "O" * 26
    assert Position(game, "/".join(["." * 26] * 25 + [row]) + " X").returns(1) == 1.0
    empty = "." * 26
    open_row = f"{empty[:13]}{row[:12]}."
    open_at_the_left = "/".join([open_row, *[empty] * 25]) + " X"
    assert not Position(game, open_at_the_left).is_terminal


def test_a_chain_may_go_back_up() -> None:
    rows = ["X....", "X.XXX", "X.X.X", "XXX.X", "....."]
    position = Position(PLAIN, "/".join(rows) + " X")
    assert not position.is_terminal
    assert position.play("e5").returns(0) == 1.0
    assert len(GAME.board(Position(GAME).state).winning) == 0
    assert len(PLAIN.board(position.state).winning) == 13


def test_the_stone_that_is_swapped_lies_as_far_from_the_edges() -> None:
    position = Position.from_moves(GAME, ["a3", "swap"])
    assert position.to_text() == "..O./..../..../.... X"
    position = Position.from_moves(GAME, ["b2", "swap"])
    assert position.to_text() == "..../.O../..../.... X"
    assert "swap" not in [GAME.action_name(a) for a in position.legal_actions()]
    assert [GAME.action_cells(16), GAME.action_cells(5)] == [(), ((1, 1),)]


def test_a_full_board_has_one_winner_and_rollouts_name_it() -> None:
    """What a rollout fills is, read again, a board that the same player has won."""
    rng = make_rng(3)
    with np.errstate(over="ignore"):
        for _ in range(20):
            state = Position(PLAIN).array.copy()
            buffer = np.zeros(26, dtype=np.int32)
            assert PLAIN.rollout(Rows(state)[0], buffer, rng) == 25
            text = PLAIN.state_to_text(Rows(state)[0])
            assert text.count("X") == 13 + text.endswith("X")
            again = Position(PLAIN, text)
            assert again.returns(0) == PLAIN.returns(Rows(state)[0], 0)


def test_random_games_are_won_as_often_as_rollouts_say() -> None:
    """The first player's share; within 5 standard deviations of each other."""
    rng = make_rng(8)
    played = filled = 0
    with np.errstate(over="ignore"):
        for _ in range(200):
            position = NativePosition(PLAIN)
            while not position.is_terminal:
                legal = position.legal_actions()
                position.play(legal[rng.below(len(legal))])
            played += position.returns(0) > 0
            state = Position(PLAIN).array.copy()
            PLAIN.rollout(Rows(state)[0], np.zeros(26, dtype=np.int32), rng)
            filled += PLAIN.returns(Rows(state)[0], 0) > 0
    assert abs(played - filled) < 5 * np.sqrt(2 * 200 / 4)


def test_bad_moves_and_positions_say_what_is_accepted() -> None:
    with pytest.raises(UsageError, match="cells are a1 to d4, or swap"):
        Position(GAME).play("e1")
    with pytest.raises(UsageError, match=r"cells are a1 to e5$"):
        Position(PLAIN).play("swap")
    with pytest.raises(PositionError, match="expected 4 rows of 4 cells"):
        Position(GAME, "X.../X... O")
    with pytest.raises(UsageError, match="size must be 2 to 26, not 27"):
        Hex(size=27)

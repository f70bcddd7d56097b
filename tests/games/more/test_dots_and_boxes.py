"""Dots and Boxes: boxes, turns, small games solved, and OpenSpiel's rules beside it."""

import functools

import numpy as np
import pytest

from playout import Position, PositionError, UsageError, check_game
from playout.games.more.dots_and_boxes import DotsAndBoxes
from tests.games.more.lockstep import count, play_in_lockstep

GAME = DotsAndBoxes(2, 3)


def test_laws() -> None:
    assert check_game(GAME, games=3).longest == 17


def test_lockstep() -> None:
    play_in_lockstep(GAME, "dots_and_boxes(num_rows=2,num_cols=3)")


def test_sequences() -> None:
    assert count(GAME, 3) == [1, 17, 17 * 16, 17 * 16 * 15]


def test_who_closes_a_box_draws_again() -> None:
    position = Position.from_moves(GAME, ["b1", "a2", "c2", "b3"])
    assert position.current_player == 1
    assert position.to_text() == "+-+.+.+/|O|#.#./+-+.+.+/.#.#.#./+.+.+.+ O"
    assert GAME.action_cells(GAME.parse_action("c2")) == ((1, 2),)


def test_two_boxes_may_close_at_once() -> None:
    moves = ["b1", "a2", "b3", "d1", "e2", "d3", "c2"]
    position = Position.from_moves(GAME, moves)
    assert position.current_player == 0
    assert position.to_text().startswith("+-+-+.+/|X|X|#./")


def value(rows: int, columns: int) -> int:
    """The first player's boxes less the second's with best play."""
    game = DotsAndBoxes(rows, columns)
    full = (1 << game.lines) - 1

    @functools.cache
    def lead(drawn: int) -> int:
        """For the player to move, of the boxes that are left."""
        best = -99 if drawn != full else 0
        for line in range(game.lines):
            if drawn >> line & 1:
                continue
            after = drawn | 1 << line
            closed = sum(
                all(after >> edge & 1 for edge in sides[box])
                for box in game.boxes_of[line].tolist()
                if box < rows * columns
            )
            best = max(best, closed + lead(after) if closed else -lead(after))
        return best

    boxes = range(rows * columns)
    sides = [np.argwhere(game.boxes_of == box)[:, 0].tolist() for box in boxes]
    return lead(0)


def test_small_games_solved() -> None:
    """One box goes to whom the fourth line falls to; of 2 x 2 the first gets three."""
    assert value(1, 1) == -1
    assert value(2, 2) == 2


def test_the_order_of_lines_does_not_matter_to_the_hash() -> None:
    one = Position.from_moves(GAME, ["b1", "f3", "c4", "g2"])
    other = Position.from_moves(GAME, ["c4", "g2", "b1", "f3"])
    with np.errstate(over="ignore"):
        assert GAME.hash(one.state) == GAME.hash(other.state)
        assert GAME.hash(one.state) != GAME.hash(one.play("b3").state)


def test_bad_moves_and_positions_say_what_is_accepted() -> None:
    with pytest.raises(UsageError, match="'a1' is no line"):
        Position(GAME).play("a1")
    with pytest.raises(PositionError, match="box b2 must be X or O if all its sides"):
        Position(DotsAndBoxes(1, 1), "+-+/|#|/+-+ X")
    with pytest.raises(PositionError, match="dots are"):
        Position(DotsAndBoxes(1, 1), "+|+/.#./+.+ X")
    with pytest.raises(UsageError, match="rows must be 1 to 9, not 10"):
        DotsAndBoxes(10)

"""Connect Four in texts: moves, positions, playthroughs, and what is refused."""

from __future__ import annotations

import pytest

from playout.core.errors import PositionError, UsageError
from playout.games.connect_four.rules import ConnectFour
from playout.games.positions.position import Position
from tests.games.connect_four.boards import DATA, board_sizes


def test_playthroughs():
    """A win on the usual board, and a draw around a forbidden cell, as text."""
    lines = [
        *playthrough(ConnectFour(), "2316442111453771232"),
        *playthrough(ConnectFour(4, 4, forbidden=(2, 1)), "111323321442443"),
    ]
    expected = DATA / "playthroughs" / "connect_four.txt"
    assert lines == expected.read_text(encoding="utf-8").splitlines()


def playthrough(game, moves):
    position = Position(game)
    for move in [None, *moves]:
        if move:
            position.play(move)
        names = [game.action_name(action) for action in position.legal_actions()]
        yield f"move: {move or 'none'}"
        yield from position.render().splitlines()
        yield position.to_text()
        yield f"legal: {' '.join(names) or 'none'}"
    yield f"returns: {position.returns(0)} {position.returns(1)}"


@board_sizes
def test_names_read_back(board):
    game = ConnectFour(**board)
    for action in range(game.num_actions()):
        assert game.parse_action(game.action_name(action)) == action


@pytest.mark.parametrize("text", ["", "0", "8", "-1", "a", "4.0", "²", "４", "99" * 9])
def test_bad_columns_say_what_is_accepted(text):
    with pytest.raises(UsageError, match="columns are 1 to 7"):
        ConnectFour().parse_action(text)


def test_positions_by_the_columns_played():
    position = Position(ConnectFour(), "44455")
    assert position.to_text() == Position.from_moves(ConnectFour(), "44455").to_text()


EMPTY_ROW = "......."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a position"),
        ("nonsense", "not a position"),
        ("/".join([EMPTY_ROW] * 6), "X or O to move"),
        ("/".join([EMPTY_ROW] * 5) + " X", "6 rows of 7 cells"),
        ("/".join([EMPTY_ROW] * 7) + " X", "6 rows of 7 cells"),
        ("/".join([EMPTY_ROW] * 5 + ["........ X"]), "6 rows of 7 cells"),
        ("/".join([EMPTY_ROW] * 5 + ["....... Z"]), "X or O to move"),
        ("/".join([EMPTY_ROW] * 5 + ["...x... X"]), "6 rows of 7 cells"),
        ("/".join([EMPTY_ROW] * 5 + ["...#... X"]), "forbidden cell"),
        (
            "/".join([EMPTY_ROW] * 4 + ["X......", EMPTY_ROW]) + " O",
            "floats in column 1",
        ),
        ("/".join([EMPTY_ROW] * 4 + ["XXXX...", "OOOO... X"]), "both players"),
        ("4444444", "move 7 .4.: cannot be played"),
        ("1212121" + "3", "move 8 .3.: the game was over before"),
    ],
)
def test_bad_positions_say_what_is_wrong(text, message):
    with pytest.raises(PositionError, match=message):
        Position(ConnectFour(), text)


def test_the_text_must_show_the_forbidden_cell():
    game = ConnectFour(4, 4, forbidden=(2, 1))
    for text in (
        "..../..../..../.... X",
        "..../..../.#../.#.. X",
        "..../..../#.../.... X",
    ):
        with pytest.raises(PositionError, match="forbidden cell"):
            Position(game, text)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rows": 0}, "rows must be 1 to 12"),
        ({"rows": 13}, "rows must be 1 to 12"),
        ({"columns": 13}, "columns must be 1 to 12"),
        ({"line": 1}, "line must be 2 to 7 on this board, not 1"),
        ({"line": 9}, "line must be 2 to 7 on this board, not 9"),
        ({"rows": 3, "columns": 3, "line": 5}, "line must be 2 to 4 on this board"),
        ({"forbidden": (6, 0)}, "0/0 at the top left to 5/6"),
        ({"forbidden": (0, 7)}, "0/0 at the top left to 5/6"),
        ({"forbidden": (-1, 0)}, "forbidden must be row/column"),
        ({"forbidden": (1, 2, 3)}, "forbidden must be a tuple of 2 values"),
    ],
)
def test_bad_parameters_say_what_is_accepted(parameters, message):
    with pytest.raises(UsageError, match=message):
        ConnectFour(**parameters)

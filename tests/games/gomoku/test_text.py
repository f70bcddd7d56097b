"""Gomoku in texts: cells, positions, playthroughs, and what is refused."""

from __future__ import annotations

import pytest

from playout.core.errors import IllegalMoveError, PositionError, UsageError
from playout.games.gomoku.rules import Gomoku
from playout.games.positions.position import Position
from playout.games.registry import make_game
from tests.games.gomoku.games import DATA, KNOWN


def test_names_of_cells():
    game = Gomoku()
    for text in ("H8", "h8", "7,7", " 7, 7 ", "H,8", "h, 8"):
        assert game.parse_action(text.replace(" ", "")) == 112
    assert [game.action_name(action) for action in (0, 8, 14, 210, 224)] == [
        "A15", "I15", "O15", "A1", "O1",
    ]  # fmt: skip
    for action in range(225):
        assert game.parse_action(game.action_name(action)) == action


@pytest.mark.parametrize(
    "text",
    ["", "H", "8", "H0", "H16", "P1", "15,0", "0,15", "-1,0", "1,2,3", "H8x", "é1"],
)
def test_what_is_no_cell(text):
    with pytest.raises(UsageError, match="cells are A1 to O15"):
        Gomoku().parse_action(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 5 rows"),
        ("...../...../...../...../..... Z", "expected 5 rows"),
        ("...../...../...../...../....#  X", "expected 5 rows"),
        ("XXXXX/OOOOO/...../...../..... X", "both players"),
    ],
)
def test_texts_that_are_no_position(text, message):
    with pytest.raises(PositionError, match=message):
        Position(Gomoku(5), text)


def test_parameters():
    assert make_game("gomoku:size=19,rule=renju") == Gomoku(19, "renju")
    for spec, message in [
        ("gomoku:size=4", "size must be 5 to 22"),
        ("gomoku:size=23", "size must be 5 to 22"),
        ("gomoku:rule=pente", "rule must be one of freestyle, standard, renju, caro"),
    ]:
        with pytest.raises(UsageError, match=message):
            make_game(spec)


def test_illegal_moves():
    position = Position(Gomoku()).play("H8")
    with pytest.raises(IllegalMoveError, match="H8 cannot be played"):
        position.play("H8")
    rows = KNOWN["fouls"]["overline"]
    text = "/".join(rows).replace("b", ".") + " X"
    with pytest.raises(IllegalMoveError, match="E5 cannot be played"):
        Position(Gomoku(9, "renju"), text).play("E5")


def test_board_points_out_what_matters():
    moves = ["H8", "A1", "H9", "B1", "H10", "C1", "H11", "D1", "H12"]
    position = Position.from_moves(Gomoku(), moves)
    board = position.game.board(position.state, position.last_action)
    assert board.winning == {(row, 7) for row in range(3, 8)}
    assert board.last == (3, 7)
    assert (board.row_labels[0], board.column_labels[-1]) == ("15", "O")


def test_playthrough():
    expected = DATA / "playthroughs" / "gomoku.txt"
    assert playthrough() == expected.read_text(encoding="utf-8").splitlines()


def playthrough() -> list[str]:
    """A game of renju on 9 x 9 in which Black is denied a cell and loses."""
    position = Position(Gomoku(9, "renju"))
    lines: list[str] = []
    for move in ("", *["F5", "B1", "G5", "B2", "E6", "B3", "E7", "B4", "I9", "B5"]):
        if move:
            position.play(move)
        lines += [f"move: {move or 'none'}", position.render(), position.to_text()]
        fouls = sorted(position.game.forbidden(position.state))
        names = [position.game.action_name(9 * row + column) for row, column in fouls]
        lines += [f"forbidden: {' '.join(names) or 'none'}"]
        lines += [f"legal: {len(position.legal_actions())}"]
    lines += [f"returns: {position.returns(0)} {position.returns(1)}"]
    return [line.rstrip() for line in "\n".join(lines).splitlines()]

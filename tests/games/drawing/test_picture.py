"""Positions draw themselves.

Also of `games/drawing/board.py`.
"""

import re
from xml.etree import ElementTree

import pytest

from playout import Position, TicTacToe, make_game
from playout.games.drawing.board import Board, draw
from playout.games.drawing.picture import draw_board
from tests.games_for_boards import Boxes, Promotion, SmallHex
from tests.toys import Nim

SVG = "{http://www.w3.org/2000/svg}"


def parts(picture, tag, look):
    """The parts of a picture that look so."""
    root = ElementTree.fromstring(picture)
    found = [
        one for one in root.iter(SVG + tag) if look in one.get("class", "").split()
    ]
    width, height = float(root.get("width")), float(root.get("height"))
    for one in found:
        if tag == "rect":
            assert 0 <= float(one.get("x", 0)) <= width - float(one.get("width"))
            assert 0 <= float(one.get("y", 0)) <= height - float(one.get("height"))
    return found


@pytest.mark.parametrize(
    "spec", ["tic-tac-toe", "connect-four", "ultimate-tic-tac-toe", "gomoku"]
)
def test_every_cell_and_every_stone_is_drawn(spec):
    position = Position(make_game(spec))
    for _ in range(4):
        position.play(position.legal_actions()[1])
    picture = position._repr_svg_()
    board = position.game.board(position.state, position.last_action)
    assert len(parts(picture, "rect", "cell")) == sum(map(len, board.cells))
    assert len(parts(picture, "g", "sign")) == 4
    assert len(parts(picture, "rect", "last")) == 1
    assert "prefers-color-scheme: dark" in picture
    assert position._repr_html_() is None


def test_a_line_that_won_a_block_that_is_won_and_a_label():
    won = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2", "a3"])
    assert len(parts(won._repr_svg_(), "rect", "won")) == 3
    assert 'aria-label="Tic-tac-toe: a1 b1 a2 b2 a3"' in won._repr_svg_()
    block = Board(("XXX", "O..", "O.."), block=3, blocks=("X",))
    assert len(parts(draw_board(block), "g", "large")) == 1


def test_the_block_to_play_in_is_marked():
    position = Position.from_moves(make_game("ultimate-tic-tac-toe"), ["ea"])
    assert len(parts(position._repr_svg_(), "rect", "open")) == 9


def test_cells_that_no_label_names_have_their_names():
    position = Position.from_moves(make_game("ultimate-tic-tac-toe"), ["ea", "ae"])
    named = parts(position._repr_svg_(), "text", "name")
    assert [one.text for one in named] == [
        "eb",
        "ec",
        "ed",
        "ee",
        "ef",
        "eg",
        "eh",
        "ei",
    ]
    taken = Board(("X.", ".."), names={(0, 0): "a", (0, 1): "<"})
    assert [one.text for one in parts(draw_board(taken), "text", "name")] == ["<"]


def test_buttons_heat_and_signs_of_other_games():
    board = Board(("A.", "#."), marks=("A", "B"), forbidden=frozenset({(0, 1)}))
    picture = draw_board(board, 'a "b" <c>', {(1, 1): "<m>"}, {(1, 1): 0.5})
    root = ElementTree.fromstring(picture)
    assert root.get("aria-label") == 'a "b" <c>'
    button = next(one for one in root.iter(f"{SVG}g") if one.get("role") == "button")
    assert button.get("data-move") == "<m>"
    assert len(parts(picture, "rect", "heat")) == 1
    assert len(parts(picture, "rect", "closed")) == 1
    assert [one.text for one in root.iter(f"{SVG}text")] == ["A", "x"]


def test_a_game_without_a_board_shows_its_text():
    position = Position(Nim(stones=5))
    assert position._repr_svg_() is None
    assert position._repr_html_() == "<pre>left=5 player=0</pre>"


def test_hexagons_points_and_pieces():
    hexes = draw_board(SmallHex().board(Position(SmallHex()).state))
    assert len(parts(hexes, "polygon", "cell")) == 9
    boxes = Position(Boxes()).play("a").play("c")
    drawn = draw_board(boxes.game.board(boxes.state))
    assert len(parts(drawn, "circle", "cell")) == 13
    assert len(parts(drawn, "line", "line")) == 2
    toy = Position(Promotion())
    pieces = draw_board(toy.game.board(toy.state))
    assert "♟" in pieces
    assert "<script" not in pieces
    assert "onload=" not in pieces
    (image,) = ElementTree.fromstring(pieces).iter(f"{SVG}image")
    assert image.get("href").startswith("data:image/svg+xml,")


def test_points_on_lines_are_seen_and_labelled_at_the_sides():
    points = {(0, 1): (1, 0), (1, 0): (0, 1), (2, 1): (1, 2)}
    picture = draw_board(
        Board(
            (" . ", "X  ", " . "),
            layout="free",
            points=points,
            lines=(((0, 1), (1, 0)), ((1, 0), (2, 1))),
            row_labels=("3", "2", "1"),
            column_labels=("a", "b", "c"),
        )
    )
    texts = re.findall(r'<text x="(\d+)" y="\d+">(.)</text>', picture)
    assert [text for _, text in texts] == [*"321", *"ab"]  # c has no point
    assert {x for x, _ in texts[:3]} == {"12"}
    assert len(parts(picture, "circle", "joint")) == 2
    assert len(parts(picture, "circle", "stood")) == 1


def test_boards_in_text():
    assert Position(SmallHex()).play("b2").render().split("\n") == [
        "3  .  .  .",
        "  2  . [X] .",
        "   1  .  .  .",
        "      a  b  c",
    ]
    board = Board((". .", "   ", ". ."), lines=(((0, 0), (0, 2)), ((2, 2), (0, 2))))
    assert draw(board) == "  . --- .\n        |\n  .     ."


def test_a_ground_lies_under_all_cells():
    picture = draw_board(Board(("..", ".."), ground="<svg><g/></svg>"))
    (image,) = re.findall("<image [^>]*>", picture)
    assert 'x="8" y="8" width="72" height="72"' in image
    assert picture.count('class="cell point"') == 4  # which lets it shine through


def test_cells_that_may_be_played_have_a_dot_unless_they_are_tinted():
    playable = frozenset({(0, 0), (0, 1)})  # there is a mark in the second one
    picture = draw_board(Board((".X", ".."), playable=playable))
    assert picture.count('class="playable"') == 1
    tinted = Board(("...",) * 3, playable=playable, block=3)
    assert 'class="playable"' not in draw_board(tinted)

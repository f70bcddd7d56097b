"""The board in a notebook: what the page sends, and what it is shown."""

import sys
from xml.etree import ElementTree

import pytest

from playout.arena.table import Table
from playout.core.errors import UsageError
from playout.ui import notebook
from playout.ui.notebook import GameBoard

from ...games_for_boards import Promotion, SmallHex
from ...toys import Nim
from ..support import LINE

SVG = "{http://www.w3.org/2000/svg}"


def send(board, **message):
    """What a click on the page does."""
    board._handle_custom_msg(message, [])


def buttons(board):
    """The moves that can be clicked on the board."""
    picture = ElementTree.fromstring(board.picture)
    groups = picture.iter(f"{SVG}g")
    return [one.get("data-move") for one in groups if one.get("data-move")]


def test_a_whole_game_by_clicks():
    board = GameBoard("tic-tac-toe", "human", "human")
    assert buttons(board) == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    for move in ["b2", "a3", "b3", "b1", "a2", "c1"]:
        assert move in buttons(board)
        send(board, do="play", move=move)
    send(board, do="play", move="c2")
    assert board.status == "X wins."
    assert buttons(board) == []
    assert board.picture.count('class="cell won"') >= 2


def test_cells_of_ultimate_tic_tac_toe_show_the_names_of_their_moves():
    board = GameBoard("ultimate-tic-tac-toe", "human", "human").play("ae")
    texts = ElementTree.fromstring(board.picture).iter(f"{SVG}text")
    assert [one.text for one in texts if one.get("class") == "name"] == buttons(board)
    assert buttons(board) == [f"e{cell}" for cell in "abcdefghi"]


@pytest.mark.parametrize("row", [0, 2, 4, 5])
def test_columns_with_a_forbidden_cell_are_clicked(row):
    """Wherever it is, the other cells of its column are that column."""
    board = GameBoard(f"connect-four:forbidden={row}/3", "human", "human")
    stones = 0
    while board.position.legal_actions() == [*range(7)]:
        assert board.moves == []
        assert buttons(board).count("4") == 5 - stones
        assert buttons(board).count("1") == 6
        assert board.picture.count('class="cell closed"') == 1
        send(board, do="play", move="4")
        stones += 1
    assert stones == 5


def test_a_program_answers_and_undo_takes_back_both():
    board = GameBoard("tic-tac-toe", "human", "greedy")
    send(board, do="play", move="b2")
    assert len(board.position.moves) == 2
    assert board.status == "Your move (X)."
    send(board, do="undo")
    assert board.position.moves == []
    send(board, do="redo")
    assert len(board.position.moves) == 2
    send(board, do="new")
    assert board.position.moves == []


def test_what_is_wrong_is_said():
    board = GameBoard("tic-tac-toe", "human", "human")
    for message in ({"do": "play", "move": "z9"}, {"do": "play"}, {"do": "undo"}):
        send(board, **message)
        assert "move" in board.status or "cell" in board.status
    send(board, do="dance")
    assert board.position.moves == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((Nim,), r"write Nim\(\), with \(\)"),
        ((Table,), r"is not a game; .* with from_object\(\.\.\.\)"),
        ((7,), "7 is not a game; "),
        (("tic-tac-toe", None, "random"), "named by a text, not None"),
    ],
)
def test_what_is_no_game_or_no_player_is_told(arguments, said):
    with pytest.raises(UsageError, match=said):
        GameBoard(*arguments)


@pytest.mark.parametrize("seed", [None, "x", 1.5])
def test_what_is_no_seed_is_told(seed):
    with pytest.raises(UsageError, match="seed must be a whole number"):
        GameBoard("tic-tac-toe", seed=seed)


def test_hint():
    board = GameBoard(LINE, "human", "human", seconds=60)  # or until it is proven
    send(board, do="hint")
    assert board.status.startswith("Hint: b1 (100.0%")
    board.play("b1").play("a1").play("c1")
    send(board, do="hint")
    assert board.status == "the game is over"


def test_programs_are_watched_step_by_step():
    board = GameBoard("tic-tac-toe", "random", "random")
    assert board.status == "X is to move."
    assert len(board.step().step().position.moves) == 2
    assert board.steps
    send(board, do="step")
    assert len(board.position.moves) == 3
    assert not GameBoard("tic-tac-toe", "human", "random").steps


def test_players_end_with_the_board(monkeypatch):
    ended = []
    monkeypatch.setattr(Table, "close", lambda table: ended.append(table))
    board = GameBoard("tic-tac-toe", "human", "greedy")
    table = board._table
    board.close()
    assert table in ended


def test_a_game_without_a_board_has_buttons():
    board = GameBoard(Nim(stones=4), "human", "human")
    assert board.picture.startswith("left=4")
    assert board.moves == ["1", "2", "3"]
    send(board, do="play", move="3")
    send(board, do="play", move="1")
    assert board.moves == []
    assert "wins" in board.status


def test_from_and_to_and_a_choice():
    board = GameBoard(Promotion(), "human", "human")
    assert 'aria-label="choose a1"' in board.picture
    send(board, do="pick", cell=[3, 0])
    assert board.status == "Where to?"
    assert 'class="cell picked"' in board.picture
    send(board, do="pick", cell=[2, 0])
    assert (board.status, board.moves) == ("Which move?", ["a2"])
    assert buttons(board) == ["a2-a3"]
    send(board, do="pick", cell=None)
    assert board.moves == []
    assert buttons(board) == []
    for nonsense in ([9, 9], [[], {}], "here", [1]):
        send(board, do="pick", cell=nonsense)
    board.play("a2-a3").play("b3")
    send(board, do="pick", cell=[1, 0])
    send(board, do="pick", cell=[0, 0])
    assert board.moves == ["a4=queen", "a4=knight", "a4=rook"]
    send(board, do="play", move="a4=rook")
    assert board.status == "X wins."


def test_a_move_without_a_cell_is_a_button():
    board = GameBoard(SmallHex(), "human", "human").play("b2")
    assert board.moves == ["swap"]
    assert len(buttons(board)) == 8
    send(board, do="play", move="swap")
    assert board.position.moves == ["b2", "swap"]


def test_what_is_hidden_is_not_sent():
    board = GameBoard("phantom-tic-tac-toe", "human", "random")
    board.play("b2")
    cells = ElementTree.fromstring(board.picture)
    assert len([g for g in cells.iter(f"{SVG}g") if "sign" in g.get("class", "")]) == 1
    assert board.position.moves == []
    for command in ("undo", "redo"):
        send(board, do=command)
        assert "begin a new game" in board.status
    assert len(board._table.position.moves) > 1


def test_without_anywidget(monkeypatch):
    monkeypatch.delitem(sys.modules, "playout.ui.notebook.widget")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(UsageError, match=r"pip install playout\[notebook\]"):
        notebook.GameBoard  # noqa: B018 - it is loaded now

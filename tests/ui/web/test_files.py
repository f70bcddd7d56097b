"""Games as files of the page: what the version before has saved is read as it was."""

from pathlib import Path

import pytest

from playout import UsageError, make_game
from playout.arena.formats.jsonl import read as read_lines
from playout.arena.formats.place import Place
from playout.ui.web.files import read_game, write_game

BEFORE = Path(__file__).parents[2] / "data" / "written_before"


@pytest.mark.parametrize(
    ("file", "game", "moves"),
    [
        ("page-connect-four.json", "connect-four:forbidden=2/3", ["4", "4", "3", "5"]),
        ("page-gomoku.sgf", "gomoku:size=9,rule=renju", ["E5", "E6", "F5"]),
    ],
)
def test_a_game_that_was_saved_goes_on(file, game, moves):
    text = (BEFORE / file).read_text(encoding="utf-8")
    assert read_game(text, make_game) == (game, moves, ["human", "human"])


def test_what_is_saved_today_is_the_same_text():
    text = (BEFORE / "page-connect-four.json").read_text(encoding="utf-8")
    (record,) = read_lines(text, Place("the text", unfinished=True))
    assert write_game(record, "json", over=True) == text


def test_a_game_that_goes_on_is_not_saved_as_a_draw():
    text = (BEFORE / "page-connect-four.json").read_text(encoding="utf-8")
    (record,) = read_lines(text, Place("the text", unfinished=True))
    saved = write_game(record, "json", over=False)
    assert saved == text.replace('"rules"', '"unfinished"')
    assert read_game(saved, make_game) == read_game(text, make_game)
    with pytest.raises(UsageError, match="reason must be one of"):
        read_lines(saved, Place("games.jsonl"))  # of finished games, as matches keep


@pytest.mark.parametrize("page", ["", "gomoku", "connect-four", "tic-tac-toe"])
@pytest.mark.parametrize("text", ["h8 i9", "H8 I9", "1. h8 2. i9"])
def test_cells_with_blanks_are_the_boards_own_whatever_page_is_open(text, page):
    """Else the page's own example would be another game than it says."""
    assert read_game(text, make_game, page)[:2] == ("gomoku", ["H8", "I9"])


def test_what_the_open_page_cannot_play_is_told_in_its_own_words():
    with pytest.raises(UsageError, match="'z9' is not a column"):
        read_game("z9 q9", make_game, "connect-four")


def test_a_column_that_the_board_does_not_have_is_told_as_it_was_written():
    with pytest.raises(UsageError, match="'49' are not moves of connect-four"):
        read_game("49", make_game)


def test_json_by_hand_needs_a_game_and_moves():
    text = '{"game": "2048", "moves": ["b2=2", "c3=4", "up"]}'
    assert read_game(text, make_game)[:2] == ("2048", ["b2=2", "c3=4", "up"])
    for lacking, text in [
        ("game", '{"moves": ["b2"]}'),
        ("moves", '{"game": "2048"}'),
        ("game, moves", "{}"),
    ]:
        with pytest.raises(UsageError, match=f"the game lacks {lacking}$"):
            read_game(text, make_game)


def test_json_by_hand_may_name_the_players():
    text = '{"game": "2048", "moves": [], "players": ["a"]}'
    assert read_game(text, make_game) == ("2048", [], ["a"])
    with pytest.raises(UsageError, match="returns must have an entry for each"):
        read_game(text.replace("}", ', "returns": [0, 0]}'), make_game)


def test_what_is_wrong_with_a_text_is_told_as_the_format_says_it():
    with pytest.raises(UsageError) as caught:
        read_game("(;FF[4]GM[4]SZ[7];B[zz])", make_game)
    assert str(caught.value).startswith("the text, line 1: B[zz] is not a cell")

"""Moves are read by their names where a class writes these alone."""

from dataclasses import dataclass

import pytest

from playout import Position, UsageError
from playout.games.contract.names import nearest_first, read_name
from tests.toys import Nim

NAMES = ("one", "Two", "three")


class Named(Nim):
    """Actions 1 to 3, and a number that is no action and has no name."""

    def action_name(self, action):
        return NAMES[action - 1] if action else [][0]


class Alike(Named):
    def action_name(self, action):
        return ("z", "a", "A", "b")[action]


class Numbered(Named):
    def parse_action(self, text):
        return super().parse_action(str(len(text)))


@pytest.mark.parametrize("text", ["two", " Two ", "TWO"])
def test_spaces_and_capitals_do_not_count(text):
    assert Named().parse_action(text) == 2


def test_but_where_names_differ_in_them_alone():
    assert [Alike().parse_action(text) for text in "aA"] == [1, 2]
    assert Alike().parse_action("B") == 3


class Padded(Nim):
    def action_name(self, action):
        return f" {action} "


def test_spaces_around_a_name_itself_do_not_count():
    assert Padded().parse_action("2") == Padded().parse_action(" 2 ") == 2


@dataclass(frozen=True)
class Tagged(Nim):
    tag: str = "a"

    def action_name(self, action):
        return f"{self.tag}{action}"


def test_names_are_those_of_the_game_that_is_asked():
    assert Tagged(tag="x").parse_action("x1") == 1
    with pytest.raises(UsageError, match="'x1' is not a move"):
        Tagged(tag="y").parse_action("x1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("thre", "'thre' is not a move, did you mean three? moves are one, Two, three"),
        ("2", "'2' is not a move; moves are one, Two, three"),
        ("", "'' is not a move; moves are one, Two, three"),
    ],
)
def test_an_error_names_moves_and_the_one_that_is_near(text, said):
    with pytest.raises(UsageError) as error:
        Named().parse_action(text)
    assert str(error.value) == said


@dataclass(frozen=True)
class Listed(Nim):
    """A field that has no hash, and a name that is no text."""

    words: tuple | list = ()

    def action_name(self, action):
        return self.words[action] if action else 0


def test_a_game_need_not_have_a_hash():
    game = Listed(words=["-", "a", "b", "c"])
    assert [game.parse_action(text) for text in "abc"] == [1, 2, 3]
    with pytest.raises(UsageError, match="'0' is not a move; moves are a, b, c"):
        game.parse_action("0")


class Wide(Nim):
    """Many actions."""

    def num_actions(self):
        return 40

    def action_name(self, action):
        return f"m{action}"


def test_a_long_list_is_cut():
    with pytest.raises(UsageError, match=r"m0, m1, .*, m11, \.\.\.$"):
        read_name("?", Wide())


def test_a_class_that_reads_moves_itself_may_ask_for_numbers():
    assert Numbered().parse_action("xxx") == 3


def test_of_many_legal_moves_the_nearest_are_shown_first():
    assert nearest_first("c", ["a", "b"]) == ["a", "b"]
    with pytest.raises(UsageError, match=r"legal are m9 m3 m1 m2 m4 .* and 18"):
        Position(Wide(stones=60, most=30)).play("m39")


def test_the_nearest_of_cells_are_its_neighbours():
    """Names of two characters also share one with cells of other columns."""
    cells = ["h1", "o8", "G7", "G8", "I9", "H9", "H10"]
    assert nearest_first("h8", cells)[:4] == ["G8", "H9", "G7", "I9"]
    assert nearest_first("H8", ["O8", "N8", "M8"]) == ["O8", "N8", "M8"]


def test_a_position_tells_what_is_legal_there_for_what_is_no_name():
    said = "'?' is not a move; legal are m1, m2, m3$"
    with pytest.raises(UsageError, match=said):
        Position(Wide(stones=60)).play("?")
    with pytest.raises(UsageError, match=r"did you mean m1\? legal are m1, m2, m3$"):
        Position(Wide(stones=60)).play("m 1")
    with pytest.raises(UsageError, match=r"moves are m0, m1, .*, \.\.\.$"):
        Position(Wide(stones=3)).play("m3").play("?")  # the game is over

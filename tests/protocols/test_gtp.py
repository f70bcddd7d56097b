"""GTP's lines as values and back."""

import pytest

from playout import Gomoku, UsageError, make_game
from playout.protocols.gtp import (
    Command,
    action_of,
    answer,
    parse_color,
    parse_command,
    vertex_of,
)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", Command("", "name", ())),
        (" 7\tPLAY  b\tD4 ", Command("7", "play", ("b", "D4"))),
        ("komi 6.5#half", Command("", "komi", ("6.5",))),
        ("3", None),
        ("", None),
        ("\x01\x02", None),
        ("n\x07ame", Command("", "name", ())),
    ],
)
def test_commands(line: str, command: Command | None) -> None:
    assert parse_command(line) == command


def test_answers_end_with_an_empty_line() -> None:
    assert answer("", "") == ["=", ""]
    assert answer("5", "a\n\nb") == ["=5 a", "b", ""]
    assert answer("5", "no", failed=True) == ["?5 no", ""]


@pytest.mark.parametrize("game", [make_game("go:size=9"), Gomoku(size=19)], ids=str)
def test_points_and_back(game: object) -> None:
    """The letter I is left out; rows are counted from the bottom."""
    size = game.size  # type: ignore[attr-defined]
    names = [vertex_of(game, size, a) for a in range(size * size)]  # type: ignore[arg-type]
    assert names[:2] == [f"A{size}", f"B{size}"]
    assert names[8] == f"J{size}"
    assert [action_of(game, size, name.lower()) for name in names] == list(  # type: ignore[arg-type]
        range(size * size)
    )


def test_what_is_none() -> None:
    with pytest.raises(UsageError, match="'I3' is no point of the board"):
        action_of(Gomoku(), 15, "I3")
    with pytest.raises(UsageError, match="'red' is no color"):
        parse_color("red")


def test_capital_and_small_letters_are_the_same() -> None:
    assert [parse_color(text) for text in ("b", "B", "Black", "bLACK")] == [0] * 4
    assert [parse_color(text) for text in ("w", "W", "White", "WHITE")] == [1] * 4
    game = make_game("go:size=9")
    assert action_of(game, 9, "Pass") == action_of(game, 9, "PASS") == 81
    assert action_of(game, 9, "c3") == action_of(game, 9, "C3")

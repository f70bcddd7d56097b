"""Objects in files: their parameters, and Playout's own."""

from pathlib import Path

from playout import Position, make_game
from playout.adapters.in_files import parameters_in_file
from playout.games.registry import game_spec
from tests.ui.support import error_of

FILE = "tests/adapters/classes.py"


def test_parameters_go_to_the_class_and_the_rest_to_playout():
    game = make_game(f"{FILE}:sized:ahead=true,reward=first")
    assert len(Position(game).legal_actions()) == 8
    assert make_game(f"{FILE}:sized:ahead=true,reward=first") is game
    assert game_spec(game) == "sized:ahead=true,reward=first"
    assert "accepted: " in error_of("analyze", f"{FILE}:sized:width=3")


def test_what_an_object_takes_is_told():
    told = parameters_in_file(Path(FILE), "sized")
    assert told is not None
    assert [(one.name, one.default) for one in told[:3]] == [
        ("size", "3"), ("ahead", "False"), ("reward", ""),
    ]  # fmt: skip
    assert not any(one.is_needed for one in told)
    assert parameters_in_file(Path(FILE), "LINES") is None

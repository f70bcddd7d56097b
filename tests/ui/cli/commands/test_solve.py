"""`playout solve`: proofs on the command line."""

import json
from pathlib import Path

from tests.ui.support import error_of, output_of


def solve(*arguments: str) -> dict:
    return json.loads(output_of("solve", *arguments, "--json", "--seed", "1"))


def test_tic_tac_toe_is_a_draw():
    found = solve("tic-tac-toe")
    assert list(found) == [
        "game",
        "moves",
        "proven",
        "best",
        "pv",
        "simulations",
        "seconds",
    ]
    assert (found["proven"], found["moves"]) == ("draw", [])
    assert found["simulations"] < 20_000
    assert found["best"] == found["pv"][0]


def test_a_win_and_the_answer_to_it():
    won = solve("tic-tac-toe", "--moves", "b2 b1")
    assert won["proven"] == "win"
    assert won["moves"] == ["b2", "b1"]
    lost = solve("tic-tac-toe", "--moves", f"b2 b1 {won['best']}")
    assert lost["proven"] == "loss"


def test_a_forced_move_is_searched_all_the_same():
    position = "7633617311563542773122531152464"
    assert solve("connect-four", "--position", position)["proven"] == "loss"


def test_a_limit_may_come_first():
    found = solve("connect-four", "--simulations", "50")
    assert (found["proven"], found["simulations"]) == (None, 50)
    shown = output_of("solve", "connect-four", "--simulations", "50")
    assert shown.endswith("nothing proven (stopped by simulations)\n")


def test_what_cannot_be_solved():
    assert "the game is over" in error_of(
        "solve", "tic-tac-toe", "--moves", "a1 b1 a2 b2 a3"
    )
    toys = Path(__file__).parents[3] / "toys.py"
    assert "only games of two" in error_of("solve", f"{toys}:ThreeWays")
    assert "exclude each other" in error_of(
        "solve", "tic-tac-toe", "--moves", "a1", "--position", "x"
    )

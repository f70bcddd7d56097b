"""Why not this move? What is said of it, from results that are made by hand."""

from typing import Any

import pytest

from playout import Position, TicTacToe
from playout.games.contract.units import Units
from playout.search.result.result import Result
from playout.search.result.statistics import ActionStatistics
from playout.ui.web.explain import LINE_MOVES, explain
from tests.toys import ThreeWays, TwiceNim


def result(value: float, *rows: tuple[str, int, float], **facts: Any) -> Result:
    """A result of this value, whose moves have these visits and means."""
    total = sum(visits for _, visits, _ in rows)
    statistics = (
        ActionStatistics(number, move, visits, visits / total, mean * visits, mean, 0.1)
        for number, (move, visits, mean) in enumerate(rows)
    )
    known = {
        "game": "",
        "moves": (),
        "action": 0,
        "move": rows[0][0],
        "value": value,
        "visits": total,
        "simulations": total,
        "seconds": 1.0,
        "compile_seconds": 0.0,
        "stopped_by": "simulations",
        "pv": (rows[0][0],),
        "nodes": total,
        "depth": 2,
        "tree_bytes": 0,
        "seed": 0,
    }
    return Result(**{**known, "actions": tuple(statistics), **facts})


START = Position(TicTacToe())
HERE = result(0.2, ("b2", 1500, 0.2), ("a1", 500, 0.1))


def told(move: str, after_value: float) -> dict[str, Any]:
    return explain(START, move, HERE, result(after_value, ("c3", 9, after_value)))


def test_what_is_good_for_the_other_player_is_bad_for_whoever_moves() -> None:
    """The answer is worth 0.4 to the other player: 0.3 of the points are left."""
    found = told("a1", 0.4)
    assert (found["move"], found["best"], found["ply"]) == ("a1", "b2", 0)
    assert (found["win_rate"], found["best_win_rate"]) == (0.3, 0.6)
    assert found["text"].startswith("a1 is a blunder: it wins 30% of the points, b2 60")


def test_whoever_moves_again_judges_by_its_own_value() -> None:
    """Every player of this Nim moves twice in a row."""
    position = Position(TwiceNim())
    here = result(0.2, ("2", 9, 0.2), ("1", 1, 0.0))
    found = explain(position, "1", here, result(0.4, ("2", 9, 0.4)))
    assert found["win_rate"] == 0.7
    assert "1 looks even better than 2: 70% to 60%." in found["text"]
    assert found["text"].endswith("After 1 you go on with 2.")
    second = position.copy().play("1")
    found = explain(second, "1", here, result(0.4, ("2", 9, 0.4)))
    assert found["win_rate"] == 0.3
    assert found["text"].endswith("After 1 the answer is 2.")


def test_with_three_players_the_own_mean_counts() -> None:
    """The next player's mean does not tell what is left for the one before."""
    here = result(0.2, ("0", 9, 0.2), ("1", 1, 0.5))
    found = explain(Position(ThreeWays()), "1", here, result(1.0, ("0", 9, 1.0)))
    assert found["win_rate"] == 0.75
    unknown = result(0.2, ("0", 9, 0.2))
    found = explain(Position(ThreeWays()), "1", unknown, result(1.0, ("0", 9, 1.0)))
    assert found["win_rate"] == 0.5
    assert "The search did not try 1: another move was urgent." in found["text"]


def test_a_long_line_is_cut() -> None:
    here = result(0.2, ("b2", 9, 0.2))
    after = result(0.1, ("a1", 9, 0.1), pv=tuple("123456789"))
    found = explain(Position(TicTacToe()), "b2", here, after)
    assert found["line"] == ["b2", *"12345678"]


@pytest.mark.parametrize(
    ("moves", "move", "rate"),
    [
        ("a1 b1 a2 b2", "a3", 1.0),
        ("b2 a1 a2 c2 c3 b3 b1 c1", "a3", 0.5),
    ],
)
def test_the_end_of_the_game_is_worth_its_result(
    moves: str, move: str, rate: float
) -> None:
    position = Position.from_moves(TicTacToe(), moves.split())
    found = explain(position, move, result(0.0, ("c3", 9, 0.0)), None)
    assert found["win_rate"] == rate
    assert found["line"] == [move]


@pytest.mark.parametrize(
    ("after_value", "words"),
    [
        (-0.2 + 0.029, "a1 is as good as b2: 59% of the points."),
        (-0.2 - 0.029, "a1 is as good as b2: 61% of the points."),
        (-0.2 + 0.031, "a1 is weaker: it wins 58% of the points, b2 60%."),
        (-0.2 - 0.031, "a1 looks even better than b2: 62% to 60%."),
        (0.1, "a1 is a mistake: it wins 45% of the points, b2 60%."),
        (0.5, "a1 is a blunder: it wins 25% of the points, b2 60%."),
    ],
)
def test_moves_are_compared_in_words(after_value: float, words: str) -> None:
    assert told("a1", after_value)["text"].startswith(words)


def test_results_in_units_of_the_game_are_no_wins() -> None:
    units = Units(0.0, 100.0)
    here = result(60.0, ("b2", 9, 60.0), ("a1", 1, 40.0), units=units)
    after = result(-30.0, ("c3", 9, -30.0), units=units)
    text = explain(START, "a1", here, after)["text"]
    assert text.startswith("a1 is a blunder: it is worth 30, b2 60.")


def test_the_best_move_is_called_so() -> None:
    text = told("b2", -0.2)["text"]
    assert text.startswith("b2 is the move the search would play: 60% of the points.")


def test_how_much_a_move_was_tried() -> None:
    words = "Of 2,000 simulations 500 began with it, which makes it number 2 of 2."
    assert words in told("a1", 0.1)["text"]
    assert words not in told("b2", 0.1)["text"]


@pytest.mark.parametrize(
    ("plies", "words"),
    [(3, "It is a proven loss in 3."), (None, "It is a proven loss.")],
)
def test_proven_moves_are_called_so(plies: int | None, words: str) -> None:
    rows = HERE.actions
    lost = rows[1]._replace(proven="loss", proof_plies=plies)
    here = result(0.2, ("b2", 1, 0.2), actions=(rows[0], lost))
    text = explain(START, "a1", here, result(1.0, ("c3", 9, 1.0)))["text"]
    assert words in text
    assert "simulations" not in text


@pytest.mark.parametrize(
    ("proven", "words"),
    [
        ("win", "the answer is c3, and wins by force, expected on: b2 a2."),
        ("loss", "the answer is c3, and loses by force, expected on: b2 a2."),
        ("draw", "the answer is c3, with a sure draw, expected on: b2 a2."),
        (None, "the answer is c3, expected on: b2 a2."),
    ],
)
def test_the_answer_and_what_follows(proven: str | None, words: str) -> None:
    line = ("c3", "b2", "a2")
    after = result(0.4, ("c3", 9, 0.4), pv=line, proven=proven)
    found = explain(START, "a1", HERE, after)
    assert found["text"].endswith(f"After a1 {words}")
    assert found["line"] == ["a1", *line]


def test_what_is_proven_for_whoever_goes_on_is_not_the_other_ones() -> None:
    position = Position(TwiceNim())
    here = result(0.2, ("2", 9, 0.2), ("1", 1, 0.0))
    after = result(1.0, ("2", 9, 1.0), proven="win")
    text = explain(position, "1", here, after)["text"]
    assert text.endswith("After 1 you go on with 2.")


def test_long_lines_are_cut() -> None:
    line = ("c3", "b2") * LINE_MOVES
    after = result(0.4, ("c3", 9, 0.4), pv=line)
    assert len(explain(START, "a1", HERE, after)["line"]) == 1 + LINE_MOVES
    nothing = result(0.4, ("c3", 9, 0.4), pv=())
    assert "After" not in explain(START, "a1", HERE, nothing)["text"]

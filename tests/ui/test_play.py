"""Scripted conversations with `playout play`."""

from pathlib import Path

import pytest

from .support import LINE, output_of


def talk(*lines: str, arguments: tuple[str, ...] = ("--simulations", "200")) -> str:
    """What is said when these lines are typed."""
    typed = "".join(f"{line}\n" for line in lines)
    return output_of("play", LINE, "--seed", "1", *arguments, typed=typed)


def test_win():
    # The program must lose, whichever side of the middle it takes.
    said = talk("b1", "a1", "c1", "n")
    assert "You win!" in said
    assert said.rstrip().endswith("Goodbye.")


def test_win_marks_the_line():
    said = talk("b1", "a1", "c1", "n")
    assert "*X*" in said


def test_loss():
    said = talk("a1", "n", arguments=("--second", "--simulations", "500"))
    assert "X plays b1" in said
    assert "X wins." in said


def test_draw():
    said = talk("a1", "c1", "n")
    assert "O plays b1" in said
    assert "Draw." in said


def test_the_log_follows_every_move_of_the_program():
    said = talk("a1", "c1", "n")
    assert "Selected b1 with ratio" in said
    assert "simulations in" in said


def test_log_can_be_hidden():
    said = talk("log", "a1", "c1", "n")
    assert "The log is hidden." in said
    assert "Selected" not in said


def test_a_move_is_answered_and_shown():
    said = talk("a1", "quit")
    assert "You are X." in said
    assert "[X]" in said
    assert "Your move (X): a1" in said


def test_illegal_and_malformed_moves_are_explained():
    said = talk("z9", "a1", "a1", "quit")
    assert "z9" in said
    assert "a1 cannot be played here; legal are c1" in said


def test_undo_takes_back_both_moves():
    said = talk("a1", "undo", "b1", "quit")
    assert said.count("Your move (X): ") == 4
    assert "Your move (X): undo\n1  .  .  .\n" in said


def test_undo_without_a_move():
    assert "no move of yours" in talk("undo", "quit")
    second = talk("undo", "quit", arguments=("--second", "--simulations", "50"))
    assert "no move of yours" in second or "wins." in second


def test_hint():
    assert "Hint: b1 (win rate 100.0%)" in talk("hint", "quit")


def test_asking_for_a_hint_changes_nothing():
    said = [talk(*start, "a1", "quit") for start in ((), ("hint",))]
    logs = [[x for x in s.splitlines() if x.startswith("Selected")] for s in said]
    assert logs[0] == logs[1]


def test_moves_board_and_help():
    said = talk("moves", "board", "help", "?", "quit")
    assert "Legal moves: a1 b1 c1" in said
    assert said.count("take back your last move") == 2


def test_end_of_input_is_a_polite_end():
    assert talk("a1").rstrip().endswith("Goodbye.")


def test_play_again_with_sides_swapped():
    said = talk("b1", "a1", "c1", "maybe", "y", "quit")
    assert "Please answer y or n." in said
    assert "You are O." in said
    assert "X plays b1" in said


def test_blank_lines_are_passed_over():
    assert "Goodbye." in talk("", "  ", "quit")


def test_commands_in_any_case():
    assert talk("QUIT").rstrip().endswith("Goodbye.")


def test_without_input_the_program_plays_itself():
    said = output_of("play", LINE, "--seconds", "0.01", typed="")
    assert "plays both sides" in said
    assert "X plays" in said
    assert "X wins." in said


def test_watch():
    said = output_of("play", LINE, "--watch", "--simulations", "100")
    assert "X plays b1" in said
    assert "X wins." in said
    assert "again" not in said


def test_same_seed_same_game():
    arguments = ("play", "tic-tac-toe", "--watch", "--simulations", "50", "--seed", "3")
    games = [
        [line for line in output_of(*arguments).splitlines() if " plays " in line]
        for _ in range(2)
    ]
    assert games[0] == games[1]


@pytest.mark.parametrize("preset", ["fachada", "tutorial", "tsinghua"])
def test_presets_play(preset):
    said = output_of(
        "play", LINE, "--watch", "--preset", preset, "--simulations", "100"
    )
    assert "wins." in said or "Draw." in said


def test_gomoku_is_opened_in_the_centre():
    said = output_of(
        "play", "gomoku:size=5", "--second", "--simulations", "5", typed="quit\n"
    )
    assert "opens in the centre: c3" in said.lower()


def test_help_shows_what_a_move_looks_like():
    assert "Type a move, such as b1 or c1, or" in talk("help", "quit")


def test_a_game_of_ones_own_without_a_board():
    spec = f"{Path(__file__).parents[1] / 'toys.py'}:Nim:stones=1"
    arguments = ("play", spec, "--simulations", "20")
    assert "You win!" in output_of(*arguments, typed="1\nn\n")


def test_gomoku_players_have_names_and_marks():
    said = output_of("play", "gomoku:size=5", "--simulations", "5", typed="quit\n")
    assert "You are Black, X." in said

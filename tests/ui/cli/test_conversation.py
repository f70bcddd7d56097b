"""The plain dialogue of `playout play`: its commands."""

import re

import pytest

from tests.ui.support import error_of, output_of, talk


def test_undo_takes_back_both_moves():
    said = talk("a1", "undo", "b1", "quit")
    assert said.count("Your move (X): ") == 4
    assert "Your move (X): undo\n1  .  .  .\n" in said


def test_the_last_move_can_be_taken_back_after_the_end():
    arguments = ("play", "connect-four", "human", "human")
    typed = "1 2 1 2 1 2 1 steps undo 3 2 board n".replace(" ", "\n")
    said = output_of(*arguments, typed=f"{typed}\n")
    end, _, after = said.partition("Play again? [y/n] steps\n")
    assert "X wins." in end
    assert "  7. X 1\n" in after
    assert after.partition("Play again? [y/n] undo\n")[2].count("Your move (X): 3") == 1
    assert "O wins." in after
    assert "Play again? [y/n] board\n" in after
    assert after.rstrip().endswith("Goodbye.")


def test_a_game_goes_on_that_was_left():
    arguments = ("play", "tic-tac-toe", "--moves", "b2 a1 a3", "--seed", "1")
    seats = ("human", "human")
    said = output_of(*arguments, *seats, typed="c1\nundo\nundo\nsteps\nquit\n")
    assert "Your move (O): c1" in said
    assert "Chance" not in said
    assert "  1. X b2\n  2. O a1\nYour move (X): quit" in said
    said = output_of(*arguments, "--simulations", "50", typed="quit\n")
    assert "O plays c1" in said  # which stops a line
    assert error_of(*arguments[:3], "b2 b2").startswith("--moves: move 2: b2 cannot")


def test_undo_without_a_move():
    assert "no move of yours" in talk("undo", "quit")
    arguments = ("play", "tic-tac-toe", "--second", "--simulations", "50")
    assert "no move of yours" in output_of(*arguments, typed="undo\nquit\n")


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


def test_a_move_that_bears_a_commands_name_is_played(tmp_path):
    """`undo` and `quit` are moves here; with a stroke before they are none."""
    file = tmp_path / "words.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "from tests.toys import Nim\n"
        "@dataclass(frozen=True)\n"
        "class Words(Nim):\n"
        "    def action_name(self, action):\n"
        "        return ('none', 'undo', 'Quit', 'three')[action]\n"
        "    def parse_action(self, text):\n"
        "        return ('none', 'undo', 'quit', 'three').index(text.casefold())\n"
    )
    arguments = ("play", f"{file}:Words", "--player", "random", "--seed", "1")
    said = output_of(*arguments, typed="undo\nquit\nsteps\n/undo\nsteps\n/quit\n")
    before, after = re.findall(r"(?m)^  1\. .*(?:\n  \d\. .*)*", said)
    moves = [line.split()[-1] for line in before.splitlines()]
    assert moves[::2] == ["undo", "Quit"]
    assert before.startswith(after)
    assert len(after.splitlines()) == 2
    assert said.rstrip().endswith("Goodbye.")


def test_blank_lines_are_passed_over():
    assert "Goodbye." in talk("", "  ", "quit")


def test_commands_in_any_case():
    assert talk("QUIT").rstrip().endswith("Goodbye.")


def test_the_moves_so_far():
    said = talk("steps", "a1", "steps", "quit")
    assert "There are no moves yet." in said
    assert "  1. X a1\n  2. O b1\n" in said


def test_no_move_is_tried_and_taken_back_where_stones_are_hidden():
    said = output_of("play", "phantom-tic-tac-toe", "random", typed="b2\nundo\nquit\n")
    assert "moves stand" in said
    assert "X" in said.rpartition("moves stand")[0]


@pytest.mark.parametrize("word", ["q", "quit", "exit", "Q"])
def test_words_to_leave_with(word):
    for typed in ([word], ["b1", "a1", "c1", word]):
        assert talk(*typed).rstrip().endswith("Goodbye.")

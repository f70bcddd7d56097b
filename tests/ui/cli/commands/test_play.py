"""Scripted conversations with `playout play`."""

import os
import re
from pathlib import Path

import pytest

from playout import TicTacToe, save_network
from playout.players import registry
from tests.networks import arrays
from tests.ui.slowness import Slowness
from tests.ui.support import LINE, error_of, output_of, run, talk

RULES = Path(__file__).parents[3] / "arena" / "bad_rules.py"


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


def test_what_is_accepted_is_said_once():
    said = output_of("play", "tic-tac-toe", typed="foo\nbar\n5\nquit\n")
    assert said.count("as on a telephone") == 1
    assert "'bar' is not a cell (or type help)" in said


def test_end_of_input_is_a_polite_end():
    assert talk("a1").rstrip().endswith("Goodbye.")


def test_play_again_with_sides_swapped():
    said = talk("b1", "a1", "c1", "maybe", "y", "quit")
    assert "Please answer y or n, or type undo." in said
    assert "You are O." in said
    assert "X plays b1" in said


def test_without_input_the_program_plays_itself():
    said = output_of("play", LINE, "--simulations", "100", typed="")
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
    assert "X plays b1" in said  # the middle, which wins
    assert "X wins." in said


def test_gomoku_is_opened_in_the_centre():
    said = output_of(
        "play", "gomoku:size=5", "--second", "--interpreted", typed="quit\n"
    )
    assert "plays c3 (opens in the centre)" in said.lower()


def test_help_shows_what_a_move_looks_like():
    assert "Type a move, such as b1 or c1, or" in talk("help", "quit")


def test_a_game_of_ones_own_without_a_board():
    spec = f"{Path(__file__).parents[3] / 'toys.py'}:Nim:stones=1"
    arguments = ("play", spec, "--simulations", "20")
    assert "You win!" in output_of(*arguments, typed="1\nn\n")


def test_gomoku_players_have_names_and_marks():
    said = output_of("play", "gomoku:size=5", "random", typed="quit\n")
    assert "You are Black, X." in said


# -- players ---------------------------------------------------------------------------


def test_two_people():
    said = output_of("play", LINE, "human", "human", typed="a1\nb1\nc1\nn\n")
    assert "People play X and O." in said
    assert "Your move (X): a1" in said
    assert "Your move (O): b1" in said
    assert "Draw." in said


def test_two_people_take_back_one_move_at_a_time():
    said = output_of("play", LINE, "human", "human", typed="a1\nundo\nb1\nquit\n")
    assert said.count("Your move (X): ") == 2
    assert said.count("Your move (O): ") == 2


@pytest.mark.parametrize("naming", [("level:3",), ("--player", "level:3")])
def test_an_opponent(naming):
    said = output_of("play", LINE, *naming, "--second", typed="quit\n")
    assert "You are O." in said
    assert "X plays" in said


def test_where_nobody_is_named_the_usual_player_plays(monkeypatch):
    usual = {"tic-tac-toe": "greedy"}
    monkeypatch.setattr(registry, "usual_player", lambda game: usual[game.name])
    watched = ("play", "tic-tac-toe", "--watch", "--simulations", "20")
    assert "Selected" not in output_of(*watched)  # who is greedy searches nothing
    assert "Selected" in output_of(*watched, "mcts")
    assert "Selected" in output_of(*watched, "--preset", "fachada")


def test_that_the_program_has_a_network_is_said(tmp_path):
    game = TicTacToe()
    save_network(tmp_path / "net", arrays(game), {"game": "tic-tac-toe"})
    player = f"net:{tmp_path / 'net'},policy=yes"
    said = output_of("play", "tic-tac-toe", player, "--first", typed="quit\n")
    assert f"You are X. The program is {player}. Type help" in said


@pytest.mark.parametrize("players", [("human", "random"), ("random", "human")])
def test_a_person_in_a_seat(players):
    said = output_of("play", LINE, *players, "--seed", "1", typed="quit\n")
    assert f"You are {'XO'[players.index('human')]}." in said
    assert ("X plays" in said) == (players[0] == "random")


def test_any_player_against_any_other():
    said = output_of("play", LINE, "alphabeta:depth=3", "mcts:simulations=50")
    assert "X: alphabeta:depth=3\nO: mcts:simulations=50" in said
    assert "X plays b1 (depth 3, +1.00 exact, " in said
    assert "Selected" in said
    assert "X wins." in said


def test_a_hint_against_a_player_that_is_no_search():
    arguments = ("play", LINE, "random", "--simulations", "200")
    assert "Hint: b1 (win rate 100.0%)" in output_of(*arguments, typed="hint\nquit\n")


def test_a_random_player_has_nothing_to_say():
    said = output_of("play", LINE, "random", "--second", typed="quit\n")
    assert re.search(r"^X plays [abc]1$", said, re.MULTILINE)


def test_a_player_that_fails_loses(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("def make_player(game):\n    return lambda position: 99\n")
    said = output_of("play", LINE, f"{path}:make_player", "--second", typed="n\n")
    assert "X loses: garbage: " in said


def test_a_player_whose_code_fails_loses(tmp_path):
    """As in every other interface; the player is a function or a class."""
    path = tmp_path / "bad.py"
    path.write_text(SLOW)
    said = output_of("play", LINE, f"{path}:slow", "--second", typed="n\n")
    assert f"X loses: crash: {path}, line " in said
    assert "in choose: AssertionError" in said


def test_a_player_that_ends_the_process_loses(tmp_path):
    """`os._exit` would otherwise end the command without a message."""
    path = tmp_path / "bad.py"
    path.write_text("import os\ndef bad(game):\n    return lambda p: os._exit(5)\n")
    said = output_of("play", LINE, f"{path}:bad", "--second", typed="n\n")
    assert "X loses: crash: " in said
    assert "os._exit(5)" in said
    assert os._exit.__module__ == "posix"  # as it was


def test_rules_that_end_the_process_are_named(tmp_path):
    path = tmp_path / "bad.py"
    text = RULES.read_text().replace('static("raises")', 'static("vanishes")')
    path.write_text(text)
    said = run("play", f"{path}:Fails", "human", "human", typed="1\n1\n1\n")
    assert said.exit_code == 2
    assert "os._exit(7) ends the program; raise an error instead" in said.stderr
    assert "bad.py, line" in said.stderr


def test_who_starts_slowly_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("playout.ui.cli.terminal.NOTICE_SECONDS", 0.05)
    path = tmp_path / "slow.py"
    path.write_text(SLOW)
    said = run("play", LINE, f"{path}:slow", typed="quit\n")
    assert f"Waiting for {path}:slow to start ..." in said.stderr


SLOW = """
import time
from playout.players.player import Player

class Slow(Player):
    def prepare(self):
        time.sleep(0.5)
    def choose(self, position, allowance):
        raise AssertionError

def slow(game):
    return Slow("slow", game)
"""


def test_the_log_fits_a_small_terminal_with_the_board():
    options = ("--simulations", "3000", "--seed", "1")
    said = output_of("play", "connect-four", *options, typed="4\n")
    lines = said[said.index("Selected") : said.rindex("Your move")].splitlines()
    assert len(lines) + 1 <= 24
    assert max(map(len, lines)) <= 80


def test_the_log_leaves_most_moves_of_large_boards_out():
    options = ("--simulations", "100", "--seed", "1", "--interpreted")
    said = output_of("play", "mnk:m=5,n=5,k=4", *options, typed="c3\n")
    assert re.search(r"and \d\d more moves", said)
    log = said[said.index("Selected") : said.index(" plays ")]
    assert len(log.splitlines()) == 17


def test_simulations_of_a_kept_tree_are_told_apart():
    options = ("--simulations", "500", "--seed", "1")
    said = output_of("play", "connect-four", *options, typed="4\n4\n")
    assert "after 500 simulations\n" in said
    assert ", of which 500 in this search\n" in said


def test_a_game_that_no_one_plays_is_short(monkeypatch):
    monkeypatch.setattr("playout.ui.cli.commands.play.WATCH_GAME_SECONDS", 1.0)
    output_of("play", "connect-four", "--simulations", "1", typed="quit\n")  # compiles
    with Slowness() as slowness:
        said = output_of("play", "connect-four", "--seconds", "9", typed="")
    assert slowness.seconds < 20 * slowness.factor
    moves = re.findall(r"^ *\d+\. . plays .*", said, re.MULTILINE)
    assert moves[0] == "  1. X plays 4 (from the book: a win)"
    searched = [move for move in moves if "from the book" not in move]
    assert said.count("Selected") == len(searched) > len(moves) / 2  # with their logs
    assert len(said.splitlines()) < 30 + 5 * len(moves)
    boards = said.count("1  2  3  4  5  6  7")
    assert boards == 2 + (len(moves) - 1) // 10  # at first, at the end, every ten moves


BAD_PLAYERS = [
    (["mcst"], "unknown player 'mcst', did you mean mcts?"),
    (["level:11"], "level:1 to level:10"),
    (["random", "random", "random"], "has 2 players, not 3"),
    (["random", "--player", "mcts"], "named after GAME already"),
    (["random", "--preset", "tiny"], "name the player mcts:preset=tiny"),
    (["random", "mcts", "--second"], "play in their order"),
    (["human", "--watch"], "players that need no person"),
    (["--preset", "fast"], "unknown preset 'fast'"),
    (["mcts:simulations=x"], "simulations must be a whole number, not 'x'"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_PLAYERS)
def test_bad_players(arguments, message):
    assert message in error_of("play", LINE, *arguments)


def test_nothing_hidden_is_shown():
    """Until the game is over, neither the program's stones nor its thoughts are."""
    typed = "a1\na2\na3\nb1\nb2\nb3\nc1\nc2\nc3\n" * 2 + "n\n"
    said = output_of(
        "play",
        *("phantom-tic-tac-toe", "--simulations", "50", "--seed", "1"),
        typed=typed,
    )
    before, after = re.split(r"[XO] wins\.|You win!|Draw\.", said, maxsplit=1)
    boards = before.split("\n\n")
    assert "O has moved." in before
    assert "O plays" not in before
    assert "Selected" not in before
    assert not any(" O " in board for board in boards[:-2])  # the last is the end
    assert after


def test_a_game_for_one_is_played_by_the_player_that_is_named():
    alone = ["play", "tests/ui/ring.py:Ring:players=1,stones=3", "--plain"]
    assert "Your move" in run(*alone, typed="1\n").stdout
    watched = run(*alone, "random", "--seed", "1").stdout
    assert "Player 1 plays" in watched
    assert "Your move" not in watched


def test_the_log_of_source_1():
    said = talk("a1", "quit", arguments=("--simulations", "200", "--log", "plain"))
    assert "Selected (0, 1) with ratio" in said
    assert "\n(0, 1) -> 0.0000 (0/2), proven draw\n" in said
    assert "win rate" not in said


def test_regret_is_undo():
    said = talk("log", "a1", "undo", "quit")
    assert talk("log", "a1", "regret", "quit") == said.replace(": undo", ": regret")


def test_steps_tell_nothing_that_is_hidden():
    said = output_of("play", "phantom-tic-tac-toe", "random", typed="b2\nsteps\nq\n")
    assert "  1. X b2\n  2. O ?\n" in said
    said = output_of("play", "leduc-poker", "random", typed="call\nsteps\nq\n")
    assert re.search(r"^B plays (call|raise)\.$", said, re.MULTILINE)
    dealt = r"  1\. Chance \?\n  2\. Chance \?\n"
    assert re.search(dealt + r"  3\. A call\n  4\. B (call|raise)\n", said)

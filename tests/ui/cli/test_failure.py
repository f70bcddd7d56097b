"""Bad input: one line that says what, where and what is accepted, and exit code 2.

Also of `core/errors.py` and `ui/common/messages.py`.
"""

import os

import pytest

from playout.ui.cli.failure import explain, report_warning
from playout.ui.common.messages import one_line
from tests.packages import needed
from tests.ui.support import LINE, error_of, run

BAD = [
    (["analyze", "conect-four"], "did you mean connect-four?"),
    (["analyze", "chess"], "known are tic-tac-toe"),
    (["analyze", "connect-four:rows=99"], "rows must be 1 to 12, not 99"),
    (["analyze", "connect-four:rows=x"], "rows must be a whole number, not 'x'"),
    (["analyze", "connect-four:rows=6,"], "a comma too many in 'rows=6,'"),
    (["analyze", "connect-four:"], "'connect-four:': after a colon come parameters"),
    (["play", "tic-tac-toe", "mcts:"], "without any, write no colon"),
    (["analyze", "connect-four:forbidden=x"], "joined by /, as in 4/3, not 'x'"),
    (["analyze", "connect-four:height=6"], "accepted: rows, columns"),
    (["analyze", "connect-four", "--preset", "fast"], "known: fachada, tutorial"),
    (["analyze", "connect-four", "--moves", "4 9"], "move 2: '9' is not a column"),
    (["analyze", "connect-four", "--moves", "4 four"], "columns are 1 to 7"),
    (["analyze", "tic-tac-toe", "--moves", "b2 b2"], "move 2: b2 cannot be played"),
    (["analyze", "tic-tac-toe", "--moves", "a1 b1 a2 b2 a3"], "the game is over"),
    (["analyze", "tic-tac-toe", "--moves", "a1 b1 a2 b2 a3 c3"], "the game is over"),
    (["analyze", "connect-four", "--position", "?"], "--position: not a position"),
    (["analyze", "tic-tac-toe", "--moves", "a1", "--position", "x"], "exclude"),
    (["analyze", "tic-tac-toe", "--seconds", "0"], "seconds must be above 0"),
    (["analyze", "tic-tac-toe", "--seconds", "-1"], "seconds must be above 0"),
    (["analyze", "tic-tac-toe", "--seconds", "nan"], "seconds must be above 0"),
    (["analyze", "tic-tac-toe", "--seconds", "soon"], "'soon' is not a valid float"),
    (["analyze", "tic-tac-toe", "--simulations", "0"], "whole number above 0"),
    (["analyze", "tic-tac-toe", "--simulations", "1.5"], "not a valid integer"),
    (["analyze", "tic-tac-toe", "--tree", "tree.text"], "in .json, .dot, .svg or .txt"),
    (["analyze", "tic-tac-toe", "--plot", "p.txt"], "pictures end in .png or .svg"),
    (["analyze", "tic-tac-toe", "--tree", "no/where/t.dot"], "no directory no/where"),
    (["analyze"], "Missing argument 'GAME'"),
    (["analyze", "tic-tac-toe", "extra"], "argument (extra); see `playout analyze"),
    (["analyze", "connect-four:forbidden=1"], "(joined by / in a text, as in 4/3)"),
    (["analyze", "gomoku:rule=" + "x" * 999], "... (999 characters)"),
    (["analyze", "phantom-tic-tac-toe", "--threads", "2"], "MCTS(..., trees=2)"),
    (["play", "2048", "human", "human"], "2048 has 1 player, not 2"),
    (["analyze", "tic-tac-toe", "--deep"], "; see `playout analyze --help`"),
    (["play", "chess"], "unknown game"),
    (["play", "tic-tac-toe", "--first", "--second"], "exclude each other"),
    (["play", "tic-tac-toe", "--simulations", "-5"], "whole number above 0"),
    (["perft", "tic-tac-toe", "-1"], "-1: no number with a sign can stand here; see"),
    (["perft", "tic-tac-toe", "-12"], "-12: no number with a sign"),
    (["perft", "tic-tac-toe", "3", "--divde"], "No such option '--divde'"),
    (["perft", "tic-tac-toe", "10"], "DEPTH must be 0 to 9"),
    (["perft", "tic-tac-toe", "deep"], "not a valid integer"),
    (["bench", "tic-tac-toe", "--simulations", "0"], "whole number from 1 to"),
    (["bench", "tic-tac-toe", "--signature"], "name neither a game"),
    (["bench", "--signature", "--simulations", "9"], "nor --simulations"),
    (["bench", "tic-tac-toe", "--simulations", "9" * 30], "from 1 to 4,294,967,295"),
    (["check", "tic-tac-toe", "--games", "0"], "whole number from 1 to 10,000,000"),
    (["warm", "chess"], "unknown game"),
    (["analyze", "mnk", "--simulations", "9" * 30], "at most 64 bits"),
    (["analyze", "mnk", "--simulations", "3", "--seed", "9" * 30], "at most 64 bits"),
    (["analyze", "connect-four", "--position", "12121212"], "the game was over before"),
    (["analyze", "connect-four", "--position", "1" * 10**5], "(100000 characters)"),
    (["dance"], "No such command 'dance'"),
    (["analyze", "nowhere.py:Game"], "nowhere.py: No such file"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input(arguments, message):
    assert message in error_of(*arguments)


RULES = {
    "1 +": "line 1: SyntaxError",
    "import no_such_module": "line 1: ModuleNotFoundError",
    "x = 1": "no class derived from playout.Game",
    "import sys\nsys.exit(3)": "ends the program",
    "class G:\n    pass": "is a class, but no game",
    "from playout import Game\nclass G(Game):\n    pass": "dataclass",
}


@pytest.mark.parametrize(("text", "message"), RULES.items())
def test_broken_rules_file(tmp_path, text, message):
    path = tmp_path / "rules.py"
    path.write_text(text)
    assert message in error_of("analyze", f"{path}:G")


def test_a_broken_file_is_named_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text("x = 1\n1 +")
    (tmp_path / "outer.py").write_text("import os\nimport rules")
    for name in ("rules.py", "outer.py"):
        said = error_of("analyze", f"{name}:G")
        assert said == "rules.py, line 2: SyntaxError: invalid syntax"


def test_a_missing_module_is_named_with_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text("x = 1\nfrom no_such.module import Nim\n")
    said = error_of("analyze", "rules.py:G")
    assert said.startswith("rules.py, line 2: ModuleNotFoundError: No module named 'no")
    assert "put the module there or install it" in said


def test_only_the_games_of_the_file_itself_are_listed(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom playout import Game, TicTacToe\n"
        "@dataclass(frozen=True)\nclass Mine(Game):\n    pass\nLOG = 1\n"
    )
    for name in ("LOG", "Game"):
        said = error_of("check", f"{path}:{name}")
        assert said == f"{path} has no game called {name!r}; it has Mine"
    said = error_of("check", str(path))
    assert said == f"{path}: name the class too, as in {path}:Mine"


KINDS = """
import gymnasium

class Maze(gymnasium.Env):
    def __init__(self, slip: float = 0.0):
        pass

class Kalah:
    def get_possible_actions(self):
        return []

class Counter:
    def actions(self):
        return []
"""


def test_environments_and_objects_of_a_file_are_listed_too(tmp_path):
    needed("gymnasium")
    path = tmp_path / "maze.py"
    path.write_text(KINDS)
    said = error_of("check", f"{path}:Mase")
    assert said == f"{path} has no game called 'Mase'; it has Maze, Kalah"
    said = error_of("check", f"{path}:Counter")
    assert said.startswith(
        f"{path}:Counter is a class, but no game: it neither derives"
    )
    assert said.endswith(f"{path} has Maze, Kalah")
    said = error_of("check", str(path))
    assert said.endswith(f"as in {path}:Maze; it has Maze, Kalah")
    said = error_of("check", "nowhere.py")
    assert said == "nowhere.py: name the class too, as in nowhere.py:MyGame"


def test_parameters_of_what_is_in_a_file_follow_a_colon(tmp_path):
    needed("gymnasium")
    path = tmp_path / "maze.py"
    path.write_text(KINDS)
    said = error_of("check", f"{path}:Maze(slip=0.2)")
    assert said.endswith(f"follow a colon, as in {path}:Maze:name=value")


def test_what_is_in_a_file_needs_no_package_before_it():
    said = error_of("check", "gymnasium:maze.py:Maze")
    assert said == "gymnasium: what stands in a file is named by it: maze.py:Maze"


INCOMPLETE = """
from dataclasses import dataclass
import numpy as np
from playout.games.contract.game import Game

@dataclass(frozen=True)
class G(Game):
    def num_actions(self):
        return 3
    def state_dtype(self):
        return np.dtype([("left", "i4")])
"""


def test_incomplete_rules(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text(INCOMPLETE)
    message = error_of("analyze", f"{path}:G")
    assert "not complete: it has no initial_state(self, state), " in message
    assert "num_actions" not in message


def test_an_exception_in_rules_names_their_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text(
        "from tests.toys import Nim\n"
        "class G(Nim):\n"
        "    def initial_state(self, state):\n        state.left = 1 // 0\n"
    )
    message = error_of("analyze", "rules.py:G")
    assert message.startswith(
        "G.initial_state, rules.py line 4: `state.left = 1 // 0`: ZeroDivisionError"
    )


def test_rules_that_end_the_program(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text(
        "import sys\nfrom tests.toys import Nim\n"
        "class G(Nim):\n    def initial_state(self, state):\n        sys.exit(0)\n"
    )
    message = error_of("analyze", f"{path}:G")
    assert message.startswith(f"{path}, line 5, in initial_state: sys.exit ends")


def test_a_tree_file_is_tried_before_the_search(tmp_path):
    (tmp_path / "sub.dot").mkdir()
    assert "is a directory" in error_of(
        "analyze", "tic-tac-toe", "--tree", str(tmp_path / "sub.dot")
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_file_that_cannot_be_written(tmp_path):
    (tmp_path / "tree.dot").symlink_to("/dev/full")
    arguments = ["--simulations", "5", "--tree", str(tmp_path / "tree.dot")]
    result = run("analyze", LINE, *arguments)
    assert result.exit_code == 2
    last = result.stderr.splitlines()[-1]
    why = "cannot be written: No space left on device"
    assert last == f"playout: error: {tmp_path}/tree.dot {why}"


def test_one_line_is_one_printable_line():
    assert one_line("a\nb\t\x1b[31mc") == "a b \\x1b[31mc"
    assert len(one_line("x" * 10**6)) < 2000


def test_a_warning_with_colours_is_shown_without(capsys):
    report_warning("\x1b[33mWARN: old\x1b[0m", UserWarning, "a.py", 1)
    assert capsys.readouterr().err == "playout: warning: WARN: old\n"


def test_our_own_faults_are_told_apart(capsys):
    assert explain(TypeError("odd")) == 1
    assert "a fault of Playout itself" in capsys.readouterr().err


def test_interrupt_ends_with_130(capsys):
    assert explain(KeyboardInterrupt()) == 130

"""`playout match`, as its users meet it.

Also of `ui/cli/match_options.py` and `ui/cli/arena.py`.
"""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from playout.arena import executors
from playout.arena.store import Store
from playout.ui.cli.match_options import Running
from tests.ui.cli.test_main_process import PLAYOUT, SECONDS, Terminal, needs_terminal
from tests.ui.support import LINE, error_of, output_of, run

pytestmark = pytest.mark.usefixtures("shared_workers")

KEYS = ["games", "wins", "draws", "losses", "score", "elo", "elo_low", "elo_high"]
KEYS += ["los", "pentanomial", "llr", "sprt", "forfeits"]
#: Games of three seats, and of one.
THREE, ONE = "tests/toys.py:Payoffs", "2048"
BOT = "tests/arena/picking_players.py:first"
MATCH = ["match", "tic-tac-toe", "random", "greedy"]


def match(*arguments):
    return json.loads(output_of(*MATCH, *arguments, "--json"))


def test_json_has_exactly_the_documented_names():
    figures = match("--games", "10")
    assert list(figures) == KEYS
    assert figures["games"] == 10
    assert figures["wins"] + figures["draws"] + figures["losses"] == 10
    assert sum(figures["pentanomial"]) == 5
    assert (figures["llr"], figures["sprt"], figures["forfeits"]) == (None, None, 0)


def test_figures_are_from_the_side_of_a():
    """Greedy wins nearly always, whether it is named first or second."""
    assert match("--games", "20")["score"] < 0.35
    swapped = output_of("match", "tic-tac-toe", "greedy", "random", "--games", "20")
    assert "greedy against random" in swapped
    score = re.search(r"score +([\d.]+)%", swapped)[1]
    assert float(score) > 65


def test_the_same_command_gives_the_same_match():
    options = ["--games", "20", "--openings", "random:plies=2", "--seed", "3"]
    assert match(*options) == match(*options, "--concurrency", "2")


def test_a_test_ends_the_match():
    figures = match("--sprt", "elo0=-100,elo1=0,alpha=0.1,beta=0.1")
    assert figures["sprt"] == "accept H0"
    assert figures["llr"] < -2
    assert figures["games"] < 60


def test_forfeits_are_listed_with_their_reason(tmp_path):
    bots = tmp_path / "bots.py"
    bots.write_text(
        "def bad(game):\n"
        "    def choose(position):\n"
        "        raise RuntimeError('out of ideas')\n"
        "    return choose\n"
    )
    printed = output_of("match", LINE, f"{bots}:bad", "random", "--games", "2")
    assert "forfeits     2" in printed
    assert f"game 1: {bots}:bad lost by crash: " in printed
    assert "RuntimeError: out of ideas" in printed
    done = run("match", LINE, f"{bots}:bad", "random", "--games", "2", "--json")
    assert json.loads(done.stdout)["forfeits"] == 2
    assert "out of ideas" in done.stderr


def test_repeated_games_are_told():
    done = run("match", LINE, "greedy", "greedy", "--games", "12", "--json")
    assert re.search(r"\d+ of 12 games repeat an earlier one", done.stderr)
    assert "--openings" not in done.stderr  # all games of three cells are decided


def test_luck_that_repeats_itself_is_not_told():
    done = run("match", "kuhn-poker", "greedy", "greedy", "--games", "40", "--json")
    assert "repeat" not in done.stderr


def test_what_gives_more_variety_is_told():
    first = f"{Path(__file__).parents[3] / 'arena' / 'bad_players.py'}:good"
    done = run("match", "tic-tac-toe", first, first, "--games", "6", "--json")
    assert "--openings random:plies=2 gives more variety" in done.stderr


def test_what_is_cut_can_be_read_elsewhere(tmp_path):
    """The beginning and the end of a long story are shown, and where it is whole."""
    bots = tmp_path / "bots.py"
    bots.write_text(
        "def bad(game):\n"
        "    def choose(position):\n"
        "        raise RuntimeError('begin' + 5000 * ' and so on' + ' end')\n"
        "    return choose\n"
    )
    printed = output_of("match", LINE, f"{bots}:bad", "random", "--games", "1")
    assert "RuntimeError: begin and so on" in printed
    assert "and so on end (" in printed
    assert "bots.py line 3)\n" in printed
    assert "[...] is left out above; games kept with --save have all of it" in printed


def test_what_is_compiled_is_told_once(monkeypatch):
    """Two workers compile the same rules, or two kernels over them."""
    from playout.ui.cli import arena

    made, said = [], []
    monkeypatch.setattr(executors, "LocalExecutor", lambda *given: made.append(given))
    arena.make_executor(Running(2, None, "local", verbose=False), said.append)
    ((_, notify, _),) = made
    for label in ("Nim", "Nim", "Tree", "kernel", "Nim with every index checked"):
        notify(label)
    assert len(said) == 3


@pytest.mark.parametrize("text", ["comment", "error", "value"])
def test_what_one_player_says_ends_no_match(text, tmp_path):
    """It sends half of a character, and a value that is not a number."""
    bots = tmp_path / "bots.py"
    bots.write_text(SPEAKERS)
    saved = str(tmp_path / "games.db")
    options = ["--games", "2", "--save", saved, "--adjudicate", "resign:moves=1"]
    done = run("match", LINE, f"{bots}:{text}", "random", *options, "--json")
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert (figures["games"], figures["forfeits"], figures["losses"]) == (2, 2, 2)
    assert "lost by " in done.stderr
    with Store(saved, read_only=True) as store:
        assert len(list(store.games())) == 2


SPEAKERS = r"""
from playout.players.player import Decision, Player

class Speaker(Player):
    def __init__(self, game, **said):
        super().__init__("speaker", game)
        self.said = said

    def choose(self, position, allowance):
        if not self.said:
            raise ValueError("half \ud800")
        return Decision(position.legal_actions()[0], **self.said)

def comment(game):
    return Speaker(game, comment="half \ud800")

def error(game):
    return Speaker(game)

def value(game):
    return Speaker(game, value="x")
"""


def test_a_line_for_every_game():
    done = run(*MATCH, "--games", "3", "-v", "--json")
    lines = re.findall(r"^game (\d): (\w+) against (\w+)  \S+ ", done.stderr, re.M)
    assert lines == [
        ("1", "random", "greedy"),
        ("2", "greedy", "random"),
        ("3", "random", "greedy"),
    ]


def test_saved_games_are_not_played_again(tmp_path):
    path = str(tmp_path / "games.db")
    first = match("--games", "6", "--save", path)
    done = run(*MATCH, "--games", "6", "--save", path, "-v", "--json")
    assert json.loads(done.stdout) == first
    assert "game" not in done.stderr
    done = run(*MATCH, "--games", "8", "--save", path, "-v", "--json")
    assert re.findall(r"^game (\d)", done.stderr, re.M) == ["7", "8"]


def test_openings_from_a_file(tmp_path):
    book = tmp_path / "book.txt"
    book.write_text("b2 a1\n")
    path = str(tmp_path / "games.db")
    match("--games", "2", "--openings", str(book), "--save", path)
    with Store(path, read_only=True) as store:
        assert {game.record.moves[:2] for game in store.games()} == {("b2", "a1")}


def test_a_clock_and_simulations(tmp_path):
    path = str(tmp_path / "games.db")
    players = "mcts:simulations=1000000", "mcts"
    limits = "--time", "2+0.1", "--simulations", "20", "--games", "2"
    output_of("match", "tic-tac-toe", *players, *limits, "--save", path)
    with Store(path, read_only=True) as store:
        comments = " ".join(c for game in store.games() for c in game.record.comments)
    simulations = [int(number) for number in re.findall(r"(\d+) sims", comments)]
    assert max(simulations) == 20


def test_a_picture(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "match.svg"
    match("--games", "4", "--plot", str(path))
    assert "<svg" in path.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "chess", "random", "random"], "unknown game 'chess'"),
        (["match", LINE, "random", "nobody"], "unknown player 'nobody'"),
        (["match", LINE, "random", "human"], "a person can play only where"),
        ([*MATCH, "--games", "0"], "games must be at least 1, not 0"),
        ([*MATCH, "--sprt", "elo=3"], "SPRT: 'elo=3' is not one of"),
        ([*MATCH, "--sprt", "elo0=5,elo1=5"], "elo0 must be below elo1"),
        ([*MATCH, "--time", "soon"], "'soon' is not a clock"),
        ([*MATCH, "--seconds", "0"], "seconds must be above 0"),
        ([*MATCH, "--simulations", "0"], "simulations must be a whole number"),
        ([*MATCH, "--tolerance", "-1"], "tolerance must be at least 0"),
        ([*MATCH, "--concurrency", "0"], "concurrency must be at least 1"),
        ([*MATCH, "--openings", "none.txt"], "none.txt: No such file"),
        ([*MATCH, "--openings", "random:plies=9"], "are decided after 9 moves"),
        ([*MATCH, "--adjudicate", "win"], "'win' is no rule"),
        ([*MATCH, "--vary", " "], "--vary: nothing is named"),
        ([*MATCH, "--executor", "cloud"], "--executor: 'cloud' is not local, ray"),
        ([*MATCH, "--executor", "ray:"], "--executor: 'ray:' is not local, ray"),
        ([*MATCH, "--save", "no/where.db"], "no/where.db: there is no directory no"),
        ([*MATCH, "--plot", "match.txt"], "pictures end in .png or .svg"),
    ],
)
def test_errors(arguments, message):
    assert message in error_of(*arguments)


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "games.db"
    path.write_text("not a database, " * 50)
    assert "not a file of games" in error_of(*MATCH, "--save", str(path))


@pytest.mark.skipif(sys.platform != "linux", reason="needs setrlimit")
def test_a_file_that_may_not_grow_ends_the_match_and_loses_nothing(tmp_path):
    import resource

    path = str(tmp_path / "games.db")
    running = start(
        *(*MATCH, "--games", "10000", "--save", path, "-v"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, 2 * (300_000,)),
    )
    printed, errors = running.communicate(timeout=SECONDS)
    *said, error = errors.splitlines()
    games = [line for line in said if line.startswith("game ")]
    assert running.returncode == 2
    assert printed == ""
    assert error.startswith(f"playout: error: {path}: the disk ")
    assert error.endswith("run the same command to go on")
    with Store(path) as store:
        kept = [game.number for game in store.games()]
    assert kept == list(range(len(games)))
    assert len(kept) > 5


def start(*arguments, **options):
    pipe = subprocess.PIPE
    command = [*PLAYOUT, *arguments]
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, **options)


def test_ctrl_c_ends_with_what_was_played(tmp_path):
    path = str(tmp_path / "games.db")
    running = start(*MATCH, "--games", "1000000", "--save", path, "-v")
    with running:
        while not running.stderr.readline().startswith("game 5:"):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        printed, errors = running.communicate(timeout=SECONDS)
    assert running.returncode == 130
    games = int(re.search(r"games +([\d,]+): ", printed)[1].replace(",", ""))
    assert games >= 5
    assert "Traceback" not in errors
    with Store(path) as store:
        assert len(list(store.games())) == games
        assert store.claim(1, below=10**6) == [games]  # no claim is left


@needs_terminal
def test_the_table_in_a_terminal(tmp_path):
    terminal = Terminal(*MATCH, "--games", "100000")
    shown = terminal.expect(" games of 100,000 ")
    assert "random against greedy" in shown
    terminal.expect("(LOS)")
    terminal.shown = ""
    terminal.process.send_signal(signal.SIGINT)
    terminal.expect("(LOS)")
    assert terminal.close() == 130


# -- other numbers of seats ------------------------------------------------------------

ROWS = ["player", "games", "mean", "error", "won", "place", "least", "median", "most"]


def test_three_players_are_compared_by_payoffs():
    table = output_of("match", THREE, "random", "greedy", BOT, "--games", "3")
    assert re.search(r"player +games +payoff +\+- +won +place", table)
    assert "random - greedy: " in table
    figures = json.loads(
        output_of("match", THREE, "random", "greedy", "--games", "4", "--json")
    )
    assert list(figures) == ["games", "forfeits", "players", "differences"]
    assert [row["games"] for row in figures["players"]] == [6, 6]
    assert all(list(row) == ROWS for row in figures["players"])


def test_a_game_for_one_is_played_by_everyone():
    table = output_of("match", ONE, "random", "greedy", "--games", "4")
    assert re.search(r"player +games +payoff +\+- +least +median +most", table)
    assert re.search(r"random +2 .*\ngreedy +2 ", table)
    assert re.search(r"random - greedy: .* of 2\)", table)
    assert "Elo" not in table


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((ONE, "random", "--sprt", "elo1=5"), "2048 has 1 seat; a sequential test is"),
        (
            ("tic-tac-toe", "random"),
            "has 2 seats: a match of it is between two players",
        ),
        (("tic-tac-toe", *3 * ["random"]), "a tournament has room for more"),
    ],
)
def test_players_must_fit_the_game(arguments, message):
    assert message in error_of("match", *arguments)


def test_payoffs_are_kept_and_told_from_a_file(tmp_path):
    file = tmp_path / "games.db"
    output_of("match", THREE, "random", "greedy", "--games", "2", "--save", str(file))
    printed = output_of("record", "list", str(file), "--match", "1")
    assert "random - greedy - random" in printed
    assert re.search(r"[+-][\d.]+ [+-][\d.]+ [+-][\d.]+ ", printed)
    ratings = output_of("record", "ratings", str(file))
    assert re.search(r"random +3 +-?[\d.]+ ", ratings.split("payoff")[1])
    one = tmp_path / "one.db"
    output_of("match", ONE, "random", "greedy", "--games", "4", "--save", str(one))
    assert "random - greedy: " in output_of("record", "ratings", str(one))


TOGETHER = """
from dataclasses import dataclass
from playout import TicTacToe

@dataclass(frozen=True)
class Together(TicTacToe):
    name, zero_sum = "together", False

    def returns(self, state, player):
        return 1.0 if state.winner >= 0 else -1.0
"""


def test_nobody_is_the_better_where_all_is_reached_together(tmp_path):
    file = tmp_path / "together.py"
    file.write_text(TOGETHER)
    table = output_of("match", f"{file}:Together", "random", "greedy", "--games", "4")
    assert re.match(r"player +games +payoff +\+- +won +place", table)
    assert not re.search("Elo|drawn", table)

"""`playout check`: faults with their moves, hints, figures."""

import json

from playout.games.more.tsp import Tour
from playout.search.survey import Survey
from playout.ui.cli.commands.check import _rows
from tests.toys import Nim
from tests.ui.support import LINE, output_of, run

RULES = """
from tests.games.check.planted import MistakesTheTurn, NeverOver as Planted
class NeverOver(Planted):
    pass
class Mistaken(MistakesTheTurn):
    pass
"""


def test_laws_and_figures():
    law, *figures = output_of("check", LINE, "--games", "3").splitlines()
    assert law.startswith(f"{LINE}: all laws hold on ")
    assert [line.split()[0] for line in figures[:5]] == [
        "perft",
        "moves",
        "length",
        "results",
        "speed",
    ]
    assert figures[0].split() == ["perft", "3,", "6,", "6", "(1", "to", "3", "moves)"]


def test_json():
    found = json.loads(output_of("check", LINE, "--games", "3", "--json"))
    assert (found["game"], found["games"], found["hints"]) == (LINE, 3, [])
    assert found["figures"]["perft"] == [3, 6, 6]
    assert sum(found["figures"]["returns"]) == 0
    found = json.loads(output_of("check", LINE, "--games", "3", "--json", "--laws"))
    assert found["figures"] is None


def test_a_fault_comes_with_its_moves_and_states(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text(RULES)
    result = run("check", "rules.py:NeverOver")
    assert result.exit_code == 2
    assert result.stderr.endswith(
        "playout: error: NeverOver breaks law 1: is_terminal says False, "
        "legal_actions returned 0; "
        "after the moves: 3 3 3 3 3 3 3\n"
        "  before the last: left=3 player=0\n  after it: left=0 player=1\n"
    )
    result = run("check", "rules.py:NeverOver", "--json")
    fault = json.loads(result.stdout)["fault"]
    assert result.exit_code == 2
    assert fault["kind"] == "law 1"
    assert fault["moves"] == ["3"] * 7
    assert (fault["before"], fault["after"]) == ("left=3 player=0", "left=0 player=1")


def test_rows_say_what_is_slow_in_whole_words():
    figures = Survey(
        perft=(3, 9),
        games=1000,
        branching=2.8,
        most_actions=3,
        mean_length=10.25,
        shortest=7,
        longest=1500,
        returns=(0.5, -0.5),
        draws=0.25,
        simulations_per_second=1e6,
        state_bytes=5,
        advice=("one word " * 12,),
    )
    assert list(_rows(Nim(), figures)) == [
        "  perft    3, 9 (1 to 2 moves)",
        "  moves    2.8 on average, 3 at most",
        "  length   10.2 on average, 7 to 1,500",
        "  results  X +0.5, O -0.5 on average; 25% draws (1,000 random games)",
        "  speed    1,000,000 simulations/s",
        "  faster   "
        + "one word " * 7
        + "one\n"
        + " " * 11
        + ("word one " * 4)
        + "word",
    ]


def test_only_what_adds_up_to_nothing_has_a_sign():
    figures = Survey((3,), 9, 2.8, 3, 10.2, 7, 15, (0.25,), 0.0, 1e6, 5, ())
    results = list(_rows(Tour(cities=4), figures))[3]
    assert results == "  results  Traveller 0.25 on average (9 random games)"


def test_a_speed_that_was_too_short_to_measure_is_not_told():
    figures = Survey((3,), 9, 2.8, 3, 10.2, 7, 15, (1.0, -1.0), 0.0, 1e3, 5, (), 15)
    speed = list(_rows(Nim(), figures))[4]
    assert speed == "  speed    not told: the start is proven after 15 simulations"


class Together(Nim):
    """Nobody plays against anybody."""

    zero_sum = False


def test_who_wins_together_has_no_draws():
    figures = Survey((3,), 9, 2.8, 3, 10.2, 7, 15, (0.5, 0.5), 0.0, 1e6, 5, ())
    results = list(_rows(Together(), figures))[3]
    assert results == "  results  X 0.5, O 0.5 on average (9 random games)"


def test_what_is_compiled_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    path = tmp_path / "rules.py"
    path.write_text("from tests.toys import Nim\nclass Fresh(Nim):\n    pass\n")
    result = run("check", f"{path}:Fresh", "--games", "1", "--laws")
    assert result.stderr.splitlines() == [
        "Compiling Fresh's rules with every index checked ...",
        "Compiling Fresh's rules for the first time (then kept on disk) ...",
    ]


def test_a_game_that_is_over_at_once_has_no_figures(tmp_path):
    path = tmp_path / "over.py"
    path.write_text(
        "from tests.toys import Nim\n"
        "class Over(Nim):\n"
        "    def initial_state(self, state):\n"
        "        state.left = state.player = 0\n"
    )
    result = run("check", f"{path}:Over")
    assert result.exit_code == 0
    assert "hint     nobody moved in 20 random games" in result.stdout
    assert "speed" not in result.stdout
    found = json.loads(output_of("check", f"{path}:Over", "--json"))
    assert found["figures"] is None

"""`playout tournament`, as its users meet it."""

import json
import re

import pytest

from tests.ui.support import error_of, output_of, run

pytestmark = pytest.mark.usefixtures("shared_workers")


@pytest.fixture
def league(tmp_path):
    file = tmp_path / "league.toml"
    file.write_text(
        'game = "tic-tac-toe"\n'
        'players = ["random", "greedy", "mcts:simulations=30"]\n'
        f"games = 4\nsave = '{tmp_path / 'league.db'}'\n"
    )
    return file


def test_tournament(league, tmp_path):
    printed = output_of("tournament", str(league))
    names = re.findall(r"^ *\d +(\S+) +[\d.]+% +8", printed, re.M)
    assert sorted(names) == ["greedy", "mcts:simulations=30", "random"]
    assert "Elo" in printed
    done = run("tournament", str(league), "-v", "--json")  # all was kept
    assert "game" not in done.stderr
    rows = json.loads(done.stdout)
    assert [(row["a"], row["b"], row["games"]) for row in rows] == [
        ("random", "greedy", 4),
        ("random", "mcts:simulations=30", 4),
        ("greedy", "mcts:simulations=30", 4),
    ]


def test_what_the_command_line_says_goes_first(league, tmp_path):
    other = tmp_path / "other.db"
    done = run("tournament", str(league), "--save", str(other), "-v")
    assert "random - greedy, game 1: " in done.stderr
    assert other.exists()
    assert not (tmp_path / "league.db").exists()


def test_wrong_tournaments(league):
    league.write_text('game = "tic-tac-toe"\nplayers = ["random", "nobody"]')
    assert "unknown player 'nobody'" in error_of("tournament", str(league))
    league.write_text('game = "tic-tac-toe"\nplayers = ["a", "b"]\ntime = "x"')
    message = error_of("tournament", str(league))
    assert message.startswith(f"{league}: time: 'x' is not a clock")

"""`playout games`, `perft`, `bench`, `warm`, `cache`, and the help.

Also of `search/bench.py`.
"""

import errno
import json
import shutil
from types import SimpleNamespace

import pytest

from playout import MCTS, TicTacToe
from playout.games.registry import GAMES
from playout.search.bench import measure, signature
from playout.search.presets import PRESETS
from playout.ui.cli.main import cli
from tests.ui.support import LINE, error_of, output_of, run


def test_help_comes_without_a_command():
    assert output_of() == output_of("--help") == output_of("-h")


@pytest.mark.parametrize("command", cli.commands)
def test_every_command_has_examples(command):
    shown = output_of(command, "--help")
    assert "Examples" in shown
    assert f"  playout {command}" in shown or command == "games"
    assert max(map(len, shown.splitlines())) <= 80


def test_every_command_is_listed_in_whole_sentences():
    assert "..." not in output_of("--help").partition("Commands:")[2]


def test_help_names_every_preset():
    shown = " ".join(output_of("play", "--help").split())
    assert all(name in shown for name in PRESETS)


def test_version():
    assert output_of("--version").startswith("playout ")


def test_games_that_are_named(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from tests.toys import Nim\nclass Mine(Nim):\n    title = 'Heap'\n"
    )
    shown = output_of("games", "gomoku:size=9", f"{path}:Mine")
    assert shown.startswith("gomoku:size=9  (Gomoku)\n")
    assert f"{path}:Mine  (Heap)\n" in shown
    assert "connect-four" not in shown
    assert "did you mean gomoku?" in error_of("games", "gomuko")


def test_games():
    shown = output_of("games")
    for name in GAMES:
        assert f"\n{name} " in f"\n{shown}"
    assert "forbidden=-1/-1" in shown
    assert "file.py:ClassName" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_perft():
    assert output_of("perft", "tic-tac-toe", "5") == "15120\n"
    assert output_of("perft", "tic-tac-toe", "0") == "1\n"


def test_perft_divide_adds_up():
    *rows, total = output_of("perft", "tic-tac-toe", "3", "--divide").splitlines()
    assert total == "504"
    assert len(rows) == 9
    assert sum(int(row.split()[1]) for row in rows) == 504


def test_perft_from_a_position():
    assert output_of("perft", LINE, "1", "--moves", "a1") == "2\n"
    assert output_of("perft", LINE, "2", "--divide", "--moves", "b1 a1 c1") == "0\n"


def test_bench_names():
    found = json.loads(output_of("bench", LINE, "--simulations", "100", "--json"))
    assert [set(row) for row in found] == [
        {
            "game",
            "threads",
            "simulations_per_second",
            "rollouts_per_second",
            "bytes_per_simulation",
            "compile_seconds",
        }
    ]
    assert found[0]["game"] == LINE
    assert found[0]["threads"] == 1
    assert found[0]["simulations_per_second"] > 0


def test_bench_table():
    heading, row = output_of("bench", LINE, "--simulations", "100").splitlines()
    assert heading.split()[0] == "game"
    assert row.startswith(LINE)


def test_measure_takes_a_game():
    from playout.games.registry import make_game

    assert measure(make_game(LINE), simulations=10).rollouts_per_second > 0


#: Changes with every change of what the search does, and is then kept here anew.
SIGNATURE = 27729


@pytest.mark.optimised
def test_signature_is_the_one_that_is_kept():
    assert output_of("bench", "--signature").strip() == str(SIGNATURE)
    assert signature() == SIGNATURE


def test_warm_says_what_was_compiled_already():
    output_of("warm", LINE)
    rows = output_of("warm", LINE).splitlines()
    assert len(rows) == 1 + len(PRESETS)  # the game, presets
    assert all(row.endswith("compiled already") for row in rows)


@pytest.fixture
def entries(tmp_path, monkeypatch):
    """Two entries of a cache."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    paths = [tmp_path / f"simulate-{digit * 22}" for digit in "ab"]
    for path in paths:
        path.mkdir()
        (path / "simulate.bin").write_bytes(b"x" * 1_000_000)
    return paths


def test_cache(tmp_path, monkeypatch, entries):
    shown = output_of("cache")
    assert str(tmp_path) in shown
    assert "entries    2" in shown
    assert "2.0 MB" in shown
    assert "removed    2 entries, 2.0 MB" in output_of("cache", "--clear")
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path / "nowhere"))
    assert "entries    0" in output_of("cache")
    assert "removed    0 entries, 0.0 MB" in output_of("cache", "--clear")


def test_what_cannot_be_removed_is_said(monkeypatch, entries):
    rmtree = shutil.rmtree

    def guarded(path, ignore_errors=False):
        if path != entries[0]:
            rmtree(path)
        elif not ignore_errors:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(shutil, "rmtree", guarded)
    result = run("cache", "--clear")
    assert result.exit_code == 2
    assert "removed    1 entries, 1.0 MB" in result.stdout
    assert f"1 could not be removed, such as {entries[0]} (Permission" in result.stderr
    assert [path.exists() for path in entries] == [True, False]


def test_compiling_is_announced(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    result = run("perft", "mnk:m=2,n=2,k=2", "2")
    assert result.stdout == "12\n"
    assert result.stderr.splitlines() == [
        "Compiling MNK's rules for the first time (then kept on disk) ..."
    ]


def test_what_is_compiled_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    path = tmp_path / "rules.py"
    path.write_text("from tests.toys import Nim\nclass Fresh(Nim):\n    pass\n")
    result = run("check", f"{path}:Fresh", "--games", "1", "--laws")
    assert result.stderr.splitlines() == [
        "Compiling Fresh's rules with every index checked ...",
        "Compiling Fresh's rules for the first time (then kept on disk) ...",
    ]


@pytest.mark.parametrize("measured", [lambda: measure(TicTacToe(), 1000), signature])
def test_a_search_that_is_cut_short_is_not_measured(measured, monkeypatch):
    def interrupted(self, position, limit):
        return SimpleNamespace(stopped_by="interrupted")

    monkeypatch.setattr(MCTS, "search", interrupted)
    with pytest.raises(KeyboardInterrupt):
        measured()

"""`playout new` writes games that work, whatever is asked for.

Also of `ui/cli/starter.py`.
"""

import importlib.util
import itertools
from pathlib import Path

import pytest

from playout import check_game, random_play
from playout.ui.cli.starter import Starter
from tests.ui.support import error_of, output_of

ALL = [
    (players, chance, hidden)
    for players, chance, hidden in itertools.product(
        (1, 2, 3, 8), (False, True), (False, True)
    )
    if not (players == 1 and hidden)
]


def loaded(path: Path, name: str):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


@pytest.mark.parametrize(("players", "chance", "hidden"), ALL)
def test_the_rules_keep_all_laws(tmp_path, players, chance, hidden):
    starter = Starter("own_game", players, chance, hidden)
    path = tmp_path / "own_game.py"
    path.write_text(starter.rules)
    compile(starter.tests, "test_own_game.py", "exec")
    assert all(len(line) <= 88 for line in starter.rules.splitlines())
    game = loaded(path, "OwnGame")(heaps=2, size=3)
    assert game.num_players() == players
    assert (game.has_chance, game.has_hidden) == (chance, hidden)
    assert len(game.player_names) == players
    check_game(game, games=3, compiled=False)


@pytest.mark.parametrize(("players", "chance", "hidden"), [(1, True, False)])
def test_the_rules_compile_and_their_tests_pass(
    tmp_path, monkeypatch, players, chance, hidden
):
    starter = Starter("compiled_game", players, chance, hidden)
    (tmp_path / "compiled_game.py").write_text(starter.rules)
    (tmp_path / "test_compiled_game.py").write_text(starter.tests)
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "test_compiled_game.py"
    for name in (
        "test_the_laws_hold",
        "test_games_end",
        "test_moves_are_read_as_they_are_written",
        "test_the_search_plays",
    ):
        loaded(path, name)()


def test_the_most_of_everything_compiles(tmp_path):
    path = tmp_path / "full.py"
    path.write_text(Starter("full", 3, True, True).rules)
    game = loaded(path, "Full")(heaps=2, size=3)
    assert sum(random_play(game, 50).wins) > 0


def test_what_is_written_can_be_played_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = output_of("new", "my_game")
    assert "playout check my_game.py:MyGame" in printed
    assert {path.name for path in tmp_path.iterdir()} == {
        "my_game.py",
        "test_my_game.py",
    }
    ended = output_of("play", "my_game.py:MyGame:heaps=1,size=2", "random", "random")
    assert "wins." in ended


@pytest.mark.parametrize("taken", ["my_game.py", "test_my_game.py"])
def test_no_file_is_overwritten(tmp_path, monkeypatch, taken):
    monkeypatch.chdir(tmp_path)
    (tmp_path / taken).write_text("mine")
    assert f"{taken} is there already" in error_of("new", "my_game")
    assert [path.name for path in tmp_path.iterdir()] == [taken]
    assert (tmp_path / taken).read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("class",), "'class' is no name of a Python module"),
        (("a-b",), "'a-b' is no name"),
        (("../x",), "is no name"),
        (("random",), "which the new file would hide"),
        (("NumPy.py",), "which the new file would hide"),
        (("own", "--players", "9"), "--players must be a whole number from 1 to 8"),
        (("own", "--players", "3", "--single"), "--single is for one player, not 3"),
        (
            ("own", "--single", "--hidden"),
            "for one player take --single --chance, and hide",
        ),
    ],
)
def test_what_cannot_be_begun(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in error_of("new", *arguments)
    assert not list(tmp_path.iterdir())

"""`playout record`, as its users meet it."""

import json
import re

import pytest

from playout.arena.formats import load_games
from playout.arena.record import GameRecord
from playout.arena.store import Store
from tests.docs.pages import ROOT
from tests.ui.cli.commands.test_match import MATCH
from tests.ui.support import HEAP, LINE, error_of, output_of, run

pytestmark = pytest.mark.usefixtures("shared_workers")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("games") / "games.db")
    output_of(*MATCH, "--games", "4", "--openings", "random:plies=1", "--save", path)
    output_of("match", LINE, "random", "greedy", "--games", "2", "--save", path)
    return path


def test_list(saved):
    printed = output_of("record", "list", saved)
    lines = printed.splitlines()
    assert lines[0].split() == ["match", "game", "a", "b", "games", "created"]
    assert lines[1].split()[:5] == ["1", "tic-tac-toe", "random", "greedy", "4"]
    rows = json.loads(output_of("record", "list", saved, "--json"))
    assert [row["games"] for row in rows] == [4, 2]
    games = json.loads(output_of("record", "list", saved, "--match", "2", "--json"))
    assert [game["game"] for game in games] == [5, 6]
    assert "random - greedy" in output_of("record", "list", saved, "--match", "1")


def test_show_and_replay(saved):
    with Store(saved, read_only=True) as store:
        record = store.game(2).record
    shown = output_of("record", "show", saved, "2")
    assert "seat 0    greedy" in shown
    assert f"  1. {record.moves[0]}  (opening)" in shown
    assert f"{len(record.moves):>3}. {record.moves[-1]}  " in shown
    replayed = output_of("record", "replay", saved, "2")
    boards = replayed.count("a  b  c")
    assert boards == len(record.moves) + 1
    assert replayed.rstrip().endswith(("1-0", "0-1", "0.5-0.5"))


def test_a_game_of_ones_own_is_shown_by_the_rules_of_its_file(tmp_path):
    rules, path = tmp_path / "rules.py", str(tmp_path / "games.db")
    rules.write_text((ROOT / "examples" / "nim.py").read_text())
    spec = f"{rules}:Nim:stones=4"
    output_of("match", spec, "random", "greedy", "--games", "1", "--save", path)
    replayed = output_of("record", "replay", path, "1")
    assert replayed.startswith("left=4 player=0")
    assert "left=0" in output_of("record", "show", path, "1")
    exported = json.loads(output_of("record", "export", path, "-", "--format", "jsonl"))
    assert exported["game"] == spec
    kept = rules.read_text()
    told = f"played by other rules than those that {rules} has now, or is damaged: "
    for old, new, why in (
        ("!= player", "==  player", "its moves end with "),
        ("== 0", "== -1", "it is not over after its moves"),
        ("i + 1", "i", "move "),
        (
            "def num_a",
            "def num_players(self): return 1\n    def num_a",
            "its moves end ",
        ),
    ):
        rules.write_text(kept.replace(old, new))
        assert told + why in run("record", "replay", path, "1").stderr
    rules.unlink()
    assert "is of rules that are not here: " in error_of("record", "replay", path, "1")


def test_a_game_of_an_object_is_shown_with_the_parameters_it_was_made_with(tmp_path):
    rules, path = tmp_path / "rules.py", str(tmp_path / "games.db")
    rules.write_text(HEAP)
    spec = f"{rules}:Heap:left=3,reward=to_move"
    output_of("match", spec, "random", "greedy", "--games", "1", "--save", path)
    shown = output_of("record", "show", path, "1")
    assert shown.startswith("game      Heap:left=3,reward=to_move\n")
    assert "left: 3" in output_of("record", "replay", path, "1")


def test_export(saved, tmp_path):
    target = str(tmp_path / "games.jsonl")
    assert "6 games written" in output_of("record", "export", saved, target)
    with Store(saved, read_only=True) as store:
        assert load_games(target) == [game.record for game in store.games()]
    printed = output_of("record", "export", saved, "-", "--format", "jsonl")
    assert printed.count("\n") == 6
    one = output_of("record", "export", saved, "-", "--format", "jsonl", "--game", "3")
    assert printed.splitlines()[2] == one.strip()


def test_export_of_psq_is_a_file_or_a_directory_and_says_which(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    players = ("random", "random")
    record = GameRecord(
        "gomoku:size=5", players, ("c3",), 0, (0.1,), ("",), (1.0, -1.0)
    )
    with Store("g.db") as store:
        match = store.open_match("m", {"game": record.game, "players": players})
        for number in range(2):
            store.save(match, number, record)
    one = output_of("record", "export", "g.db", "one.psq", "--game", "1")
    assert one == "1 game written to one.psq\n"
    assert (tmp_path / "one.psq").is_file()
    both = output_of("record", "export", "g.db", "both.psq")
    assert both == "2 games written to the directory both.psq, a file for each\n"
    assert len(list((tmp_path / "both.psq").iterdir())) == 2
    refused = error_of("record", "export", "g.db", "one.psq")
    assert "one.psq is a file, and several games of psq are written to a d" in refused


def test_ratings(saved):
    printed = output_of("record", "ratings", saved, "--match", "1")
    assert re.search(r"^ *1 +greedy ", printed, re.M)


def test_that_nobody_met_another_is_said_once(tmp_path):
    path = str(tmp_path / "games.db")
    output_of("match", LINE, "random", "random", "--games", "2", "--save", path)
    printed = output_of("record", "ratings", path)
    assert printed.count("no games between different players") == 1


def test_ratings_of_several_games_are_apart(saved):
    """A rating that mixes two games would say nothing of either."""
    with Store(saved, read_only=True) as store:
        kinds = sorted({stored.record.game for stored in store.games()})
    printed = output_of("record", "ratings", saved)
    assert len(kinds) == 2
    assert re.findall(rf"^({'|'.join(map(re.escape, kinds))})$", printed, re.M) == kinds
    games = re.findall(r"^[12] +\w+ +[\d.]+% +(\d+) ", printed, re.M)
    assert games == ["2", "2", "4", "4"]
    message = error_of("record", "ratings", saved, "--plot", "r.svg")
    assert "choose a match by --match" in message


def test_ratings_for_programs(saved, tmp_path):
    found = json.loads(output_of("record", "ratings", saved, "--json"))
    assert [len(part["ratings"]) for part in found] == [2, 2]
    for part in found:
        best, other = part["ratings"]
        assert best["elo"] == pytest.approx(-other["elo"])
        assert best["score"] + other["score"] == pytest.approx(1)
    path = str(tmp_path / "alone.db")
    played = ("match", "tsp:cities=4", "random", "greedy", "--games", "2")
    output_of(*played, "--save", path)
    (alone,) = json.loads(output_of("record", "ratings", path, "--json"))
    assert alone["ratings"] == []
    assert {row["player"] for row in alone["players"]} == {"random", "greedy"}


def test_an_empty_file(tmp_path):
    path = tmp_path / "games.db"
    Store(path).close()
    assert output_of("record", "list", str(path)) == "no games yet\n"
    assert json.loads(output_of("record", "ratings", str(path), "--json")) == []
    (tmp_path / "zero.db").touch()
    message = error_of("record", "list", str(tmp_path / "zero.db"))
    assert "zero.db: the file is empty; it holds no games" in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "none.db"], "none.db: there is no such file"),
        (["list", "/"], "/: this is a directory, not a file of games"),
        (["list", "no/such/place.db"], "there is no directory no/such"),
        (["show", "{}", "77"], "there is no game 77"),
        (["list", "{}", "--match", "9"], "--match: games.db has 1, 2, not 9"),
        (["export", "{}", "-", "--game", "1", "--match", "2"], "is of match 1, not 2"),
        (["export", "{}", "games.xyz"], "the suffix names no format"),
        (["export", "{}", "-"], "--format: for - name one of jsonl"),
        (["export", "{}", "games.sgf"], "sgf is for Gomoku"),
        (["replay", "{}", "1", "--delay", "-1"], "--delay must be at least 0"),
    ],
)
def test_record_errors(saved, arguments, message):
    arguments = [saved if argument == "{}" else argument for argument in arguments]
    assert message in error_of("record", *arguments)

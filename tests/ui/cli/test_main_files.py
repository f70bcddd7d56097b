"""No command destroys a file that it needs, or reads one that has no end."""

import os
from dataclasses import replace

import pytest

from playout.arena.record import GameRecord
from playout.arena.store import Store
from tests.ui.support import error_of, output_of

RECORD = GameRecord(
    game="tic-tac-toe",
    players=("random", "greedy"),
    moves=("b2", "a1", "b1", "a2", "b3"),
    opening=0,
    seconds=(0.0,) * 5,
    comments=("",) * 5,
    returns=(1.0, -1.0),
)


@pytest.fixture
def games(tmp_path, monkeypatch):
    """A file of one game, in the current directory, with links to it."""
    monkeypatch.chdir(tmp_path)
    with Store("g.db") as store:
        match = store.open_match("one", {"players": ["random", "greedy"]})
        store.save(match, 0, RECORD)
    os.symlink("g.db", "soft.db")
    os.link("g.db", "hard.db")
    return "g.db"


@pytest.mark.parametrize(
    "target", ["g.db", "./g.db", "soft.db", "hard.db", "g.db-wal", "g.db-shm"]
)
def test_an_export_never_overwrites_its_own_database(games, target):
    message = error_of("record", "export", games, target, "--format", "jsonl")
    assert message.startswith(f"TARGET: {target} is the file of FILE")
    with Store(games, read_only=True) as store:
        assert [game.record for game in store.games()] == [RECORD]


def test_an_export_into_a_directory_spares_the_database(games, tmp_path):
    os.mkdir("d")
    database = tmp_path / "d" / "00001.psq"
    with Store(database) as store:
        match = store.open_match("one", {"players": ["random", "greedy"]})
        store.save(match, 0, replace(RECORD, game="gomoku:size=5"))
    before = database.read_bytes()
    arguments = ["record", "export", str(database), "d", "--format", "psq"]
    assert "d/00001.psq is the file of" in error_of(*arguments)
    assert database.read_bytes() == before


def test_an_export_that_fails_leaves_the_old_file(games, tmp_path, monkeypatch):
    (tmp_path / "old.jsonl").write_text("old\n")
    monkeypatch.setattr(os, "fsync", _full)
    message = error_of("record", "export", games, "old.jsonl")
    assert message == "old.jsonl cannot be written: No space left on device"
    assert (tmp_path / "old.jsonl").read_text() == "old\n"
    assert not list(tmp_path.glob(".playout*"))


def _full(_):
    raise OSError(28, "No space left on device")


def test_an_export_to_a_device_is_written_there(games):
    assert "1 game written" in output_of(
        "record", "export", games, "/dev/null", "--format", "jsonl"
    )


MATCH = ["match", "tic-tac-toe", "random", "random", "--games", "2"]
TUNE = ["tune", "tic-tac-toe", "c_uct=0.5..1", "--games", "2"]
LADDER = ["levels", "calibrate", "tic-tac-toe"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["record", "ratings", "g.png", "--plot", "./g.png"], "the file of FILE"),
        ([*MATCH, "--save", "g.png", "--plot", "g.png"], "the file of --save"),
        ([*MATCH, "--openings", "g.png", "--plot", "g.png"], "file of --openings"),
        ([*TUNE, "--save", "g.svg", "--plot", "g.svg"], "the file of --save"),
        (["tournament", "t.png", "--plot", "t.png"], "the file of FILE.toml"),
        ([*LADDER, "--save", "new.db", "--output", "new.db"], "the file of --save"),
        ([*LADDER, "--save", "n", "--output", "n.trials"], "the file of trials"),
        (["analyze", "tic-tac-toe", "--tree", "t.svg", "--plot", "t.svg"], "--plot"),
    ],
)
def test_no_output_takes_the_place_of_a_file_that_is_needed(
    games, tmp_path, arguments, message
):
    os.symlink("g.db", "g.png")
    league = 'game = "tic-tac-toe"\nplayers = ["random", "greedy"]\n'
    (tmp_path / "t.png").write_text(league)
    assert message in error_of(*arguments)
    assert (tmp_path / "t.png").read_text() == league
    with Store(games, read_only=True) as store:
        assert len(list(store.games())) == 1


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "huge", "."])
@pytest.mark.parametrize(
    "arguments",
    [
        ["tournament", "{}"],
        [*MATCH, "--openings", "{}"],
        [*MATCH, "--openings", "moves:{}"],
        [*LADDER, "--output", "{}"],
    ],
)
def test_only_files_that_end_are_read(games, name, arguments):
    os.mkfifo("pipe")
    with open("huge", "w") as file:
        os.truncate(file.fileno(), 10 << 30)  # it takes no room
    message = error_of(*(part.format(name) for part in arguments))
    kinds = ("is a device", "is a pipe", "is a directory", "larger than the")
    assert any(kind in message for kind in kinds)


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "."])
def test_a_file_of_games_is_a_regular_file(games, name):
    os.mkfifo("pipe")
    for arguments in (["record", "list", name], [*MATCH, "--save", name]):
        assert "not a file of games" in error_of(*arguments)


def test_rules_and_players_are_read_from_files_that_end(games):
    os.mkfifo("pipe.py")
    for spec in ("pipe.py:Game", "/dev/zero.py:Game"):
        error_of("play", spec)
        error_of("match", "tic-tac-toe", "random", spec)

"""Damaged files of games: what is wrong is said, and the rest can be read.

Also of `arena/replaying.py`.
"""

import contextlib
import json
import random
import sqlite3

import pytest

from playout.arena.match import Match, MatchSettings
from playout.arena.record import GameRecord
from playout.arena.store import Store
from playout.core.errors import PlayoutError
from tests.ui.support import run

SETTINGS = MatchSettings("tic-tac-toe", ("random", "greedy"))
MOVES = ("b2", "a1", "b1", "a2", "b3")
#: What may stand in a column, or in a field of JSON, instead of what should.
COLUMNS = (None, 7, -1, 2.5, "", "{", "[]", "{}", '"x"', b"\xff\xfe", "9" * 5000)
VALUES = (None, 7, -3, 2.5, "x", "\ud800", [], [1], ["a"], ["a", "b", "c"], {}, True)
VALUES += (10**400, float("nan"), [10**400, 1], [None], ["\x1b[31m"] * 5)
COMMANDS = (
    ["list", "g.db"],
    ["list", "g.db", "--match", "1", "--json"],
    ["show", "g.db", "{}"],
    ["replay", "g.db", "{}"],
    ["ratings", "g.db"],
    ["export", "g.db", "games.jsonl"],
    ["export", "g.db", "-", "--format", "sgf", "--match", "2"],
)


@pytest.fixture
def games(tmp_path, monkeypatch):
    """Twelve games of a match, three of another, in a file in this directory."""
    monkeypatch.chdir(tmp_path)
    with Store("g.db") as store:
        match = store.open_match(Match(SETTINGS, 20).identity, SETTINGS.to_dict())
        for number in range(12):
            players = SETTINGS.players[:: 1 - 2 * (number % 2)]
            record = GameRecord(
                "tic-tac-toe", players, MOVES, 0, (0.1,) * 5, ("hm",) * 5, (1.0, -1.0)
            )
            store.save(match, number, record)
        other = {"game": "gomoku:size=5", "players": ["a", "b"]}
        match = store.open_match("two", other)
        for number in range(3):
            record = GameRecord(
                other["game"], ("a", "b"), ("c3",), 1, (0.0,), ("",), (0.0, 0.0), "time"
            )
            store.save(match, number, record)
    return tmp_path / "g.db"


def change(table, column, value, row):
    with sqlite3.connect("g.db") as connection:
        connection.execute(
            f"UPDATE {table} SET {column} = ? WHERE id = ?", (value, row)
        )
    connection.close()


def change_field(table, column, row, field, value):
    with sqlite3.connect("g.db") as connection:
        query = f"SELECT {column} FROM {table} WHERE id = ?"
        ((text,),) = connection.execute(query, (row,))
    connection.close()
    change(table, column, json.dumps({**json.loads(text), field: value}), row)


def refused(*arguments):
    """The output and the messages of a command that finds damage."""
    result = run("record", *arguments)
    assert result.exit_code == 2
    return result.stdout, result.stderr


def test_the_rest_is_listed_and_the_damage_named(games):
    change("games", "record", "{", 3)
    change_field("games", "record", 5, "returns", [1.0])
    shown, said = refused("list", "g.db", "--match", "1")
    assert len(shown.splitlines()) == 1 + 10
    assert "g.db: game 3 is damaged: not JSON: " in said
    assert "g.db: game 5 is damaged: returns must have an entry for each of" in said
    shown, said = refused("list", "g.db", "--match", "1", "--json")
    assert [row["game"] for row in json.loads(shown)] == [1, 2, 4, *range(6, 13)]
    shown, said = refused("list", "g.db")
    assert len(shown.splitlines()) == 1 + 2
    assert "game 3 is damaged" in said
    shown, said = refused("ratings", "g.db")
    assert "greedy" in shown
    assert "game 3 is damaged" in said
    shown, said = refused("export", "g.db", "games.jsonl")
    assert shown == "13 games written to games.jsonl\n"


@pytest.mark.parametrize("settings", ["[]", "{", "7", '{"players": 5}', b"\xff\xfe"])
def test_settings_that_are_none(games, settings):
    change("matches", "settings", settings, 1)
    shown, said = refused("list", "g.db")
    assert "gomoku:size=5" in shown
    assert "g.db: match 1 is damaged: " in said
    result = run("record", "list", "g.db", "--match", "1")
    assert result.exit_code == 0  # its games are as they were
    assert "b2" not in result.stderr


def test_many_damaged_games_are_counted(games):
    for row in range(1, 13):
        change("games", "record", "{", row)
    shown, said = refused("list", "g.db", "--match", "1")
    assert shown == ""
    assert said.count("is damaged: ") == 10
    assert "2 more are damaged" in said


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("moves", ["b2", "b2", "a1", "a2", "a3"], "game 2 is damaged: move 2: "),
        ("returns", [0.0, 0.0], "game 2 is damaged: its moves end with +1 -1, and its"),
        ("game", "tic-tac-tow", "g.db: game 2 is of rules that are not here: "),
        ("returns", [10**400, 1], "game 2 is damaged: returns must be a list of num"),
        ("seconds", [float("nan")] * 5, "game 2 is damaged: seconds must be a list"),
    ],
)
def test_a_game_that_cannot_be_shown(games, field, value, message):
    change_field("games", "record", 2, field, value)
    for command in ("show", "replay"):
        assert message in refused(command, "g.db", "2")[1]


def test_a_stored_text_does_not_command_the_terminal(games):
    change_field("games", "record", 1, "comments", ["\x1b[2J"] * 5)
    change_field("games", "record", 1, "detail", "a\x07b\nc")
    for command in (["show", "g.db", "1"], ["replay", "g.db", "1"]):
        shown = run("record", *command).output
        assert r"\x1b[2J" in shown
        assert "a\\x07b\nc" in shown
        assert "\x1b" not in shown


def test_a_stored_text_does_not_forge_a_line(games):
    """Line breaks of comments and of names are shown as spaces."""
    forged = "hm\nresult    0-1\r\n  1. c3"
    change_field("games", "record", 1, "comments", [forged] * 5)
    change_field("games", "record", 1, "players", [forged, "greedy"])
    shown = run("record", "show", "g.db", "1").output
    assert "seat 0    hm result 0-1 1. c3\n" in shown
    assert "0.100 s  hm result 0-1 1. c3\n" in shown
    assert shown.count("\nresult ") == shown.count("\n  1. ") == 1
    replayed = run("record", "replay", "g.db", "1").output
    assert replayed.count("\n  1. ") == 1


def test_a_match_does_not_go_on_over_a_damaged_game(games):
    change("games", "record", "{", 4)
    result = run("match", "tic-tac-toe", "random", "greedy", "--save", "g.db")
    assert result.exit_code == 2
    assert "g.db: game 4 is damaged: not JSON" in result.stderr


def test_games_of_others_are_not_counted(games):
    change_field("games", "record", 4, "players", ["random", "greedy"])
    with pytest.raises(PlayoutError, match="game 4 is damaged: it is of other players"):
        resume()


def resume():
    """What a match does with its file before it plays."""
    match = Match(SETTINGS, 20)
    with Store("g.db") as store:
        number = store.open_match(match.identity, SETTINGS.to_dict())
        match.load(store, number)
        store.claim(number, below=20, start=match.counted)


def flip_bits(rng, content):
    damaged = bytearray(content)
    for _ in range(rng.choice((1, 2, 30))):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def change_something(rng):
    if rng.random() < 0.5:
        field = rng.choice(("players", "moves", "seconds", "returns", "forfeit"))
        value = rng.choice(VALUES)
        change_field("games", "record", rng.randint(1, 15), field, value)
        return
    table, column = rng.choice(
        (("games", "record"), ("matches", "settings"), ("matches", "created"))
    )
    value = rng.choice(COLUMNS[1:])
    change(table, column, value, rng.randint(1, 2))


@pytest.mark.parametrize("seed", range(40))
def test_no_damage_is_a_fault_of_playout(games, seed):
    """Random bits turned over, or columns replaced; thousands were tried once."""
    rng = random.Random(seed)
    if seed % 2:
        games.write_bytes(flip_bits(rng, games.read_bytes()))
    else:
        change_something(rng)
    for command in rng.sample(COMMANDS, 2):
        number = str(rng.randint(1, 15))
        result = run("record", *(part.format(number) for part in command))
        assert result.exit_code in (0, 2), result.output
        assert result.exit_code == 0 or result.stderr.startswith("playout: error: ")
    with contextlib.suppress(PlayoutError):
        resume()


def test_a_file_without_tables_holds_no_games(tmp_path):
    """A disk that is full when a file is created leaves such a file."""
    path = str(tmp_path / "g.db")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    for command in (["list", path], ["ratings", path], ["show", path, "1"]):
        result = run("record", *command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "the file holds no games" in result.stderr

"""The store: nothing is lost, nothing is played twice, and errors say what to do.

Also of `arena/database.py` and `arena/owner.py`.
"""

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest

from playout.arena import owner
from playout.arena import store as store_module
from playout.arena.record import GameRecord
from playout.arena.store import Store, StoreError, record_from_json, record_to_json

RECORD = GameRecord(
    game="tic-tac-toe",
    players=("random", "gréedy"),
    moves=("b2", "a1"),
    opening=1,
    seconds=(0.0, 0.125),
    comments=("", 'says "hello"\n'),
    returns=(1.0, -1.0),
    reason="crash",
    forfeit=1,
    detail="x" * 2000,
    seed=7,
    started="2026-01-01T00:00:00+00:00",
)


def test_records_come_back_as_they_were(tmp_path):
    assert record_from_json(record_to_json(RECORD)) == RECORD
    with Store(tmp_path / "games.db") as store:
        match = store.open_match("m", {"game": "tic-tac-toe"})
        assert store.save(match, 3, RECORD)
    with Store(tmp_path / "games.db", read_only=True) as store:
        (game,) = store.games()
        assert (game.match, game.number, game.record) == (match, 3, RECORD)
        assert game.record.started == RECORD.started
        assert store.game(game.id) == game
        (found,) = store.matches()
        assert (found.id, found.games) == (match, 1)
        assert found.settings == {"game": "tic-tac-toe"}


def test_matches_by_identity(tmp_path):
    with Store(tmp_path / "games.db") as store:
        first, other = store.open_match("a", {}), store.open_match("b", {})
        assert first != other
        assert store.open_match("a", {}) == first


def test_first_finished_is_kept():
    with Store(None) as store:
        match = store.open_match("m", {})
        assert store.save(match, 0, RECORD)
        assert not store.save(match, 0, replace(RECORD, seed=8))
        assert [game.record.seed for game in store.games(match)] == [7]


def test_claims_of_two_processes(tmp_path):
    path = tmp_path / "games.db"
    with Store(path) as one, Store(path) as two:
        match = one.open_match("m", {})
        assert one.claim(match, below=10, count=2) == [0, 1]
        assert two.claim(match, below=10, count=3) == [2, 3, 4]
        one.save(match, 0, RECORD)
        assert one.claim(match, below=6, count=5) == [5]
        assert two.claim(match, below=6, count=5) == []
        one.close()  # its 1 and 5 are free again
        assert two.claim(match, below=6, count=5) == [1, 5]


CLAIM_AND_WAIT = """
import sys
from playout.arena.store import Store
store = Store(sys.argv[1])
print(store.claim(1, below=10, count=3), flush=True)
sys.stdin.read()
"""


def test_claims_of_the_dead_are_free_at_once(tmp_path):
    """Even if its parent has not yet waited for the dead process."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        match = store.open_match("m", {})
        command = [sys.executable, "-c", CLAIM_AND_WAIT, path]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe) as other:
            assert other.stdout.readline() == b"[0, 1, 2]\n"
            assert store.claim(match, below=4, count=9) == [3]
            os.kill(other.pid, signal.SIGKILL)
            os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
            assert store.claim(match, below=4, count=9) == [0, 1, 2]


def test_the_dead_are_known_without_their_births(monkeypatch):
    """As on Windows, where the store knows only the number of a process."""
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as ended:
        pass
    now = store_module.time.time()
    host = socket.gethostname()
    with monkeypatch.context() as patch:
        patch.setattr(owner.os, "name", "nt")
        dead = owner.lives(f"{host} {ended.pid}  id", now)
        living = owner.lives(f"{host} {os.getpid()}  id", now)
    assert (dead, living) == (False, True)


def test_claims_of_other_machines_lapse(tmp_path, monkeypatch):
    path = tmp_path / "games.db"
    monkeypatch.setattr(store_module, "this_process", lambda: "elsewhere 1 2")
    with Store(path) as other:
        match = other.open_match("m", {})
        other.claim(match, below=2)
        monkeypatch.undo()
        with Store(path) as store:
            assert store.claim(match, below=2, count=2) == [1]
            later = store_module.time.time() + owner.STALE_SECONDS + 1
            monkeypatch.setattr(store_module.time, "time", lambda: later)
            assert store.claim(match, below=2, count=2) == [0]


def test_beat_keeps_claims_alive(tmp_path, monkeypatch):
    path = tmp_path / "games.db"
    monkeypatch.setattr(store_module, "this_process", lambda: "elsewhere 1 2")
    with Store(path) as other:
        match = other.open_match("m", {})
        other.claim(match, below=2)
        later = store_module.time.time() + owner.STALE_SECONDS + 1
        monkeypatch.setattr(store_module.time, "time", lambda: later)
        other.beat()
        monkeypatch.setattr(store_module, "this_process", lambda: "here 1 2")
        with Store(path) as store:
            assert store.claim(match, below=2, count=2) == [1]


# -- what goes wrong -------------------------------------------------------------------


def fill(store, match, games):
    for number in range(games):
        store.save(match, number, RECORD)


def test_a_full_disk_loses_nothing(tmp_path):
    """SQLite's own limit of pages gives the error of a full disk."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        match = store.open_match("m", {})
        store._connection.execute("PRAGMA max_page_count = 20")
        with pytest.raises(StoreError, match="the disk is full; make room") as error:
            fill(store, match, 10_000)
        assert str(path) in str(error.value)
        kept = [game.number for game in store.games(match)]
    assert kept == list(range(len(kept)))
    assert len(kept) > 5
    with Store(path) as store:  # there is room again
        assert store.claim(match, below=10_000) == [len(kept)]
        assert store.save(match, len(kept), RECORD)


LIMITED = """
import resource, sys
from playout.arena.record import GameRecord
from playout.arena.store import Store
store = Store(sys.argv[1])
match = store.open_match("m", {})
record = GameRecord("g", ("a", "b"), ("x" * 500,), 0, (0.0,), ("",), (0.0, 0.0))
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
for number in range(10_000):
    try:
        store.save(match, number, record)
    except ValueError as error:
        print(error)
        break
    print(number, flush=True)
"""


def test_writes_that_the_system_refuses_lose_nothing(tmp_path):
    """The file may not grow; what was reported as saved is there afterwards."""
    path = tmp_path / "games.db"
    command = [sys.executable, "-c", LIMITED, path]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    *saved, message = printed.splitlines()
    assert "go on" in message
    with Store(path) as store:
        kept = [game.number for game in store.games(1)]
    assert kept == [int(line) for line in saved]
    assert len(kept) > 20


def test_no_database(tmp_path, monkeypatch):
    path, connections = tmp_path / "games.db", []

    class Noted(sqlite3.Connection):
        def close(self):
            super().close()
            connections.remove(self)

    def connect(*args, open=sqlite3.connect, **options):
        connections.append(open(*args, factory=Noted, **options))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", connect)
    path.write_text("a list of games, " * 100)
    for read_only in (False, True):
        with pytest.raises(StoreError, match=r"games\.db: this is not a file of games"):
            Store(path, read_only=read_only)
        assert not connections, "none is left open"
    assert path.read_text().startswith("a list of games")


def test_someone_elses_database(tmp_path):
    path = tmp_path / "bank.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE accounts (id)")
    connection.close()
    with pytest.raises(StoreError, match="not of Playout's games"):
        Store(path)
    with sqlite3.connect(path) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
    connection.close()
    assert tables == [("accounts",)]


def test_a_later_schema(tmp_path):
    path = tmp_path / "games.db"
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="written by a later Playout"):
        Store(path)


def test_missing_files(tmp_path):
    with pytest.raises(StoreError, match=r"there is no directory .*no"):
        Store(tmp_path / "no" / "games.db")
    with pytest.raises(StoreError, match="this is a directory"):
        Store(tmp_path)
    with pytest.raises(StoreError, match="there is no such file"):
        Store(tmp_path / "games.db", read_only=True)
    assert not (tmp_path / "games.db").exists()


def test_a_directory_in_which_nothing_can_be_written(tmp_path, monkeypatch):
    """The system's word is put in its place: root may write everywhere."""

    def refused(*_, **__):
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    monkeypatch.setattr(sqlite3, "connect", refused)
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(StoreError, match=f"written in {tmp_path}: permission denied"):
        Store(tmp_path / "games.db")


def test_a_read_only_file(tmp_path):
    path = tmp_path / "games.db"
    with Store(path) as store:
        match = store.open_match("m", {})
    refused = pytest.raises(StoreError, match="permission denied")
    with Store(path, read_only=True) as store, refused:
        store.save(match, 0, RECORD)


def test_reading_leaves_no_trace(tmp_path):
    path = tmp_path / "games.db"
    with Store(path) as store:
        store.save(store.open_match("m", {}), 0, RECORD)
    before = path.read_bytes(), path.stat().st_mtime_ns
    with Store(path, read_only=True) as one, Store(path, read_only=True) as other:
        assert len(list(one.games())) == len(list(other.games())) == 1
    assert list(tmp_path.iterdir()) == [path]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_reading_while_another_writes(tmp_path):
    path = tmp_path / "games.db"
    with Store(path) as writer:
        match = writer.open_match("m", {})
        with Store(path, read_only=True) as reader:
            writer.save(match, 0, RECORD)
            assert len(list(reader.games())) == 1
        writer.save(match, 1, RECORD)
        with Store(path, read_only=True) as reader:
            assert len(list(reader.games())) == 2
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("number", [5, -1, 10**30])
def test_no_such_game(number):
    missing = pytest.raises(StoreError, match=f"there is no game {number}")
    with Store(None) as store, missing:
        store.game(number)


def test_a_damaged_record_is_told_and_leaves_the_others(tmp_path):
    path = tmp_path / "games.db"
    with Store(path) as store:
        match = store.open_match("m", {"game": "tic-tac-toe"})
        for number in (0, 1):
            store.save(match, number, RECORD)
        first, second = (game.id for game in store.games())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET record = '{' WHERE id = ?", (second,))
    connection.close()
    with Store(path, read_only=True) as store:
        assert store.game(first).record == RECORD
        with pytest.raises(StoreError, match=rf"games\.db: game {second} is damaged"):
            store.game(second)


def test_damage_is_found_where_the_counts_are_right(tmp_path):
    """Each page of SQLite's is wiped once; an index, on pages of its own, counts."""
    path = tmp_path / "games.db"
    with Store(path) as store:
        match = store.open_match("m", {"game": "tic-tac-toe"})
        for number in range(60):
            store.save(match, number, RECORD)
    sound, page = path.read_bytes(), 4096
    found = []
    for start in range(0, len(sound), page):
        path.write_bytes(sound[:start] + bytes(page) + sound[start + page :])
        errors: list[StoreError] = []
        with contextlib.suppress(StoreError), Store(path, read_only=True) as store:
            assert [match.games for match in store.matches()] == [60]
            store.examine(errors.append)
            found.append(str(errors[-1]))
    assert len(found) > 3
    assert all("games.db: the file is damaged; go on with" in said for said in found)


def test_a_match_that_only_an_index_has_is_told_in_words():
    said = "match 7 is damaged: it is not where an index says"
    with Store(None) as store, pytest.raises(StoreError, match=said):
        store._match(7)


def test_the_same_is_told_once_and_the_file_is_called_damaged(monkeypatch):
    """Rows that an index has and no page are games that there are not."""
    told = []
    with Store(None) as store:
        match = store.open_match("m", {"game": "tic-tac-toe"})
        store.save(match, 0, RECORD)

        def games(damaged):
            for number in (3, 3, 4):
                damaged(StoreError(f"there is no game {number}"))
            return []

        monkeypatch.setattr(store, "games", games)
        monkeypatch.setattr(store, "_rows", lambda *_: [("row missing",)])
        store.examine(lambda error: told.append(str(error)))
    assert told[:2] == ["there is no game 3", "there is no game 4"]
    assert "the file is damaged" in told[2]


def test_nothing_is_found_in_a_sound_file(tmp_path):
    with Store(tmp_path / "games.db") as store:
        match = store.open_match("m", {"game": "tic-tac-toe"})
        store.save(match, 0, RECORD)
        store.examine(pytest.fail)

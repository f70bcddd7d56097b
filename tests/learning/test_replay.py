import sqlite3
import time

import numpy as np
import pytest

from playout.arena import owner
from playout.arena.database import StoreError
from playout.core.errors import UsageError
from playout.games.connect_four.rules import ConnectFour
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.learning.replay import Lesson, Replay, numbers_of


def lesson(number: int, length: int) -> Lesson:
    """A game of so many positions that holds its number everywhere."""
    states = np.zeros(length, TicTacToe().state_dtype())
    states["stones"][:, 0] = number
    policies = np.full((length, 9), number, np.float16)
    values = np.full(length, number, np.float32)
    return Lesson((f"move{number}",), float(number), states, policies, values)


def replay(folder, window=100, game=None, spec="tic-tac-toe") -> Replay:
    return Replay(folder, game or TicTacToe(), spec, window)


def drawn(kept: Replay, count: int = 500) -> set[float]:
    states, policies, values = kept.sample(count, np.random.default_rng(1))
    assert states.shape == values.shape == (count,)
    assert policies.dtype == values.dtype == np.float32
    assert (policies == values[:, None]).all()
    assert (states["stones"][:, 0] == values).all()
    return set(values.tolist())


def test_games_are_there_when_the_file_is_opened_again(tmp_path):
    first = replay(tmp_path)
    first.add([lesson(1, 3), lesson(2, 5)])
    first.add([lesson(3, 0)])  # one in which nothing is learnt
    first.close()
    again = replay(tmp_path)
    assert (again.games, again.positions) == (3, 8)
    assert drawn(again) == {1, 2}
    again.close()
    assert numbers_of(again.path) == [1, 2, 3]


def test_the_newest_positions_are_learnt_from(tmp_path):
    kept = replay(tmp_path, window=10)
    for number in range(1, 7):
        kept.add([lesson(number, 4)])
    assert drawn(kept) == {4, 5, 6}  # the fewest games that hold ten positions
    kept.close()
    again = replay(tmp_path, window=10)
    assert drawn(again) == {4, 5, 6}
    again.close()


def test_nothing_is_drawn_of_nothing(tmp_path):
    kept = replay(tmp_path)
    with pytest.raises(UsageError, match="nothing to learn from"):
        kept.sample(1, np.random.default_rng(1))
    kept.close()


def test_games_that_finish_together_are_kept_together(tmp_path):
    kept = replay(tmp_path)
    bad = lesson(2, 1)
    object.__setattr__(bad, "returned", object())  # which SQLite cannot hold
    with pytest.raises(StoreError):
        kept.add([lesson(1, 1), bad])
    assert kept.games == 0
    kept.add([lesson(3, 1)])
    kept.close()
    assert numbers_of(kept.path) == [1]


def test_a_file_of_another_game_is_left_alone(tmp_path):
    replay(tmp_path).close()
    with pytest.raises(
        StoreError, match="the file holds games of tic-tac-toe, not of "
    ):
        replay(tmp_path, game=ConnectFour(), spec="connect-four")


def test_two_processes_do_not_learn_in_one_folder(tmp_path, monkeypatch):
    """The claim of a process that was killed is void."""
    first = replay(tmp_path)
    with pytest.raises(StoreError, match="another process is training there"):
        replay(tmp_path)
    monkeypatch.setattr(owner, "_birth", lambda pid: "")  # it has been killed
    monkeypatch.setattr(owner, "STALE_SECONDS", -1.0)
    replay(tmp_path).close()
    first.close()


def test_a_claim_is_renewed_with_every_game(tmp_path, monkeypatch):
    """A machine that cannot see the process knows by that that it runs."""
    monkeypatch.setattr(owner, "_birth", lambda pid: "")
    first, later = replay(tmp_path), time.time() + 2 * owner.STALE_SECONDS
    monkeypatch.setattr(time, "time", lambda: later)
    first.add([lesson(1, 3)])
    with pytest.raises(StoreError, match="another process is training there"):
        replay(tmp_path)
    first.close()


def test_a_claim_of_another_is_left_alone(tmp_path, monkeypatch):
    first = replay(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(owner, "_birth", lambda pid: "")
        patched.setattr(owner, "STALE_SECONDS", -1.0)
        second = replay(tmp_path)
    first.close()
    with pytest.raises(StoreError, match="another process is training there"):
        replay(tmp_path)
    second.close()
    replay(tmp_path).close()


def test_a_file_that_cannot_be_written_is_closed(tmp_path):
    kept = replay(tmp_path)
    kept._connection.execute("PRAGMA query_only = ON")  # as on a full disk
    with pytest.raises(StoreError):
        kept.add([lesson(1, 3)])
    kept.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        kept._connection.execute("SELECT 1")


def test_a_full_disk_is_told_with_what_to_do(tmp_path):
    kept = replay(tmp_path)
    pages = kept._connection.execute("PRAGMA page_count").fetchone()[0]
    kept._connection.execute(f"PRAGMA max_page_count = {pages}")
    said = "the disk is full.*run the same command with --resume to go on$"
    with pytest.raises(StoreError, match=said):
        kept.add([lesson(number, 9) for number in range(1, 1000)])
    kept.close()


def test_a_damaged_game_is_named(tmp_path):
    kept = replay(tmp_path)
    kept.add([lesson(1, 3), lesson(2, 3)])
    kept.close()
    with sqlite3.connect(kept.path) as file:
        file.execute("UPDATE games SET policies = x'0102' WHERE number = 2")
    with pytest.raises(StoreError, match="game 2 is damaged"):
        replay(tmp_path)


def test_what_is_no_database_is_not_touched(tmp_path):
    (tmp_path / "games.db").write_text("games")
    with pytest.raises(StoreError, match="no SQLite database"):
        replay(tmp_path)
    assert (tmp_path / "games.db").read_text() == "games"

"""What the version before has written is read with the same contents.

Also of `arena/record_json.py` and `arena/formats/jsonl.py`.
"""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from playout import Position, make_game
from playout.arena.formats import load_games, save_games
from playout.arena.match import Match, MatchSettings
from playout.arena.record import GameRecord
from playout.arena.store import Store
from tests.ui.support import output_of

BEFORE = Path(__file__).parents[1] / "data" / "written_before"
LINES = (BEFORE / "games.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def store(tmp_path):
    """A copy, as even reading may touch a database."""
    path = tmp_path / "games.db"
    shutil.copy(BEFORE / "games.db", path)
    with Store(path) as store:
        yield store


def test_every_field_of_every_game(store):
    """Compared with the lines of JSON, which the test reads by itself."""
    found = list(store.games())
    assert [game.match for game in found] == [1] * 4 + [2] * 2 + [3] * 2 + [4] * 2
    assert [game.number for game in found] == [0, 1, 2, 3, 0, 1, 0, 1, 0, 1]
    for game, line in zip(found, LINES, strict=True):
        fields = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in json.loads(line).items()
        }
        assert game.record == GameRecord(**fields)
        assert game.record.started == fields["started"]


def test_the_moves_are_those_of_todays_rules(store):
    for game in store.games():
        record = game.record
        position = Position.from_moves(make_game(record.game), list(record.moves))
        assert position.moves == list(record.moves)
        assert position.is_terminal == (record.reason == "rules")
        if position.is_terminal:
            returns = tuple(position.returns(seat) for seat in (0, 1))
            assert returns == record.returns
    ends = Counter(game.record.reason for game in store.games())
    assert ends == {"rules": 8, "crash": 2}


def test_a_match_of_before_is_known_and_needs_no_more_games(store, monkeypatch):
    """The version that played a match is part of the match's identity."""
    monkeypatch.setattr("playout.arena.match.__version__", "0.1.0")
    settings = MatchSettings(
        "connect-four",
        ("mcts:simulations=40", "greedy"),
        openings="random:plies=2",
        seed=1,
    )
    match = Match(settings, 4)
    number = store.find_match(match.identity)
    assert number == 1
    match.load(store, number)
    assert match.done
    assert (match.tally.wins, match.tally.draws, match.tally.losses) == (4, 0, 0)


def test_its_export_is_what_it_was(store, tmp_path):
    again = tmp_path / "games.jsonl"
    save_games(again, [game.record for game in store.games()])
    assert again.read_text(encoding="utf-8").splitlines() == LINES


def test_games_as_sgf(store):
    """The seed is not kept, and times are to the millisecond."""
    read = load_games(BEFORE / "gomoku.sgf")
    kept = [game.record for game in store.games(match=2)]
    assert [(game.game, game.players, game.moves) for game in read] == [
        (game.game, game.players, game.moves) for game in kept
    ]
    assert [(game.opening, game.returns, game.reason) for game in read] == [
        (game.opening, game.returns, game.reason) for game in kept
    ]
    for ours, theirs in zip(read, kept, strict=True):
        assert ours.seconds == pytest.approx(theirs.seconds, abs=0.0005)


def test_the_command_shows_it(store):
    rows = json.loads(output_of("record", "list", str(store.path), "--json"))
    assert [(row["match"], row["games"]) for row in rows] == [
        (1, 4),
        (2, 2),
        (3, 2),
        (4, 2),
    ]

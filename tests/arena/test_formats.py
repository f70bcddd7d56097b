"""Games as files: what is written is read back; what is wrong is said with its line.

Also of `arena/formats/psq.py`, `arena/formats/lines.py`, `arena/formats/sgf.py`,
`arena/formats/place.py` and `arena/formats/sgf_tree.py`.
"""

import contextlib
import dataclasses
import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playout.arena.formats import FORMATS, load_games, save_games
from playout.arena.formats.place import Place
from playout.arena.formats.sgf_tree import read_trees
from playout.arena.record import FORFEITS, REASONS, GameRecord
from playout.core.errors import PositionError, UsageError
from playout.games.positions.position import Position
from playout.games.registry import make_game

GAMES = {
    "gomoku": ["gomoku:size=5", "gomoku:size=6,rule=renju", "gomoku:size=5,rule=caro"],
    "freestyle": ["gomoku:size=5", "gomoku:size=7"],
    "connect-four": ["connect-four", "connect-four:rows=4,columns=5,forbidden=0/2"],
}
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=12)
NAME = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1)


@st.composite
def games(draw, kind: str, endings=REASONS) -> GameRecord:
    """A finished game: random moves, to the end or to any other ending."""
    spec = draw(st.sampled_from(GAMES[kind]))
    position = Position(make_game(spec))
    reason = draw(st.sampled_from(endings))
    most = 200 if reason == "rules" else draw(st.integers(1, 6))
    while not position.is_terminal and len(position.actions) < most:
        legal = position.legal_actions()
        position.play(legal[draw(st.integers(0, len(legal) - 1))])
    if position.is_terminal:
        reason = "rules"
    moves = len(position.actions)
    loser = draw(st.integers(0, 1))
    returns = {
        "rules": (position.returns(0), position.returns(1))
        if reason == "rules"
        else (),
        "adjudicated draw": (0.0, 0.0),
    }.get(reason, (2.0 * loser - 1, 1 - 2.0 * loser))
    opening = draw(st.integers(0, moves))
    given = [0] * opening
    times = st.integers(0, 10**7).map(lambda milliseconds: milliseconds / 1000)
    return GameRecord(
        game=spec,
        players=(draw(NAME), draw(NAME)),
        moves=tuple(position.moves),
        opening=opening,
        seconds=tuple(given + [draw(times) for _ in range(moves - opening)]),
        comments=tuple([""] * opening + [draw(TEXT) for _ in range(moves - opening)]),
        returns=returns,
        reason=reason,
        forfeit=loser if reason in (*FORFEITS, "resignation") else None,
        detail=draw(TEXT),
        seed=draw(st.integers(0, 2**64)),
        started="2026-10-03T07:40:00+00:00",
    )


def through(path, records: list[GameRecord]) -> list[GameRecord]:
    """What is left of games after writing and reading."""
    assert save_games(path, records) == len(records)
    return load_games(path)


def bare(record: GameRecord, **changes: object) -> GameRecord:
    """The record with only its game, moves, result and reason, and with changes."""
    moves = len(record.moves)
    empty = {
        "players": ("?", "?"),
        "opening": 0,
        "seconds": (0.0,) * moves,
        "comments": ("",) * moves,
        "detail": "",
        "seed": 0,
    }
    return dataclasses.replace(record, **{**empty, **changes})


@settings(max_examples=20, deadline=None)
@given(st.lists(games("gomoku") | games("connect-four"), max_size=3))
def test_json_lines_keep_everything(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    read = through(path, records)
    assert read == records
    assert [record.started for record in read] == [record.started for record in records]


@settings(max_examples=20, deadline=None)
@given(st.lists(games("gomoku"), max_size=3))
def test_sgf_keeps_all_but_the_seed(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("games") / "games.sgf"
    assert through(path, records) == [
        dataclasses.replace(record, seed=0) for record in records
    ]


@settings(max_examples=20, deadline=None)
@given(games("freestyle", ["rules", "time"]), st.integers(0, 2))
def test_psq_keeps_moves_times_and_players(tmp_path_factory, record, more):
    """A game lost on time is lost by the player to move, as always."""
    late = len(record.moves) % 2
    if record.reason == "time":
        returns = (-1.0, 1.0) if late == 0 else (1.0, -1.0)
        record = dataclasses.replace(record, forfeit=late, returns=returns)
    kept = bare(record, seconds=record.seconds, players=record.players)
    path = tmp_path_factory.mktemp("games") / "game.psq"
    assert through(path, [record]) == [kept]
    path = tmp_path_factory.mktemp("many")
    assert through(path, [record] * more) == [kept] * more
    assert len(list(path.glob("*.psq"))) == more


@settings(max_examples=20, deadline=None)
@given(st.data(), st.sampled_from([("pos", "gomoku"), ("columns", "connect-four")]))
def test_lines_keep_moves_and_result(tmp_path_factory, data, formats):
    name, kind = formats
    endings = ["rules", "resignation", "adjudicated draw"]
    records = data.draw(st.lists(games(kind, endings), max_size=2))
    path = tmp_path_factory.mktemp("games") / f"games.{name}"
    assert through(path, records) == [bare(record) for record in records]


def test_formats_as_they_look(tmp_path):
    five = GameRecord(
        game="gomoku:size=5",
        players=("mcts", "a]b\\"),
        moves=("A5", "A1", "B5", "B1", "C5", "C1", "D5", "D1", "E5"),
        opening=2,
        seconds=(0, 0, 0.25, 0.1, 0, 0, 0, 0, 1.5),
        comments=("", "", "depth 3", "", "", "", "", "", "[won]"),
        returns=(1.0, -1.0),
        started="2026-10-03T07:40:00+00:00",
    )
    shown = {}
    for name in ("sgf", "psq", "pos"):
        save_games(tmp_path / f"game.{name}", [five])
        shown[name] = (tmp_path / f"game.{name}").read_text("utf-8").splitlines()
    assert shown["pos"] == ["# gomoku:size=5", "a1a5b1b5c1c5d1d5e1"]
    assert shown["psq"][:4] == ["Piskvorky 5x5, 11:11, 0", "1,1,0", "1,5,0", "2,1,250"]
    assert shown["psq"][-3:] == ["mcts", "a]b\\", "0"]
    assert shown["sgf"][:4] == [
        r"(;FF[4]CA[UTF-8]GM[4]SZ[5]RU[freestyle]PB[mcts]PW[a\]b\\]DT[2026-10-03]"
        "ON[2 given moves]RE[B+]TE[rules]",
        ";B[aa]",
        ";W[ae]",
        ";B[ba]C[250ms depth 3]",
    ]
    assert shown["sgf"][-1] == r";B[ea]C[1500ms [won\]])"


def test_sgf_of_other_programs_is_read(tmp_path):
    """c-gomoku-cli's, with rules as numbers; of variations, the first counts."""
    path = tmp_path / "games.sgf"
    path.write_text(
        "(;FF[4]GM[4]GN[1]EV[a x b]DT[2021.07.06]RO[1.1]RU[1]SZ[15]PB[a]PW[b]RE[W+1]\n"
        "TE[time forfeit];B[hh]C[123ms];W[ih]C[5ms]\n"
        "(;B[hg];W[hi](;B[hj])(;B[aa]))(;B[bb]))\n"
        "(;GM[4]RE[0];B[ aa ];W\n[bb];LB[cc:1][dd:2];Black[cc])"
    )
    one, two = load_games(path)
    assert one.moves == ("H8", "I8", "H9", "H7", "H6")
    assert (one.game, one.players) == ("gomoku:rule=standard", ("a", "b"))
    assert (one.reason, one.forfeit, one.seconds[:3]) == ("time", 0, (0.123, 0.005, 0))
    assert two.moves == ("A15", "B14", "C13")
    assert (two.reason, two.returns) == ("adjudicated draw", (0, 0))


GOOD_LINE = (
    '{"game": "x", "players": ["a", "b"], "moves": ["1"], "opening": 0, '
    '"seconds": [0], "comments": [""], "returns": [1, -1]}'
)
MALFORMED = [
    ("a.jsonl", GOOD_LINE + "\n{", 2, "not JSON"),
    ("a.jsonl", "\n[]", 2, "must be an object"),
    ("a.jsonl", "[" * 100_000, 1, "not JSON"),
    ("a.jsonl", "{}", 1, "lacks game, players"),
    ("a.jsonl", GOOD_LINE.replace('"game"', '"x": 1, "game"'), 1, "has no 'x'"),
    ("a.jsonl", GOOD_LINE.replace('["1"]', "[1]"), 1, "moves must be a list of texts"),
    ("a.jsonl", GOOD_LINE.replace("[0]", "[0, 1]"), 1, "seconds must have an entry"),
    ("a.jsonl", GOOD_LINE.replace("[1, -1]", "[1]"), 1, "returns must have an entry"),
    (
        "a.jsonl",
        GOOD_LINE.replace('"opening": 0', '"opening": 2'),
        1,
        "opening must be",
    ),
    ("a.jsonl", GOOD_LINE[:-1] + ', "reason": "luck"}', 1, "reason must be one of"),
    ("a.jsonl", GOOD_LINE[:-1] + ', "forfeit": 2}', 1, "forfeit must be a seat"),
    ("a.sgf", "(;GM[4]\n;B[hh]", 2, "ends within a game"),
    ("a.sgf", "\nhello", 2, "'hello' is not a property"),
    ("a.sgf", "(;GM[4]\n;B[hh];B[hi])", 2, "a move of White is due"),
    ("a.sgf", "(;GM[4]\n;B[hh]\n;W[hh])", 3, "move 2"),
    ("a.sgf", "(;GM[4]\n;B[zz])", 2, "cells are aa to oo"),
    ("a.sgf", "(;GM[4];B[])", 1, "not a cell"),
    ("a.sgf", "(;B[aa])", 1, "GM[1] is not Gomoku"),
    ("a.sgf", "(;GM[4]RU[go];B[aa])", 1, "RU[go] is not a rule"),
    ("a.sgf", "(;GM[4]SZ[19x15];B[aa])", 1, "SZ[19x15]"),
    ("a.sgf", "(;GM[4]SZ[99];B[aa])", 1, "a board has 5 to 22"),
    ("a.sgf", "(;GM[4];B[aa])", 1, "RE does not tell"),
    ("a.sgf", "(;GM[4]RE[Black];B[aa])", 1, "RE[Black] is not a result"),
    ("a.sgf", "(;GM[4]AW[aa]\n;B[hh])", 1, "AW sets up stones; only moves"),
    ("a.sgf", "(;GM[4];B[hh]\n;AB[aa];W[hi])", 2, "AB sets up stones"),
    ("a.sgf", "()", 1, "without nodes"),
    ("a.sgf", ";B[aa]", 1, "begins with (;"),
    ("a.psq", "", 1, "begins like this"),
    ("a.psq", "Piskvorky 99x99, 11:11, 0\n", 1, "a board has 5 to 22"),
    ("a.psq", "Piskvorky 15x15, 11:11, 0\n1,1,0\n0,1,0\n", 3, "0,1 is not a cell"),
    ("a.psq", "Piskvorky 15x15, 11:11, 0\n1,1,0\n1,1,0\n", 3, "move 2"),
    ("a.psq", "Piskvorky 15x15, 11:11, 0\n1,1,0\nx\n", 3, "two names and a number"),
    ("a.psq", "Piskvorky 15x15, 11:11, 0\n1,1,0\na\nb\n0", 2, "not over"),
    ("a.pos", "h8h8 1-0", 1, "move 2"),
    ("a.pos", "\nz9", 2, "not moves of gomoku"),
    ("a.pos", "h8i9", 1, "not over"),
    ("a.columns", "4a", 1, "not moves of connect-four"),
    ("a.columns", "# connect-four:rows=4\n44444 1-0", 2, "move 5"),
    ("a.columns", "# connect-four:depth=4\n", 1, "unknown parameter"),
    ("a.columns", "445 2-0", 1, "'2-0' is not a result"),
    ("a.columns", "4343434 0-1", 1, "not 0-1"),
]


@pytest.mark.parametrize(("name", "text", "line", "complaint"), MALFORMED)
def test_malformed_files_are_refused_with_their_line(
    tmp_path, name, text, line, complaint
):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(PositionError) as caught:
        load_games(path)
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert complaint in str(caught.value)


def test_a_large_collection_is_read_in_time_that_grows_with_its_size():
    """Time once grew with the square: each token counted lines from the start."""
    game = "(;GM[4]\n" + "\n".join([";B[hh]C[12ms]", ";W[hi]C[34ms]"] * 100) + ")\n"
    text = game * 350
    started = time.process_time()
    lines = [nodes[-1].line for nodes in read_trees(text, Place("a.sgf"))]
    assert time.process_time() - started < 10
    assert lines == [201 * (number + 1) for number in range(350)]


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(sorted(FORMATS)))
def test_no_text_gives_a_traceback(tmp_path_factory, data, name):
    """Pieces of good files in any order are read or refused with a message."""
    pieces = {
        "jsonl": [GOOD_LINE, "\n", "{", "}", "null", '"moves"', ":", "[", "]", ","],
        "sgf": [
            "(",
            ")",
            ";",
            "GM[4]",
            "RE[B+]",
            "B[aa]",
            "W[bb]",
            "[",
            "]",
            "\\",
            "SZ",
        ],
        "psq": ["Piskvorky 15x15, 11:11, 0", "\n", "1,1,0", "2,2", "a", "-1", "15"],
        "pos": ["h8", "i9", " ", "1-0", "\n", "# gomoku:size=", "5", "x"],
        "columns": ["4", "5", "0", " ", "1/2-1/2", "\n", "# connect-four", ":rows=5"],
    }[name]
    parts = data.draw(st.lists(st.sampled_from(pieces) | TEXT, max_size=12))
    path = tmp_path_factory.mktemp("games") / f"a.{name}"
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write("".join(parts))
    with contextlib.suppress(PositionError):
        load_games(path)


@pytest.mark.parametrize(
    ("name", "spec", "complaint"),
    [
        ("a.sgf", "connect-four", "sgf is for Gomoku, not for connect-four"),
        ("a.psq", "tic-tac-toe", "psq is for Gomoku"),
        ("a.psq", "gomoku:rule=renju", "freestyle"),
        ("a.pos", "connect-four", "pos is for Gomoku"),
        ("a.columns", "gomoku", "columns is for Connect Four"),
        ("a.columns", "connect-four:columns=12", "up to 9 columns"),
        ("a.txt", "gomoku", "the suffix names no format"),
    ],
)
def test_games_that_a_format_is_not_for_are_refused(tmp_path, name, spec, complaint):
    position = Position(make_game(spec))
    move = position.game.action_name(position.legal_actions()[0])
    record = GameRecord(spec, ("a", "b"), (move,), 0, (0,), ("",), (1.0, -1.0))
    with pytest.raises(UsageError, match=complaint):
        save_games(tmp_path / name, [record])
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_used_are_named(tmp_path):
    record = GameRecord("gomoku", ("a", "b"), (), 0, (), (), (0.0, 0.0))
    with pytest.raises(UsageError, match=r"nowhere.*cannot be written: No such file"):
        save_games(tmp_path / "nowhere" / "a.jsonl", [record])
    with pytest.raises(UsageError, match=r"b\.jsonl: No such file"):
        load_games(tmp_path / "b.jsonl")
    (tmp_path / "c.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not a text in UTF-8"):
        load_games(tmp_path / "c.jsonl")
    with pytest.raises(UsageError, match="unknown format 'pgn'; known are jsonl"):
        load_games(tmp_path / "c.jsonl", "pgn")


def test_a_suffix_can_be_overruled(tmp_path):
    record = GameRecord("connect-four", ("a", "b"), ("4",), 0, (0,), ("",), (1.0, -1.0))
    save_games(tmp_path / "games.txt", itertools.repeat(record, 2), "columns")
    assert (tmp_path / "games.txt").read_text() == "4 1-0\n4 1-0\n"
    assert len(load_games(tmp_path / "games.txt", "columns")) == 2


def test_a_game_of_ones_own_goes_to_no_format_of_another(tmp_path):
    record = GameRecord("draughts", ("a", "b"), ("9-14",), 0, (0,), ("",), (1.0, -1.0))
    for name, game in (("sgf", "Gomoku"), ("columns", "Connect Four")):
        with pytest.raises(UsageError, match=f"{name} is for {game}, not for draughts"):
            save_games(tmp_path / f"a.{name}", [record])

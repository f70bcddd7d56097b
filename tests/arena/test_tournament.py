"""Tournaments: who plays whom, and what a wrong file is told."""

import pytest

from playout import UsageError
from playout.arena.tournament import Tournament, read_tournament

PLAYERS = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("kind", "pairings"),
    [
        ("round-robin", "ab ac ad bc bd cd"),
        ("gauntlet", "ab ac ad"),
        ("ladder", "ab bc cd"),
    ],
)
def test_pairings(kind, pairings):
    tournament = Tournament("tic-tac-toe", PLAYERS, kind)
    assert [a + b for a, b in tournament.pairings()] == pairings.split()


def test_every_key(tmp_path):
    path = tmp_path / "league.toml"
    path.write_text("""
        game = "connect-four"
        players = ["random", "greedy"]
        kind = "ladder"
        games = 6
        time = "1+0.1"
        seconds = 2
        simulations = 100
        openings = "random:plies=4"
        seed = 7
        vary = "rows=6-7,forbidden=random"
        tolerance = 0.5
        adjudicate = ["resign:moves=3"]
        concurrency = 2
        save = "league.db"
    """)
    tournament = read_tournament(path)
    assert (tournament.concurrency, tournament.save) == (2, "league.db")
    (match,) = tournament.matches()
    settings = match.settings
    assert (settings.game, settings.players) == ("connect-four", ("random", "greedy"))
    assert str(settings.time) == "1+0.1, 2 s a move, 100 simulations"
    assert settings.conduct.tolerance == 0.5
    assert settings.conduct.adjudication.resign_moves == 3
    assert (settings.openings, settings.seed) == ("random:plies=4", 7)
    assert settings.vary == "rows=6-7,forbidden=random"
    assert match.games == 6


@pytest.mark.parametrize(("time", "shown"), [("1", "1+0"), ("0.5", "0.5+0")])
def test_a_clock_may_be_a_number(tmp_path, time, shown):
    path = tmp_path / "league.toml"
    path.write_text(f"{GOOD}time = {time}\n")
    (match,) = read_tournament(path).matches()
    assert str(match.settings.time) == shown


GOOD = 'game = "tic-tac-toe"\nplayers = ["random", "greedy"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = 1 2", "is not TOML: .*line 1"),
        ('players = ["a", "b"]', "the key game is missing"),
        ('game = "g"', "the key players is missing"),
        (GOOD + "gmaes = 3", "unknown key 'gmaes', did you mean games?"),
        (GOOD + "colour = 3", "unknown key 'colour'; known are game, players"),
        (GOOD + 'games = "ten"', "games must be a whole number, not 'ten'"),
        (GOOD + "games = true", "games must be a whole number, not True"),
        (GOOD + "games = 1.5", "games must be a whole number, not 1.5"),
        (GOOD + "games = 0", "games must be at least 1, not 0"),
        (GOOD + "concurrency = 0", "concurrency must be at least 1"),
        (GOOD + 'kind = "cup"', "kind must be round-robin, gauntlet, ladder"),
        (GOOD + "adjudicate = [1]", "adjudicate must be a list of texts"),
        (GOOD + 'seconds = "1"', "seconds must be a number, not '1'"),
        (GOOD + "[time]\nbase = 1", "time must be a text"),
        (GOOD + "time = true", "time must be a text, not True"),
        ('game = "g"\nplayers = "a"', "players must be a list of texts"),
        ('game = "g"\nplayers = []', "needs two or more"),
        ('game = "g"\nplayers = ["a", "b", "a"]', "players: 'a' is there twice"),
    ],
)
def test_wrong_files(tmp_path, text, message):
    path = tmp_path / "league.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=message) as error:
        read_tournament(path)
    assert str(error.value).startswith(str(path))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="No such file"):
        read_tournament(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not TOML"):
        read_tournament(tmp_path / "binary.toml")


# -- other numbers of seats ------------------------------------------------------------

FOUR = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("kind", "seats", "groups"),
    [
        ("round-robin", 3, ["abc", "abd", "acd", "bcd"]),
        ("gauntlet", 3, ["abc", "abd", "acd"]),
        ("ladder", 3, ["abc", "bcd"]),
        ("round-robin", 8, ["abcd"]),
        ("round-robin", 1, ["abcd"]),
        ("gauntlet", 1, ["ab", "ac", "ad"]),
        ("ladder", 1, ["ab", "bc", "cd"]),
    ],
)
def test_groups_are_as_large_as_the_table(kind, seats, groups):
    found = Tournament("g", FOUR, kind).pairings(seats)
    assert ["".join(group) for group in found] == groups


def test_one_player_is_enough_where_it_plays_alone():
    (match,) = Tournament("2048", ("random",)).matches()
    assert match.settings.players == ("random",)
    with pytest.raises(UsageError, match="players: a tournament needs two or more"):
        Tournament("tic-tac-toe", ("random",)).matches()

"""What people and programs are told of matches and tournaments.

Also of `arena/ranking.py`.
"""

import json
import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playout.arena.likelihood import score_of_elo
from playout.arena.ranking import rate
from playout.arena.rating import SPRT, Tally
from playout.arena.record import GameRecord
from playout.arena.report import (
    cross_table,
    match_summary,
    match_table,
    rating_list,
    short_names,
)
from playout.core.errors import UsageError

KEYS = [
    *("games", "wins", "draws", "losses", "score", "elo", "elo_low", "elo_high"),
    *("los", "pentanomial", "llr", "sprt", "forfeits"),
]
TALLY = Tally(136, 111, 96, (10, 20, 61, 50, 30))

TALLIES = st.builds(
    Tally,
    *[st.integers(0, 10**6)] * 3,
    st.tuples(*[st.integers(0, 10**5)] * 5),
)


def game(one: str, two: str, result: float) -> GameRecord:
    """A game of which only the result matters."""
    return GameRecord("tic-tac-toe", (one, two), (), 0, (), (), (result, -result))


def test_without_games_there_are_no_figures():
    summary = match_summary(Tally(), None, 0)
    assert [summary[key] for key in ("games", "score", "elo", "los")] == [0] + 3 * [
        None
    ]
    assert match_table("a", "b", Tally(), None, 0).splitlines()[2:] == [
        "games        0: none is finished"
    ]


@settings(deadline=None)
@given(TALLIES, st.sampled_from([None, SPRT(), SPRT(-5, 5, model="normalized")]))
def test_the_summary_has_its_names_and_no_infinities(tally, sprt):
    summary = match_summary(tally, sprt, 3)
    assert list(summary) == KEYS
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert (summary["llr"] is None) == (sprt is None)


def test_infinite_differences_are_null():
    summary = match_summary(Tally(wins=8), SPRT(0, 100), 0)
    assert summary["elo"] is None
    assert summary["elo_high"] is None
    assert summary["elo_low"] > 0
    assert summary["sprt"] is None
    assert match_summary(Tally(wins=80), SPRT(0, 100), 0)["sprt"] == "accept H1"


def test_the_table_as_a_person_sees_it():
    test = SPRT(0, 10)
    assert match_table("mcts:seconds=1", "level:4", TALLY, test, 3) == (
        """\
mcts:seconds=1 against level:4

games        343: 136 won, 111 drawn, 96 lost
score        55.8%
Elo          +72.1 +- 29.6   (+43.1 to +102.2)
normalized   +92.7 +- 36.8   (+55.9 to +129.5)
superior     100.0% sure (LOS)
pairs        0: 10   ½: 20   1: 61   1½: 50   2: 30
SPRT         [0, 10] Elo: not decided
LLR          2.71 (-2.94, 2.94)
forfeits     3"""
    )


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80), TALLIES)
def test_the_table_fits_a_page(one, two, tally):
    table = match_table(one, two, tally, SPRT(-1000, 999.5), 10**5)
    assert max(map(len, table.split("\n"))) <= 80


def test_long_names_are_told_apart():
    """Not as `mcts:simul...lection=uct` twice, where only the number differs."""
    one, two = (f"mcts:simulations={n},selection=uct" for n in (30, 10))
    rows = cross_table([game(one, two, 1)]).splitlines()[1:]
    assert "mcts...simulations=30..." in rows[0]
    assert "mcts...simulations=10..." in rows[1]
    rest = ",rollout=decisive,simulations=1200"
    one, two = (f"mcts:selection=puct,c_puct={c}{rest}" for c in (1.5, 2.5))
    head = match_table(one, two, TALLY, None, 0).splitlines()[0]
    assert head.startswith("mcts...c_puct=1.5,")
    assert " against mcts...c_puct=2.5," in head


@given(st.lists(st.text("ab:,", min_size=1, max_size=40), min_size=2, unique=True))
def test_names_keep_to_their_width(names):
    assert all(len(name) <= 24 for name in short_names(names, 24))


def test_a_cross_table_adds_up():
    records = [game("a", "b", 1), game("b", "a", 0), game("c", "a", -1)]
    lines = cross_table([*records, game("a", "a", 1)]).splitlines()
    assert lines == [
        "#  player  score  games     1     2     3",
        "1  a       83.3%      3     - 1.5/2   1/1",
        "2  b       25.0%      2 0.5/2     -     -",
        "3  c        0.0%      1   0/1     -     -",
    ]


@pytest.mark.parametrize("players", [2, 5, 9, 30])
def test_tables_of_many_players_fit_a_page(players):
    names = [f"mcts:simulations={number},c_uct=1.41421" for number in range(players)]
    records = [game(a, b, 1) for a in names for b in names for _ in range(60)]
    for table in (cross_table(records), rating_list(records)):
        lines = table.splitlines()
        assert max(map(len, lines)) <= 80
        assert all(
            any(line.startswith(f"{n:<2} ") for line in lines) for n in (1, players)
        )
    assert cross_table([]) == rating_list([]) == "no games between different players"


def test_two_players_differ_by_the_elo_of_their_score():
    """With the quarter of a win that everyone is given on top."""
    one, two = rate([game("a", "b", 1)] * 30 + [game("a", "b", -1)] * 10)
    assert (one.player, two.player) == ("a", "b")
    assert one.elo == -two.elo
    assert one.elo - two.elo == pytest.approx(400 * math.log10(30.25 / 10.25))
    assert (one.games, one.score, one.group) == (40, 0.75, 0)
    # the binomial error of a logit, in Elo; halved, for it is measured from the mean
    error = 1.96 * 400 / math.log(10) * math.sqrt(1 / 30.25 + 1 / 10.25)
    assert one.error == pytest.approx(error / 2, rel=1e-4)


def test_known_ratings_are_found_within_their_errors():
    """2,000 games a pair; an error of 4.3 deviations comes once in 10,000 runs of 5."""
    truth = {"a": 0, "b": 100, "c": 250, "d": -150, "e": 60}
    rng = np.random.default_rng(2)
    records = []
    for one in truth:
        for two in truth:
            if one < two:
                wins = rng.binomial(2000, score_of_elo(truth[one] - truth[two]))
                records += [game(one, two, 1)] * wins + [game(two, one, 1)] * (
                    2000 - wins
                )
    mean = np.mean(list(truth.values()))
    ratings = rate(records)
    for row in ratings:
        assert abs(row.elo - (truth[row.player] - mean)) < 4.3 / 1.96 * row.error
    anchored = {row.player: row for row in rate(records, anchor=("a", 1500))}
    assert anchored["a"].elo == 1500
    assert anchored["a"].error == pytest.approx(0, abs=1e-6)
    free = {row.player: row for row in ratings}
    assert anchored["c"].elo - 1500 == pytest.approx(free["c"].elo - free["a"].elo)
    with pytest.raises(UsageError, match="nobody has played no games"):
        rate(records, anchor=("nobody", 0))


def test_strangers_are_not_compared():
    records = [game("a", "b", 1), game("b", "c", 1), game("x", "y", 0)]
    assert [row.group for row in rate(records)] == [0, 0, 0, 1, 1]
    assert "these have met none of the above:\n1 " in rating_list(records)


def test_without_choix_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(UsageError, match=r"pip install playout\[ratings\]"):
        rating_list([game("a", "b", 1)])

"""Means, intervals, places and differences of payoffs.

Also of `arena/payoff_report.py` and `arena/record.py`.
"""

import math
import statistics

import numpy as np
import pytest

from playout.arena.payoff_report import payoff_summary, payoff_table, payoff_tables
from playout.arena.payoffs import Payoffs, student
from playout.arena.record import GameRecord


def collected(games):
    """The payoffs of games given as (round, players, returns)."""
    payoffs = Payoffs()
    for game in games:
        payoffs.add(*game)
    return payoffs


def test_students_quantiles_are_those_of_the_tables():
    known = {3: 3.1824, 4: 2.7764, 5: 2.5706, 10: 2.2281, 20: 2.0860, 120: 1.9799}
    for freedom, quantile in known.items():
        assert student(freedom) == pytest.approx(quantile, rel=2e-3)
    assert student(0) == math.inf


def test_the_interval_is_that_of_the_mean_over_rounds():
    values = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0]
    row = collected((n, "a", (v,)) for n, v in enumerate(values)).table[0]
    assert row.mean == pytest.approx(statistics.fmean(values))
    expected = student(5) * statistics.stdev(values) / math.sqrt(6)
    assert row.error == pytest.approx(expected)
    assert (row.least, row.median, row.most) == (-5, 2, 9)


def test_games_of_a_round_are_no_independent_games():
    """The same payoff in all games of a round tells no more than one game does."""
    values = [3.0, -1.0, 4.0, 1.0]
    once = collected((n, "a", (v,)) for n, v in enumerate(values)).table[0]
    games = [(n, "a", (v,)) for n, v in enumerate(values) for _ in range(5)]
    often = collected(games).table[0]
    assert (often.games, often.mean) == (20, once.mean)
    assert often.error == pytest.approx(once.error)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """8 rounds of 3 games; of 4,000 intervals 95 % +- 1.4 % (4 standard errors)."""
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(4000, 8, 1)) + rng.normal(size=(4000, 8, 3))
    held = 0
    for rounds in luck.tolist():
        games = ((n, "a", (v,)) for n, values in enumerate(rounds) for v in values)
        row = collected(games).table[0]
        held += abs(row.mean) <= row.error
    assert abs(held / 4000 - 0.95) < 0.014


def test_an_unfinished_round_counts_with_the_games_it_has():
    games = [(0, "a", (1.0,)), (0, "a", (3.0,)), (1, "a", (5.0,))]
    row = collected(games).table[0]
    assert row.mean == 3
    # deviations of the rounds' sums from 3 times their games: -2 and 2
    assert row.error == pytest.approx(student(1) * math.sqrt(2 * 8) / 3)


def test_equals_share_wins_and_places():
    table = collected([(0, "abcd", (2, 5, 5, 1)), (1, "abcd", (2, 1, 1, 1))]).table
    assert [row.won for row in table] == [0.5, 0.25, 0.25, 0]
    assert [row.place for row in table] == [2, 2.25, 2.25, 3.5]


def test_what_both_met_alike_cancels_out():
    rng = np.random.default_rng(2)
    games = []
    for number, luck in enumerate(rng.normal(0, 100, 50).tolist()):
        own = rng.normal(0, 1, 2).tolist()
        games += [(number, "a", (luck + own[0] + 1,)), (number, "b", (luck + own[1],))]
    payoffs = collected(games)
    (gap,) = payoffs.differences()
    assert (gap.one, gap.other, gap.rounds) == ("a", "b", 50)
    assert gap.error < 0.5 < payoffs.table[0].error / 20
    assert abs(gap.mean - 1) < gap.error
    assert gap.better + gap.worse == 50
    assert gap.better > gap.worse


def test_there_is_no_difference_without_common_rounds():
    assert collected([(0, "a", (1.0,)), (1, "b", (2.0,))]).differences() == []


def test_one_round_tells_no_error():
    payoffs = collected([(0, "abc", (1.0, 2.0, 3.0))])
    assert payoff_summary(payoffs)["players"][0]["error"] is None
    assert payoff_table(payoffs, 3).splitlines()[1].split() == [
        *("a", "1", "1.00", "?", "0.0%", "3.00"),
    ]


def test_numbers_are_shown_with_two_digits_of_their_error():
    games = [(n, "ab", (1000.0 + 10 * n, 0.001 * n)) for n in range(10)]
    table = payoff_table(collected(games), 1)
    assert "1045.0000" in table  # as the other's error is 0.0022
    assert "0.0045    0.0022" in table
    assert "a - b: +1045 +- 22   (more in 10, less in 0 of 10)" in table


def record(players, returns, seed=0, game="g"):
    return GameRecord(game, players, (), 0, (), (), returns, seed=seed)


def test_columns_stand_apart_and_rounding_makes_no_decimals():
    payoffs = Payoffs()
    for number, (one, other) in enumerate([(-59.9, -9e9), (-59.9 - 1e-14, -8e9 - 0.5)]):
        payoffs.add(number, ("a",), (one,))
        payoffs.add(number, ("b",), (other,))
    lines = payoff_table(payoffs, 1).splitlines()
    assert [len(line.split()) for line in lines[:3]] == [7, 7, 7]
    assert lines[1].split()[2:4] == ["-60", "0"]


def test_wins_and_losses_of_two_need_no_payoffs():
    won = record(("a", "b"), (1.0, -1.0))
    assert payoff_tables([won, record(("a", "b"), (0.0, 0.0))]) == []
    assert len(payoff_tables([won, record(("a", "b"), (2.0, -2.0))])) == 1


def test_games_are_told_apart():
    three = record(("a", "b", "c"), (1.0, 0.0, -1.0))
    one = [record((name,), (4.0,), seed, "h") for seed in (1, 2) for name in "ab"]
    tables = payoff_tables([three, *one])
    assert [table.splitlines()[0] for table in tables] == [
        "payoffs of g",
        "payoffs of h",
    ]
    assert "a - b: +0.00 +- 0.00   (more in 0, less in 0 of 2)" in tables[1]


def test_boards_of_one_game_share_a_table():
    """Rounds differ in their boards, as `--vary` draws them."""
    boards = ["tsp:cities=5", "tsp:cities=9"]
    games = [
        record((name,), (float(seed),), seed, boards[seed])
        for seed in (0, 1)
        for name in "ab"
    ]
    (table,) = payoff_tables(games)
    assert "a - b: +0.00 +- 0.00   (more in 0, less in 0 of 2)" in table


def test_results_are_told_in_shares_or_payoffs():
    assert record(("a", "b"), (0.0, 0.0)).result() == "0.5-0.5"
    assert record(("a", "b"), (-2.0, 2.0)).result() == "-2 +2"
    assert record(("a", "b"), (1.0, 0.0)).result() == "+1 +0"
    assert record(("a", "b", "c"), (1.0, -0.5, -0.5)).result() == "+1 -0.5 -0.5"
    assert record(("a",), (-0.0,)).result() == "+0"

"""Matches in games of one seat, and of more than two.

Also of `arena/boards.py`.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from playout import UsageError
from playout.arena.forfeits import returns_without
from playout.arena.match import Match, MatchSettings, play_matches
from playout.arena.rating import SPRT
from playout.arena.store import Store, StoreError
from playout.arena.task import GameRunner
from playout.games.registry import make_game
from tests.arena.test_match import Inline, play

TOYS = Path(__file__).parents[1] / "toys.py"
THREE = f"{TOYS}:Payoffs"
BOTS = Path(__file__).with_name("picking_players.py")
TRIO = MatchSettings(THREE, ("random", f"{BOTS}:first", f"{BOTS}:last"))
ALONE = MatchSettings("2048", ("random", "greedy"), seed=4)


def by_player(count, worth):
    """Returns that depend on nothing but who has the seat."""
    return lambda task: tuple(worth[role % count] for role in task.roles)


def test_payoffs_follow_the_players_through_all_seats():
    match = Match(TRIO, games=6)
    play(match, result=by_player(3, [3.0, 0.5, -1.0]))
    table = {row.player: row for row in match.payoffs.table}
    assert [table[name].mean for name in match.names] == [3.0, 0.5, -1.0]
    assert [table[name].place for name in match.names] == [1, 2, 3]
    assert all(row.games == 6 for row in table.values())
    assert match.in_chips
    assert [gap.mean for gap in match.payoffs.differences()] == [2.5, 4.0, 1.5]


def test_the_rules_are_played_by_everybody_in_every_seat():
    """First and last pick 0 and 1, so the table of the game says what each gets."""
    first, last = TRIO.players[1:]
    match = Match(replace(TRIO, players=(first, last)), games=2)
    play(match)
    table = {row.player: row.mean for row in match.payoffs.table}
    # 0 1 0 pays -0.6, -0.2, 0.5 and 1 0 1 pays 0.2, 0.4, 0.9
    assert table[first] == pytest.approx((-0.6 + 0.5 + 0.4) / 3)
    assert table[last] == pytest.approx((-0.2 + 0.2 + 0.9) / 3)


def test_a_player_of_two_seats_sits_there_twice():
    """Each seat has its own player object: no shared tree, no view of the other."""
    match = Match(replace(TRIO, players=("random", "greedy")), games=2)
    with GameRunner() as runner:
        task = match.task(0)
        record = runner.play(task)
        seats = [runner.player(task, seat) for seat in range(3)]
    assert record.players == ("random", "greedy", "random")
    assert seats[0] is not seats[2]


def test_players_of_one_seat_meet_the_same_instances():
    match = Match(ALONE, games=6)
    tasks = [match.task(number) for number in range(6)]
    assert [task.players for task in tasks[:2]] == [("random",), ("greedy",)]
    assert [task.seed for task in tasks[::2]] == [task.seed for task in tasks[1::2]]
    assert len({task.seed for task in tasks}) == 3
    play(match, result=lambda task: (task.seed % 100 + 5.0 * task.roles[0],))
    (gap,) = match.payoffs.differences()
    assert (gap.one, gap.other) == ("random", "greedy")
    assert gap.mean == pytest.approx(-5)
    assert gap.error == pytest.approx(0, abs=1e-9)
    assert match.payoffs.table[0].most <= 99


def test_the_luck_of_an_instance_is_the_same():
    """The first two tiles of 2048 are drawn before anybody moves."""
    match = Match(ALONE, games=4)
    with GameRunner() as runner:
        tasks = [match.task(number) for number in range(4)]
        starts = [runner.play(task).moves[:2] for task in tasks]
    assert starts[0] == starts[1]
    assert starts[2] == starts[3]
    assert starts[0] != starts[2]


def test_players_stay_from_one_game_of_a_match_to_the_next():
    match = Match(ALONE, games=4)
    with GameRunner() as runner:
        runner.prepare(match.task(0))
        runner.prepare(match.task(1))
        players = {*runner._players.values()}
        runner.prepare(match.task(2))
        assert {*runner._players.values()} == players
        runner.prepare(Match(TRIO, games=3).task(0))
        assert not players & {*runner._players.values()}


def test_all_players_are_started_before_the_first_game():
    executor = play(Match(ALONE, games=2), result=by_player(2, [1.0, 2.0]))
    assert [task.players for task in executor.prepared] == [("random",), ("greedy",)]


def test_a_match_of_three_goes_on_from_its_file(tmp_path):
    path = tmp_path / "games.db"
    with Store(path) as store:
        play(Match(TRIO, games=2), store)
    with Store(path) as store:
        match = Match(TRIO, games=5)
        assert len(play(match, store).played) == 3
        assert match.counted == 5
        assert store.matches()[0].settings["players"] == [*TRIO.players]
        other = Match(TRIO, games=5)
        wrong = replace(match.records[0], players=("x", "y", "z"), moves=())
        number = store.open_match("other", other.settings.to_dict())
        store.save(number, 0, wrong)
        with pytest.raises(StoreError, match="of other players"):
            other.load(store, number)


def test_a_test_is_for_two_seats():
    with pytest.raises(UsageError, match="a sequential test is for two"):
        Match(TRIO, sprt=SPRT())


def test_a_game_that_is_over_at_the_start_is_no_match():
    """All its games would be the same result, and look like 50 %."""
    settings = MatchSettings(f"{TOYS}:Nim:stones=0", ("random", "greedy"))
    with pytest.raises(
        UsageError, match=r"Nim:stones=0: the game is over at the start"
    ):
        Match(settings, games=2)


def test_chips_are_told_from_wins():
    assert not Match(MatchSettings("tic-tac-toe", ("random",) * 2), games=2).in_chips
    two = Match(MatchSettings("pig", ("random", "greedy")), games=2)
    play(two, result=by_player(2, [2.0, -2.0]))
    assert two.in_chips
    assert [row.mean for row in two.payoffs.table] == [2.0, -2.0]
    assert two.tally.wins == 2


def test_what_a_forfeit_costs_follows_from_the_board_of_the_round():
    """A tour of more cities is longer at worst."""
    players = MatchSettings("tsp:cities=5", ("random",), vary="cities=5-26")
    match = Match(players, games=6)
    games = [make_game(match.task(number).game) for number in range(6)]
    found = [returns_without(game, 0) for game in games]
    assert found == [game.return_range[:1] for game in games]
    assert len(set(found)) > 1


def test_several_matches_share_an_executor():
    matches = [Match(ALONE, games=2), Match(TRIO, games=3)]
    with Store(None) as store:
        play_matches(matches, store, Inline(room=2, result=None))
    assert [match.counted for match in matches] == [2, 3]

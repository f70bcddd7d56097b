"""Matches: the schedule, what counts and in which order, resuming, sharing a file."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from playout import UsageError, make_game
from playout.arena import match as match_module
from playout.arena.clock import TimeControl
from playout.arena.executors import LocalExecutor
from playout.arena.match import Match, MatchSettings, play_matches
from playout.arena.rating import SPRT, Tally
from playout.arena.session import Conduct
from playout.arena.store import Store
from playout.arena.task import MOST_KEPT, GameRunner

SETTINGS = MatchSettings("tic-tac-toe", ("random", "greedy"))


class Inline:
    """An executor of this process, which finishes its games in a shuffled order."""

    def __init__(self, room=1, seed=0, result=None):
        self.size, self.random, self.result = room, Random(seed), result
        self.tasks, self.prepared, self.played = [], [], []
        self.runner = GameRunner()

    @property
    def room(self):
        return self.size - len(self.tasks)

    def prepare(self, tasks):
        self.prepared += tasks

    def submit(self, task):
        assert self.room > 0
        self.tasks.append(task)

    def wait(self, seconds):
        if not self.tasks:
            return []
        task = self.tasks.pop(self.random.randrange(len(self.tasks)))
        self.played.append(task)
        record = self.runner.play(task)
        if self.result is not None:
            returns = self.result(task)
            record = replace(record, returns=returns)
        return [(task, record)]

    def close(self):
        pass


def play(match, store=None, **options):
    executor = Inline(**options)
    if store is None:
        with Store(None) as fresh:
            play_matches([match], fresh, executor)
    else:
        play_matches([match], store, executor)
    return executor


# -- the schedule ----------------------------------------------------------------------


def test_pairs_share_opening_and_seeds_and_swap_seats():
    settings = replace(SETTINGS, openings="random:plies=2", seed=3)
    match = Match(settings, games=20)
    tasks = [match.task(number) for number in range(20)]
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.opening == second.opening
        assert first.seed == second.seed
        assert first.players == ("random", "greedy")
        assert second.players == ("greedy", "random")
        assert (first.roles, second.roles) == ((0, 1), (1, 0))
    assert len({task.seed for task in tasks}) == 10
    assert len({task.opening for task in tasks}) == 10


def test_tasks_do_not_depend_on_the_length_of_the_match():
    settings = replace(SETTINGS, openings="random:plies=2", seed=3)
    short, long = Match(settings, games=4), Match(settings, games=400)
    long.task(399)
    assert [short.task(n) for n in range(4)] == [long.task(n) for n in range(4)]


def test_a_player_against_itself_has_two_seeds():
    """A and B have different random numbers in both games of a pair."""
    match = Match(MatchSettings("connect-four", ("random", "random")), games=2)
    with GameRunner() as runner:
        records = [runner.play(match.task(number)) for number in range(2)]
        again = runner.play(match.task(0))
    assert records[0].moves != records[1].moves
    assert again.moves == records[0].moves


def test_trees_are_never_shared():
    settings = MatchSettings("connect-four", 2 * ("mcts:simulations=20",))
    with GameRunner() as runner:
        for number in range(2):
            runner.play(Match(settings, games=2).task(number))
        players = list(runner._players.values())
        assert len(players) == 2
        assert players[0].search is not players[1].search
        assert players[0].search.tree is not players[1].search.tree


def test_players_of_other_boards_do_not_pile_up():
    vary = "rows=4-5,columns=4-5,forbidden=random"
    settings = MatchSettings("connect-four", ("random", "first"), vary=vary)
    match = Match(settings, games=60)
    with GameRunner() as runner:
        for number in range(60):
            runner.play(match.task(number))
            kept = len(runner._players)
            assert kept <= 2 + MOST_KEPT
        assert kept >= MOST_KEPT


@pytest.mark.parametrize("games", [0, -1])
def test_games_are_positive(games):
    with pytest.raises(UsageError, match="games must be at least 1"):
        Match(SETTINGS, games=games)


def test_an_end_is_needed():
    with pytest.raises(UsageError, match="a number of games, or a test"):
        Match(SETTINGS)


def test_boards_are_drawn_anew_for_every_pair():
    vary = "rows=4-5,columns=4-5,forbidden=random"
    settings = replace(SETTINGS, game="connect-four", vary=vary, seed=2)
    match = Match(replace(settings, openings="random:plies=1"), games=40)
    tasks = [match.task(number) for number in range(40)]
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert (first.game, first.opening) == (second.game, second.opening)
        assert len(first.opening) == 1
    games = [make_game(task.game) for task in tasks]
    assert {(game.rows, game.columns) for game in games} == (
        {(r, c) for r in (4, 5) for c in (4, 5)}
    )
    assert len({game.forbidden for game in games}) > 5
    again = Match(replace(settings, openings="random:plies=1"), games=40)
    assert [again.task(number) for number in range(40)] == tasks
    assert replace(settings, vary=None).to_dict().keys() == SETTINGS.to_dict().keys()


def test_a_cell_left_to_chance_is_drawn_by_the_match():
    game = "connect-four:rows=4,columns=4,forbidden=random"
    match = Match(replace(SETTINGS, game=game), games=4)
    play(match)
    assert match.counted == 4
    boards = [record.game for record in match.records]
    assert boards[::2] == boards[1::2]
    assert boards[0] == match.task(0).game
    assert boards[0] != boards[2]


# -- counting --------------------------------------------------------------------------


def outcome(probabilities):
    """A result for A that depends on the number of the game alone."""

    def result(task):
        drawn = Random(task.number).choices([1.0, 0.0, -1.0], probabilities)[0]
        return tuple(drawn if role == 0 else -drawn for role in task.roles)

    return result


@pytest.mark.parametrize("room", [1, 3, 8])
def test_figures_do_not_depend_on_games_at_once(room):
    match = Match(SETTINGS, games=60)
    play(match, room=room, seed=room, result=outcome([5, 2, 3]))
    scores = [
        (number // 2, Random(number).choices([1, 0.5, 0], [5, 2, 3])[0])
        for number in range(60)
    ]
    assert match.tally == Tally.from_results(scores)


@pytest.mark.parametrize("room", [1, 2, 5, 16])
def test_a_test_ends_at_the_same_pair_for_any_games_at_once(room):
    match = Match(SETTINGS, sprt=SPRT(0, 100))
    executor = play(match, room=room, seed=room, result=outcome([6, 2, 2]))
    assert match.decision == "accept H1"
    reference = Match(SETTINGS, sprt=SPRT(0, 100))
    play(reference, result=outcome([6, 2, 2]))
    assert (match.counted, match.tally) == (reference.counted, reference.tally)
    assert match.counted % 2 == 0
    assert len(executor.played) >= match.counted
    assert SPRT(0, 100).state(match.tally) == "accept H1"


def test_a_test_with_a_number_of_games_ends_there_at_the_latest():
    match = Match(SETTINGS, games=10, sprt=SPRT(0, 1))
    play(match, result=outcome([1, 1, 1]))
    assert (match.decision, match.counted) == (None, 10)


def test_forfeits_and_duplicates_are_told():
    match = Match(SETTINGS, games=2)
    with GameRunner() as runner:
        record = runner.play(match.task(0))
    match.add(0, replace(record, reason="time", forfeit=1, detail="late"))
    match.add(1, replace(record, players=record.players[::-1]))
    assert [(f.game, f.player, f.reason) for f in match.forfeits] == [
        (1, "greedy", "time")
    ]
    assert match.duplicates == []  # the same moves, but with seats swapped
    longer = Match(SETTINGS, games=6)
    for number in range(6):
        longer.add(number, record)
    assert longer.duplicates == [3, 4, 5, 6]


def test_a_resignation_is_no_forfeit():
    match = Match(SETTINGS, games=1)
    with GameRunner() as runner:
        record = runner.play(match.task(0))
    match.add(0, replace(record, reason="resignation", forfeit=1, returns=(1.0, -1.0)))
    assert match.forfeits == []
    assert match.tally.wins == 1


# -- several matches with one executor -------------------------------------------------


class Slow(Inline):
    """An executor that gives back a game of an earlier match at last."""

    def wait(self, seconds):
        late, self.late = getattr(self, "late", []), []
        return late + super().wait(seconds)


def test_a_game_left_over_is_kept_as_what_it_is(tmp_path):
    """The game ended after its match, which no longer needed it."""
    first, second = Match(SETTINGS, 2), Match(replace(SETTINGS, seed=1), 2)
    executor = Slow()
    with Store(tmp_path / "g.db") as store:
        play_matches([first], store, executor)
        with GameRunner() as runner:
            left_over = runner.play(first.task(2))
        executor.late = [(first.task(2), left_over)]
        play_matches([second], store, executor)
        numbers = [store.find_match(match.identity) for match in (first, second)]
        kept = {(game.match, game.number): game.record for game in store.games()}
    assert second.counted == 2
    assert sorted(kept) == [(numbers[0], n) for n in range(3)] + [
        (numbers[1], n) for n in range(2)
    ]
    assert kept[numbers[0], 2] == left_over
    assert kept[numbers[1], 0].seed == second.task(0).seed


def test_a_game_of_another_file_is_not_kept(tmp_path):
    executor = Slow()
    with GameRunner() as runner, Store(tmp_path / "g.db") as store:
        other = Match(replace(SETTINGS, seed=5), 2).task(0)
        executor.late = [(other, runner.play(other))]
        match = Match(SETTINGS, 2)
        play_matches([match], store, executor)
        assert len(list(store.games())) == match.counted == 2


def test_every_player_is_prepared_once():
    """The first three of the six pairings of four players include all players."""
    names = ("random", "greedy", "perfect", "alphabeta:depth=1")
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    executor = Inline()
    with Store(None) as store:
        matches = [Match(replace(SETTINGS, players=pair), 1) for pair in pairs]
        play_matches(matches, store, executor)
    assert {name for task in executor.prepared for name in task.players} == set(names)
    assert len(executor.prepared) == 3


# -- resuming --------------------------------------------------------------------------


def test_a_match_goes_on_where_it_was(tmp_path):
    whole = Match(SETTINGS, games=10)
    play(whole)
    with Store(tmp_path / "games.db") as store:
        play(Match(SETTINGS, games=4), store)
    with Store(tmp_path / "games.db") as store:
        resumed = Match(SETTINGS, games=10)
        executor = play(resumed, store)
        assert [task.number for task in executor.played] == [4, 5, 6, 7, 8, 9]
        assert resumed.tally == whole.tally
        again = Match(SETTINGS, games=10)
        assert play(again, store).played == []
        assert again.tally == whole.tally
        fewer = Match(SETTINGS, games=4)
        assert play(fewer, store).played == []
        assert fewer.counted == 4


def test_gaps_are_filled(tmp_path):
    whole = Match(SETTINGS, games=8)
    executor = play(whole)
    with Store(tmp_path / "games.db") as store:
        match = Match(SETTINGS, games=8)
        number = store.open_match(match.identity, {})
        with GameRunner() as runner:
            for n in (1, 5, 6):
                store.save(number, n, runner.play(executor.played[n]))
        resumed = play(match, store)
        assert [task.number for task in resumed.played] == [0, 2, 3, 4, 7]
        assert match.tally == whole.tally


@pytest.mark.parametrize(
    "change",
    [
        {"game": "mnk:m=3,n=3,k=3"},
        {"players": ("greedy", "random")},
        {"time": TimeControl(seconds=1)},
        {"conduct": Conduct(tolerance=0.5)},
        {"openings": "random:plies=2"},
        {"seed": 1},
    ],
)
def test_other_settings_are_another_match(change):
    assert Match(replace(SETTINGS, **change), 1).identity != Match(SETTINGS, 1).identity


def test_games_and_test_are_not_part_of_a_match():
    assert Match(SETTINGS, 1).identity == Match(SETTINGS, sprt=SPRT()).identity


def test_an_edited_player_is_another_player(tmp_path):
    file = tmp_path / "player.py"
    settings = replace(SETTINGS, players=("random", f"{file}:make"))
    file.write_text("make = None")
    before = Match(settings, 1).identity
    assert Match(settings, 1).identity == before
    file.write_text("make = 1")
    assert Match(settings, 1).identity != before


def test_a_level_measured_anew_is_another_player(monkeypatch):
    settings = replace(SETTINGS, players=("level:2", "random"))
    before = Match(settings, 1).identity
    assert Match(settings, 1).identity == before
    monkeypatch.setattr(match_module, "level_spec", lambda number, game: "mcts")
    assert Match(settings, 1).identity != before


PLAY = """
import sys
from playout.arena.executors import LocalExecutor
from playout.arena.match import Match, MatchSettings, play_matches
from playout.arena.store import Store

match = Match(MatchSettings("tic-tac-toe", ("random", "greedy")), games=80)
played = 0
def observe(*_):
    global played
    played += 1
with Store(sys.argv[1]) as store, LocalExecutor(1) as executor:
    executor.prepare([match.task(0)])
    print("ready", flush=True)
    sys.stdin.readline()
    play_matches([match], store, executor, observe)
print(played, match.tally)
"""


def test_two_processes_share_one_file(tmp_path):
    """Every game is played once, both play, and both see the whole result."""
    path = tmp_path / "games.db"
    command = [sys.executable, "-c", PLAY, path]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    both = [subprocess.Popen(command, **pipes, text=True) for _ in range(2)]
    for process in both:
        assert process.stdout.readline() == "ready\n"
    for process in both:
        process.stdin.write("go\n")
        process.stdin.flush()
    printed = [process.communicate(timeout=120)[0] for process in both]
    played, tallies = zip(*(text.split(" ", 1) for text in printed), strict=True)
    assert sum(map(int, played)) == 80
    assert all(int(number) > 0 for number in played)
    whole = Match(SETTINGS, games=80)
    with Store(None) as store, LocalExecutor(1) as executor:
        play_matches([whole], store, executor)
    assert [text.strip() for text in tallies] == 2 * [str(whole.tally)]
    with Store(path, read_only=True) as store:
        numbers = Counter(game.number for game in store.games())
    assert numbers == Counter(range(80))

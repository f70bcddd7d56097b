"""Ladders: the search for steps, against simulated players of known strength.

Also of `ui/cli/commands/levels.py` and `players/levels.py`.
"""

import json
import math
import re
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout.arena import calibrate
from playout.arena.calibrate import (
    Family,
    Ladder,
    LadderLevel,
    LadderSettings,
    measured_levels,
    next_guess,
    table,
)
from playout.arena.likelihood import score_of_elo
from playout.arena.match import MatchSettings
from playout.arena.rating import Tally
from playout.core.errors import UsageError
from playout.games.registry import make_game
from playout.games.variation import draw_board
from playout.players import levels as levels_module
from playout.players.levels import (
    GENERIC,
    FoundLadder,
    MeasuredLevels,
    find_ladder,
    level_spec,
    levels_of,
    measured,
    read_ladders,
    write_ladders,
)
from playout.players.registry import make_player
from playout.search import defaults
from playout.search.rollout.weighted import Weighted
from playout.search.selection.ucb1_tuned import UCB1Tuned
from tests.arena.test_tune import Here
from tests.docs.pages import ROOT
from tests.toys import Nim
from tests.ui.support import error_of, output_of, run

GAME = MatchSettings("tic-tac-toe", ("", ""))


def game_of(ladder: str):
    """A game that a ladder was measured on."""
    name, _, boards = ladder.partition(":")
    return make_game(draw_board(name, boards, Random(0)))


def settings(**changes) -> LadderSettings:
    return LadderSettings(GAME, Family(50, 100_000), **changes)


def strength(spec: str) -> float:
    """The made-up Elo of a player: 900 for thinking at all, 80 for each doubling."""
    if spec == "random":
        return 0.0
    values = dict(part.split("=") for part in spec.partition(":")[2].split(","))
    thought = 900 * (1 - float(values.get("blunder", 0))) ** 1.5
    return thought + 80 * math.log2(float(values["simulations"]) / 50)


@pytest.fixture
def simulated(monkeypatch):
    """Matches are drawn from the made-up strengths; gives the list of them."""
    played = []

    def play(matches, store, executor, observe):
        [match] = matches
        above, below = match.settings.players
        rng = np.random.default_rng(match.settings.seed)
        score = score_of_elo(strength(above) - strength(below))
        points = rng.binomial(1, score, size=(match.games // 2, 2)).sum(axis=1)
        counts = np.bincount(2 * points, minlength=5).tolist()
        wins = int(points.sum())
        match.tally = Tally(wins, 0, match.games - wins, tuple(counts))
        played.append((below, above, match.settings.seed))

    monkeypatch.setattr(calibrate, "play_matches", play)
    return played


def test_players_by_rung():
    family = Family(50, 3200)
    assert [family.spec(rung) for rung in (0, 0.25, 1, 1.125, family.top)] == [
        "random",
        "mcts:simulations=50,blunder=0.75",
        "mcts:simulations=50",
        "mcts:simulations=100",
        "mcts:simulations=3200",
    ]
    assert Family(7).spec(1.33) == "mcts:simulations=44"
    assert Family(7, player="mcts:c_uct=0.2").spec(0.9) == (
        "mcts:c_uct=0.2,simulations=7,blunder=0.1"
    )
    assert Family(50).spec(2) == "mcts:simulations=13000"
    for rung in (0, 0.3, 1, 1.4):
        make_player(family.spec(rung), make_game("tic-tac-toe"))


@pytest.mark.parametrize("seed", range(6))
def test_steps_of_known_players_come_out_as_wanted(simulated, seed, new_store):
    """True steps of all ladders; each measured one is within 75 .. 185 by itself.

    400 games are wrong by 60 Elo or more once in 1,000 steps; the seeds are fixed.
    """
    match = MatchSettings("tic-tac-toe", ("", ""), seed=seed)
    ladder = LadderSettings(match, Family(50, 10**6), step=130.0)
    steps = Ladder(ladder, new_store(), Here()).find()
    assert len(steps) == 10
    assert all(75 <= step.elo[0] <= 185 for step in steps[1:])
    truth = [strength(step.spec) for step in steps]
    assert all(60 <= after - before <= 200 for before, after in pairwise(truth))
    assert np.mean(np.diff(truth)) == pytest.approx(130, abs=35)
    assert len(set(simulated)) == len(simulated)  # no match is counted twice
    assert len(simulated) < 10 * 8


def test_a_ladder_ends_where_its_family_does(simulated, new_store):
    steps = Ladder(
        LadderSettings(GAME, Family(50, 100), step=130.0), new_store(), Here()
    ).find()
    assert 6 <= len(steps) < 10
    assert strength(steps[-1].spec) > 980 - 130 - 60


def test_the_last_level_can_be_given(simulated, monkeypatch, new_store):
    ladder = settings(levels=3, start=0.0, last="mcts:simulations=50,blunder=0.55")
    steps = Ladder(ladder, new_store(), Here()).find()
    assert [step.spec for step in (steps[0], steps[2])] == ["random", ladder.last]
    assert steps[2].tally is not None


@given(
    st.lists(st.tuples(st.floats(0.11, 2), st.floats(-500, 900), st.integers(2, 400))),
    st.floats(80, 180),
)
def test_guesses_stay_within_the_family(tried, wanted):
    guess = next_guess(tried, wanted, 0.1, 2.0)
    assert 0.1 < guess <= 2.0


def test_guesses_close_in_on_the_wanted_step():
    tried = [(0.2, 40.0, 80)]
    assert next_guess(tried, 120, 0.1, 2) == pytest.approx(0.4)  # by the slope
    tried.append((0.4, 160.0, 80))
    assert next_guess(tried, 120, 0.1, 2) == pytest.approx(0.2 + 0.2 * 2 / 3)
    assert next_guess([(0.2, -50.0, 80)], 120, 0.1, 2) == pytest.approx(0.4)  # a leap
    swapped = [(0.2, 130.0, 80), (0.3, 90.0, 80)]  # noise: 110 at 0.25
    assert next_guess(swapped, 110, 0.1, 2) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"levels": 1}, "at least 2 levels"),
        ({"step": 300.0}, "between 75 and 185 Elo, not 300"),
        ({"games": 1}, "at least 2 games"),
        ({"start": 9.0}, "start must be 0 to"),
    ],
)
def test_impossible_ladders_are_refused(change, complaint):
    with pytest.raises(UsageError, match=complaint):
        settings(**change)


# -- the file --------------------------------------------------------------------------


def test_ladders_are_written_and_read_back():
    steps = [
        LadderLevel("random"),
        LadderLevel('x:"y"', Tally(60, 0, 40, (10, 0, 20, 0, 20))),
    ]
    ladder = measured_levels(steps, "random:plies=2")
    assert ladder.steps == (0, 70)
    assert read_ladders(write_ladders({"a b": ladder})) == {"a b": ladder}
    assert [line.split() for line in table(ladder).splitlines()[1:]] == [
        ["1", "random"],
        ["2", "+70", f"{ladder.errors[1]:.0f}", "+70", "100", 'x:"y"'],
    ]
    for text in ("[", "[a]\n", "a = 1", '[a]\nplayers = 1\nsteps = "x"'):
        with pytest.raises(UsageError, match="not a file of ladders"):
            read_ladders(text)


def test_the_shipped_ladders_keep_what_the_documentation_says():
    """The documented numbers of levels, and steps between 89 and 151 Elo."""
    ladders = measured()
    assert {name: len(ladder.players) for name, ladder in ladders.items()} == {
        "connect-four": 15,
        "connect-four:rows=9-12,columns=9-12,forbidden=random": 19,
        "gomoku": 16,
        "tic-tac-toe": 5,
        "ultimate-tic-tac-toe": 16,
        "ultimate-tic-tac-toe:variant=first-board": 12,
    }
    for name, ladder in ladders.items():
        game = game_of(name)
        assert all(89 <= step <= 151 for step in ladder.steps[1:])
        assert min(ladder.games[1:]) >= 400
        for number, spec in enumerate(ladder.players, start=1):
            assert level_spec(str(number), game) == spec
            make_player(f"level:{number}", game)


def test_what_levels_are_does_not_follow_the_defaults(monkeypatch):
    """Else a new default would change opponents whose strength was measured."""
    stranger = {"selection": UCB1Tuned(), "rollout": Weighted()}
    monkeypatch.setattr(defaults, "TUNED", dict.fromkeys(defaults.TUNED, stranger))
    for name, ladder in measured().items():
        for number, spec in enumerate(ladder.players, start=1):
            player = make_player(f"level:{number}", game_of(name))
            if spec.startswith(("mcts", "net")):
                policies = player.search.policies
                assert not isinstance(policies.selection, UCB1Tuned), spec
                assert not isinstance(policies.rollout, Weighted), spec


def test_the_page_shows_the_ladders_that_are_shipped():
    page = (ROOT / "docs" / "levels.md").read_text("utf-8")
    for name, ladder in measured().items():
        title = game_of(name).title
        if ":" in name:
            title += f", `{name.partition(':')[2]}`"
        assert f"## {title}\n\n{as_markdown(ladder)}\n" in page


def as_markdown(ladder):
    """A ladder as the page has it."""
    lines = [
        "| level | player | Elo above the level below | above level 1 | games |",
        "|---|---|---|---|---|",
        f"| 1 | `{ladder.players[0]}` |  | |  |",
    ]
    for number in range(1, len(ladder.players)):
        step, error = ladder.steps[number], ladder.errors[number]
        total, games = sum(ladder.steps[: number + 1]), ladder.games[number]
        figures = f"{step:+.0f} ± {error:.0f} | {total:+.0f} | {games:,}"
        lines.append(f"| {number + 1} | `{ladder.players[number]}` | {figures} |")
    return "\n".join(lines)


def test_variants_of_a_users_game_have_its_ladder(monkeypatch):
    """Its name is that of no game here: the file is not where its class is found."""
    ladder = MeasuredLevels(("random", "greedy"), (0, 200), (0, 50), (0, 40))
    monkeypatch.setattr(levels_module, "measured", lambda: {"Nim": ladder})
    for game, exact in ((Nim(), True), (Nim(stones=9), False)):
        found = find_ladder(game)
        assert (found.ladder, found.measured_on, found.exact) == (ladder, "Nim", exact)


def test_the_ladder_of_a_users_game_stands_beside_its_file(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from tests.toys import Nim\nclass My(Nim): ...\n"
    )
    ladder = MeasuredLevels(("random", "greedy"), (0, 200), (0, 50), (0, 40))
    spec = f"{tmp_path / 'mine.py'}:My"
    assert levels_of(make_game(spec)) == GENERIC
    beside = tmp_path / "playout_levels.toml"
    beside.write_text(write_ladders({"My": ladder}))
    assert find_ladder(make_game(spec)) == FoundLadder(ladder, "My", True)
    assert not find_ladder(make_game(f"{spec}:stones=9")).exact
    assert level_spec("2", make_game(spec)) == "greedy"
    shown = output_of("levels", "show", f"{spec}:stones=9")
    assert f"These are those of {spec}, measured there: `playout levels show " in shown
    beside.write_text("My = 3")
    with pytest.raises(
        UsageError, match=r"playout_levels\.toml: not a file of ladders"
    ):
        levels_of(make_game(spec))


def test_games_without_a_ladder_have_the_general_one():
    game = make_game("mnk:m=4,n=4,k=4")
    assert levels_of(game) == GENERIC
    with pytest.raises(
        UsageError, match="levels of mnk:m=4,n=4,k=4 are level:1 to level:10"
    ):
        level_spec("11", game)
    assert "have not been measured" in output_of("levels", "show", "mnk:m=4,n=4")
    shown = output_of("levels", "show", "tic-tac-toe")
    assert re.search(r"^ +5 +\+89 +11 +\+440 +1,000  perfect$", shown, re.M)
    assert not set(shown) & set("|`*")  # it is read in a terminal


def test_a_variant_is_not_shown_the_figures_of_the_standard_board():
    shown = output_of("levels", "show", "connect-four:rows=5")
    assert (
        "those of connect-four, measured there: `playout levels show connect-four`."
        in shown
    )
    assert "Elo" not in shown
    standard = levels_of(make_game("connect-four"))
    assert levels_of(make_game("connect-four:rows=5")) == standard[:-1]
    same = output_of("levels", "show", "connect-four:rows=6")
    assert same == output_of("levels", "show", "connect-four")


def test_levels_for_programs():
    rows = json.loads(output_of("levels", "show", "connect-four", "--json"))
    assert [row["level"] for row in rows] == list(range(1, 16))
    assert rows[-1]["player"].startswith("net:connect-four")
    assert (rows[0]["elo"], rows[0]["games"]) == (None, 0)
    assert 60 <= rows[1]["elo"] <= 200
    assert rows[1]["games"] == 400
    variant = json.loads(output_of("levels", "show", "connect-four:rows=5", "--json"))
    assert [row["player"] for row in variant] == [row["player"] for row in rows[:-1]]
    assert {row["elo"] for row in variant} == {None}
    assert {row["measured_on"] for row in [*rows, *variant]} == {"connect-four"}
    other = json.loads(output_of("levels", "show", "mnk:m=4,n=4", "--json"))
    assert {row["measured_on"] for row in other} == {None}


def test_a_ladder_of_many_boards_is_that_of_each(monkeypatch):
    boards = "connect-four:rows=9-12,columns=9-12,forbidden=random"
    one = MeasuredLevels(("random", "greedy"), (0.0, 99.0), (0.0, 9.0), (0, 400))
    known = {**measured(), boards: one}
    monkeypatch.setattr(levels_module, "measured", lambda: known)
    game = make_game("connect-four:rows=9,columns=10,forbidden=1/2")
    assert levels_of(game) == one.players
    shown = output_of("levels", "show", "connect-four:rows=9,columns=10")
    assert shown.startswith(f"Measured on {boards}.")
    assert re.search(r"^ +2 +\+99 +9 +\+99 +400  greedy$", shown, re.M)
    assert levels_of(make_game("connect-four:rows=8")) != one.players


# -- the command -----------------------------------------------------------------------


def test_the_command_goes_on_and_writes_its_file(tmp_path):
    arguments = (
        *("levels", "calibrate", "tic-tac-toe", "--levels", "3", "--start", "0"),
        *("--games", "20", "--probe", "10", "--last", "perfect", "--base", "30"),
        *("--save", str(tmp_path / "l.db"), "--output", str(tmp_path / "l.toml")),
    )
    first = run(*arguments)
    assert first.exit_code == 0, first.output
    ladder = read_ladders((tmp_path / "l.toml").read_text("utf-8"))["tic-tac-toe"]
    assert (ladder.players[0], ladder.players[2]) == ("random", "perfect")
    assert first.stdout.strip() == table(ladder)
    assert run(*arguments).stdout == first.stdout


def test_mistakes_are_said_in_a_line(tmp_path):
    assert "step must be" in error_of(
        "levels", "calibrate", "tic-tac-toe", "--step", "1"
    )
    (tmp_path / "x.toml").write_text("[")
    assert "not a file of ladders" in error_of(
        *("levels", "calibrate", "tic-tac-toe", "--output", str(tmp_path / "x.toml"))
    )
    assert "unknown game" in error_of("levels", "show", "chess")

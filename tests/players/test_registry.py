"""Specs of players: what they make, and what is said of those that make nothing.

Also of `core/text/spec.py`, `games/registry.py` and `search/catalogue.py`.
"""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playout import (
    ConnectFour,
    LikeliestFirst,
    Position,
    TicTacToe,
    UltimateTicTacToe,
    UsageError,
    make_game,
)
from playout.games.more.tsp import Tour
from playout.players.levels import levels_of, measured
from playout.players.player import Allowance
from playout.players.registry import make_player, player_names, usual_player
from playout.search.catalogue import PHASES, policies_of
from playout.search.presets import PRESETS
from tests.rewarding import Gifts
from tests.toys import Nim, ThreeWays

GAME = TicTacToe()

SPECS = [
    "random",
    "greedy",
    "negamax",
    "negamax:depth=2",
    "alphabeta:depth=8",
    "alphabeta:seconds=0.5,urgent=no",
    "perfect",
    "mcts",
    "mcts:seconds=1,c_uct=1.2,simulations=10,preset=tiny,expansion=all,threshold=30,"
    "urgent=root,rollout=decisive,choice=mean,discount=0.01,blunder=0.3",
    "mcts:expansion=all-children,choice=highest-mean,min_share=0.5,memory=100000000",
    "level:1",
    "level:5",
]


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_makes_the_same_player_again(spec):
    player = make_player(spec, GAME)
    assert player.spec == spec
    assert player.game == GAME
    assert type(make_player(player.spec, GAME)) is type(player)


def test_every_parameter_of_the_search_arrives():
    search = make_player(SPECS[8], GAME).search
    policies = search.policies
    assert policies.selection.c_uct == 1.2
    assert type(policies.expansion).__name__ == "AllChildren"
    assert (policies.expansion.threshold, policies.expansion.urgent) == (30, "root")
    assert type(policies.rollout).__name__ == "Decisive"
    assert policies.backup.discount == 0.01
    assert type(search.choice).__name__ == "HighestMean"


def test_a_named_policy_takes_the_place_of_the_presets():
    search = make_player("mcts:preset=tiny", GAME).search
    assert search.policies.expansion.threshold == 30
    search = make_player("mcts:preset=tiny,expansion=all", GAME).search
    assert search.policies.expansion.threshold == 1
    assert search.policies.selection.c_uct == 2 * 1.42


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset(name):
    search = make_player(f"mcts:preset={name}", GAME).search
    for phase, policy in PRESETS[name]().items():
        home = search if phase == "choice" else search.policies
        assert getattr(home, phase) == policy


def test_every_policy_by_name():
    for phase in PHASES:
        for name, cls in policies_of(phase).items():
            alone = name in ("max", "mixed", "exhaustion")
            game = Tour() if alone else ConnectFour()
            game = Gifts() if name == "reward-sum" else game
            search = make_player(f"mcts:{phase}={name}", game).search
            home = search if phase == "choice" else search.policies
            assert type(getattr(home, phase)) is cls


def test_no_two_phases_share_the_name_of_a_field():
    """Where they did, a parameter would not say which it means.

    Two of Gumbel's are those of its choice as well, and are said to both.
    """
    owners: dict[str, str] = {}
    for phase in PHASES:
        for cls in policies_of(phase).values():
            for field in dataclasses.fields(cls):
                if field.name not in ("c_visit", "c_scale"):
                    assert owners.setdefault(field.name, phase) == phase
    search = make_player("mcts:selection=gumbel,c_scale=0.5", Nim()).search
    assert search.policies.selection.c_scale == search.choice.c_scale == 0.5


BAD = [
    ("mcst", "unknown player 'mcst', did you mean mcts? known are human, "),
    ("", "unknown player ''"),
    ("mcts:c_uc=1", "mcts: unknown parameter 'c_uc', did you mean c_uct? accepted: s"),
    ("mcts:c_uct", "mcts: c_uct needs a value, c_uct=..."),
    ("mcts:c_uct=big", "mcts: c_uct must be a number, not 'big'"),
    ("mcts:c_uct=-1", "mcts: c_uct must be a number of at least 0"),
    ("mcts:c_uct=1,c_uct=2", "mcts: c_uct is given twice"),
    ("mcts:preset=fast", "unknown preset 'fast'; known: fachada"),
    ("mcts:rollout=fast", "unknown rollout 'fast'; known: decisive, mast, nst, "),
    (
        "mcts:min_share=1",
        "min_share is no parameter of uct, random-child, ",
    ),
    ("mcts:simulations=0", "simulations must be a whole number above 0"),
    ("mcts:seconds=0", "seconds must be"),
    ("mcts:blunder=1.1", "blunder must be 0 to 1, not 1.1"),
    ("negamax:depth=0", "depth must be 1 to 127, not 0"),
    ("alphabeta:seconds=-1", "seconds must be above 0"),
    ("alphabeta:plain=yes", "accepted: depth, seconds, urgent"),
    ("random:seed=1", "unknown parameter 'seed'; accepted: none"),
    ("level:0", "level:0: the levels of tic-tac-toe are level:1 to level:5"),
    ("level:6", "level:1 to level:5"),
    ("level:", "level:1 to level:5"),
    ("human", "human: a person can play only where one can answer"),
    ("no/such.py:make_player", "no/such.py: No such file"),
    ("file.py", "file.py: name the function too, as in file.py:make_player"),
]


@pytest.mark.parametrize(("spec", "message"), BAD)
def test_bad_specs(spec, message):
    with pytest.raises(UsageError) as caught:
        make_player(spec, GAME)
    assert message in str(caught.value)


@pytest.mark.parametrize("spec", ["alphabeta", "negamax"])
def test_minimax_needs_two_players_against_each_other(spec):
    with pytest.raises(
        UsageError, match="of two whose returns add up to 0, without chance, hidden"
    ):
        make_player(spec, ThreeWays())


@pytest.mark.parametrize("spec", ["gomoku", "connect-four:rows=5", "mnk:m=4,n=4"])
def test_not_every_game_is_played_perfectly(spec):
    with pytest.raises(UsageError, match="perfect: it plays tic-tac-toe, Connect Four"):
        make_player("perfect", make_game(spec))


def test_parameters_of_games_are_given_once():
    with pytest.raises(UsageError, match="connect-four: rows is given twice"):
        make_game("connect-four:rows=6,rows=7")
    with pytest.raises(UsageError, match="did you mean columns"):
        make_game("connect-four:colums=6")


# -- allowances ------------------------------------------------------------------------


def test_the_allowance_is_for_matches_that_give_none():
    player = make_player("mcts", GAME, allowance=Allowance(simulations=20))
    start = Position(GAME)
    assert player.choose(start, Allowance()).result.simulations == 20
    given = Allowance(simulations=7)
    assert player.choose(start, given).result.simulations == 7


def test_own_limits_and_given_ones_are_honoured_together():
    player = make_player("mcts:simulations=20", GAME)
    start = Position(GAME)
    assert player.choose(start, Allowance(seconds=9)).result.simulations == 20
    assert player.choose(start, Allowance(simulations=7)).result.simulations == 7
    assert player.choose(start, Allowance(simulations=50)).result.simulations == 20


# -- levels ----------------------------------------------------------------------------


STEPS = {
    "tic-tac-toe": 5,
    "connect-four": 15,
    "connect-four:rows=9-12,columns=9-12,forbidden=random": 19,
    "ultimate-tic-tac-toe": 16,
    "ultimate-tic-tac-toe:variant=first-board": 12,
    "gomoku": 16,
}


@pytest.mark.parametrize("name", measured())
def test_every_level_is_a_player(name):
    game = make_game(name.replace("9-12", "10"))
    assert len(levels_of(game)) == STEPS[name]
    for number in range(1, len(levels_of(game)) + 1):
        assert make_player(f"level:{number}", game).spec == f"level:{number}"


def test_games_without_a_ladder_of_their_own_have_ten_levels():
    assert make_player("level:10", Nim()).spec == "level:10"
    with pytest.raises(UsageError, match="levels of Nim are level:1 to level:10"):
        make_player("level:11", Nim())


#: What specs are made of, which comes further than noise.
PARTS = [
    *player_names(),
    *PHASES,
    *"0123456789.:=,/- ",
    "c_uct",
    "depth",
    "all",
    ".py:",
]

texts = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(PARTS)).map("".join))


@settings(max_examples=150, deadline=None)
@given(texts)
def test_any_text_is_a_player_or_a_clear_error(text):
    try:
        player = make_player(text, GAME)
    except UsageError:
        return
    assert player.spec == text


class Widened(UltimateTicTacToe):
    """Rules of one's own, derived from a game that has a network."""


def test_a_network_plays_where_nobody_is_named_in_its_own_game_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = UltimateTicTacToe()
    assert usual_player(game) == "net:ultimate-tic-tac-toe"
    player = make_player(usual_player(game), game)
    assert player.search.policies.expansion == LikeliestFirst(at_once=4)
    assert usual_player(make_game("connect-four")) == "net:connect-four"
    others = "ultimate-tic-tac-toe:variant=count", "connect-four:forbidden=2/3"
    for other in (Widened(), *map(make_game, others)):
        assert usual_player(other) == "mcts"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ultimate-tic-tac-toe").mkdir()  # of a training, perhaps
    assert usual_player(game) == "mcts"

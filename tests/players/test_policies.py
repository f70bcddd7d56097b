"""Policies by name, in parentheses, and from files."""

import pytest

from playout import MCTS, PUCT, UCT, RandomChild, TicTacToe, UsageError
from playout.arena.match import Match, MatchSettings
from playout.core.text.spec import named_files, with_values
from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from playout.players.registry import make_player

GAME = TicTacToe()
FILE = """
from dataclasses import dataclass
from playout import Rollout, Selection, UCT

@dataclass(frozen=True)
class Cautious(Rollout):
    attention: float = 0.5

    def choose(self, game, state, work, ply):
        return int(work.actions[0])

@dataclass(frozen=True)
class Mine(UCT):
    extra: int = 1

@dataclass(frozen=True)
class Needy(Rollout):
    amount: float

class Plain(Rollout):
    pass
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    (tmp_path / "my.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "my.py"


def policies(parameters: str):
    return make_player(f"mcts:{parameters}", GAME).search.policies


def test_own_policies_with_and_without_arguments(file):
    found = policies(
        "simulations=9,rollout=my.py:Cautious,"
        "selection=my.py:Mine(c_uct=1.4,extra=3),urgent=never"
    )
    assert type(found.rollout).__name__ == "Cautious"
    assert found.rollout.attention == 0.5
    assert (found.selection.c_uct, found.selection.extra) == (1.4, 3)
    assert found.expansion.urgent == "never"
    absolute = policies(f"rollout={file}:Cautious(attention=0.25)")
    assert absolute.rollout.attention == 0.25


def test_playouts_own_take_arguments_too(file):
    assert policies("selection=uct(c_uct=1.4)").selection == UCT(c_uct=1.4)
    assert policies("selection=uct(c_uct=1.4),first_play=2").selection == UCT(1.4, 2)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("rollout=my.py:Careless", "my.py has no rollout policy 'Careless'"),
        ("rollout=my.py:Mine", "it has Cautious, Needy, Plain"),
        ("selection=my.py:Mine(c=1)", "unknown parameter 'c'"),
        ("selection=my.py:Mine(extra=x)", "extra must be a whole number"),
        ("selection=my.py:Mine(extra=1", r"expected NAME or NAME\(field=value\)"),
        ("rollout=my.py:Needy", "amount"),
        ("rollout=my.py:Plain", "must be a dataclass"),
        ("rollout=your.py:Cautious", "your.py"),
        ("backup=nothing", "unknown backup 'nothing'"),
    ],
)
def test_mistakes_are_named(file, parameters, said):
    with pytest.raises(UsageError, match=said):
        make_player(f"mcts:{parameters}", GAME)


def test_a_match_knows_the_files_of_its_policies(file):
    spec = "mcts:simulations=9,rollout=my.py:Cautious"
    assert named_files(spec) == ["my.py"]
    settings = MatchSettings("tic-tac-toe", (spec, "random"))
    before = Match(settings, games=2).identity
    assert Match(settings, games=2).identity == before
    file.write_text(FILE + "\n# changed\n")
    assert Match(settings, games=2).identity != before


def test_arguments_stay_with_their_policy():
    spec = "mcts:selection=my.py:Mine(c_uct=1,extra=2),simulations=5"
    assert with_values(spec, {"simulations": "7"}) == spec.replace("=5", "=7")


WIDE = """
from dataclasses import dataclass
from playout import AllChildren, ISUCT

@dataclass(frozen=True)
class Wide(ISUCT):
    def usual_expansion(self):
        return AllChildren()
"""


def test_a_selection_by_name_has_the_expansion_that_it_has_in_python(file):
    named = policies("selection=puct")
    assert named.expansion == MCTS(GAME, selection=PUCT()).policies.expansion
    file.write_text(WIDE)
    hidden = PhantomTicTacToe()
    found = make_player("mcts:selection=my.py:Wide", hidden).search.policies
    again = MCTS(hidden, selection=found.selection).policies
    assert found.expansion == again.expansion == RandomChild()

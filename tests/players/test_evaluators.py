"""Evaluators by name, from files, with and without arguments."""

import pytest

from playout import PUCT, OnEvaluation, Position, TicTacToe, UsageError
from playout.core.text.spec import named_files
from playout.players.evaluators import named_evaluator
from playout.players.player import Allowance
from playout.players.registry import make_player

GAME = TicTacToe()
FILE = """
import numpy as np

asked = []

def evaluate(states):
    asked.append(len(states))
    return np.zeros(len(states)), None

def load(game, weight: float = 0.5, name=None):
    def judge(states):
        return np.full(len(states), weight), None
    judge.told = game, weight, name
    return judge

class Net:
    def __init__(self, layers=2):
        self.layers = layers
    def __call__(self, states):
        return np.zeros(len(states)), None

async def later(states):
    return evaluate(states)

def broken(path: str):
    raise KeyError("no weights")

def nothing():
    return 5

number = 3
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    (tmp_path / "net.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "net.py"


def test_a_name_alone_is_the_evaluator_itself(file):
    evaluate = named_evaluator("net.py:evaluate", GAME)
    assert named_evaluator(f"{file}:evaluate", GAME) is evaluate


def test_parentheses_call_it_with_values_of_its_types_and_the_game(file):
    told = named_evaluator("net.py:load(weight=1,name=x)", GAME).told
    assert told == (GAME, 1.0, "x")
    assert named_evaluator("net.py:load()", GAME).told == (GAME, 0.5, None)


def test_a_class_makes_one(file):
    assert named_evaluator("net.py:Net", GAME).layers == 2
    assert named_evaluator("net.py:Net(layers=4)", GAME).layers == 4


def test_a_player_is_searched_by_it(file):
    spec = "mcts:evaluator=net.py:evaluate,batch=4,simulations=20,c_puct=2"
    player = make_player(spec, GAME)
    policies = player.search.policies
    assert policies.selection == PUCT(c_puct=2)
    assert policies.expansion == OnEvaluation()
    player.choose(Position(GAME), Allowance())
    asked = named_evaluator("net.py:evaluate", GAME).__globals__["asked"]
    assert sum(asked) >= 20
    assert max(asked) == 4
    assert named_files(spec) == ["net.py"]  # a match knows when it has changed


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("evaluator=net.py:evaluat", "net.py has no 'evaluat'; it has evaluate, load"),
        ("evaluator=evaluate", "evaluator=path/to/file.py:evaluate"),
        ("evaluator=", "evaluator '': an evaluator is a function in a file"),
        ("evaluator=none.py:e", "none.py: No such file"),
        ("evaluator=net.py:number", "must be a function from states to values"),
        ("evaluator=net.py:nothing()", "returned 5; with parentheses it must return"),
        ("evaluator=net.py:later", "async function, which players cannot await"),
        ("evaluator=net.py:load(weigth=1)", "did you mean weight"),
        ("evaluator=net.py:load(weight=x)", "weight must be a number, not 'x'"),
        ("evaluator=net.py:load(weight=1", r"expected NAME or NAME(field=value)"),
        ("evaluator=net.py:broken()", "missing a required argument: 'path'"),
        ("evaluator=net.py:broken(path=x)", "line 26: KeyError: 'no weights'"),
        ("batch=8", "name an evaluator"),
        ("evaluator=net.py:evaluate,rollout=uniform", "no rollout is played"),
        ("evaluator=net.py:evaluate,preset=tutorial", "which a preset names"),
        ("evaluator=net.py:evaluate,generic=yes", "generic is no parameter of puct"),
        ("evaluator=net.py:evaluate,batch=0", "of at least 1, not 0"),
    ],
)
def test_mistakes_are_named(file, parameters, said):
    with pytest.raises(UsageError) as caught:
        make_player(f"mcts:{parameters}", GAME)
    assert said in str(caught.value)

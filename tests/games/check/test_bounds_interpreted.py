"""Rules that Numba cannot compile run all the same; rules that are wrong do not.

The sources are `expect_bounds` in `games/check/bounds.py`, and `core/jit/fallback.py`.
"""

import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from playout import (
    MCTS,
    NRPA,
    CompileError,
    InterpretedWarning,
    Limit,
    Position,
    RulesError,
    check_game,
    perft,
)
from playout.core.errors import UncompilableError
from playout.core.jit.fallback import interpreting, is_interpreted
from playout.players.alphabeta import alphabeta
from playout.players.player import Allowance
from playout.search import bench
from tests.toys import Nim
from tests.ui.support import error_of, output_of, run

FEW = {1: (1,), 2: (1, 2)}


@dataclass(frozen=True)
class NimOfDict(Nim):
    """The same game by a dict, whose rules Numba does not compile."""

    stones: int = 6

    def legal_actions(self, state, actions):
        takes = FEW.get(state.left, (1, 2, 3)) if state.left else ()
        for i, take in enumerate(takes):
            actions[i] = take
        return len(takes)


@dataclass(frozen=True)
class DictAgain(NimOfDict):
    pass


@dataclass(frozen=True)
class NimOfText(NimOfDict):
    def is_terminal(self, state):
        return "".join(["o"] * state.left) == ""


@dataclass(frozen=True)
class NimBySuper(NimOfDict):
    def apply(self, state, action):
        super().apply(state, action)


@dataclass(frozen=True)
class Typo(NimOfDict):
    """Numba fails at the dict, and the game at a field that is not there."""

    def apply(self, state, action):
        state.left -= action
        state.plyer = 1 - state.player


@dataclass(frozen=True)
class BreaksLaw(NimOfDict):
    def returns(self, state, player):
        return 1.0


@dataclass(frozen=True)
class Fails(NimOfDict):
    def apply(self, state, action):
        state.left -= FEW[0][0]


@dataclass(frozen=True)
class Undefined(Nim):
    def apply(self, state, action):
        state.left -= 1 if state.left > 99 else action
        if state.left > 1_000:
            state.left = undefined_name  # noqa: F821


@dataclass(frozen=True)
class NimOfPairs(Nim):
    """With a function of Python's library, which is good Python."""

    stones: int = 6

    def apply(self, state, action):
        pairs = list(itertools.combinations(range(action + 1), 2))
        state.left -= action + 0 * len(pairs)
        state.player = 1 - state.player


@dataclass(frozen=True)
class WrongName(Nim):
    def apply(self, state, action):
        state.left -= len(itertools.combination(range(action), 1))


SEEN = [0]
TURN = np.zeros(1, np.int64)


@dataclass(frozen=True)
class CountsInAList(Nim):
    def apply(self, state, action):
        SEEN[0] += 1
        state.left -= action


@dataclass(frozen=True)
class TurnsInAnArray(Nim):
    def apply(self, state, action):
        TURN[0] = 1 - TURN[0]
        state.left -= action


def found(game):
    return MCTS(game, seed=1).search(limit=Limit(simulations=200))


@pytest.mark.parametrize(
    ("cls", "obstacles"),
    [(NimOfDict, 1), (NimOfText, 1), (NimOfPairs, 1), (NimBySuper, 2)],
)
def test_what_numba_cannot_compile_runs_interpreted(cls, obstacles):
    search = MCTS(cls(), seed=1)
    with pytest.warns(InterpretedWarning) as warned:
        search.compile()
    assert len(warned) == 1
    text = str(warned[0].message)
    assert text.startswith(f"{cls.__name__} runs as plain Python")
    lines = text.splitlines()
    assert len(lines) == obstacles
    assert all("test_bounds_interpreted.py line " in line for line in lines)
    assert search.interpreted
    assert is_interpreted(cls())
    result = search.search(limit=Limit(simulations=200))
    assert result.move == "2"  # leaves 4 of 6
    again = found(cls(stones=6))  # warns no more
    assert again.actions == result.actions


def test_a_report_says_which_rules_were_not_compiled():
    with pytest.warns(InterpretedWarning):
        report = check_game(DictAgain(), games=2)
    assert not report.compiled
    assert "of 2 random games in plain Python (the longest" in str(report)
    report = check_game(Nim(), games=2)
    assert report.compiled
    assert "of 2 random games (the longest" in str(report)
    assert not check_game(Nim(), games=2, compiled=False).compiled


def test_the_search_is_that_of_compiled_rules():
    with pytest.warns(InterpretedWarning):
        plain = found(Copied())
    native = found(Nim(stones=6))
    assert [row.visits for row in plain.actions] == [
        row.visits for row in native.actions
    ]


@dataclass(frozen=True)
class Copied(NimOfDict):
    """A class that nobody has warned of yet."""


@dataclass(frozen=True)
class Counted(NimOfDict):
    pass


@pytest.mark.filterwarnings("ignore::playout.InterpretedWarning")
def test_everything_that_runs_compiled_runs_such_rules_too():
    game = Counted()
    assert perft(game, 3) == perft(Nim(stones=6), 3)
    assert check_game(game, games=3).games == 3
    assert alphabeta(game).choose(Position(game), Allowance()).action == 2
    assert bench.default_simulations(game) == 200
    assert bench.measure(game, 10).simulations_per_second > 0


@pytest.mark.parametrize("cls", [Typo, Fails, Undefined, WrongName])
def test_rules_that_are_wrong_are_an_error(cls):
    with pytest.raises(CompileError):
        MCTS(cls()).search(limit=Limit(simulations=1))
    assert not is_interpreted(cls())


@pytest.mark.parametrize("cls", [CountsInAList, TurnsInAnArray])
def test_what_changes_is_not_kept_outside_of_the_state(cls):
    """As plain Python such rules would run, and the search would be wrong."""
    with pytest.raises(CompileError, match="put what changes into the state"):
        MCTS(cls()).search(limit=Limit(simulations=1))
    assert not is_interpreted(cls())


def test_rules_that_break_a_law_are_an_error():
    with pytest.raises(ValueError, match="BreaksLaw breaks law 4"):
        MCTS(BreaksLaw()).search(limit=Limit(simulations=1))
    with pytest.raises(ValueError, match=r"law 4: .*; after the moves: "):
        check_game(BreaksLaw())


def test_interpreted_can_be_forbidden_and_asked_for():
    search = MCTS(NimOfDict(), interpreted=False)
    with pytest.raises(UncompilableError, match="FEW"):
        search.compile()
    with interpreting():
        search = MCTS(Nim())
        search.compile()
        assert search.interpreted
    search = MCTS(Nim())
    search.compile()
    assert not search.interpreted


def test_a_state_is_what_it_was():
    """Interpreted integers wrap as compiled ones do, without NumPy's warning."""
    with interpreting():
        assert perft(Nim(stones=5), 2) == 8
    assert np.geterr()["over"] != "ignore"


# -- commands --------------------------------------------------------------------------

OWN = """
from dataclasses import dataclass
from playout import TicTacToe

@dataclass(frozen=True)
class {name}(TicTacToe):
    def apply(self, state, action):
        super().apply(state, action)
"""


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "own.py"

    def named(name):
        path.write_text(OWN.format(name=name))
        return f"{path}:{name}"

    return named


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "{}", "--games", "2"),
        ("analyze", "{}", "--simulations", "20"),
        ("perft", "{}", "2"),
        ("play", "{}", "--watch", "--simulations", "5"),
        ("solve", "{}", "--moves", "a1 b2 c3 a3"),
        ("bench", "{}", "--simulations", "20"),
    ],
)
@pytest.mark.filterwarnings("ignore::playout.InterpretedWarning")
def test_commands_take_such_rules(game, arguments):
    spec = game(f"Own{arguments[0].title()}")
    output_of(*(word.format(spec) for word in arguments))


def test_a_match_says_once_that_rules_run_interpreted(game):
    spec = game("OwnMatch")
    done = run("match", spec, "mcts:simulations=3", "greedy", "--games", "4")
    assert done.exit_code == 0, done.output
    assert done.stderr.count("OwnMatch runs as plain Python") == 1


def test_the_option_is_for_debugging():
    toys = Path(__file__).parents[2] / "toys.py"
    spec = f"{toys}:Nim:stones=4"
    assert output_of("perft", spec, "2", "--interpreted").strip() == "6"
    assert "no such option" in error_of("games", "--interpreted").lower()


@dataclass(frozen=True)
class Tallied(Nim):
    """Counts the moves that are played by rules in Python."""

    def apply(self, state, action):
        SEEN[0] += 1
        super().apply(state, action)


@dataclass(frozen=True)
class Disordered(Nim):
    def legal_actions(self, state, actions):
        count = super().legal_actions(state, actions)
        actions[:count] = actions[:count][::-1].copy()
        return count


@dataclass(frozen=True)
class Alone(Disordered):
    def num_players(self):
        return 1


def test_rules_that_are_to_run_in_python_are_looked_at_too():
    """As compiled ones are: a search would take its children in that order."""
    with pytest.raises(RulesError, match="Disordered breaks law 2: legal_actions are"):
        MCTS(Disordered(), interpreted=True).search(limit=Limit(simulations=9))
    with interpreting(), pytest.raises(RulesError, match="law 2"):
        perft(Disordered(), 1)
    with pytest.raises(RulesError, match="Alone breaks law 2"):
        NRPA(Alone(), interpreted=True).search(limit=Limit(simulations=9))


def test_they_are_played_once():
    game = Tallied(stones=3, most=1)
    SEEN[0] = 0
    MCTS(game, interpreted=True).compile()
    played = SEEN[0]
    assert 0 < played <= 2 * 3  # a game, and a rollout
    MCTS(game, interpreted=True).compile()
    assert SEEN[0] == played


def test_what_they_raise_comes_as_it_is():
    """With the lines that led there, for whoever debugs them."""
    with pytest.raises(KeyError) as caught:
        MCTS(Fails(), interpreted=True).search(limit=Limit(simulations=9))
    assert [frame.name for frame in caught.traceback][-1] == "apply"

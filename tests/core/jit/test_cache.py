"""The disk cache is never stale, never crossed, and bounded.

Each step runs in a process of its own, as users' programs do, and reports what it
computed and whether it had to compile.
"""

import json
import os
import select
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from playout.core.jit import digest
from tests.forks import ForkServer

RULES = """
from dataclasses import dataclass
import numpy as np
from playout import Game
from scoring import bonus

STEP = 1

@dataclass(frozen=True)
class Count(Game):
    limit: int = 6

    def num_actions(self): return 3
    def state_dtype(self): return np.dtype([("at", "i4"), ("player", "i1")])
    def initial_state(self, state): state.at = 0
    def current_player(self, state): return state.player
    def legal_actions(self, state, actions):
        if state.at >= self.limit: return 0
        actions[0] = 1
        actions[1] = 2
        return 2
    def apply(self, state, action):
        state.at += bonus(action) * STEP
        state.player = 1 - state.player
    def is_terminal(self, state): return state.at >= self.limit
    def returns(self, state, player): return 1.0 if player == 0 else -1.0
"""
SCORING = "def bonus(action):\n    return action\n"
POLICY = """
from dataclasses import dataclass
from playout import Selection

@dataclass(frozen=True)
class First(Selection):
    def score(self, child, parent_term):
        return -child.action
"""
PERFT = """
import json, sys
from playout.core.jit.native import on_compile
compiled = []
on_compile(lambda label: compiled.append(label) or (lambda: None))
from playout import perft
from rules import Count
answer = [perft(Count(), depth) for depth in range(1, 7)]
print(json.dumps({"answer": answer, "compiled": len(compiled)}))
"""
#: What that compiles: the first look, with every index checked, and the count.
COUNTING = 2
SEARCH = """
import json
from playout.core.jit.native import on_compile
compiled = []
on_compile(lambda label: compiled.append(label) or (lambda: None))
from playout import MCTS, Limit, TicTacToe, Unsolved
from policy import First
search = MCTS(TicTacToe(), selection=First(), solver=Unsolved(), seed=1)
result = search.search(limit=Limit(simulations=200))
print(json.dumps({"answer": result.actions[0].action, "compiled": len(compiled)}))
"""
NIM = """
from dataclasses import dataclass
import numpy as np
from playout import Game

WINS = 1.0

@dataclass(frozen=True)
class Nim(Game):
    def num_actions(self): return 4
    def state_dtype(self): return np.dtype([("left", "i4"), ("player", "i1")])
    def initial_state(self, state):
        state.left = 6
        state.player = 0
    def current_player(self, state): return state.player
    def legal_actions(self, state, actions):
        count = min(3, state.left)
        for i in range(count):
            actions[i] = i + 1
        return count
    def apply(self, state, action):
        state.left -= action
        state.player = 1 - state.player
    def is_terminal(self, state): return state.left == 0
    def returns(self, state, player):
        return WINS if state.player != player else -WINS
"""
ONE_BY_ONE = """
import json
import numpy as np
from nim import Nim
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows

@kernel
def take_one_by_one(game, states):
    game.initial_state(states[0])
    while not game.is_terminal(states[0]):
        game.apply(states[0], 1)
    return game.returns(states[0], 0)

arguments = Nim(), Rows(np.zeros(1, Nim().state_dtype()))
native = take_one_by_one.compile(*arguments)
print(json.dumps({"answer": native(*arguments), "compiled": not native.from_cache}))
"""


class Workshop:
    """A directory of user files, a cache of its own, and processes that run there."""

    def __init__(self, path: Path, forks: ForkServer) -> None:
        self.path, self.cache, self.forks = path, path / "cache", forks
        self.write("rules.py", RULES)
        self.write("scoring.py", SCORING)
        self.write("policy.py", POLICY)
        self.write("count.py", PERFT)
        self.write("search.py", SEARCH)
        self.write("one_by_one.py", ONE_BY_ONE)

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self.path / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def start(self, script: str) -> "Program":
        number = len(list(self.path.glob("said-*")))
        said, wrong = (self.path / f"{name}-{number}" for name in ("said", "wrong"))
        said.touch()  # the next program has the next number
        environment = {
            "PLAYOUT_CACHE_DIR": str(self.cache),
            "NUMBA_OPT": "1",  # what is kept is of interest, not how fast it runs
        }
        process = self.forks.start(
            [script], said, wrong, folder=self.path, environment=environment
        )
        return Program(os.pidfd_open(process), said, wrong)

    def run(self, script: str) -> tuple[Any, int]:
        return self.start(script).answer()


class Program(NamedTuple):
    """A program that runs, and the files to which it writes."""

    process: int
    said: Path
    wrong: Path

    def answer(self) -> tuple[Any, int]:
        """What it says in the end, and how much it compiled."""
        ended, _, _ = select.select([self.process], [], [], 300)
        os.close(self.process)
        assert ended, "it does not end"
        assert self.said.read_text(), self.wrong.read_text()
        found = json.loads(self.said.read_text())
        return found["answer"], found["compiled"]


@pytest.fixture(scope="module")
def forks() -> Iterator[ForkServer]:
    server = ForkServer()
    yield server
    server.close()


@pytest.fixture
def workshop(tmp_path: Path, forks: ForkServer) -> Workshop:
    return Workshop(tmp_path, forks)


def count_paths(
    step: Any, actions: tuple[int, ...] = (1, 2), limit: int = 6, depth: int = 4
) -> int:
    """What `perft` must say, in plain Python."""
    ends = [0]
    for _ in range(depth):
        ends = [at + step(action) for at in ends if at < limit for action in actions]
    return len(ends)


def answer(step: Any, actions: tuple[int, ...] = (1, 2)) -> list[int]:
    """What `count.py` must say: paths of 1 to 6 steps."""
    return [count_paths(step, actions, depth=depth) for depth in range(1, 7)]


def test_edits_anywhere_are_seen_and_nothing_else_compiles(workshop: Workshop) -> None:
    """After every edit a new process gives the answer of the edited rules."""
    seen = []

    def expect(right: list[int], compiled: int) -> None:
        assert workshop.run("count.py") == (right, compiled)
        seen.append(tuple(right))

    expect(answer(lambda a: a), COUNTING)
    expect(answer(lambda a: a), 0)
    workshop.replace("scoring.py", "return action", "return action + 1")  # a helper
    expect(answer(lambda a: a + 1), COUNTING)
    workshop.replace("rules.py", "STEP = 1", "STEP = 2")  # a global constant
    expect(answer(lambda a: 2 * a + 2), COUNTING)
    workshop.replace("rules.py", "actions[0] = 1", "actions[0] = 0")  # the rules
    expect(answer(lambda a: 2 * a + 2, (0, 2)), COUNTING)
    assert len(set(seen)) == 4  # no answer could be taken for another

    workshop.write(
        "rules.py", "# moved down a line\n\n" + (workshop.path / "rules.py").read_text()
    )
    expect(answer(lambda a: 2 * a + 2, (0, 2)), 0)  # moved, but the same rules
    workshop.write("rules.py", RULES)
    workshop.write("scoring.py", SCORING)
    expect(answer(lambda a: a), 0)  # as at first


def test_an_edited_policy_is_seen(workshop: Workshop) -> None:
    """Compiled: the policy's trial, with every index checked, and the search."""
    assert workshop.run("search.py") == (0, 2)
    assert workshop.run("search.py") == (0, 0)
    workshop.replace("policy.py", "-child.action", "child.action")
    assert workshop.run("search.py") == (8, 2)


def test_two_processes_that_compile_at_once_get_their_own_code(
    tmp_path: Path, forks: ForkServer
) -> None:
    """Two games of one name, with one cache, over several rounds."""
    shops = []
    for number in (1, 2):
        path = tmp_path / str(number)
        path.mkdir()
        shops.append(Workshop(path, forks))
        shops[-1].cache = tmp_path / "cache"
        shops[-1].write("nim.py", NIM)
    shops[1].replace("nim.py", "WINS = 1.0", "WINS = -1.0")
    for _ in range(3):
        programs = [shop.start("one_by_one.py") for shop in shops]
        assert [program.answer()[0] for program in programs] == [-1, 1]


def test_two_processes_that_compile_the_same_do_no_harm(workshop: Workshop) -> None:
    workshop.write("nim.py", NIM)
    programs = [workshop.start("one_by_one.py") for _ in range(3)]
    assert [program.answer()[0] for program in programs] == [-1] * 3
    assert workshop.run("one_by_one.py") == (-1, False)


def test_rules_in_a_notebook_cell_have_no_source_file() -> None:
    """Redefining the class and a helper in one process gives the new rules."""
    from playout import perft

    cell: dict[str, Any] = {}
    helper = SCORING.replace("return action", "return {}")
    rules = RULES.replace("from scoring import bonus", "")
    for number, (body, expected) in enumerate(
        [("action", lambda a: a), ("action + 1", lambda a: a + 1)]
    ):
        exec(compile(helper.format(body), f"<cell {number}>", "exec"), cell)
        exec(compile(rules, f"<cell {number} b>", "exec"), cell)
        assert perft(cell["Count"](), 4) == count_paths(expected)
    exec(compile(helper.format("3 * action"), "<cell 3>", "exec"), cell)  # helper only
    assert perft(cell["Count"](), 4) == count_paths(lambda a: 3 * a)


def test_exchanged_files_of_two_versions_of_a_game(workshop: Workshop) -> None:
    """Each process plays by its own rules: to take the last stone wins, or loses."""
    workshop.write("nim.py", NIM)
    assert workshop.run("one_by_one.py") == (-1, True)
    (first,) = workshop.cache.glob("*/*.bin")
    workshop.replace("nim.py", "WINS = 1.0", "WINS = -1.0")
    assert workshop.run("one_by_one.py") == (1, True)
    (second,) = set(workshop.cache.glob("*/*.bin")) - {first}
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    assert workshop.run("one_by_one.py") == (1, True)
    workshop.replace("nim.py", "WINS = -1.0", "WINS = 1.0")
    assert workshop.run("one_by_one.py") == (-1, True)


MACHINERY = sorted(Path(digest.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("edited", MACHINERY, ids=lambda file: file.stem)
def test_an_edit_of_the_machinery_is_seen(edited, monkeypatch):
    """Also edits that code objects do not show: a constant, an option, a table."""
    before, read = digest._machinery.__wrapped__(), Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda file: read(file) + b"\n#" * (file == edited)
    )
    assert digest._machinery.__wrapped__() != before

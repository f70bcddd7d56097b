"""The disk cache is never stale, never crossed, and bounded.

Each step runs in a process of its own, as users' programs do, and reports what it
computed and whether it had to compile.
"""

import gc
import importlib
import inspect
import json
import os
import subprocess
import sys
import textwrap
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llvmlite.binding import ExecutionEngine

from playout import Compiled
from playout.core import cache, digest, native
from playout.core.native import kernel

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
from playout.core.native import on_compile
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
from playout.core.native import on_compile
compiled = []
on_compile(lambda label: compiled.append(label) or (lambda: None))
from playout import MCTS, Limit, TicTacToe
from policy import First
search = MCTS(TicTacToe(), selection=First(), seed=1)
result = search.search(limit=Limit(simulations=200))
print(json.dumps({"answer": result.actions[0].action, "compiled": len(compiled)}))
"""


class Workshop:
    """A directory of user files, a cache of its own, and processes that run there."""

    def __init__(self, path: Path) -> None:
        self.path, self.cache = path, path / "cache"
        self.write("rules.py", RULES)
        self.write("scoring.py", SCORING)
        self.write("policy.py", POLICY)
        self.write("count.py", PERFT)
        self.write("search.py", SEARCH)

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self.path / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def start(self, script: str) -> "subprocess.Popen[str]":
        environment = {**os.environ, "PLAYOUT_CACHE_DIR": str(self.cache)}
        return subprocess.Popen(
            [sys.executable, "-B", script],
            cwd=self.path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, script: str) -> tuple[Any, int]:
        return self.finish(self.start(script))

    @staticmethod
    def finish(process: "subprocess.Popen[str]") -> tuple[Any, int]:
        out, error = process.communicate(timeout=300)
        assert process.returncode == 0, error
        found = json.loads(out)
        return found["answer"], found["compiled"]


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


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
    assert workshop.run("search.py") == (0, 1)
    assert workshop.run("search.py") == (0, 0)
    workshop.replace("policy.py", "-child.action", "child.action")
    assert workshop.run("search.py") == (8, 1)


def test_two_processes_that_compile_at_once_get_their_own_code(tmp_path: Path) -> None:
    """Two games of one name, with one cache, over several rounds."""
    shops = []
    for number in (1, 2):
        path = tmp_path / str(number)
        path.mkdir()
        shops.append(Workshop(path))
        shops[-1].cache = tmp_path / "cache"
    shops[1].replace("scoring.py", "return action", "return 2 * action")
    expected = [answer(lambda a: a), answer(lambda a: 2 * a)]
    assert expected[0] != expected[1]
    for _ in range(3):
        processes = [shop.start("count.py") for shop in shops]
        assert [
            shop.finish(p)[0] for shop, p in zip(shops, processes, strict=True)
        ] == expected


def test_two_processes_that_compile_the_same_do_no_harm(workshop: Workshop) -> None:
    processes = [workshop.start("count.py") for _ in range(3)]
    assert [workshop.finish(p)[0] for p in processes] == [answer(lambda a: a)] * 3
    assert workshop.run("count.py")[1] == 0


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


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def make_adder(number: int) -> Compiled:
    space: dict[str, Any] = {"Compiled": Compiled, "dataclass": dataclass}
    source = f"""
    @dataclass(frozen=True)
    class Adder(Compiled):
        start: int = 1
        def add(self, x): return self.start + x + {number}
    """
    exec(textwrap.dedent(source), space)
    adder: Compiled = space["Adder"]()
    return adder


@kernel
def add(adder: Any, x: int) -> int:
    return adder.add(x)


def test_twenty_edits_leave_the_cache_bounded(own_cache: Path) -> None:
    for number in range(20):
        assert add.compile(make_adder(number), 1)(make_adder(number), 1) == 2 + number
    assert len(list(own_cache.iterdir())) == cache.KEEP_PER_LABEL
    assert len(cache.cache_entries()) == cache.KEEP_PER_LABEL
    fresh = type(add)(add.function)  # forgets what this process has in memory
    assert fresh.compile(make_adder(19), 1).from_cache
    assert not fresh.compile(make_adder(0), 1).from_cache


def engines() -> int:
    """How many stores of native code there are."""
    gc.collect()
    return sum(type(each) is ExecutionEngine for each in gc.get_objects())


def test_what_was_loaded_is_freed_with_its_last_user(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "MOST_KEPT", 2, raising=False)
    adders = [make_adder(number) for number in range(4)]
    compiling, loading = type(add)(add.function), type(add)(add.function)
    for adder in adders:
        compiling.compile(adder, 1)
    before = engines()
    used = loading.compile(adders[0], 1)
    unused = [weakref.ref(loading.compile(each, 1)._entry) for each in adders[1:]]
    assert engines() == before + 3
    assert unused[0]() is None
    assert used(adders[0], 1) == 2
    del used
    assert engines() == before + 2
    again = loading.compile(adders[0], 1)
    assert again.from_cache
    assert again(adders[0], 1) == 2


def test_a_thread_that_may_only_load_compiles_nothing(own_cache: Path) -> None:
    fresh = type(add)(add.function)
    with native.only_loading(), pytest.raises(native.NotCompiledError, match="Adder"):
        fresh.compile(make_adder(31), 1)
    assert cache.cache_entries() == []
    fresh.compile(make_adder(31), 1)
    with native.only_loading():
        assert type(add)(add.function).compile(make_adder(31), 1).from_cache


def test_a_damaged_entry_is_compiled_again(own_cache: Path) -> None:
    add_fresh = type(add)(add.function)
    add_fresh.compile(make_adder(100), 1)
    (file,) = own_cache.glob("*/*.bin")
    for damage in (b"", file.read_bytes()[:-50], b"x" + file.read_bytes()[1:]):
        file.write_bytes(damage)
        again = type(add)(add.function).compile(make_adder(100), 1)
        assert not again.from_cache
        assert again(make_adder(100), 1) == 102
    assert type(add)(add.function).compile(make_adder(100), 1).from_cache


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(blocked / "cache"))
    with pytest.warns(RuntimeWarning, match="could not be kept"):
        assert type(add)(add.function).compile(make_adder(7), 1)(make_adder(7), 1) == 9


def test_clear(own_cache: Path) -> None:
    type(add)(add.function).compile(make_adder(8), 1)
    assert cache.clear_cache() == 1
    assert cache.cache_entries() == []


def test_checked_and_unchecked_do_not_mix(own_cache: Path) -> None:
    @kernel
    def read(table: Any, index: int) -> int:
        return table[index]

    table = np.arange(4)
    assert read.compile(table, 0)(table, 3) == 3
    checked = read.compile(table, 0, checked=True)
    with pytest.raises(IndexError):
        checked(table, 4)


@pytest.mark.parametrize("name", digest._MACHINERY)
def test_an_edit_of_the_machinery_is_seen(name, monkeypatch):
    """Also of what a code object does not tell: a constant, an option, a table."""
    before, source = digest._machinery.__wrapped__(), inspect.getsource
    edited = importlib.import_module(name)
    monkeypatch.setattr(
        inspect, "getsource", lambda m: source(m) + "\n#" * (m is edited)
    )
    assert digest._machinery.__wrapped__() != before

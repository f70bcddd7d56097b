"""A second process compiles parts of a kernel; without it all is compiled here."""

import dataclasses
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from playout import MCTS, CompileError, Limit, Solver, TicTacToe, Unsolved
from playout.core.jit import helper_process as beside
from playout.core.jit import native
from playout.core.jit.compiled import Compiled, constant
from playout.core.jit.native import Kernel

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no second process")

Parts = list[tuple[Any, tuple[Any, ...]]]
HERE = os.getpid()


@dataclass(frozen=True)
class Weights(Compiled):
    factor: float = 3.0

    @constant
    def many(self) -> np.ndarray:
        """More than Numba writes into the code: it writes an address."""
        return np.full(200_000, 0.25)

    def weigh(self, number: int) -> float:
        return self.factor * number

    def pick(self, number: int) -> float:
        return float(self.many[number])


def sums() -> tuple[Kernel, Parts]:
    """A kernel that nobody has compiled yet, and two parts of it."""

    def divided(weights: Any, number: int) -> float:
        return weights.weigh(number) / (number - 2)  # inf at 2: NumPy's error model

    def squared(number: int) -> int:
        if number < 0:
            raise ValueError("negative", number)
        return number * number

    def both(weights: Any, number: int) -> float:
        return squared(number) + divided(weights, number)

    return Kernel(both), [(squared, (1,)), (divided, (Weights(), 1))]


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[bool]]:
    """For each part that was asked for, whether the other process had made it."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(beside, "_can_help", lambda: True)
    answers: list[bool] = []
    fetch = beside._Helper.fetch

    def noting(helper: Any, number: int) -> bytes | None:
        give_up = time.monotonic() + 10  # of one that hangs in another part
        while helper._becomes[number] == beside._FREE and helper._is_alive():
            if time.monotonic() > give_up:
                break
            time.sleep(0.01)
        answer = fetch(helper, number)
        answers.append(answer is not None)
        return answer

    monkeypatch.setattr(beside._Helper, "fetch", noting)
    before = children()
    yield answers
    assert memory_files() == 0
    assert children() <= before  # tests that ran before may have left some


def memory_files() -> int:
    """How many files in memory are open that parts come in."""
    links = (
        os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd")
    )
    there = filter(os.path.lexists, links)  # that of the listing itself is gone
    return sum("memfd:playout" in os.readlink(link) for link in there)


def children() -> set[str]:
    """Processes that this one has started and not seen the end of."""
    found = Path("/proc/self/task").glob("*/children")
    return {pid for listed in found for pid in listed.read_text().split()}


def test_parts_made_by_the_second_process_are_linked_in(fetched: list[bool]) -> None:
    kernel, parts = sums()
    compiled = kernel.compile(Weights(), 1, parts=parts)
    assert fetched == [True, True]
    for number in (3, 4, 10):
        assert compiled(Weights(), number) == kernel(Weights(), number)
    assert np.isinf(compiled(Weights(), 2))
    with pytest.raises(ValueError, match="negative") as error:  # made there
        compiled(Weights(), -7)
    assert error.value.args == ("negative", -7)


def test_a_part_has_all_it_needs_where_the_one_before_is_not_wanted(
    fetched: list[bool],
) -> None:
    """What both call was compiled for the first, which nobody fetches."""

    def squared(number: int) -> int:
        if number < 0:
            raise ValueError("negative", number)  # made by its environment
        return number * number

    def unused(number: int) -> int:
        return squared(number) - 1

    def used(number: int) -> int:
        return squared(number) + 1

    def kernel(number: int) -> int:
        return used(number)

    compiled = Kernel(kernel).compile(1, parts=[(unused, (1,)), (used, (1,))])
    assert fetched == [True]
    assert compiled(3) == 10
    with pytest.raises(ValueError, match="negative"):
        compiled(-1)


@dataclass(frozen=True)
class Drawn(Compiled):
    @constant
    def table(self) -> np.ndarray:
        return np.random.default_rng().random(8)

    def first(self) -> float:
        return float(self.table[0])


@dataclass(frozen=True)
class Owner(Compiled):
    drawn: Drawn = Drawn()


def test_a_random_constant_has_one_value_in_both_processes(fetched: list[bool]) -> None:
    """That is how tables for hashing are made."""

    def there(owner: Any) -> float:
        return owner.drawn.first()

    def difference(owner: Any) -> float:
        return there(owner) - owner.drawn.first()

    compiled = Kernel(difference).compile(Owner(), parts=[(there, (Owner(),))])
    assert fetched == [True]
    assert compiled(Owner()) == 0.0


def test_what_was_linked_in_is_kept_on_disk(fetched: list[bool]) -> None:
    kernel, parts = sums()
    compiled = kernel.compile(Weights(), 1, parts=parts)
    again = Kernel(kernel.function).compile(Weights(), 1, parts=parts)
    assert again.from_cache
    assert again(Weights(), 5) == compiled(Weights(), 5)
    assert len(fetched) == 2


def large(offset: int) -> Any:
    """A function too large to be taken into its callers; all have one name."""
    lines = [f"    s = s * {offset + i} ^ n + (s >> {i % 7 + 1})" for i in range(300)]
    source = "\n".join(["def large(n):", f"    s = {offset}", *lines, "    return s"])
    names = {"__name__": __name__}
    exec(compile(source, f"large_{offset}", "exec"), names)
    assert isinstance(names["large"], FunctionType)
    return names["large"]


def test_functions_of_one_name_in_two_kernels_stay_apart(fetched: list[bool]) -> None:
    """What one second process made is linked with what the next one makes."""

    def caller(offset: int) -> Any:
        callee = large(offset)

        def caller(n: int) -> int:
            return callee(n) ^ callee(n + 3)

        return caller

    first, second = caller(1), caller(1000)

    def alone(n: int) -> int:
        return first(n)

    def both(n: int) -> int:
        return first(n) ^ second(n)

    parts: Parts = [(first, (1,)), (second, (1,))]
    one = Kernel(alone).compile(5, parts=parts[:1])(5)
    two = Kernel(both).compile(5, parts=parts)(5) ^ one
    assert fetched == [True, True]
    assert two == Kernel(caller(1000)).compile(5)(5) != one


def test_functions_of_a_module_that_is_not_imported_are_compiled_here(
    fetched: list[bool],
) -> None:
    """As a program has them that was run by `runpy`."""
    names: dict[str, Any] = {"__name__": "nowhere"}
    exec("def part(n): return n + 1\ndef both(n): return part(n) * 2", names)
    kernel = Kernel(names["both"])
    assert kernel.compile(1, parts=[(names["part"], (1,))])(4) == 10
    assert len(fetched) == 1


def test_parts_of_other_types_are_compiled_here(fetched: list[bool]) -> None:
    kernel, parts = sums()
    parts[0] = (parts[0][0], (1.5,))  # never called with such a number
    assert kernel.compile(Weights(), 1, parts=parts)(Weights(), 4) == 22.0
    assert fetched == [True]


def test_a_part_that_the_kernel_never_calls_is_no_harm(fetched: list[bool]) -> None:
    kernel, parts = sums()

    def broken(number: int) -> Any:
        return number.no_such_thing  # type: ignore[attr-defined]

    parts.insert(0, (broken, (1,)))
    assert kernel.compile(Weights(), 1, parts=parts)(Weights(), 4) == 22.0
    assert fetched == [True, True]


def test_code_with_addresses_of_the_other_process_is_refused(
    fetched: list[bool],
) -> None:
    def picked(weights: Any, number: int) -> float:
        return weights.pick(number)

    def total(weights: Any, number: int) -> float:
        return picked(weights, number) + picked(weights, number + 1)

    parts: Parts = [(picked, (Weights(), 1))]
    compiled = Kernel(total).compile(Weights(), 1, parts=parts)
    assert compiled(Weights(), 5) == 0.5
    assert fetched == [False]


@pytest.mark.parametrize(
    "fate",
    [
        pytest.param(lambda: os.kill(os.getpid(), signal.SIGKILL), id="killed"),
        pytest.param(lambda: os._exit(0), id="gone"),
        pytest.param(lambda: time.sleep(100), id="hangs"),
        pytest.param(lambda: os.kill(os.getpid(), signal.SIGSTOP), id="stopped"),
        pytest.param(lambda: 1 / 0, id="raises"),
        pytest.param(lambda: sys.exit("no"), id="exits"),
        pytest.param(lambda: False, id="refuses"),
    ],
)
def test_whatever_becomes_of_the_second_process_the_kernel_is_compiled(
    fate: Callable[[], Any],
    fetched: list[bool],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    kernel, parts = sums()
    monkeypatch.setattr(beside, "PATIENCE_SECONDS", 1.0)
    unwritten = native.unwritten_method

    def met(args: tuple[Any, ...]) -> Any:
        if os.getpid() != HERE:
            return None if fate() else "refused"
        return unwritten(args)

    monkeypatch.setattr(native, "unwritten_method", met)
    compiled = kernel.compile(Weights(), 1, parts=parts)
    assert compiled(Weights(), 4) == 22.0
    assert fetched == [False, False]
    assert capfd.readouterr() == ("", "")


def test_one_that_dies_after_its_work_has_done_it(
    fetched: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, parts = sums()
    fetch = beside._Helper.fetch

    def after_its_end(helper: Any, number: int) -> bytes | None:
        while helper._is_alive():
            time.sleep(0.01)
        return fetch(helper, number)

    monkeypatch.setattr(beside._Helper, "fetch", after_its_end)
    assert kernel.compile(Weights(), 1, parts=parts)(Weights(), 4) == 22.0
    assert fetched == [True, True]


@pytest.mark.parametrize("call", ["fork", "memfd_create"])
def test_no_second_process_where_the_system_allows_none(
    call: str, monkeypatch: pytest.MonkeyPatch, fetched: list[bool]
) -> None:
    def none_left(*args: Any) -> Any:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, call, none_left)
    kernel, parts = sums()
    assert kernel.compile(Weights(), 1, parts=parts)(Weights(), 4) == 22.0
    assert True not in fetched


def test_a_failure_here_ends_the_other_process(fetched: list[bool]) -> None:
    def interrupt(sentence: str) -> Any:
        raise KeyboardInterrupt

    native.on_compile(interrupt)
    kernel, parts = sums()
    try:
        with pytest.raises(KeyboardInterrupt):
            kernel.compile(Weights(), 1, parts=parts)
    finally:
        native.on_compile(None)
    assert kernel.compile(Weights(), 1, parts=parts)(Weights(), 4) == 22.0


@dataclass(frozen=True)
class Half(Unsolved):
    """It says that ends teach it something, but not what."""

    learn = Solver.learn

    def ends(self, game: Any, state: Any) -> bool:
        return bool(game.is_terminal(state))


def test_a_method_nobody_has_written_is_found_there_and_named_here(
    fetched: list[bool],
) -> None:
    with pytest.raises(CompileError, match="Half is not complete: it has no learn"):
        MCTS(TicTacToe(), solver=Half()).compile()
    assert fetched[-1] is False


def test_what_is_not_said_here_is_not_said_there(
    fetched: list[bool], capfd: pytest.CaptureFixture[str]
) -> None:
    """Numba warns of functions as values, which kernels keep to themselves."""

    def plus(number: int) -> int:
        return number + 1

    def minus(number: int) -> int:
        return number - 1

    def either(number: int) -> int:
        function = plus if number % 2 else minus
        return function(number)

    def twice(number: int) -> int:
        return either(number) + either(number)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        Kernel(twice).compile(1, parts=[(either, (1,))])
    assert capfd.readouterr() == ("", "")


def test_one_process_where_another_would_be_of_no_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PLAYOUT_COMPILE_ALONE")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1})
    monkeypatch.setattr(threading, "active_count", lambda: beside.MOST_THREADS)
    assert beside._can_help()
    for where, name, value in (
        (os, "sched_getaffinity", lambda pid: {1}),
        (threading, "active_count", lambda: beside.MOST_THREADS + 1),
        (sys, "platform", "darwin"),
        (multiprocessing, "parent_process", lambda: object()),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, value)
            assert not beside._can_help()
    with monkeypatch.context() as patch:
        patch.delattr(os, "memfd_create")
        assert not beside._can_help()
    monkeypatch.setenv("PLAYOUT_COMPILE_ALONE", "1")
    assert not beside._can_help()


# -- from processes of their own, as users' programs do it -----------------------------

SEARCH = """
import json, os, sys
from playout import MCTS, Limit, make_game
from playout.core.jit import helper_process as beside

fetched = []
fetch = beside._Helper.fetch
def noting(helper, number):
    answer = fetch(helper, number)
    fetched.append(answer is not None)
    return answer
beside._Helper.fetch = noting
os.sched_getaffinity = lambda pid: {0, 1}  # a second process, however many there are

search = MCTS(make_game("tic-tac-toe"), seed=5)
found = search.search(limit=Limit(simulations=3000)).to_dict()
for timed in ("seconds", "compile_seconds", "simulations_per_second"):
    del found[timed]
print(json.dumps([found, fetched]))
"""


def environment(cache: Path, alone: str = "") -> dict[str, str]:
    given = {"PLAYOUT_COMPILE_ALONE": alone, "PLAYOUT_CACHE_DIR": str(cache)}
    return {**os.environ, **given}


def test_a_search_compiled_by_two_processes_is_the_same_search(tmp_path: Path) -> None:
    found = []
    for alone in ("", "1"):
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", SEARCH],
            env=environment(tmp_path / f"alone{alone}", alone),
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stderr == ""
        found.append(json.loads(run.stdout))
    (together, fetched), (alone_result, none) = found
    assert together == alone_result
    assert len(fetched) == 3, "a part's types are not those that the kernel calls"
    assert any(fetched)
    assert none == []
    here = MCTS(TicTacToe(), seed=5).search(limit=Limit(simulations=3000))
    assert [dataclasses.asdict(here)["visits"], here.move] == [
        together["visits"],
        together["best"],
    ]


HANGS = """
import os, time
from playout.core.jit import native
first = os.getpid()
native.unwritten_method = lambda args: time.sleep(1000 * (os.getpid() != first))
"""


def test_when_the_first_process_is_killed_the_second_ends(tmp_path: Path) -> None:
    """Else whoever reads what the first one prints would wait for it."""
    with subprocess.Popen(
        [sys.executable, "-c", HANGS + SEARCH],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as first:
        children = Path(f"/proc/{first.pid}/task/{first.pid}/children")
        give_up = time.monotonic() + 60
        while not (second := children.read_text().split()):
            assert first.poll() is None
            assert time.monotonic() < give_up
            time.sleep(0.02)
        time.sleep(0.5)  # it has to say first that it wants to end with the other
        first.kill()
        assert first.communicate(timeout=20) == (b"", b"")
    give_up = time.monotonic() + 20
    while Path(f"/proc/{second[0]}/fd").exists() and list_of(second[0]):
        assert time.monotonic() < give_up
        time.sleep(0.02)


def list_of(pid: str) -> list[str]:
    """The files a process has open; none of one that has ended."""
    try:
        return os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return []

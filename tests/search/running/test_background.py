"""Searches begin interpreted while another process compiles, and go on natively.

Mostly a stand-in takes the place of that process; once it is a real one.
"""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    CompileError,
    Limit,
    NativeEvaluator,
    Position,
    TicTacToe,
    make_game,
)
from playout.core.jit.native import Kernel, NotCompiledError, on_compile, only_loading
from playout.players.registry import make_player
from playout.search.evaluation.dense import DenseNetwork
from playout.search.running import background, forest
from playout.search.running.background import (
    Awaited,
    Elsewhere,
    begin_compiling,
    compiled_elsewhere,
)
from tests.networks import arrays
from tests.toys import Nim

Patch = pytest.MonkeyPatch


class StandIn(Awaited):
    """A process that is over when one has looked so often, or has waited."""

    def __init__(self, looks: int = 10**9) -> None:
        super().__init__()
        self.looks = looks

    @property
    def is_over(self) -> bool:
        self.looks -= 1
        return self.looks < 0

    def wait(self) -> None:
        self.looks = 0


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What the searches here take over."""
    make_player("mcts", TicTacToe()).prepare()


class Begin:
    """Has searches begin as where nothing is compiled; till `end` nothing can be."""

    def __init__(self, monkeypatch: Patch) -> None:
        self.patch, self.compile = monkeypatch, Kernel.compile

    def __call__(self, search: MCTS, process: StandIn) -> None:
        def refuse(*args: Any, **options: Any) -> Any:
            raise NotCompiledError("it has yet to be compiled")

        self.patch.setattr(forest, "begin_compiling", lambda *given: process)
        self.patch.setattr(Kernel, "compile", refuse)
        search.compile(wait=False)

    def end(self) -> None:
        self.patch.setattr(Kernel, "compile", self.compile)


@pytest.fixture
def begin(monkeypatch: Patch) -> Begin:
    return Begin(monkeypatch)


def seeded(seed: int = 1) -> MCTS:
    """A search with these random numbers that does not know they were chosen."""
    search = MCTS(TicTacToe())
    search.reset(seed)
    return search


def nodes(search: MCTS) -> bytes:
    return search.tree.nodes.array[: search.tree.num_nodes].tobytes()


def test_native_code_takes_over_in_the_same_tree(begin: Begin) -> None:
    whole, search, process = seeded(), seeded(), StandIn(looks=3)
    limit = Limit(simulations=100)
    expected = whole.search(limit=limit)
    begin(search, process)
    assert search.is_compiling
    begin.end()
    found = search.search(limit=limit)
    assert not search.is_compiling
    assert not search._forest.interpreted
    assert process.looks < 0
    assert nodes(search) == nodes(whole)
    assert (found.simulations, found.actions) == (100, expected.actions)


def test_a_network_inside_the_search_is_no_reason_to_wait(begin: Begin) -> None:
    """One that is Playout's own; one of a user's is compiled before anything begins."""
    game, process = TicTacToe(), StandIn(looks=3)
    network = DenseNetwork.of(arrays(game), game)
    whole, search = (MCTS(game, evaluator=network) for _ in range(2))
    for each in (whole, search):
        each.reset(1)
    whole.search(limit=Limit(simulations=60), forced_too=True)
    begin(search, process)
    assert search.is_compiling
    begin.end()
    search.search(limit=Limit(simulations=60), forced_too=True)
    assert not search.is_compiling
    assert nodes(search) == nodes(whole)


def test_only_networks_of_playouts_own_are_compiled_elsewhere(
    monkeypatch: Patch,
) -> None:
    monkeypatch.delenv(background.SETTING, raising=False)
    game, elsewhere = TicTacToe(), Elsewhere()
    network = DenseNetwork.of(arrays(game), game)
    found = []
    for evaluator in (network, Foreign()):
        policies = MCTS(game, evaluator=evaluator).policies
        with compiled_elsewhere(elsewhere):
            found.append(begin_compiling(policies, only_elsewhere=True))
    assert found == [elsewhere, None]


class Foreign(NativeEvaluator):
    """What a user has written."""


def test_nothing_is_compiled_here_meanwhile(begin: Begin) -> None:
    whole, search = seeded(), seeded()
    limits = [Limit(simulations=30), Limit(simulations=20, nodes=500)]
    whole.search(limit=limits[0])
    whole.advance("b2")
    whole.search(limit=limits[1])
    begin(search, StandIn())
    search.search(limit=limits[0])
    search.advance("b2")
    search.search(limit=limits[1])
    search.ponder()
    assert search._pondering is None
    assert search.is_compiling
    assert nodes(search) == nodes(whole)


def test_who_calls_compile_waits(begin: Begin) -> None:
    search, process = seeded(), StandIn()
    begin(search, process)
    search.search(limit=Limit(simulations=3))
    begin.end()
    search.compile()
    assert not search.is_compiling
    assert search.search(limit=Limit(simulations=300)).simulations > 200


def test_a_process_that_does_not_go_on_is_given_up(monkeypatch: Patch) -> None:
    """It counts as stopped, and a search that waits for it compiles by itself."""
    sleeps = "import time; time.sleep(600)"
    monkeypatch.setattr(background, "start_code", lambda module: sleeps)
    monkeypatch.setattr(background, "MOST_SECONDS", 0.1)
    process = background.BackgroundCompile(b"", "nothing")
    waiting = threading.Thread(target=process.wait, daemon=True)
    waiting.start()
    waiting.join(60.0)
    assert process.is_over


def test_an_error_of_the_compiler_comes_out(begin: Begin, monkeypatch: Patch) -> None:
    search = seeded()
    begin(search, StandIn(looks=2))

    def fail(*args: Any, **options: Any) -> None:
        raise CompileError("TicTacToe.apply: no")

    monkeypatch.setattr(Kernel, "compile", fail)
    for _ in range(2):
        with pytest.raises(CompileError, match="apply: no"):
            search.search(limit=Limit(simulations=100))
    begin.end()
    assert search.search(limit=Limit(simulations=100)).simulations == 100


def test_an_interrupt_gives_the_best_so_far(begin: Begin, monkeypatch: Patch) -> None:
    search = seeded()
    begin(search, StandIn())
    run, calls = search._forest.native, []

    def interrupt(*args: Any) -> None:
        run(*args)
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(search._forest, "native", interrupt)
    result = search.search(limit=Limit(seconds=60))
    assert result.stopped_by == "interrupted"
    assert result.simulations >= 3


def test_time_does_not_decide_early_by_the_slow_part(begin: Begin) -> None:
    search = MCTS(TicTacToe(), early_stop=True)
    begin(search, StandIn())
    position = Position.from_moves(TicTacToe(), ["a1", "b1", "a2"])
    result = search.search(position, Limit(seconds=0.5))
    assert result.stopped_by in ("seconds", "proven")


@pytest.mark.parametrize(
    "options",
    [
        {"seed": 1},
        {"interpreted": False},
        {"threads": 2},
        {"trees": 2},
        {"evaluator": lambda states: (np.zeros(len(states)), None)},
    ],
)
def test_some_searches_wait(begin: Begin, options: dict[str, Any]) -> None:
    with pytest.raises(NotCompiledError):  # it compiles, which nothing can
        begin(MCTS(TicTacToe(), **options), StandIn())


def test_one_that_may_only_load_begins_nothing() -> None:
    game = make_game("mnk:m=2,n=3,k=2")
    with only_loading(), pytest.raises(NotCompiledError):
        MCTS(game).compile(wait=False)


def test_no_process_is_started_where_it_is_of_no_use(
    monkeypatch: Patch, tmp_path: Path
) -> None:
    def never(*args: Any, **options: Any) -> None:
        raise AssertionError("a process is started")

    monkeypatch.setattr(background.subprocess, "Popen", never)
    monkeypatch.setenv("PLAYOUT_COMPILE", "beside")
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    assert (
        begin_compiling(MCTS(Nim()).policies, False) is None
    )  # its mistakes come first
    policies = MCTS(TicTacToe()).policies
    with pytest.raises(AssertionError, match="started"):
        begin_compiling(policies, False)
    with monkeypatch.context() as patch:
        patch.setenv("PLAYOUT_COMPILE", "first")
        assert begin_compiling(policies, False) is None
    with monkeypatch.context() as patch:
        patch.setattr(background.sys, "executable", "")
        assert begin_compiling(policies, False) is None
    (tmp_path / "file").touch()
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert begin_compiling(policies, False) is None


def test_a_system_without_room_for_a_process_compiles_here(
    monkeypatch: Patch, tmp_path: Path
) -> None:
    def full(*args: Any, **options: Any) -> None:
        raise OSError("no room")

    monkeypatch.setattr(background.subprocess, "Popen", full)
    monkeypatch.setenv("PLAYOUT_COMPILE", "beside")
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    assert begin_compiling(MCTS(TicTacToe()).policies, False) is None


def test_one_that_may_only_load_begins_where_others_compile(
    begin: Begin, monkeypatch: Patch, tmp_path: Path
) -> None:
    """It is told when its code is there, which is loaded and nothing else."""
    monkeypatch.setenv("PLAYOUT_COMPILE", "beside")
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    game, elsewhere = make_game("mnk:m=3,n=2,k=2"), Elsewhere()
    search, limit = MCTS(game), Limit(simulations=3)
    with only_loading(), compiled_elsewhere(elsewhere):
        search.compile(wait=False)
    assert search.is_compiling
    assert elsewhere.is_taken
    assert search.search(limit=limit).simulations == 3
    assert search.is_compiling
    elsewhere.end()  # too early
    with pytest.raises(NotCompiledError):
        search.search(limit=limit)


def test_nothing_else_waits_for_those_who_compile() -> None:
    """Neither rules of one's own, nor searches whose code is there."""
    elsewhere = Elsewhere()
    with compiled_elsewhere(elsewhere):
        assert begin_compiling(MCTS(Nim()).policies, True) is None
        MCTS(TicTacToe()).compile(wait=False)
    assert not elsewhere.is_taken


def test_a_player_is_ready_at_once(begin: Begin) -> None:
    player = make_player("mcts:simulations=20", TicTacToe())
    process = StandIn()
    begin(player.search, process)
    player.get_ready()
    assert player.search.is_compiling
    begin.end()
    player.prepare()
    assert not player.search.is_compiling


def test_a_real_process_leaves_the_code_on_disk(
    monkeypatch: Patch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PLAYOUT_COMPILE", "beside")
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    game, told = make_game("mnk:m=3,n=2,k=2"), []

    def observe(label: str) -> Callable[[], None]:
        told.append(label)
        return lambda: told.append("end")

    on_compile(observe)
    try:
        search, twin = MCTS(game), MCTS(game)
        result = search.search(limit=Limit(simulations=2))
        assert search.is_compiling
        assert (result.simulations, result.compile_seconds) == (2, 0.0)
        twin.compile(wait=False)
        assert twin._forest.awaited is search._forest.awaited  # one is enough
        search.compile()
    finally:
        on_compile(None)
    assert told == ["MNK in the background", "end"]
    assert any(tmp_path.glob("simulate-*/simulate.bin"))
    assert search._forest.native.from_cache


LOADS = """
import sys
from playout import TicTacToe
from playout.players.registry import make_player
make_player("mcts", TicTacToe()).prepare()
sys.exit("numba.np.arraymath" in sys.modules)
"""


def test_what_was_compiled_is_loaded_without_the_compilers_arrays() -> None:
    """They would import SciPy, where that is installed, as `play` begins."""
    assert subprocess.run([sys.executable, "-c", LOADS], check=False).returncode == 0

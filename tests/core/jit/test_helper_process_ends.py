"""Whatever becomes of the second process, the kernel is compiled, and alone."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playout import MCTS, Limit, TicTacToe
from playout.core.jit import helper_process as beside
from playout.core.jit import native
from tests.core.jit.sums import HERE, Weights, sums

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no second process")


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

"""Settings of Numba's with which nothing can be compiled are refused, by name."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from playout import UsageError
from playout.core.numba_settings import expect_compiler, expect_numba


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NUMBA_DISABLE_JIT", "1"),
        ("NUMBA_NUM_THREADS", "0"),
        ("NUMBA_CPU_FEATURES", "banana"),
    ],
)
def test_commands_refuse_them(name: str, value: str) -> None:
    done = run("-m", "playout", "perft", "tic-tac-toe", "2", **{name: value})
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"playout: error: {name}")
    assert done.stderr.count("\n") == 1


def test_the_program_for_managers_refuses_them_too() -> None:
    code = "from playout.__main__ import pbrain; pbrain()"
    done = run("-c", code, NUMBA_NUM_THREADS="0")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("pbrain-playout: error: NUMBA_NUM_THREADS")
    assert done.stderr.count("\n") == 1


def test_what_numba_cannot_read_is_a_warning_of_one_line() -> None:
    done = run("-m", "playout", "perft", "tic-tac-toe", "2", NUMBA_NUM_THREADS="banana")
    assert (done.returncode, done.stdout) == (0, "72\n")
    warned = done.stderr.splitlines()[0]
    assert warned.startswith("playout: warning: Environment variable 'NUMBA_NUM")
    assert "Traceback" not in done.stderr


def test_without_a_compiler_rules_run_interpreted() -> None:
    code = (
        "from playout import MCTS, Limit, TicTacToe, Position\n"
        "search = MCTS(TicTacToe(), interpreted=True)\n"
        "found = search.search(Position(TicTacToe()), Limit(simulations=5))\n"
        "print(found.simulations)"
    )
    done = run("-c", code, NUMBA_DISABLE_JIT="1")
    assert done.stdout == "5\n", done.stderr


@pytest.mark.parametrize("threads", ["0", "-3"])
def test_threads_below_one(monkeypatch: pytest.MonkeyPatch, threads: str) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    with pytest.raises(UsageError, match=f"^NUMBA_NUM_THREADS={threads} "):
        expect_numba()


@pytest.mark.parametrize("features", ["banana", "+avx2,fma", " +avx2"])
def test_features_without_a_sign(features: str) -> None:
    with pytest.raises(UsageError, match="begins with"):
        expect_compiler(SimpleNamespace(DISABLE_JIT=0, CPU_FEATURES=features))


@pytest.mark.parametrize("features", [None, "", "+avx2,-fma", "+avx2,"])
def test_features_that_llvm_can_read(features: str | None) -> None:
    expect_compiler(SimpleNamespace(DISABLE_JIT=0, CPU_FEATURES=features))

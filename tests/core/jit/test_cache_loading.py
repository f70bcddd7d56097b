"""What is on disk is loaded without all that Numba needs to compile.

Also of `core/jit/cache.py`.
"""

import json
import pickle
from pathlib import Path
from typing import Any

import numba
import pytest

from playout.core.jit import cache, internals, lowering
from tests.core.jit.processes import run

#: What compiling has Numba import, and takes half a second.
REGISTRY = "numba.np.arraymath"
SEARCH = f"""
import json, sys
from playout import MCTS, Limit, Position, TicTacToe
from playout.core.jit.native import on_compile
compiled = []
on_compile(lambda label: compiled.append(label) or (lambda: None))
search = MCTS(TicTacToe(), seed=1)
search.compile()
move = search.search(limit=Limit(simulations=2000)).move
print(json.dumps([move, bool(compiled), {REGISTRY!r} in sys.modules]))
"""


def halved(x: int) -> int:
    return x // 2


def compiled() -> Any:
    dispatcher = numba.njit(**lowering.jit_options(False))(halved)
    assert dispatcher(6) == 3
    (result,) = dispatcher.overloads.values()
    return result


def target() -> Any:
    context = internals.cpu_target.target_context
    return internals.with_own_code_generator(context, "test")


def with_names(content: bytes, *names: str) -> bytes:
    """The same function, whose code needs other names."""
    _, parts = pickle.loads(content)
    return bytes(internals.dumps((list(names), parts)))


def test_a_search_from_disk_asks_for_nothing_that_compiles(tmp_path: Path) -> None:
    first, second = (
        json.loads(run(SEARCH, PLAYOUT_CACHE_DIR=str(tmp_path)).stdout.splitlines()[-1])
        for _ in range(2)
    )
    assert first[1:] == [True, True]
    assert second == [first[0], False, False]


def test_names_that_are_known_are_those_that_the_code_needs() -> None:
    outside, _ = pickle.loads(cache.pack(compiled()))
    assert "PyErr_Occurred" in outside
    assert not [name for name in outside if name.startswith("llvm.")]
    assert cache.unpack(cache.pack(compiled()), target()).entry_point(6) == 3


def test_a_name_that_is_not_known_does_not_end_the_process() -> None:
    content = with_names(cache.pack(compiled()), "PyErr_Occurred", "no_such_name")
    with pytest.raises(LookupError, match=r"^no_such_name$"):
        cache.unpack(content, target())


def test_names_may_come_with_what_numba_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[str] = ["PyErr_Occurred"]
    loaded = target()
    monkeypatch.setattr(loaded, "refresh", lambda: known.append("late"))
    monkeypatch.setattr(cache, "address_of_symbol", lambda name: name in known or None)
    content = with_names(cache.pack(compiled()), "late")
    assert cache.unpack(content, loaded).entry_point(6) == 3
    assert known == ["PyErr_Occurred", "late"]

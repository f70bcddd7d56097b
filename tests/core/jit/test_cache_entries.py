"""What the disk cache holds: within its limit, and nothing that is not its own."""

import gc
import os
import shutil
import textwrap
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llvmlite.binding import ExecutionEngine

from playout import Compiled
from playout.core.jit import cache, native
from playout.core.jit.native import kernel


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


def fetch(adder: Compiled) -> bool:
    """Whether an adder's kernel is found on disk; it is compiled where it is not."""
    native = type(add)(add.function).compile(adder, 1)  # with nothing in memory
    assert native(adder, 1) == adder.add(1)  # type: ignore[attr-defined]
    return native.from_cache


def size_of(directory: Path) -> int:
    return sum(file.stat().st_size for file in directory.glob("*/*"))


@kernel
def take(table: Any, index: int) -> Any:
    return table[index]


def test_twenty_edits_leave_the_cache_bounded(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entries that were not used for longest are removed."""
    assert not fetch(make_adder(0))
    limit = 5 * size_of(own_cache)
    monkeypatch.setattr(cache, "LIMIT_BYTES", limit)
    for number in range(1, 20):
        fetch(make_adder(number))
        let_time_pass(own_cache)
        assert fetch(make_adder(0))  # which all the time somebody plays
        let_time_pass(own_cache)
        assert size_of(own_cache) <= limit
    assert len(list(own_cache.iterdir())) == len(cache.cache_entries()) >= 4
    assert fetch(make_adder(19))
    assert not fetch(make_adder(1))


def let_time_pass(directory: Path) -> None:
    """Make all entries a minute older: clocks of file systems are coarse."""
    for path in directory.iterdir():
        used = path.stat().st_mtime - 60
        os.utime(path, (used, used))


def test_many_that_are_used_do_not_push_each_other_out(own_cache: Path) -> None:
    """Trees with different columns once counted as versions of one."""
    for cached in (False, True):
        for dtype in ("i1", "i2", "i4", "i8", "f4", "f8"):
            native = type(take)(take.function).compile(np.ones(1, dtype), 0)
            assert native.from_cache == cached


def files_of(own_cache: Path) -> tuple[Path, Path]:
    """The files of two versions of one kernel."""
    fetch(make_adder(100))
    fetch(make_adder(101))
    first, second = own_cache.glob("*/*.bin")
    return first, second


def exchange(first: Path, second: Path) -> None:
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)


def link(first: Path, second: Path) -> None:
    first.unlink()
    first.symlink_to(second)


def put_directory(first: Path, second: Path) -> None:
    first.unlink()
    (first / "in it").mkdir(parents=True)


def put_file(first: Path, second: Path) -> None:
    first.unlink()
    first.parent.rmdir()
    first.parent.write_text("no directory")


def put_pipe(first: Path, second: Path) -> None:
    first.unlink()
    os.mkfifo(first)


DAMAGES: dict[str, Callable[[Path, Path], Any]] = {
    "empty": lambda first, second: first.write_bytes(b""),
    "cut": lambda first, second: first.write_bytes(first.read_bytes()[:-50]),
    "changed": lambda first, second: first.write_bytes(b"x" + first.read_bytes()[1:]),
    "another's": lambda first, second: shutil.copy(second, first),
    "exchanged": exchange,
    "unreadable": lambda first, second: first.chmod(0),
    "a link to another's": link,
    "a directory": put_directory,
    "a file for the entry": put_file,
    "a pipe": put_pipe,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_compiled_again(damage: str, own_cache: Path) -> None:
    """However a file was damaged, it is made again, and no other is loaded."""
    files = files_of(own_cache)
    DAMAGES[damage](*files)
    found = [fetch(make_adder(number)) for number in (100, 101)]
    is_root = damage == "unreadable" and os.geteuid() == 0  # who may read it
    assert sum(found) == (2 if is_root else damage != "exchanged")
    assert fetch(make_adder(100))
    assert fetch(make_adder(101))
    assert not any(file.is_symlink() for file in files)


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
    (own_cache / "simulate-of-another-kind").mkdir()
    (own_cache / "simulate-of-another-kind" / "simulate.bin").touch()
    removed, errors = cache.clear_cache()
    assert (len(removed), errors, cache.cache_entries()) == (1, {}, [])
    assert len(list(own_cache.iterdir())) == 1  # what is not ours stays


def test_checked_and_unchecked_do_not_mix(own_cache: Path) -> None:
    table = np.arange(4)
    assert take.compile(table, 0)(table, 3) == 3
    checked = take.compile(table, 0, checked=True)
    with pytest.raises(IndexError):
        checked(table, 4)


def engines() -> int:
    """How many stores of native code there are."""
    gc.collect()
    return sum(type(each) is ExecutionEngine for each in gc.get_objects())


def test_what_was_loaded_is_freed_with_its_last_user(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "MOST_KEPT", 2)
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


def test_a_code_generator_is_made_only_for_what_is_on_disk(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has its own engine of LLVM, which takes a while to make."""
    made = []
    real = native.with_own_code_generator

    def noted(*arguments: Any) -> Any:
        made.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(native, "with_own_code_generator", noted)
    adder = make_adder(31)
    assert not fetch(adder)
    assert not made
    assert fetch(adder)
    assert len(made) == 1

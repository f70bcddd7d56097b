"""Files are read only where they end, and replaced only when the new ones are whole."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from playout.core.errors import UsageError
from playout.core.files import (
    NoSuchFileError,
    expect_apart,
    expect_file_name,
    read_bytes,
    read_text,
    replacing,
    write_text,
)
from playout.core.text.plugins import load_file


def test_only_regular_files_of_bounded_size_are_read(tmp_path):
    path = tmp_path / "small.txt"
    path.write_text("four")
    assert read_text(path, most=4) == "four"
    with pytest.raises(UsageError, match=r"small\.txt: .* larger than the 3 bytes"):
        read_bytes(path, most=3)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="this is a pipe"):
        read_bytes(pipe)
    with pytest.raises(UsageError, match="this is a device"):
        read_bytes("/dev/zero")
    with pytest.raises(UsageError, match="this is a directory"):
        read_bytes(tmp_path)
    with pytest.raises(UsageError, match="none: No such file"):
        read_bytes(tmp_path / "none")
    with pytest.raises(UsageError, match="null"):
        read_bytes("a\0b")


def test_a_file_without_a_size_is_read_no_further_than_allowed():
    with pytest.raises(UsageError, match="larger than the 10 bytes"):
        read_bytes("/proc/self/status", most=10)


def test_a_huge_file_is_refused_at_once(tmp_path):
    path = tmp_path / "huge"
    path.touch()
    os.truncate(path, 10 << 30)  # it takes no room
    with pytest.raises(UsageError, match="larger than"):
        read_bytes(path)


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError):
        _write_half(path, ZeroDivisionError())
    with pytest.raises(UsageError, match="cannot be written: No space"):
        _write_half(path, OSError(28, "No space left on device"))
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["kept.txt"]


def _write_half(path, error):
    with replacing(path) as file:
        file.write_text("half")
        raise error


def test_permissions_and_links_stay(tmp_path):
    path, link = tmp_path / "target.txt", tmp_path / "link.txt"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to("target.txt")
    write_text(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EACCES])
def test_what_cannot_be_replaced_is_written_over(tmp_path, monkeypatch, number):
    """For instance a file that is mounted, or lies in a folder that is not writable."""
    path = tmp_path / "fixed.txt"
    path.write_text("old and longer")
    before = path.stat().st_ino

    def refuse(file, target):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", refuse)
        write_text(path, "new")
        with pytest.raises(UsageError, match="cannot be written"):
            write_text(tmp_path / "fresh.txt", "new")
    assert (path.read_text(), path.stat().st_ino) == ("new", before)
    assert os.listdir(tmp_path) == ["fixed.txt"]


def test_a_file_is_replaced_in_a_directory_that_may_not_be_written(
    tmp_path, monkeypatch
):
    path, made = tmp_path / "fixed.txt", []
    path.write_text("old and longer")
    monkeypatch.setattr(os, "access", lambda place, _: Path(place) != tmp_path)
    with replacing(path) as new:
        new.write_text("new")
        made += os.listdir(tmp_path)
    assert path.read_text() == "new"
    assert made == ["fixed.txt"]
    assert not new.exists()


def test_what_nobody_may_look_at_is_there_all_the_same(tmp_path, monkeypatch):
    def refuse(path, *_, **__):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", refuse)
        with pytest.raises(UsageError, match=r"game\.py: Permission denied"):
            load_file(Path("game.py"))
    with pytest.raises(NoSuchFileError, match=r"none\.py: No such file"):
        load_file(tmp_path / "none.py")


@pytest.mark.parametrize("text", ["", " ", "\t\n"])
def test_a_blank_name_is_no_name_of_a_file(text):
    with pytest.raises(UsageError, match=r"^save: .* is no name of a file"):
        expect_file_name(text, "save")


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join(60)
    assert read == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_pipe_without_a_name_is_written_to() -> None:
    """As in `playout record export g.db /dev/stdout | cat`."""
    code = (
        "from playout.core.files import write_text; write_text('/dev/stdout', 'games')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("games", "")


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input_is_read_up_to_the_size_allowed(name) -> None:
    code = (
        "from playout.core import files\n"
        f"print(files.read_text({name!r}), files.read_text({name!r}, 5))\n"
        f"try: files.read_text({name!r}, 4)\n"
        "except files.UsageError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="moves",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (
        f"moves moves\n{name}: the file is larger than the 4 bytes allowed\n"
    )


def test_a_text_that_is_no_unicode_is_written_all_the_same(tmp_path):
    write_text(tmp_path / "a.txt", "a\ud800b")
    assert (tmp_path / "a.txt").read_text() == "a?b"


def test_one_file_by_two_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    base = tmp_path / "g.db"
    base.touch()
    (tmp_path / "soft").symlink_to("g.db")
    (tmp_path / "hard").hardlink_to(base)
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "link.db").symlink_to(base)
    for name in ("g.db", "./g.db", "away/../g.db", "soft", "hard", "g.db-wal"):
        with pytest.raises(UsageError, match=r"TARGET: .* is the file of FILE"):
            expect_apart({"TARGET": name}, {"FILE": base})
    for name in ("soft", "away/link.db"):  # the companions lie where the link leads
        with pytest.raises(UsageError, match="is the file of FILE"):
            expect_apart({"TARGET": "g.db-shm"}, {"FILE": name})
    with pytest.raises(UsageError, match=r"--plot: x\.png is the file of --tree"):
        expect_apart({"--tree": "x.png", "--plot": "x.png"}, {})
    expect_apart({"TARGET": "g.jsonl", "--plot": None}, {"FILE": base, "--save": None})

"""`playout cache`."""

import errno
import shutil

import pytest

from tests.ui.support import output_of, run


@pytest.fixture
def entries(tmp_path, monkeypatch):
    """Two entries of a cache."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    paths = [tmp_path / f"simulate-{digit * 22}" for digit in "ab"]
    for path in paths:
        path.mkdir()
        (path / "simulate.bin").write_bytes(b"x" * 1_000_000)
    return paths


def test_cache(tmp_path, monkeypatch, entries):
    shown = output_of("cache")
    assert str(tmp_path) in shown
    assert "entries    2" in shown
    assert "2.0 MB" in shown
    assert "removed    2 entries, 2.0 MB" in output_of("cache", "--clear")
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path / "nowhere"))
    assert "entries    0" in output_of("cache")
    assert "removed    0 entries, 0.0 MB" in output_of("cache", "--clear")


def test_what_cannot_be_removed_is_said(monkeypatch, entries):
    rmtree = shutil.rmtree

    def guarded(path, ignore_errors=False):
        if path != entries[0]:
            rmtree(path)
        elif not ignore_errors:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(shutil, "rmtree", guarded)
    result = run("cache", "--clear")
    assert result.exit_code == 2
    assert "removed    1 entries, 1.0 MB" in result.stdout
    assert f"1 could not be removed, such as {entries[0]} (Permission" in result.stderr
    assert [path.exists() for path in entries] == [True, False]

"""Files of users' code: what is run is what they hold, and what they do to the path."""

import os
import sys

import pytest

from playout.core.text.plugins import entry_points, load_file


def test_a_file_that_is_edited_within_a_second_runs_as_it_is_now(tmp_path):
    """Python tells the bytecode that it keeps by the second and the size of a text."""
    path, found = tmp_path / "rules.py", []
    for limit in (3, 5):
        path.write_text(f"LIMIT = {limit}\n")
        os.utime(path, ns=(10**18, 10**18 + limit))
        found.append(load_file(path).LIMIT)
    assert found == [3, 5]
    assert load_file(path).__file__ == str(path)
    assert not (tmp_path / "__pycache__").exists()


def test_a_file_may_put_folders_on_the_path(tmp_path):
    """They stay, as it may import from them later; its own folder does not."""
    other = str(tmp_path / "other")
    file = tmp_path / "rules.py"
    file.write_text(f"import sys; sys.path.insert(0, {other!r})")
    before = list(sys.path)
    try:
        load_file(file)
        assert sys.path == [other, *before]
    finally:
        sys.path[:] = before


def test_files_of_two_folders_import_their_own(tmp_path):
    """As two players do that have a module of one name each, and a package."""
    for folder in ("one", "two"):
        (tmp_path / folder / "more").mkdir(parents=True)
        (tmp_path / folder / "helper.py").write_text(f"NAME = {folder!r}")
        (tmp_path / folder / "more" / "__init__.py").write_text("")
        (tmp_path / folder / "more" / "inner.py").write_text(f"NAME = {folder!r}")
        (tmp_path / folder / "player.py").write_text(
            "import helper\nfrom more import inner\nNAMES = helper.NAME, inner.NAME"
        )
    first = load_file(tmp_path / "one" / "player.py")
    second = load_file(tmp_path / "two" / "player.py")
    assert first.NAMES == ("one", "one")
    assert second.NAMES == ("two", "two")
    assert sys.modules["helper"] is first.helper


def write_package(folder, name):
    """As an installer does, in two steps; returns the second."""
    information = folder / f"{name}-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Name: {name}\nVersion: 1\n")
    text = f"[playout.games]\n{name} = {name}:Game\n"
    return lambda: (information / "entry_points.txt").write_text(text)


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder in which nothing is installed, and has not been for long."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    os.utime(tmp_path, ns=(10**18, 10**18))
    return tmp_path


def test_packages_are_found_that_are_installed_meanwhile(packages):
    assert entry_points("playout.games") == {}
    write_package(packages, "late")()
    assert entry_points("playout.games")["late"].value == "late:Game"
    os.utime(packages, ns=(10**18, 10**18 + 10**9))
    assert entry_points("playout.games")["late"].value == "late:Game"
    assert entry_points("playout.players") == {}


def test_a_package_is_not_missed_for_being_half_installed(packages):
    finish = write_package(packages, "late")
    assert entry_points("playout.games") == {}
    finish()
    assert "late" in entry_points("playout.games")


@pytest.mark.usefixtures("packages")
def test_packages_are_not_read_again_and_again(monkeypatch):
    found = entry_points("playout.games")
    monkeypatch.setattr("importlib.metadata.entry_points", None)
    assert entry_points("playout.games") is found

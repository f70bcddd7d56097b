"""The house: no circle, no arrow up, and tests where one looks for them."""

import ast
import re
from collections import defaultdict

import pytest

from tests.house import (
    JIT,
    ROOT,
    SOURCE,
    arrows_up,
    circle,
    files,
    imports,
    layers,
    plan,
    rooms,
    unfenced,
    within,
)

#: Longer files are about two things.
MOST_LINES = 400
#: Folders whose tests stand beside them and not in `src`.
ELSEWHERE = (
    "tests.benchmarks",
    "tests.docs",
    "tests.fuzz",
    "tests.mutants",
    "tests.strangers",
)
#: What tests are about that is no single source, by the folder they stand in.
SUBJECTS = {
    "tests": {"door", "house"},
    "tests.games": {"playthroughs"},
    "tests.search": {"golden"},
    "tests.ui.web": {"page"},
}
#: Rooms in which every source of more than these lines has tests.
TESTED = (
    "playout.adapters",
    "playout.arena",
    "playout.core",
    "playout.games",
    "playout.learning",
    "playout.players",
    "playout.protocols",
    "playout.search",
    "playout.ui",
)
SHORT = 40


def test_no_file_imports_itself_through_others() -> None:
    assert circle(imports()) == []


@pytest.mark.parametrize("contract", layers())
def test_imports_go_down_only(contract: str) -> None:
    assert arrows_up(imports(), layers()[contract]) == []


@pytest.mark.parametrize("contract", layers())
def test_every_room_has_its_place(contract: str) -> None:
    """Where a folder's rooms are in order, all are; a game is one by its `rules`."""
    placed = {room for rooms in layers()[contract] for room in rooms}
    (above,) = {room.rpartition(".")[0] for room in placed}
    missing = {
        room
        for room in (f"{above}.{name}" for name in rooms(above))
        if room not in placed and f"{room}.rules" not in files()
    }
    assert missing <= {"playout.__main__"}


def test_no_game_imports_another() -> None:
    games = [name.removesuffix(".rules") for name in files() if _is_game(name)]
    assert len(games) >= 4
    for name, imported in imports().items():
        for own in (game for game in games if within(name, game)):
            others = {
                other
                for other in imported
                for game in games
                if game != own and within(other, game)
            }
            assert others == set(), name


def _is_game(name: str) -> bool:
    return within(name, "playout.games") and name.endswith(".rules")


def test_numba_is_imported_in_one_room() -> None:
    assert unfenced() == []
    assert any(within(other, "numba") for other in imports()[f"{JIT}.compiled"])


def test_no_file_is_long() -> None:
    kinds = ("py", "js", "css", "html")
    folders = (SOURCE, *(ROOT / name for name in ("tests", "benchmarks", "examples")))
    paths = {
        path
        for folder in folders
        for kind in kinds
        for path in folder.rglob(f"*.{kind}")
    }
    assert len(paths) > 300
    long = {
        str(path.relative_to(ROOT)): lines
        for path in paths - set((ROOT / "tests" / "data").rglob("*"))
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }
    assert long == {}


def test_tests_bear_the_names_of_their_sources() -> None:
    """`search/tree/test_recycle_x.py` tests `recycle.py` in the same room."""
    lost = [name for name in files() if _is_test(name) and not _has_source(name)]
    assert lost == []


def _is_test(name: str) -> bool:
    return within(name, "tests") and ".test_" in name


def _has_source(name: str) -> bool:
    folder, _, subject = name.rpartition(".test_")
    if folder in ELSEWHERE:
        return True
    words = subject.split("_")
    beginnings = {"_".join(words[:count]) for count in range(1, len(words) + 1)}
    if beginnings & SUBJECTS.get(folder, set()):
        return True
    source = "playout" + folder.removeprefix("tests")
    return any(f"{source}.{beginning}" in files() for beginning in beginnings)


def test_every_source_has_tests() -> None:
    """By its name, or else one test file says that it is of that source as well."""
    named = set()
    for name, path in files().items():
        if _is_test(name):
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
            named |= set(re.findall(r"`([a-z_0-9/]+\.py)`", text or ""))
    untested = [
        name
        for name, path in files().items()
        if any(within(name, room) for room in TESTED)
        and path.name != "__init__.py"
        and len(path.read_text(encoding="utf-8").splitlines()) > SHORT
        and not _has_own_test(name)
        and str(path.relative_to(SOURCE / "playout")) not in named
    ]
    assert untested == []
    there = {str(path.relative_to(SOURCE / "playout")) for path in _sources()}
    assert named <= there, "test files name sources that are no more"


def _sources() -> list:
    return [path for name, path in files().items() if within(name, "playout")]


def _has_own_test(source: str) -> bool:
    folder, _, name = source.removeprefix("playout").rpartition(".")
    test = f"tests{folder}.test_{name}"
    return any(other == test or other.startswith(test + "_") for other in files())


def test_one_word_is_one_thing() -> None:
    """No two classes of the package bear the same name, private ones included."""
    homes = defaultdict(list)
    for path in _sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(SOURCE / "playout")))
    assert len(homes) > 300
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_the_plan_shows_every_file_once() -> None:
    lines = list(plan())
    assert lines[0].startswith("playout: ")
    total = len([name for name in files() if within(name, "playout")]) - 1
    assert f" {total} files" in lines[0]
    top = lines[1 : lines.index("")]
    counts = [int(re.split(r"\s+", line.strip())[1]) for line in top]
    assert sum(counts) == total
    assert [line.split()[0] for line in top][-1] == "core"

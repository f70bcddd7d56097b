"""Files and folders that the pages name are there, and the house's functions too."""

import re

import pytest

from tests.docs.pages import ROOT, pages

#: Where a path may begin.
BASES = (ROOT, ROOT / "src", ROOT / "src" / "playout", ROOT / "tests")
#: Folders that are not ours are named as well, so a path begins with one of these.
ROOMS = (
    *("adapters", "arena", "core", "games", "learning", "players", "protocols"),
    *("search", "ui", "src", "docs", "tests", "examples", "benchmarks", "playout"),
    *("kernels", "running", "result"),
)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_that_a_page_names(page):
    text = re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S
    )
    named = set(re.findall(rf"`((?:{'|'.join(ROOMS)})/[a-z_0-9/.]*[a-z_0-9])`", text))
    assert {path for path in named if not _is_there(path)} == set()


def _is_there(path: str) -> bool:
    bases = (*BASES, ROOT / "src" / "playout" / "search")
    return any((base / path).exists() for base in bases)


def test_the_simulation_of_the_house_is_the_one_of_the_source():
    """Every function that the page follows is defined in the rooms that it names."""
    page = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
    part = page.split("## One simulation")[1].split("\n## ")[0]
    named = set(re.findall(r"`(?:[a-z]+\.)?([a-z]+(?:_[a-z]+)*)`", part))
    search = ROOT / "src" / "playout" / "search"
    source = "\n".join(path.read_text("utf-8") for path in search.rglob("*.py"))
    defined = set(re.findall(r"def (\w+)\(", source))
    things = {"policies", "structure", "transpositions", "work", "path", "returns"}
    assert len(named) > 15
    assert named - things <= defined

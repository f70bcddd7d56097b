"""Rows of docs/checklist.md name tests that there are, and citations name a row."""

import re

from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "checklist.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (\d+) \|(.*)\|$", PAGE, re.M))


def test_the_tests_of_every_row_are_there() -> None:
    assert list(map(int, ROWS)) == list(range(1, len(ROWS) + 1))
    for row, cells in ROWS.items():
        tests = re.findall(r"`([a-z_0-9/]+\.(?:py|sh))(?:::(test_\w+))?`", cells)
        assert tests, row
        for path, name in tests:
            text = (ROOT / "tests" / path).read_text(encoding="utf-8")
            assert not name or f"\ndef {name}(" in text, f"row {row}: {path}::{name}"


def test_citations_name_rows_of_the_page() -> None:
    cited = set()
    for folder in ("src", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            text = " ".join(path.read_text(encoding="utf-8").split())
            for before, after in re.findall(
                r"rows? ([\d, and]+) of docs/check|checklist\.md, rows? ([\d, and]+)",
                text,
            ):
                cited |= set(re.findall(r"\d+", before or after))
            assert "CHECKLIST" not in text or path.name == "test_checklist.py", path
    assert len(cited) > 10
    assert cited <= set(ROWS)

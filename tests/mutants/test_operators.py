"""The mistakes that `make mutants` makes in small sources, and what it tells."""

import ast
import textwrap
from pathlib import Path

import pytest

from tests.mutants.areas import AREAS, PACKAGE, suite_of
from tests.mutants.operators import mutants
from tests.mutants.report import equivalents, table
from tests.mutants.workshop import Calls


def changes(source: str) -> list[str]:
    """What is put for the lines that change."""
    found = mutants("file.py", textwrap.dedent(source))
    return [each.change.partition(" => ")[2] for each in found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", {"x = (a <= b)"}),
        ("x = a in b", {"x = (a not in b)"}),
        ("x = a + b", {"x = (a - b)"}),
        ("x = a // b", {"x = (a * b)"}),
        ("x = -a", {"x = (a)"}),
        ("x = a and b", {"x = (a or b)"}),
        ("x = not a", {"x = (a)"}),
        ("x = True", {"x = False"}),
        ("x = 3", {"x = (4)", "x = (2)"}),
        ("x = max(a, b)", {"x = (min(a, b))"}),
        ("x = a if b else c", {"x = a if (not b) else c"}),
        ("x = [a for a in b if c]", {"x = [a for a in b if (not c)]"}),
        ("if a == b: f()", {"if (a != b): f()", "if a == b: pass"}),
        ("while a: break", {"while (not a): break", "while a: pass"}),
        ("a.b = c", {"pass"}),
        ("a += b", {"pass", "a -= b"}),
        ("raise ValueError(3)", {"pass"}),
        ("x = a < b <= c", {"x = (a <= b <= c)", "x = (a < b < c)"}),
    ],
)
def test_every_operator(source: str, expected: set[str]) -> None:
    assert sorted(changes(source)) == sorted(expected)


@pytest.mark.parametrize(
    "source",
    [
        '"""Text."""',
        'x = f"{a + 1}"',
        'x = a + "b"',
        "x: A | B",
        "x = Start | Stop",
        '__all__ = ["a"]',
        "def f(a: A[3]) -> B[4]: return a",
    ],
)
def test_what_nobody_should_notice_is_left_alone(source: str) -> None:
    assert changes(source) == []


def test_a_mutant_is_the_file_with_one_mistake() -> None:
    """Also in an expression of several lines with characters of several bytes."""
    source = 'class A:\n    def f(self):\n        ö = ("ü", max(\n            a,\n'
    source += "            b))\n        return ö\n"
    [mutant] = mutants("file.py", source)
    assert mutant.text == source.replace(
        "max(\n            a,\n            b)", "(min(a, b))"
    )
    assert (mutant.line, mutant.operator) == (3, "extreme")
    assert mutant.change == 'A.f: ö = ("ü", max( a, b)) => ö = ("ü", (min(a, b)))'


def test_mutants_are_python_and_have_tests() -> None:
    for path in (path for area in AREAS for path in area.files()):
        tests = suite_of(path, Path())
        assert len(tests) > 1
        assert all(Path(each.partition("::")[0]).exists() for each in tests)
        for mutant in mutants(path, (PACKAGE / path).read_text())[::100]:
            ast.parse(mutant.text)


def test_tests_of_other_files_are_chosen_by_what_they_call() -> None:
    suite = ["src/playout/a/b.py", "tests/a/test_b.py", "tests/x.py", "tests/y.py"]
    tests = {"a/b.py f": ["tests/x.py::one", "tests/y.py", "tests/z.py::two"]}
    calls = Calls(tests, {"tests/x.py::one": 1.0, "tests/y.py::three": 2.0})
    called, other = mutants("a/b.py", "def f(): return not a\ndef g(): return not a\n")
    assert calls.chosen(other, suite) == suite  # whoever calls it is not known
    chosen = calls.chosen(called, suite)
    assert chosen == [*suite[:2], "tests/x.py::one", "tests/y.py"]
    assert calls.usual(chosen) == 3.0
    assert calls.usual(chosen[:3]) == 1.0


def test_named_tests_are_there() -> None:
    for test in (test for area in AREAS for test in area.compiled):
        place, _, name = test.partition("::")
        assert name in Path(place).read_text()


def test_what_is_on_the_list_has_a_mutant_and_a_reason() -> None:
    there = {
        mutant.name
        for area in AREAS
        for path in area.files()
        for mutant in mutants(path, (PACKAGE / path).read_text())
    }
    assert set(equivalents()) <= there
    assert all(equivalents().values())


def test_the_table_counts_what_was_tried(monkeypatch) -> None:
    found = mutants("some/file.py", "x = 1 + 2\ny = 3\n")
    fates = ["caught", "late", "survived", "survived", "caught"]
    monkeypatch.setattr("tests.mutants.report.equivalents", lambda: {found[2].name: ""})
    known = {mutant.key: fate for mutant, fate in zip(found, fates, strict=False)}
    head, row, total, _, *survivors = table(found, known).splitlines()
    names = "file mutants tried caught late equivalent survived rate"
    assert head.split() == names.split()
    assert row.split() == ["some/file.py", "7", "5", "2", "1", "1", "1", "75%"]
    assert total.split()[1:] == row.split()[1:]
    assert [line.split()[0] for line in survivors] == ["equivalent", "survived"]

"""What a file imports from its own folder: modules, packages, and what they import."""

import pytest

from playout.core.text.imports import own_imports

FILES = ("rules.py", "deep.py", "pack/__init__.py", "pack/part.py", "pack/other.py")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import numpy, json", []),
        ("import rules", ["rules.py"]),
        ("from rules import LIMIT", ["rules.py"]),
        ("def late():\n    import deep", ["deep.py", "rules.py"]),
        ("import pack.part", ["pack/__init__.py", "pack/part.py"]),
        ("from pack import part", ["pack/__init__.py", "pack/part.py"]),
        ("from pack import *", ["pack/__init__.py"]),
        ("import pack.other", ["pack/__init__.py", "pack/other.py", "pack/part.py"]),
        ("from .......... import rules", []),
        ("this is no Python", []),
        ("import first", []),
    ],
)
def test_the_files_that_a_file_imports(tmp_path, text, found):
    (tmp_path / "pack").mkdir()
    for name in FILES:
        (tmp_path / name).touch()
    (tmp_path / "deep.py").write_text("import rules\nimport deep\n")
    (tmp_path / "pack" / "other.py").write_text("from . import part\n")
    first = tmp_path / "first.py"
    first.write_text(text)
    place = tmp_path.resolve()
    assert own_imports(first) == [place / name for name in sorted(found)]

"""The notebooks of pages say what the pages say, and run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.docs.notebooks import NOTEBOOKS, made_of, path_of
from tests.docs.pages import UPDATE
from tests.packages import needed


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_the_notebook_is_that_of_its_page(page: str) -> None:
    made = nbformat.writes(made_of(page)) + "\n"
    if UPDATE:
        path_of(page).write_text(made, encoding="utf-8")
    assert path_of(page).read_text(encoding="utf-8") == made, (
        "PLAYOUT_UPDATE_DOCS=1 pytest tests/docs/test_notebooks.py writes it anew"
    )


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_the_notebook_runs(page: str, tmp_path: Path) -> None:
    """In a folder of its own, without the cells that install packages."""
    if page != "native-speed":
        needed("torch")
        needed("onnxruntime")
    notebook = nbformat.read(path_of(page), as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.source.startswith("%pip"):
            cell.source = "pass"
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": paths, "JUPYTER_PLATFORM_DIRS": "1"}
    NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": tmp_path}}
    ).execute(env=environment)

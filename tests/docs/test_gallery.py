"""The gallery notebook runs, and everything in it draws itself."""

import os

import nbformat
import pytest
from nbclient import NotebookClient

from tests.docs.pages import ROOT

GALLERY = ROOT / "examples" / "gallery.ipynb"


@pytest.fixture(scope="module")
def shown():
    """The notebook's code cells, after they have been run."""
    notebook = nbformat.read(GALLERY, as_version=4)
    NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": ROOT}}
    ).execute(env={**os.environ, "JUPYTER_PLATFORM_DIRS": "1"})
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def pictures(cells, kind):
    """The cells' answers of a kind."""
    outputs = [output for cell in cells for output in cell.outputs]
    return [output.data[kind] for output in outputs if kind in output.get("data", {})]


def test_nothing_fails_and_every_cell_says_something(shown):
    assert all(cell.outputs for cell in shown[1:])
    assert not [o for cell in shown for o in cell.outputs if o.output_type == "error"]


def test_boards_and_trees_are_pictures(shown):
    drawn = pictures(shown, "image/svg+xml")
    assert len(drawn) == 4
    assert all("</svg>" in one for one in drawn)


def test_results_are_tables_games_without_a_board_are_text(shown):
    tables = pictures(shown, "text/html")
    assert sum("<table>" in one for one in tables) == 1
    assert sum("<pre>A" in one for one in tables) == 1


def test_plots_are_shown(shown):
    assert len(pictures(shown, "image/png")) == 2


def test_the_board_is_a_widget(shown):
    assert len(pictures(shown, "application/vnd.jupyter.widget-view+json")) == 1


def test_the_notebook_is_kept_without_output():
    notebook = nbformat.read(GALLERY, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)

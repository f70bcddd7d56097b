"""Pages of the docs as notebooks, whose cells are the pages' own blocks.

`PLAYOUT_UPDATE_DOCS=1 pytest tests/docs/test_notebooks.py` writes them anew. They are
kept without output; what a page shows of it is run and compared where the page is.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.docs.pages import ROOT, Block, blocks

#: The notebook in examples/ of each page.
NOTEBOOKS = {
    "native-speed": "native_speed.ipynb",
    "networks": "your_network.ipynb",
    "training": "train_your_game.ipynb",
}
_FENCED = re.compile(
    r"(?:^<!-- [^\n]*? -->\n+)?^```.*?^```\n?", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")


def path_of(page: str) -> Path:
    return ROOT / "examples" / NOTEBOOKS[page]


def made_of(page: str) -> nbformat.NotebookNode:
    """The notebook that says and does what a page does."""
    path = ROOT / "docs" / f"{page}.md"
    texts = _FENCED.split(path.read_text(encoding="utf-8"))
    found = blocks(path)
    assert len(texts) == len(found) + 1, path
    cells = [new_markdown_cell(_moved(texts[0]))]
    for block, text in zip(found, texts[1:], strict=True):
        if block.mark != "output":
            cells.append(_cell(block))
        if text.strip():
            cells.append(new_markdown_cell(_moved(text)))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"  # else it would differ from time to time
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _moved(text: str) -> str:
    """The text of a page in docs/, as it is read in examples/."""
    return _LINK.sub(r"](../docs/\1)", text.strip()).replace("../docs/../", "../")


def _cell(block: Block) -> nbformat.NotebookNode:
    """A block as a cell that does the same in a notebook."""
    text = block.text.strip()
    if block.mark.startswith("file: "):
        return new_code_cell(f"%%writefile {block.mark.removeprefix('file: ')}\n{text}")
    if block.language == "python":
        return new_code_cell(text)
    if block.language not in ("console", "sh"):
        return new_markdown_cell(f"```{block.language}\n{text}\n```")
    lines = text.splitlines()
    if block.language == "console":
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    lines = [_magic(line) for line in lines if line.strip()]
    if block.mark.startswith("not run: "):
        reason = block.mark.removeprefix("not run: ")
        lines = [f"# {reason}:", *(f"# {line}" for line in lines)]
    return new_code_cell("\n".join(lines))


def _magic(command: str) -> str:
    """A command line as IPython takes it; pip installs into the notebook's Python."""
    return f"%{command}" if command.startswith("pip ") else f"!{command}"

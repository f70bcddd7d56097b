"""Everything the pages show is run, and prints what they say."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
import sys

import click
import pytest

from tests.docs.pages import (
    ROOT,
    Block,
    blocks,
    check_output,
    files,
    is_run,
    needs,
    pages,
)
from tests.docs.shell import first_word, run_command
from tests.forks import ForkServer
from tests.packages import needed

PAGES = [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages()]
CONSOLES = [
    pytest.param(block, id=block.place)
    for page in pages()
    for block in blocks(page)
    if block.language in ("console", "sh")
]
#: Commands that set up or publish: their targets are checked, they are not run.
NOT_RUN = ("make", "pip", "uv", "uvx", "git", "cd", "dot")


@pytest.mark.parametrize("page", PAGES)
def test_python(page, tmp_path, monkeypatch):
    """The blocks of a page run in order and share their names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["page"])
    shutil.copytree(ROOT / "examples", "examples", ignore=ignored)
    names = {"__name__": "__main__"}
    printed = ""
    for block in blocks(page):
        if block.mark == "output":
            if printed is not None:
                check_output(block, printed)
        elif block.language == "python":
            printed = run_python(block, names) if is_run(block) else None


def run_python(block: Block, names) -> str:
    """Run a block so that errors and source lines name the page and its line."""
    source = "\n" * (block.line - 1) + block.text
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, block.page, "exec"), names)
    return printed.getvalue()


def ignored(folder, names):
    return [name for name in names if name == "__pycache__"]


@pytest.fixture(scope="module")
def forks():
    server = ForkServer()
    yield server
    server.close()


@pytest.mark.parametrize("block", CONSOLES)
def test_console(block, tmp_path, forks):
    """Every command line runs; where output is shown, that is what it prints."""
    if name := needs(block):
        needed(name)
    if not is_run(block):
        pytest.skip(block.mark)
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=ignored)
    for name, text in files(block.page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    printed = ""
    for line, shown in commands(block):
        command = line[2:].split("  #")[0]
        printed += line + (output(command, shown, tmp_path, forks) or shown)
    if block.language == "console":
        check_output(block, printed)


def commands(block: Block) -> list[tuple[str, str]]:
    """The command lines of a block, each with the output shown below it."""
    found: list[tuple[str, str]] = []
    for line in block.text.splitlines(keepends=True):
        if line.startswith("$ ") or (block.language == "sh" and line.strip()):
            found.append(("$ " + line.removeprefix("$ "), ""))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def output(command: str, shown: str, folder, forks) -> str:
    """Run a command line; what it printed, if the page shows what it does.

    A command of which an error is shown must end with exit code 2, any other with 0.
    """
    if first_word(command) in NOT_RUN:
        check_target(command)
        return ""
    done = run_command(command, folder, forks)
    wanted = 2 if "playout: error:" in shown else 0
    assert done.code == wanted, (command, done.stdout, done.stderr)
    if not shown:
        return ""
    text = (done.stdout if wanted == 0 else done.stderr).replace(f"{folder}/", "")
    return re.sub(r"^Compiling .*\n", "", text, flags=re.MULTILINE)


def check_target(command: str) -> None:
    """A command that is not run: what it names must be there."""
    words = shlex.split(command)
    if first_word(command) == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        for word in words:
            assert "=" in word or word == "make" or f"\n{word}:" in makefile, command
    if words[0] == "uvx" and "playout" in words:
        check_arguments(words[words.index("playout") + 1 :])


def check_arguments(words: list[str]) -> None:
    from playout.ui.cli.main import cli

    assert words[0] in cli.list_commands(click.Context(cli)), words


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    """Links and pictures within the project exist, and so do the headings they name."""
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        path, _, heading = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.name}: {target}"
        if heading:
            assert heading in headings(file.read_text(encoding="utf-8")), target


def headings(text: str) -> set[str]:
    """The anchors that a page's headings have on the web."""
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles
    }


@pytest.mark.parametrize("page", PAGES)
def test_blocks_name_their_language(page):
    """A fence without a language would never be run."""
    known = {"python", "console", "sh", "text", "json", "toml", "make", "dot"}
    for block in blocks(page):
        assert block.language in known, block.place
        if block.mark.startswith("not run"):
            assert len(block.mark) > len("not run: "), block.place

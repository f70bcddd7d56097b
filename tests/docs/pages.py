"""The project's pages as blocks of code that can be run.

A block of Python or of a console begins a fence; what stands in an HTML comment on the
line above it says more:

    <!-- output -->            this block is what the Python block before it prints
    <!-- file: name.py -->     this block is a file that the page's commands find
    <!-- not run: reason -->   there is a reason not to run it
    <!-- needs: package -->    it is run where this package is installed

Outputs are compared but for times and speeds; a line `...` stands for any lines.
`PLAYOUT_UPDATE_DOCS=1` writes what was really printed into the pages instead; read the
difference before you commit it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from tests.packages import is_there

ROOT = Path(__file__).parents[2]
UPDATE = bool(os.environ.get("PLAYOUT_UPDATE_DOCS"))

_FENCE = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n+)?^```(?P<language>[\w-]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
#: What differs from run to run and from machine to machine.
_VARIES = (
    (r"in [\d.]+ s \([\d,]+/s\)", "in # s (#/s)"),
    (r"   compiled in [\d.]+ s", ""),
    (r"^Compiling .*\n", ""),
    (r"^ +[\d,]+  \S+  [\d.]+%\n", ""),  # the progress of an example
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, where it begins, what is said of it."""

    page: Path
    number: int
    language: str
    text: str
    line: int
    mark: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Every page that people read, generated ones left out."""
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [
        page for page in [*top, *sorted(ROOT.glob("docs/**/*.md"))] if page.exists()
    ]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page,
            number,
            match["language"],
            match["text"],
            text.count("\n", 0, match.start("text")) + 1,
            match["mark"] or "",
        )
        for number, match in enumerate(_FENCE.finditer(text))
    ]


def needs(block: Block) -> str:
    """The package that a block needs; "" if none."""
    name = block.mark.removeprefix("needs: ")
    return name if name != block.mark else ""


def is_run(block: Block) -> bool:
    if name := needs(block):
        return is_there(name)
    return not block.mark.startswith(("not run: ", "file: "))


def files(page: Path) -> dict[str, str]:
    """The files that a page shows, by name."""
    marked = [block for block in blocks(page) if block.mark.startswith("file: ")]
    return {block.mark.removeprefix("file: "): block.text for block in marked}


def comparable(text: str) -> list[str]:
    """A program's output without what varies, line by line."""
    for pattern, instead in _VARIES:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return [line.rstrip() for line in text.strip().splitlines()]


def agrees(shown: list[str], printed: list[str]) -> bool:
    """Whether lines are as shown, where a line `...` stands for any lines."""
    pattern = "\n".join(
        "(?s:.*)" if line == "..." else re.escape(line) for line in shown
    )
    return re.fullmatch(pattern, "\n".join(printed)) is not None


def check_output(block: Block, printed: str) -> None:
    """Compare what a block shows with what was printed, or write it into the page."""
    if agrees(comparable(block.text), comparable(printed)):
        return
    if not UPDATE or "\n...\n" in block.text:
        assert comparable(printed) == comparable(block.text), block.place
    text = block.page.read_text(encoding="utf-8")
    match = list(_FENCE.finditer(text))[block.number]
    shown = "".join(line.rstrip() + "\n" for line in printed.strip().splitlines())
    text = text[: match.start("text")] + shown + text[match.end("text") :]
    block.page.write_text(text, encoding="utf-8")

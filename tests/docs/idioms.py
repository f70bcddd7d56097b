"""The idioms of docs/rules-in-numpy.md: one list for the page and for the test.

The list is tests/data/idioms.txt: what it is for, then the body of a method, whose last
line is what the method returns. Of what is refused: what one reads, what to write
instead, the code. The state has the fields of `DTYPE`.
"""

from __future__ import annotations

import html
import re
from typing import NamedTuple

import numpy as np

from tests.docs.pages import ROOT

#: What stands above the methods.
PREAMBLE = """\
import math
import random
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from playout import Game, constant, static

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
TURNS = [(-1, 0), (0, -1), (1, 0), [0, 1]]
WEIGHTS = np.array([1, 2, 3, 4])
HALVES = np.array([0.5, 1.0, 1.5, 2.0])
NARROW = np.array([100, 100], dtype=np.int8)
PRICES = {0: 5, 1: 7}


class Kind(IntEnum):
    ONE = 1
    TWO = 2


def total_of(line):
    total = 0
    for value in line:
        total += value
    return total


def places_of(line, wanted):
    for place in range(len(line)):
        if line[place] == wanted:
            yield place


def adder(amount):
    def add(number):
        return number + amount

    return add


add_seven = adder(7)
"""
DTYPE = np.dtype(
    [
        ("cells", "i1", (4, 4)),
        ("row", "i1", (4,)),
        ("seen", "?", (4,)),
        ("count", "i4"),
        ("bits", "u8"),
        ("small", "i1"),
    ]
)


def a_state() -> np.ndarray:
    """`[2]` a state to begin with, and room to work in."""
    states = np.zeros(2, dtype=DTYPE)
    states["cells"] = [[0, 1, 2, 0], [1, 1, 0, 2], [2, 0, 1, 1], [0, 2, 1, 0]]
    states["row"] = [1, 2, 0, 1]
    states["seen"] = [True, False, True, True]
    states["count"], states["small"] = 3, 120
    states["bits"] = np.uint64((1 << 63) + 5)
    return states


class Idiom(NamedTuple):
    """Something people write, and what it is for."""

    what: str
    code: str


class Refused(NamedTuple):
    """Something people write that does not work: what they read, what to write."""

    code: str
    told: str
    instead: str


_TEXT = (ROOT / "tests" / "data" / "idioms.txt").read_text(encoding="utf-8")
#: How the last group is called.
_REFUSED = "What is refused"


def _groups() -> dict[str, list[list[str]]]:
    """The entries of each group, as lines."""
    groups = {}
    for part in re.split(r"^== ", _TEXT, flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        entries = re.split(r"^-- ", rest, flags=re.MULTILINE)[1:]
        groups[title] = [entry.strip("\n").split("\n") for entry in entries]
    return groups


GROUPS = {
    title: [Idiom(what, "\n".join(code)) for what, *code in entries]
    for title, entries in _groups().items()
    if title != _REFUSED
}
REFUSED = [
    Refused("\n".join(code), told, instead.removeprefix("-> "))
    for told, instead, *code in _groups()[_REFUSED]
]


def body(code: str) -> list[str]:
    """The lines of a method that returns what the last line says."""
    *lines, last = code.splitlines()
    return [*lines, f"return {last}"]


def page() -> str:
    """The tables, as they stand on the page."""
    lines = []
    for group, idioms in GROUPS.items():
        lines += [f"### {group}", "", "| what | code |", "|---|---|"]
        lines += [f"| {idiom.what} | {_cell(idiom.code)} |" for idiom in idioms]
        lines += [""]
    lines += [f"### {_REFUSED}", "", "| code | you read | write |", "|---|---|---|"]
    lines += [f"| {_cell(r.code)} | {r.told} | {r.instead} |" for r in REFUSED]
    return "\n".join(lines) + "\n"


def _cell(code: str) -> str:
    """Code in a cell of a table, where a bar would end it."""
    lines = [
        html.escape(line, quote=False).replace("|", "&#124;")
        for line in code.splitlines()
    ]
    shown = [line.replace("    ", "&nbsp;&nbsp;&nbsp;&nbsp;") for line in lines]
    return "<br>".join(f"<code>{line}</code>" for line in shown)

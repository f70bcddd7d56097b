"""The grammar of SGF: collections of trees of nodes with properties, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .place import Place

__all__ = ["Node", "read_trees"]

_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[A-Za-z]+", flags=re.ASCII)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", flags=re.DOTALL)


@dataclass
class Node:
    """The properties of a node by name, each with its first value, and its line."""

    line: int
    properties: dict[str, str] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether the node has a property."""
        return name in self.properties

    def get(self, name: str, default: str = "") -> str:
        """A property's first value."""
        return self.properties.get(name, default)


def read_trees(text: str, place: Place) -> Iterator[list[Node]]:
    """The main line of every tree of a collection: the nodes up to the first leaf."""
    nodes: list[Node] = []
    depth, ended = 0, False
    for kind, line, match in _tokens(text, place):
        if depth == 0 and kind != "(":
            place.at(line).fail("a game begins with (;")
        if kind == "(":
            depth += 1
        elif kind == ")":
            depth, ended = depth - 1, True
            if depth == 0:
                if not nodes:
                    place.at(line).fail("a game without nodes")
                yield nodes
                nodes, ended = [], False
        elif not ended and kind == ";":
            nodes.append(Node(line))
        elif not ended and kind == "property":
            if not nodes:
                place.at(line).fail("a property outside of a node")
            name, value = match
            nodes[-1].properties.setdefault(name, value)
    if depth:
        place.at(text.count("\n") + 1).fail("the file ends within a game")


def _tokens(text: str, place: Place) -> Iterator[tuple[str, int, tuple[str, str]]]:
    """Brackets, semicolons and properties, each with its line."""
    at = _skip(text, 1 if text.startswith("\ufeff") else 0)
    line, counted = 1, 0
    while at < len(text):
        line += text.count("\n", counted, at)
        counted = at
        if text[at] in "();":
            yield text[at], line, ("", "")
            at = _skip(text, at + 1)
            continue
        name = _NAME.match(text, at)
        value = _VALUE.match(text, _skip(text, name.end())) if name else None
        if name is None or value is None:
            place.at(line).fail(f"{text[at : at + 20]!r} is not a property NAME[value]")
        first = value[1]
        while value is not None:
            at = _skip(text, value.end())
            value = _VALUE.match(text, at)
        # lower-case letters in names are from FF[3] and mean nothing
        capitals = re.sub("[a-z]", "", name[0])
        yield "property", line, (capitals, _unescape(first))


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _unescape(value: str) -> str:
    """Without escapes; an escaped line break was only there to break the line."""
    return re.sub(r"\\(\r\n|\n\r|.)", _escaped, value, flags=re.DOTALL)


def _escaped(match: re.Match[str]) -> str:
    return "" if match[1] in ("\n", "\r", "\r\n", "\n\r") else match[1]

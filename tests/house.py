"""The rooms of the package and the arrows between them, read from the imports.

`python -m tests.house` prints them, as `make house` does; of one folder alone with its
dotted name behind it. Nothing of the package is imported: what is read are its files.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
#: Only files below this folder may import these packages.
JIT = "playout.core.jit"
COMPILERS = ("numba", "llvmlite")

#: Modules by their dotted names, and what each imports.
Imports = Mapping[str, frozenset[str]]


@cache
def files() -> dict[str, Path]:
    """Every module of the package and its tests, by its dotted name."""
    found = {}
    for base in (SOURCE, ROOT):
        package = "playout" if base == SOURCE else "tests"
        for path in sorted((base / package).rglob("*.py")):
            parts = path.relative_to(base).with_suffix("").parts
            if "data" not in parts:
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def imports() -> Imports:
    """What every module imports, of the package, its tests, and others."""
    return {name: frozenset(_imported(name)) for name in files()}


def _imported(name: str) -> Iterator[str]:
    path = files()[name]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (_module(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level]
            base = ".".join([*above * bool(node.level), *filter(None, [node.module])])
            yield from (_module(f"{base}.{alias.name}") for alias in node.names)


def _module(dotted: str) -> str:
    """The module of ours that a dotted name stands in; else the name itself."""
    name = dotted
    while name and name not in files():
        name = name.rpartition(".")[0]
    return name or dotted


def within(name: str, room: str) -> bool:
    """Whether a module is a room, or stands in it.

    >>> within("playout.core.jit.bits", "playout.core"), within("playout.core", "pl")
    (True, False)
    """
    return name == room or name.startswith(room + ".")


def circle(graph: Imports) -> list[str]:
    """Modules that import each other in a ring; none if there is no such ring.

    >>> circle({"a": frozenset("b"), "b": frozenset("cx"), "c": frozenset("b")})
    ['b', 'c', 'b']
    """
    done: set[str] = set()

    def walk(way: list[str]) -> list[str]:
        for name in sorted(graph.get(way[-1], ())):
            if name in way:
                return [*way[way.index(name) :], name]
            if name not in done and (found := walk([*way, name])):
                return found
        done.add(way[-1])
        return []

    for name in graph:
        if name not in done and (found := walk([name])):
            return found
    return []


def layers() -> dict[str, list[list[str]]]:
    """Rooms by the name of the contract that orders them, the highest first.

    Those of one layer must not import each other.
    """
    with open(ROOT / "pyproject.toml", "rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    return {
        contract["name"]: [
            [room.strip() for room in layer.split("|")] for layer in contract["layers"]
        ]
        for contract in contracts
        if contract["type"] == "layers"
    }


def arrows_up(graph: Imports, order: list[list[str]]) -> list[tuple[str, str]]:
    """The imports that lead from a room to one above it, or beside it.

    >>> arrows_up({"a": frozenset("b"), "b": frozenset("a")}, [["a"], ["b"]])
    [('b', 'a')]
    """
    place = {room: level for level, rooms in enumerate(order) for room in rooms}
    found = []
    for name, imported in graph.items():
        here = next((room for room in place if within(name, room)), None)
        if here is None:
            continue
        for other in sorted(imported):
            there = next((room for room in place if within(other, room)), None)
            if there not in (None, here) and place[there] <= place[here]:
                found.append((name, other))
    return found


def unfenced() -> list[tuple[str, str]]:
    """Modules that import a compiler, and stand outside the room for that."""
    return [
        (name, other)
        for name, imported in imports().items()
        if within(name, "playout") and not within(name, JIT)
        for other in sorted(imported)
        if any(within(other, compiler) for compiler in COMPILERS)
    ]


def rooms(above: str) -> dict[str, list[str]]:
    """The rooms of a folder, by name: folders with their files, and single files."""
    found: dict[str, list[str]] = {}
    for name in files():
        if within(name, above) and name != above:
            found.setdefault(name.removeprefix(above + ".").split(".")[0], []).append(
                name
            )
    return found


def arrows(above: str) -> Counter[tuple[str, str]]:
    """How many imports lead from one room of a folder to another."""
    home = {name: room for room, names in rooms(above).items() for name in names}
    return Counter(
        (home[name], home[other])
        for name, imported in imports().items()
        for other in imported
        if name in home and home.get(other, home[name]) != home[name]
    )


def in_order(above: str) -> list[str]:
    """The rooms of a folder, each above all that it imports."""
    below: dict[str, set[str]] = {room: set() for room in rooms(above)}
    for room, other in arrows(above):
        below[room].add(other)
    order: list[str] = []

    def place(room: str) -> None:
        if room not in order:
            for other in sorted(below[room]):
                place(other)
            order.append(room)

    for room in sorted(below):
        place(room)
    return order[::-1]


def drawn(above: str) -> Iterator[str]:
    """A folder's rooms as text, the highest first, with what each imports."""
    found, counts = rooms(above), arrows(above)
    size = sum(map(len, found.values()))
    yield f"{above}: {len(found)} rooms, {size} files, {len(counts)} arrows"
    for room in in_order(above):
        to = [other for other in in_order(above) if (room, other) in counts]
        shown = ", ".join(f"{other} {counts[room, other]}" for other in to)
        yield f"  {room:22}{len(found[room]):4}{' -> ' if to else ''}{shown}"


def plan() -> Iterator[str]:
    """The whole house as text: the package, then its rooms from the lowest up."""
    yield from drawn("playout")
    for room in reversed(in_order("playout")):
        if len(rooms(f"playout.{room}")) > 1:
            yield ""
            yield from drawn(f"playout.{room}")


if __name__ == "__main__":
    print("\n".join(drawn(sys.argv[1]) if sys.argv[1:] else plan()))

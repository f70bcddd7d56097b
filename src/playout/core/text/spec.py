"""`name:key=value,key=value`: how games, players and their parameters are written."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import UsageError, quote
from .fields import expect_at_most, split_kind

__all__ = [
    "NETWORK_FILES",
    "is_library",
    "named_files",
    "network_place",
    "read_parameters",
    "show_value",
    "split_call",
    "split_parts",
    "split_spec",
    "unknown_name",
    "with_values",
]

#: The files that a network's directory may hold.
NETWORK_FILES = ("card.json", "net.npz", "net.onnx")
_BOOLEANS = {"true": True, "yes": True, "1": True}
_BOOLEANS |= {"false": False, "no": False, "0": False}
#: What to call the values of a type.
_WANTED = {bool: "true or false", int: "a whole number", float: "a number"}
#: Longer names are not repeated in full in a message.
_SHOWN = 60


def split_spec(spec: str) -> tuple[str, str, str]:
    """The file, the name in it and the parameters of a spec; "" where there is none.

    >>> split_spec("gomoku:size=19,rule=renju")
    ('', 'gomoku', 'size=19,rule=renju')
    >>> split_spec("path/to/file.py:MyGame:stones=30")
    ('path/to/file.py', 'MyGame', 'stones=30')

    Raises:
        UsageError: nothing follows the last colon.
    """
    if spec.endswith(":") and not spec.endswith(".py:"):
        raise UsageError(
            f"{spec[-_SHOWN:]!r}: after a colon come parameters, as in NAME:key=value; "
            "without any, write no colon"
        )
    file, colon, rest = spec.partition(".py:")
    if colon and "=" not in file:
        name, _, parameters = rest.partition(":")
        return file + ".py", name, parameters
    name, _, parameters = spec.partition(":")
    return "", name, parameters


def read_parameters(owner: str, text: str, types: Mapping[str, Any]) -> dict[str, Any]:
    """The values of `key=value,key=value`, converted to their types.

    Args:
        owner: what the parameters are of, for messages.
        text: what was written; "" for no parameters.
        types: the accepted names and their types: int, float, str, bool, perhaps with
            `| None`; anything else is a tuple of integers, written `4/3`. In an
            `Annotated` a type may say how much is too much (`fields.AtMost`).

    >>> read_parameters("nim", "stones=30", {"stones": int, "most": int})
    {'stones': 30}

    Raises:
        UsageError: a name is unknown or comes twice, or a value cannot be read, or is
            more than it may be.
    """
    values: dict[str, Any] = {}
    for part in split_parts(text):
        if not part:
            raise UsageError(f"{owner}: a comma too many in {quote(text)}")
        name, equals, value = part.partition("=")
        if name not in types:
            raise UsageError(_unknown_parameter(owner, name, types))
        if not equals:
            raise UsageError(f"{owner}: {name} needs a value, {name}=...")
        if name in values:
            raise UsageError(f"{owner}: {name} is given twice")
        kind, most = split_kind(types[name])
        values[name] = _convert(owner, name, value, kind)
        expect_at_most(f"{owner}: {name}", values[name], most)
    return values


def split_parts(text: str) -> list[str]:
    """The parts between the commas that do not stand in parentheses.

    >>> split_parts("selection=my.py:Mine(c=1,d=2),threads=2")
    ['selection=my.py:Mine(c=1,d=2)', 'threads=2']
    """
    return re.split(r",(?![^()]*\))", text) if text else []


def with_values(spec: str, values: Mapping[str, str]) -> str:
    """A spec with some of its parameters set.

    >>> with_values("mcts:simulations=100,c_uct=1", {"c_uct": "0.7"})
    'mcts:simulations=100,c_uct=0.7'
    >>> with_values("bots.py:make_player", {"skill": "2"})
    'bots.py:make_player:skill=2'
    >>> with_values("mcts:rollout=my.py:Mine", {"rollout.depth": "3"})
    'mcts:rollout=my.py:Mine(depth=3)'

    Args:
        spec: of a game or a player.
        values: by the parameter's name, or by `NAME.FIELD` in the parentheses of one.

    Raises:
        UsageError: a field is of a parameter that is not there.
    """
    file, name, text = split_spec(spec)
    parts = {part.partition("=")[0]: part for part in split_parts(text)}
    for key, value in values.items():
        owner, dot, field = key.partition(".")
        if dot and owner not in parts:
            raise UsageError(f"{key}: {spec} has no {owner}=..., whose field that is")
        if dot:
            called, inside = split_call(owner, parts[owner])
            fields = {
                part.partition("=")[0]: part for part in split_parts(inside or "")
            }
            fields[field] = f"{field}={value}"
            parts[owner] = f"{called}({','.join(fields.values())})"
        else:
            parts[key] = f"{key}={value}"
    return ":".join(filter(None, (file, name, ",".join(parts.values()))))


def split_call(owner: str, text: str) -> tuple[str, str | None]:
    """The name, and what stands in the parentheses after it; None without any.

    >>> split_call("selection", "my.py:Mine(c=1,d=2)"), split_call("backup", "mean")
    (('my.py:Mine', 'c=1,d=2'), ('mean', None))

    Raises:
        UsageError: it is no name with or without parentheses.
    """
    match = re.fullmatch(r"([^()]*)(?:\((.*)\))?", text)
    if match is None:
        raise UsageError(f"{owner}: {quote(text)}: expected NAME or NAME(field=value)")
    return match[1], match[2]


def named_files(spec: str, networks: Path | None = None) -> list[str]:
    """The files that a spec names, of those that there are.

    Args:
        spec: of a player.
        networks: where those are that come with Playout.

    >>> named_files("connect-four"), named_files("mcts:rollout=none.py:Cautious")
    ([], [])
    """
    first = re.match(r"(.*\.py):", spec)
    inner = re.findall(r"=([^=,:()]+\.py):", spec)
    found = [spec] if is_library(spec) else [*([first[1]] if first else []), *inner]
    network = re.match(r"net:([^,]+)|.*[:,]evaluator=([^,]+)", spec)
    if network is not None:
        place = network[1] or network[2]
        if networks is not None:
            place = str(network_place(place, networks))
        inside = [f"{place}/{name}" for name in NETWORK_FILES]
        # Where PyTorch's newer exporter puts the weights.
        found += [place, *inside, *(f"{name}.data" for name in (place, *inside))]
    return [name for name in dict.fromkeys(found) if Path(name).is_file()]


def network_place(place: str | Path, shipped: Path) -> Path:
    """Where a network is: with the user, else with those that come with Playout."""
    path = Path(place)
    own = shipped / path
    return own if not path.exists() and len(path.parts) == 1 and own.is_dir() else path


def is_library(spec: str) -> bool:
    """Whether a player's spec is a shared library."""
    return spec.lower().endswith((".so", ".dll", ".dylib"))


def _unknown_parameter(owner: str, name: str, types: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(name, types, n=1)
    hint = f", did you mean {close[0]}?" if close else ";"
    accepted = ", ".join(types) or "none"
    return (
        f"{owner}: unknown parameter {name[:_SHOWN]!r}{hint} "
        f"accepted: {accepted} (as name=value)"
    )


def _convert(owner: str, name: str, text: str, kind: Any) -> Any:
    for optional in (int, float, str, bool):
        kind = optional if kind == optional | None else kind
    try:
        if kind is bool:
            return _BOOLEANS[text.lower()]
        if kind in (int, float, str):
            return kind(text)
        return tuple(int(item) for item in text.split("/"))
    except (ValueError, KeyError):
        wanted = _WANTED.get(kind, "whole numbers joined by /, as in 4/3")
        raise UsageError(
            f"{owner}: {name} must be {wanted}, not {text[:_SHOWN]!r}"
        ) from None


def unknown_name(what: str, name: str, known: Iterable[str], more: str) -> UsageError:
    """The error for a name that nothing has, with the one that was perhaps meant.

    >>> print(unknown_name("game", "gomocu", ["gomoku", "nim"], "FILE.py:CLASS"))
    unknown game 'gomocu', did you mean gomoku? known are gomoku, nim, and FILE.py:CLASS
    """
    known = list(known)
    close = difflib.get_close_matches(name, known, n=1)
    hint = f", did you mean {close[0]}?" if close else ";"
    return UsageError(
        f"unknown {what} {name[:_SHOWN]!r}{hint} known are {', '.join(known)}, "
        f"and {more}"
    )


def show_value(value: Any) -> str:
    """A parameter's value as it is written in a spec.

    >>> show_value((4, 3))
    '4/3'
    """
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    return str(value)

"""Games by name, with parameters: `gomoku:size=19,rule=renju`, `file.py:ClassName`."""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import importlib.util
import sys
import typing
import zlib
from pathlib import Path
from typing import Any

from ..core.errors import PlayoutError, UsageError
from .game import Game

__all__ = ["GAMES", "game_spec", "make_game", "show_value"]

#: name -> (module, class); a module is imported when its game is asked for.
GAMES: dict[str, tuple[str, str]] = {
    "tic-tac-toe": ("mnk", "TicTacToe"),
    "mnk": ("mnk", "MNK"),
    "ultimate-tic-tac-toe": ("ultimate_tic_tac_toe", "UltimateTicTacToe"),
    "connect-four": ("connect_four", "ConnectFour"),
    "gomoku": ("gomoku", "Gomoku"),
}


def make_game(spec: str) -> Game:
    """The game that a text names.

    >>> make_game("connect-four:rows=9,columns=12,forbidden=4/3").columns
    12

    Raises:
        UsageError: unknown game, parameter or value, or a file that gives no game.
    """
    file, colon, rest = spec.rpartition(".py:")
    if colon:
        class_name, _, parameters = rest.partition(":")
        cls = _class_from_file(Path(file + ".py"), class_name)
    else:
        name, _, parameters = spec.partition(":")
        cls = _class_by_name(name)
    return _construct(cls, parameters)


def game_spec(game: Game) -> str:
    """The text that makes this game again, without parameters at their defaults."""
    given = []
    for field in _fields(type(game)):
        value = getattr(game, field.name)
        if value != field.default:
            given.append(f"{field.name}={show_value(value)}")
    name = game.name or type(game).__qualname__
    return name + (":" + ",".join(given) if given else "")


def _class_by_name(name: str) -> type[Game]:
    if name.endswith(".py"):
        raise UsageError(f"{name}: name the class too, as in {name}:MyGame")
    if name not in GAMES:
        close = difflib.get_close_matches(name, GAMES, n=1)
        hint = f", did you mean {close[0]}?" if close else ";"
        raise UsageError(
            f"unknown game {name[:60]!r}{hint} known are {', '.join(GAMES)}, and "
            "path/to/file.py:ClassName"
        )
    module, cls = GAMES[name]
    found: type[Game] = getattr(importlib.import_module(f"{__package__}.{module}"), cls)
    return found


def _class_from_file(path: Path, class_name: str) -> type[Game]:
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    place = zlib.crc32(str(path.resolve()).encode())
    name = f"_playout_user_{path.stem}_{place:x}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except PlayoutError:
        raise
    except Exception as error:
        raise UsageError(_broken_file(path, error)) from None
    finally:
        sys.path.pop(0)
    found = getattr(module, class_name, None)
    if not (isinstance(found, type) and issubclass(found, Game)):
        names = [
            key
            for key, value in vars(module).items()
            if isinstance(value, type) and issubclass(value, Game) and value is not Game
        ]
        raise UsageError(
            f"{path} has no game called {class_name!r}; "
            f"it has {', '.join(names) or 'no class derived from playout.Game'}"
        )
    return found


def _broken_file(path: Path, error: Exception) -> str:
    line = getattr(error, "lineno", None)
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    where = f"{path}, line {line}" if line else str(path)
    return f"{where}: {type(error).__name__}: {error}"


def _construct(cls: type[Game], text: str) -> Game:
    fields = {field.name: field for field in _fields(cls)}
    types = typing.get_type_hints(cls) if text else {}
    values: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if name in fields and not equals:
            raise UsageError(
                f"{cls.name or cls.__name__}: {name} needs a value, {name}=..."
            )
        if name not in fields:
            accepted = ", ".join(fields) or "none"
            raise UsageError(
                f"{cls.name or cls.__name__}: unknown parameter {name[:40]!r}; "
                f"accepted: {accepted} (as name=value)"
            )
        values[name] = _convert(cls, name, value, types.get(name, str))
    try:
        return cls(**values)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{cls.name or cls.__name__}: {error}") from None


def _fields(cls: type[Game]) -> tuple[Any, ...]:
    if not dataclasses.is_dataclass(cls):
        raise UsageError(
            f"{cls.__name__} must be a dataclass: put @dataclass(frozen=True) above it"
        )
    return tuple(field for field in dataclasses.fields(cls) if field.init)


def _convert(cls: type[Game], name: str, text: str, kind: Any) -> Any:
    try:
        if kind is bool:
            return {"true": True, "yes": True, "1": True}.get(text.lower()) or {
                "false": False,
                "no": False,
                "0": False,
            }[text.lower()]
        if kind in (int, float, str):
            return kind(text)
        return tuple(int(item) for item in text.split("/"))
    except (ValueError, KeyError):
        shown = getattr(kind, "__name__", str(kind))
        raise UsageError(
            f"{cls.name or cls.__name__}: {name}={text!r} is not of type {shown}"
        ) from None


def show_value(value: Any) -> str:
    """A parameter's value as it is written on the command line."""
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    return str(value)

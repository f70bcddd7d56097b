"""Games by name, with parameters: `gomoku:size=19,rule=renju`, `file.py:ClassName`."""

from __future__ import annotations

import dataclasses
import importlib
import typing
from pathlib import Path
from pkgutil import iter_modules
from random import Random
from types import ModuleType
from typing import Any

from ..core.errors import UsageError, quote
from ..core.text.plugins import entry_points, load_entry_point, load_file
from ..core.text.spec import read_parameters, show_value, split_spec, unknown_name
from .contract.game import Game

__all__ = [
    "ENTRY_POINTS",
    "GAMES",
    "adapted_parameters",
    "draw_parameters",
    "game_class",
    "game_names",
    "game_spec",
    "make_game",
]

#: The games that are listed first; the others follow by their names.
_FIRST = ("tic-tac-toe", "mnk", "ultimate-tic-tac-toe", "connect-four", "gomoku")
#: The folder of the games that are a single file each.
_SMALL = "more"


def _own_games() -> dict[str, str]:
    """The game of every folder with `rules`, and of every file in `more`, by its name.

    That is the name of the folder or the file, with `-` for `_`. A file whose game's
    name begins with a digit has `game_` before it.
    """
    here = Path(__file__).parent
    # Two games stand in one file, as one is the other's base.
    modules = {"mnk": "tic_tac_toe.rules"}
    for folder in _names_in(here):
        names = _names_in(here / folder)
        if folder == _SMALL:
            small = {name.removeprefix("game_"): f"{_SMALL}.{name}" for name in names}
            modules |= small
        elif "rules" in names:
            modules[folder] = f"{folder}.rules"
    found = {name.replace("_", "-"): module for name, module in modules.items()}
    return {name: found[name] for name in (*_FIRST, *sorted(found.keys() - _FIRST))}


def _names_in(folder: Path) -> list[str]:
    return [each.name for each in iter_modules([str(folder)])]


#: name -> module, which is imported when its game is asked for.
GAMES: dict[str, str] = _own_games()

#: What stands before the name of a game of another package, and (module, function) of
#: who makes games of it: `function(name)`.
PACKAGES: dict[str, tuple[str, str]] = {
    "openspiel": ("..adapters.openspiel", "from_openspiel"),
    "gymnasium": ("..adapters.gymnasium", "from_gymnasium"),
    "pettingzoo": ("..adapters.pettingzoo", "from_pettingzoo"),
}
#: (module, function) of who makes games of what a file has besides classes derived
#: from `Game`: `function(path, name, parameters)` gives a game, or None.
ADAPTER = ("..adapters.in_files", "from_file")
#: (module, function) of who tells what these take: `function(path, name)` gives
#: parameters, or None.
ADAPTED_PARAMETERS = ("..adapters.in_files", "parameters_in_file")
#: (module, function) of who names them: `function(module)` gives names.
ADAPTED_NAMES = ("..adapters.in_files", "names_in_file")

_NO_GAME = (
    "no class derived from playout.Game, none with the methods that "
    "playout.from_object knows, and no environment of Gymnasium's or PettingZoo's"
)
#: Where installed packages name the game classes that they add.
ENTRY_POINTS = "playout.games"


def make_game(spec: str) -> Game:
    """The game that a text names.

    Args:
        spec: a name of `playout games`, a class or object in a file or a game of
            another package, perhaps with parameters.

    >>> make_game("connect-four:rows=9,columns=12,forbidden=4/3").columns
    12

    Raises:
        UsageError: unknown game, parameter or value, or a file that gives no game.
    """
    if not isinstance(spec, str):
        raise UsageError(f"a game is named by a text, not {quote(spec)}")
    if (adapted := _foreign(spec) or _adapted(spec)) is not None:
        return adapted
    cls, parameters = _class_and_parameters(draw_parameters(spec, Random()))
    return _construct(cls, parameters)


def _foreign(spec: str) -> Game | None:
    """The game of another package's; None if the spec names none."""
    package, _, name = spec.partition(":")
    if package not in PACKAGES:
        return None
    if split_spec(name)[0]:
        raise UsageError(f"{package}: what stands in a file is named by it: {name}")
    game: Game = _adapter(PACKAGES[package])(name)
    return game


def _adapted(spec: str) -> Game | None:
    """The game made of an object that a file has; None if the spec names none."""
    file, name, parameters = split_spec(spec)
    if not file or _is_game(getattr(load_file(Path(file)), name, None)):
        return None
    adapted: Game | None = _adapter(ADAPTER)(Path(file), name, parameters)
    return adapted


def adapted_parameters(spec: str) -> list[Any] | None:
    """The parameters of an object that a file has; None if the spec names none."""
    file, name, _ = split_spec(spec)
    if not file or _is_game(getattr(load_file(Path(file)), name, None)):
        return None
    told: list[Any] | None = _adapter(ADAPTED_PARAMETERS)(Path(file), name)
    return told


def _adapter(place: tuple[str, str]) -> Any:
    """A function of the room above, which is imported when it is needed."""
    module, function = place
    return getattr(importlib.import_module(module, __package__), function)


def draw_parameters(spec: str, random: Random) -> str:
    """The spec with a value in place of every `random` that the game can draw.

    A game draws by a class method `draw_parameter(name, given, random)`: it is given
    the parameter's name, the values that are written, and a `random.Random`, and
    returns a value, or None where it leaves `random` as it is written.

    >>> draw_parameters("connect-four:rows=9,forbidden=random", Random(1))
    'connect-four:rows=9,forbidden=2/4'
    """
    if "=random" not in spec:
        return spec
    cls, text = _class_and_parameters(spec)
    parts = text.split(",")
    known = [part for part in parts if not part.endswith("=random")]
    given = read_parameters(_owner(cls), ",".join(known), _accepted(cls))
    for index, part in enumerate(parts):
        name = part.removesuffix("=random")
        draw = getattr(cls, "draw_parameter", None) if part != name else None
        value = draw(name, given, random) if draw else None
        if value is not None:
            parts[index] = f"{name}={show_value(value)}"
    return spec.removesuffix(text) + ",".join(parts)


def _class_and_parameters(spec: str) -> tuple[type[Game], str]:
    file, name, parameters = split_spec(spec)
    cls = _class_from_file(Path(file), name) if file else game_class(name)
    return cls, parameters


def game_names() -> list[str]:
    """The names of all games: Playout's own, then those of installed packages."""
    return list(dict.fromkeys([*GAMES, *sorted(entry_points(ENTRY_POINTS))]))


def game_spec(game: Game) -> str:
    """The text that makes this game again, without parameters at their defaults."""
    given = []
    for field in _fields(type(game)):
        value = getattr(game, field.name)
        if value != field.default:
            given.append(f"{field.name}={show_value(value)}")
    name = game.name or type(game).__qualname__
    return name + (":" + ",".join(given) if given else "")


def game_class(name: str) -> type[Game]:
    """The class of a game by its name.

    Raises:
        UsageError: nothing has this name, or what has it is not a game.
    """
    if name in GAMES:
        module = importlib.import_module(f"{__package__}.{GAMES[name]}")
        return next(cls for cls in _games_of(module).values() if cls.name == name)
    if name.endswith(".py"):
        names = _playable(load_file(Path(name))) if Path(name).exists() else []
        more = f"; it has {', '.join(names)}" if len(names) > 1 else ""
        first = (names or ["MyGame"])[0]
        raise UsageError(f"{name}: name the class too, as in {name}:{first}{more}")
    if (point := entry_points(ENTRY_POINTS).get(name)) is None:
        raise unknown_name("game", name, game_names(), "path/to/file.py:ClassName")
    found = load_entry_point(point)
    if not _is_game(found):
        raise UsageError(f"{name}: {point.value} is not a class derived from Game")
    return found


def _is_game(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Game)


def _class_from_file(path: Path, class_name: str) -> type[Game]:
    module = load_file(path)
    found: Any = getattr(module, class_name, None)
    if found is Game or not _is_game(found):
        name, call, _ = class_name.partition("(")
        if call and hasattr(module, name):
            raise UsageError(
                f"{path}:{class_name}: parameters of what stands in a file follow a "
                f"colon, as in {path}:{name}:name=value"
            )
        games = ", ".join(_playable(module)) or _NO_GAME
        if isinstance(found, type) and found.__module__ == module.__name__:
            raise UsageError(
                f"{path}:{class_name} is a class, but no game: it neither derives from "
                "playout.Game nor has the methods of one, such as get_legal_actions, "
                f"is_game_over, game_result and move; {path} has {games}"
            )
        raise UsageError(f"{path} has no game called {class_name!r}; it has {games}")
    return found


def _playable(module: ModuleType) -> list[str]:
    """The names of a file's classes that can be played."""
    return [*_games_of(module), *_adapted_names(module)]


def _adapted_names(module: ModuleType) -> list[str]:
    """The names of the classes of a file that are games without deriving from one."""
    names: list[str] = _adapter(ADAPTED_NAMES)(module)
    return names


def _games_of(module: ModuleType) -> dict[str, type[Game]]:
    """The games that a file defines, by class; what it imports is not its own."""
    return {
        name: value
        for name, value in vars(module).items()
        if _is_game(value) and value.__module__ == module.__name__
    }


def _construct(cls: type[Game], text: str) -> Game:
    accepted = _accepted(cls) if text else dict.fromkeys(_accepted(cls), str)
    values = read_parameters(_owner(cls), text, accepted)
    try:
        return cls(**values)
    except dataclasses.FrozenInstanceError as error:  # in an `__init__` of the class
        raise UsageError(
            f"{_owner(cls)}: {error}; a parameter is declared in the class body, as in "
            "`size: int = 8`, in place of an __init__"
        ) from None
    except (TypeError, ValueError) as error:
        needed = [
            field.name
            for field in _fields(cls)
            if field.default is field.default_factory is dataclasses.MISSING
            and field.name not in values
        ]
        if needed and isinstance(error, TypeError):
            raise UsageError(
                f"{_owner(cls)} needs {', '.join(needed)}: write {needed[0]}=... after "
                f"a colon, or a value in the class, as in `{needed[0]}: int = 8`"
            ) from None
        raise UsageError(f"{_owner(cls)}: {error}") from None


def _owner(cls: type[Game]) -> str:
    return cls.name or cls.__name__


def _accepted(cls: type[Game]) -> dict[str, Any]:
    """The parameters and their types."""
    kinds = typing.get_type_hints(cls)
    return {field.name: kinds.get(field.name, str) for field in _fields(cls)}


def _fields(cls: type[Game]) -> tuple[Any, ...]:
    if not dataclasses.is_dataclass(cls):
        raise UsageError(
            f"{cls.__name__} must be a dataclass: put @dataclass(frozen=True) above it"
        )
    return tuple(field for field in dataclasses.fields(cls) if field.init)

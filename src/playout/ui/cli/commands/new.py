"""`playout new`: rules that work and their tests, to begin a game of one's own with."""

from __future__ import annotations

import keyword
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import click

from ....core.errors import UsageError, quote
from ....core.text.fields import expect_whole
from ..options import HelpfulCommand

__all__ = ["new"]

MOST_PLAYERS = 8


@click.command(cls=HelpfulCommand)
@click.argument("name")
@click.option(
    "--players", type=int, metavar="N", help="How many, 1 to 8; 2 unless given."
)
@click.option("--single", is_flag=True, help="For one player, as --players 1.")
@click.option("--chance", is_flag=True, help="Chance moves: a coin, dice, cards.")
@click.option("--hidden", is_flag=True, help="Players keep something from each other.")
def new(
    name: str, players: int | None, single: bool, chance: bool, hidden: bool
) -> None:
    """Begin a game of your own: write NAME.py and its tests.

    The rules are those of a small game with comments; replace them by your own, method
    by method, and run the tests as you go. No file is overwritten.

    Examples:
      playout new my_game
      playout new race --players 3 --chance
      playout new puzzle --single
      playout new poker --hidden --chance
    """
    from ..starter import Starter

    module = _module_of(name)
    starter = Starter(module, _how_many(players, single, hidden), chance, hidden)
    files = {
        Path(f"{starter.module}.py"): starter.rules,
        Path(f"test_{starter.module}.py"): starter.tests,
    }
    for path in files:
        if path.exists():
            raise UsageError(f"{path} is there already; choose another NAME")
    for path, text in files.items():
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    spec = f"{starter.module}.py:{starter.name}"
    click.echo(
        f"Written: {' and '.join(map(str, files))}. What to do next:\n"
        f"  playout check {spec}\n"
        f"  playout play {spec}\n"
        f"  pytest test_{starter.module}.py"
    )


def _module_of(name: str) -> str:
    """The name of the file, without `.py`.

    Raises:
        UsageError: no module can have it, or another one has.
    """
    module = name.removesuffix(".py")
    if not module.isascii() or not module.isidentifier() or keyword.iskeyword(module):
        raise UsageError(
            f"NAME: {quote(name)} is no name of a Python module; write letters, digits "
            "and _, as in my_game"
        )
    if _is_taken(module.lower()):
        raise UsageError(
            f"NAME: {quote(name)} is the name of a module of Python or of an installed "
            "package, which the new file would hide; choose another NAME"
        )
    return module.lower()


def _how_many(players: int | None, single: bool, hidden: bool) -> int:
    """The number of players that the options ask for.

    Raises:
        UsageError: they contradict each other, or nobody can be hidden from.
    """
    if single and players not in (None, 1):
        raise UsageError(f"--single is for one player, not {players}: leave one out")
    count = 1 if single else 2 if players is None else players
    expect_whole("--players", count, 1, MOST_PLAYERS)
    if hidden and count == 1:
        raise UsageError(
            "--hidden begins with players who hide something from each other: for one "
            "player take --single --chance, and hide what chance has laid as "
            "docs/your-own-game.md says of `hide` and `determinize`"
        )
    return count


def _is_taken(module: str) -> bool:
    """Whether it can be imported from elsewhere than the folder where it is written."""
    here = Path.cwd()
    outside = [folder for folder in sys.path if Path(folder).resolve() != here]
    builtin = module in sys.stdlib_module_names
    return builtin or PathFinder.find_spec(module, outside) is not None

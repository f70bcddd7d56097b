"""`playout warm`: compile games ahead of time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import click

from ....core.errors import UsageError
from ....core.interrupt import interruptible
from ..completing import complete_game
from ..options import STANDARD_GAMES, HelpfulCommand, load_game
from ..terminal import show_compiling

__all__ = ["warm"]


@click.command(cls=HelpfulCommand)
@click.argument("names", nargs=-1, metavar="[GAME]...", shell_complete=complete_game)
def warm(names: tuple[str, ...]) -> None:
    """Compile games ahead of time.

    The default search and all presets; the four standard games if none is named.
    Compiled rules are kept on disk, so this is worth it once, after an installation or
    before a demonstration.

    Examples:
      playout warm
      playout warm gomoku:size=19,rule=renju connect-four
      playout warm my_game.py:MyGame
    """
    games = {name: load_game(name) for name in names or STANDARD_GAMES}
    from ....players.registry import make_player, usual_player
    from ....search.presets import PRESETS

    with show_compiling() as compiled:
        for name, game in games.items():
            for spec in dict.fromkeys(("mcts", usual_player(game))):
                what = name if spec == "mcts" else f"{name} {spec}"
                _warm(what, make_player(spec, game).prepare, compiled)
        for name, game in games.items():
            for preset in PRESETS:
                what = f"{name} --preset {preset}"
                try:
                    player = make_player(f"mcts:preset={preset}", game)
                except UsageError:
                    click.echo(f"{what:<44} does not fit")
                else:
                    _warm(what, player.prepare, compiled)


def _warm(what: str, compile_it: Callable[[], Any], compiled: list[str]) -> None:
    before, started = len(compiled), time.perf_counter()
    interruptible(compile_it)
    took = time.perf_counter() - started
    done = f"compiled in {took:.1f} s" if len(compiled) > before else "compiled already"
    click.echo(f"{what:<44} {done}")

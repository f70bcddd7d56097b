"""What the Tab key completes: games, players and presets by name; files as ever.

The commands themselves and their options are Click's to complete.
"""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

__all__ = ["COMPLETE", "complete_game", "complete_player", "complete_preset"]

#: The variable in which a shell says what it wants; Click's name for it.
COMPLETE = "_PLAYOUT_COMPLETE"


def complete_game(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Games that are installed, or a file."""
    from ...games.registry import game_names

    return _beginning(incomplete, game_names())


def complete_player(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Players, or a file."""
    from ...players.registry import player_names

    return _beginning(incomplete, player_names())


def complete_preset(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Presets, which are in no file."""
    from ...search.presets import PRESETS

    return [CompletionItem(name) for name in PRESETS if name.startswith(incomplete)]


def _beginning(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    """Names that begin so; where none does, the shell's own list of files."""
    found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]

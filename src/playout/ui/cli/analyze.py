"""`playout analyze`: search a position and show what was found."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from .options import (
    HelpfulCommand,
    game_argument,
    limit_options,
    load_game,
    make_limit,
    make_search,
    position_options,
    read_position,
    search_options,
)
from .terminal import is_terminal, show_compiling, use_color

if TYPE_CHECKING:
    from ...games.position import Position
    from ...search.limit import Limit
    from ...search.result import Result
    from ...search.search import MCTS
    from ...search.tree import Tree

__all__ = ["analyze", "search_shown"]

DEFAULT_SECONDS = 3.0


@click.command(cls=HelpfulCommand)
@game_argument
@position_options
@limit_options
@search_options
@click.option(
    "--threads",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Threads that search one tree together.",
)
@click.option("--json", "as_json", is_flag=True, help="An object, for programs.")
@click.option(
    "--tree",
    "tree_file",
    metavar="FILE",
    help="Also write the most visited nodes to FILE.json or FILE.dot.",
)
def analyze(
    game: str,
    moves: str | None,
    position: str | None,
    seconds: float | None,
    simulations: int | None,
    preset: str | None,
    seed: int | None,
    threads: int,
    as_json: bool,
    tree_file: str | None,
) -> None:
    """Search a position of GAME and show what was found.

    Three seconds unless told otherwise; whichever limit comes first ends the search,
    and Ctrl-C does, with the best so far. Win rates are for the player to move.

    Examples:
      playout analyze connect-four --moves "4 4 4"
      playout analyze gomoku:size=19 --seconds 10 --threads 2
      playout analyze tic-tac-toe --simulations 20000 --seed 1 --json
      playout analyze connect-four --position 44455 --tree tree.dot
      dot -Tsvg tree.dot > tree.svg
    """
    write = _tree_writer(tree_file)
    limit = make_limit(seconds, simulations, DEFAULT_SECONDS)
    loaded = load_game(game)
    search = make_search(loaded, preset, seed, threads)
    start = read_position(loaded, moves, position)
    if start.is_terminal:
        raise UsageError("there is nothing to analyze: the game is over here")
    with show_compiling():
        search.compile()
    result = search_shown(search, start, limit, live=not as_json)
    click.echo(json.dumps(result.to_dict(), indent=2) if as_json else result)
    if write is not None:
        write(search.tree, start)


def search_shown(
    search: MCTS, start: Position, limit: Limit, live: bool, forced_too: bool = False
) -> Result:
    """Search; a person at a terminal sees the board, and the moves as they come."""
    if not (live and is_terminal(sys.stdout)):
        return search.search(start, limit, forced_too=forced_too)
    from .live import LiveTable

    click.echo(start.render(color=use_color()) + "\n", color=True)
    with LiveTable(limit) as table:
        return search.search(start, limit, table.show, forced_too=forced_too)


def _tree_writer(name: str | None) -> Callable[[Tree, Position], None] | None:
    """What writes the tree to a file; complains before the search if it could not."""
    if name is None:
        return None
    path = Path(name)
    if path.suffix not in (".json", ".dot"):
        raise UsageError(f"--tree: {name} must end in .json or .dot")
    if not path.parent.is_dir():
        raise UsageError(f"--tree: there is no directory {path.parent}")
    if path.is_dir():
        raise UsageError(f"--tree: {name} is a directory")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"--tree: {name} cannot be written: permission denied")

    def write(tree: Tree, position: Position) -> None:
        from ...search.export import tree_to_dot, tree_to_json

        export = tree_to_json if path.suffix == ".json" else tree_to_dot
        text = export(tree, position)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:  # which may not name the file
            raise UsageError(f"--tree: {name}: {error.strerror}") from None

    return write

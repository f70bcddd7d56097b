"""`playout play`: a game against the search, or of the search against itself."""

from __future__ import annotations

import click

from ...core.errors import UsageError
from .options import (
    HelpfulCommand,
    game_argument,
    limit_options,
    load_game,
    make_limit,
    make_search,
    search_options,
)
from .terminal import show_compiling

__all__ = ["play"]

DEFAULT_SECONDS = 1.0
#: When programs play each other: for a move, and for a game that lasts to the end.
WATCH_SECONDS, WATCH_GAME_SECONDS = 0.2, 15.0


@click.command(cls=HelpfulCommand)
@game_argument
@click.option("--first", is_flag=True, help="You move first (so it is by default).")
@click.option("--second", is_flag=True, help="The program moves first.")
@click.option("--watch", is_flag=True, help="The program plays both sides.")
@limit_options
@search_options
def play(
    game: str,
    first: bool,
    second: bool,
    watch: bool,
    seconds: float | None,
    simulations: int | None,
    preset: str | None,
    seed: int | None,
) -> None:
    """Play GAME against the search, in the terminal.

    Type a move, or `help`, `undo`, `hint`, `moves`, `log` or `quit`. The program thinks
    for one second a move unless told otherwise, and shows what it found. Moves can also
    be piped in, one a line; without any input the program plays a short game against
    itself.

    Examples:
      playout play connect-four
      playout play gomoku:size=9 --second --seconds 5
      playout play ultimate-tic-tac-toe --simulations 1000 --seed 1
      playout play tic-tac-toe --preset fachada
      playout play connect-four --watch
      playout play my_game.py:MyGame
    """
    if first + second + watch > 1:
        raise UsageError("--first, --second and --watch exclude each other")
    limit = make_limit(seconds, simulations, DEFAULT_SECONDS)
    loaded = load_game(game)
    if second and loaded.num_players() < 2:
        raise UsageError(f"--second: {game} is a game for one player")
    search = make_search(loaded, preset, seed)
    short = min(WATCH_SECONDS, WATCH_GAME_SECONDS / max(1, loaded.max_game_length()))
    watch_limit = make_limit(seconds, simulations, short)
    from .conversation import Conversation
    from .program import Program

    with show_compiling():
        search.compile()
        Program.prepare()
    hints = make_search(loaded, preset, seed)
    talk = Conversation(
        Program(search, limit), Program(hints, limit), None if watch else int(second)
    )
    talk.watch_limit = watch_limit
    talk.run()

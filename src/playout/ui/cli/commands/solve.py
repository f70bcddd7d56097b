"""`playout solve`: search until the result of perfect play is proven."""

from __future__ import annotations

import click

from ....core.errors import UsageError
from ....core.text.fields import expect_at_most
from ..options import (
    HelpfulCommand,
    game_argument,
    interpreted_option,
    limit_options,
    load_game,
    position_options,
    read_position,
    seed_option,
)
from ..terminal import say_json, show_compiling
from .analyze import search_shown

__all__ = ["solve"]

#: More nodes than memory has room for: the search ends when that is full.
NODES = 2**31 - 1
#: Proofs are found deep down: with 0.1, mnk:m=4,n=4,k=4 was proven drawn in 4.7 million
#: simulations; with 1, none of its moves was in 2.7 million.
GRAPH_C_UCT = 0.1


@click.command(cls=HelpfulCommand)
@game_argument
@position_options
@limit_options
@seed_option
@click.option(
    "--transpositions",
    is_flag=True,
    help="Take positions reached in several ways for one.",
)
@click.option("--json", "as_json", is_flag=True, help="An object, for programs.")
@interpreted_option
def solve(
    game: str,
    moves: str | None,
    position: str | None,
    seconds: float | None,
    simulations: int | None,
    seed: int | None,
    transpositions: bool,
    as_json: bool,
) -> None:
    """Prove who wins GAME from a position, if both play perfectly.

    Searches until a win, loss or draw is proven for the player to move, a limit is
    reached, the memory is full, or Ctrl-C. The exit code is 0 either way; `proven` in
    the JSON is "win", "loss", "draw" or null.

    Examples:
      playout solve tic-tac-toe
      playout solve mnk:m=3,n=4,k=3 --seconds 10
      playout solve mnk:m=4,n=4,k=4 --transpositions
      playout solve connect-four --position 44444432226616 --json
    """
    from ....players.player import LONGEST_SECONDS
    from ....search.limit import Limit
    from ....search.mcts import MCTS
    from ....search.selection.uct import UCT

    expect_at_most("--seconds", seconds, LONGEST_SECONDS)
    limit = Limit(seconds=seconds, simulations=simulations, nodes=NODES)
    loaded = load_game(game)
    if loaded.num_players() != 2 or not loaded.zero_sum:
        raise UsageError(f"{game}: only games of two, with zero_sum, can be solved")
    if loaded.has_hidden:
        raise UsageError(f"{game}: nothing is proven where information is hidden")
    start = read_position(loaded, moves, position)
    if start.is_terminal:
        raise UsageError("there is nothing to solve: the game is over here")
    greedy = UCT(c_uct=GRAPH_C_UCT) if transpositions else None
    search = MCTS(loaded, selection=greedy, transpositions=transpositions, seed=seed)
    with show_compiling():
        search.compile()
    result = search_shown(search, start, limit, live=not as_json)
    if as_json:
        names = ("game", "moves", "proven", "best", "pv", "simulations", "seconds")
        found = result.to_dict()
        say_json({name: found[name] for name in names})
    else:
        click.echo(result)
        if result.proven is None:
            click.echo(f"nothing proven (stopped by {result.stopped_by})")

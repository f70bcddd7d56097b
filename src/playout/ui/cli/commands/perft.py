"""`playout perft`: how many sequences of moves there are."""

from __future__ import annotations

from functools import partial

import click

from ....core.errors import UsageError
from ....core.interrupt import interruptible
from ..options import (
    HelpfulCommand,
    game_argument,
    interpreted_option,
    load_game,
    position_options,
    read_position,
)
from ..terminal import show_compiling, spinning

__all__ = ["perft"]


@click.command(cls=HelpfulCommand)
@game_argument
@click.argument("depth", type=int)
@click.option("--divide", "divided", is_flag=True, help="Count per first move, too.")
@position_options
@interpreted_option
def perft(
    game: str, depth: int, divided: bool, moves: str | None, position: str | None
) -> None:
    """Count the sequences of exactly DEPTH moves in GAME.

    The count is printed last. Compare it with published numbers to know that rules are
    right.

    Examples:
      playout perft connect-four 8              5673234
      playout perft tic-tac-toe 5 --divide
      playout perft connect-four 6 --moves "4 4 4"
    """
    from ....games.positions import counting

    loaded = load_game(game)
    start = read_position(loaded, moves, position)
    longest = loaded.max_game_length()
    if not 0 <= depth <= longest:
        raise UsageError(
            f"DEPTH must be 0 to {longest}, the longest game there is, not {depth}"
        )
    found = [0]  # so far
    with show_compiling():
        first = interruptible(lambda: counting.perft(loaded, min(depth, 1), start))
        if depth == 0 or (depth == 1 and not divided):
            click.echo(first)
            return
        with spinning(lambda: f"Counting: {found[0]:,} so far ..."):
            note = partial(found.__setitem__, 0)
            counts = interruptible(lambda: counting.divide(loaded, depth, start, note))
    if not divided:
        click.echo(sum(counts.values()))
        return
    names = {action: loaded.action_name(action) for action in counts}
    width = max(map(len, names.values()), default=0)
    for action, number in counts.items():
        click.echo(f"{names[action]:>{width}}  {number}")
    click.echo(sum(counts.values()))

"""`playout games` and `perft`: what there is, and how many games there are."""

from __future__ import annotations

import textwrap

import click

from ...core.errors import UsageError
from ...core.interrupt import interruptible
from .options import (
    HelpfulCommand,
    game_argument,
    interpreted_option,
    load_game,
    position_options,
    read_position,
)
from .terminal import show_compiling, use_color

__all__ = ["games", "perft"]


@click.command(cls=HelpfulCommand)
@click.argument("names", nargs=-1, metavar="[GAME]...")
def games(names: tuple[str, ...]) -> None:
    """List the games, or these, their parameters and what these accept.

    Examples of how games are named, in every command:
      connect-four
      connect-four:rows=9,columns=12,forbidden=4/3
      gomoku:size=19,rule=renju
      path/to/my_game.py:MyGame                 a class in a file of your own
      path/to/my_game.py:MyGame:stones=30       with a parameter
    """
    from ...games.registry import game_class, game_names, make_game

    for name in names:
        click.echo("\n".join(_describe(name, type(make_game(name)))) + "\n")
    for name in () if names else game_names():
        try:
            lines = _describe(name, game_class(name))
        except UsageError as error:  # of a package that someone else installed
            lines = [f"{name}  (cannot be used: {error})"]
        click.echo("\n".join(lines) + "\n")
    if names:
        return
    click.echo(
        "Parameters follow a colon: gomoku:size=19,rule=renju\n"
        "A game of your own:        path/to/file.py:ClassName\n"
        "Of another package:        openspiel:NAME, gymnasium:NAME, pettingzoo:NAME"
    )


def _describe(name: str, game_class: type) -> list[str]:
    """A heading, the docstring's first sentence, and the parameters."""
    from ..common.words import about, meanings

    title = game_class.title or game_class.__name__  # type: ignore[attr-defined]
    heading = f"{name}  ({title})"
    lines = [click.style(name, bold=True) + heading[len(name) :]]
    if not use_color():
        lines = [heading]
    lines += textwrap.wrap(
        about(game_class), 76, initial_indent="    ", subsequent_indent="    "
    )
    for parameter, default in _defaults(game_class).items():
        meaning = meanings(game_class).get(parameter, "")
        lines += _describe_parameter(f"{parameter}={default}", meaning)
    return lines


def _defaults(game_class: type) -> dict[str, str]:
    import dataclasses

    from ...core.text.spec import show_value

    return {
        field.name: show_value(field.default)
        for field in dataclasses.fields(game_class)
        if field.init
    }


def _describe_parameter(assignment: str, meaning: str) -> list[str]:
    column = 24
    text = textwrap.wrap(meaning, 80 - column) or [""]
    first = f"    {assignment:<{column - 5}} {text[0]}"
    return [first.rstrip(), *(" " * column + line for line in text[1:])]


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
    from ...games.positions import counting

    loaded = load_game(game)
    start = read_position(loaded, moves, position)
    longest = loaded.max_game_length()
    if not 0 <= depth <= longest:
        raise UsageError(
            f"DEPTH must be 0 to {longest}, the longest game there is, not {depth}"
        )
    with show_compiling():
        if not divided or depth == 0:
            click.echo(interruptible(lambda: counting.perft(loaded, depth, start)))
            return
        counts = interruptible(lambda: counting.divide(loaded, depth, start))
    names = {action: loaded.action_name(action) for action in counts}
    width = max(map(len, names.values()), default=0)
    for action, number in counts.items():
        click.echo(f"{names[action]:>{width}}  {number}")
    click.echo(sum(counts.values()))

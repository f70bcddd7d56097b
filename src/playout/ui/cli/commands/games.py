"""`playout games`: the games there are, and their parameters."""

from __future__ import annotations

import textwrap

import click

from ....core.errors import UsageError
from ..completing import complete_game
from ..options import HelpfulCommand
from ..terminal import use_color

__all__ = ["games"]


@click.command(cls=HelpfulCommand)
@click.argument("names", nargs=-1, metavar="[GAME]...", shell_complete=complete_game)
def games(names: tuple[str, ...]) -> None:
    """List the games, or some, and what their parameters accept.

    Examples of how games are named, in every command:
      connect-four
      connect-four:rows=9,columns=12,forbidden=4/3
      gomoku:size=19,rule=renju
      path/to/my_game.py:MyGame                 a class in a file of your own
      path/to/my_game.py:MyGame:stones=30       with a parameter
    """
    from ....games.registry import game_class, game_names

    for name in names:
        click.echo("\n".join(_describe_named(name)) + "\n")
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


def _describe_named(spec: str) -> list[str]:
    """The same of a game that may stand in a file, where objects take parameters."""
    from ....core.text.spec import split_parts, split_spec
    from ....games.registry import adapted_parameters, make_game

    parameters = adapted_parameters(spec) or []
    given = {part.partition("=")[0] for part in split_parts(split_spec(spec)[2])}
    if any(one.is_needed and one.name not in given for one in parameters):
        lines = [spec]
    else:
        lines = _describe(spec, type(make_game(spec)))
    for one in parameters:
        lines += _describe_parameter(f"{one.name}={one.default or '...'}", one.meaning)
    return lines


def _describe(name: str, game_class: type) -> list[str]:
    """A heading, the docstring's first sentence, and the parameters."""
    from ...common.words import about, meanings

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

    from ....core.text.spec import show_value

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

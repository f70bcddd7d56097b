"""GTP, the Go Text Protocol, version 2: commands, answers and points as text.

Source: Gunnar Farnebäck's draft of version 2 (2002). A point is a letter without I, and
the row's number from the bottom; columns beyond Z do not exist.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from ..core.errors import UsageError, quote
from ..games.contract.game import Game

__all__ = [
    "COLORS",
    "LETTERS",
    "Command",
    "action_of",
    "answer",
    "parse_color",
    "parse_command",
    "vertex_of",
]

#: The columns' letters.
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
#: Players by index: Black begins.
COLORS = ("black", "white")


class Command(NamedTuple):
    """A command.

    Attributes:
        identity: the number before it, which the answer repeats; "" if there is none.
        name: in small letters.
        arguments: the words after it.
    """

    identity: str
    name: str
    arguments: tuple[str, ...]


def parse_command(line: str) -> Command | None:
    """The command in a line; None where there is none.

    >>> parse_command("12 play B D4 # the star point")
    Command(identity='12', name='play', arguments=('B', 'D4'))
    >>> parse_command("# a remark") is None
    True
    """
    kept = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line).partition("#")[0].split()
    identity = kept.pop(0) if kept and re.fullmatch(r"[0-9]{1,9}", kept[0]) else ""
    if not kept:
        return None
    return Command(identity, kept[0].lower(), tuple(kept[1:]))


def answer(identity: str, text: str, failed: bool = False) -> list[str]:
    """The lines of an answer; the empty one ends it.

    >>> answer("3", "D4")
    ['=3 D4', '']
    """
    lines = [line for line in text.splitlines() if line] or [""]
    first = f"{'?' if failed else '='}{identity} {lines[0]}"
    return [first.rstrip() if not lines[0] else first, *lines[1:], ""]


def parse_color(text: str) -> int:
    """The index of a player; colors are not told apart by small and capital letters.

    Games may draw their stones as others: GTP has these two.

    >>> parse_color("W"), parse_color("black")
    (1, 0)

    Raises:
        UsageError: it is no color.
    """
    for index, color in enumerate(COLORS):
        if text.lower() in (color, color[0]):
            return index
    raise UsageError(f"{quote(text)} is no color: black or white, b or w")


def vertex_of(game: Game, rows: int, action: int) -> str:
    """How a move is written.

    >>> from ..games.go.rules import GoGame
    >>> game = GoGame(size=9)
    >>> vertex_of(game, 9, game.parse_action("j9")), vertex_of(game, 9, 81)
    ('J9', 'pass')
    """
    cell = game.cell(action)
    if cell is None:
        return game.action_name(action)
    row, column = cell
    return f"{LETTERS[column]}{rows - row}"


def action_of(game: Game, rows: int, vertex: str) -> int:
    """The move that is written so.

    Raises:
        UsageError: no point of the board is.
    """
    action = _points(game, rows).get(vertex.upper())
    if action is None:
        raise UsageError(
            f"{quote(vertex)} is no point of the board; rows are counted from the "
            "bottom, and no column is called I"
        )
    return action


@functools.lru_cache(maxsize=8)
def _points(game: Game, rows: int) -> dict[str, int]:
    return {
        vertex_of(game, rows, action).upper(): action
        for action in range(game.num_actions())
    }

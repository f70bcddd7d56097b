"""Gomocup's protocol, between a manager and a program that plays Gomoku.

Source: P. Laštovička, M. Petříček, "Gomoku AI protocol", as it is read by Gomocup's
judge, Piskvork and c-gomoku-cli; `YX...` are the commands that Yixin added. Cells are
`x,y`: column and row, from 0,0 at the upper left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..core.errors import PositionError, UsageError
from ..games.gomoku.rules import Gomoku
from ..games.positions.position import Position

__all__ = [
    "COMMANDS",
    "OPPONENT",
    "OWN",
    "RULES",
    "UNLIMITED",
    "Reply",
    "Stone",
    "arrange",
    "format_about",
    "format_cell",
    "parse_about",
    "parse_cell",
    "parse_stone",
    "read_reply",
    "rule_number",
    "split_command",
    "stones_of",
]

#: The value of `INFO rule` -> our rule; `Gomoku` says what they mean.
RULES = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro-8", 9: "caro"}
#: The value of `INFO time_left` that stands for no limit.
UNLIMITED = 2147483647
#: Whose stone a line of `BOARD` names; 3 marks a cell and is no stone.
OWN, OPPONENT, MARK = 1, 2, 3
#: More new moves than this are put on the board at once: rules run slowly one by one.
MOST_MOVES = 12
#: Everything that a manager may say.
COMMANDS = frozenset(
    (
        *("ABOUT", "START", "RECTSTART", "RESTART", "END", "INFO", "DONE"),
        *("BEGIN", "TURN", "BOARD", "SWAP2BOARD", "PLAY", "TAKEBACK"),
        *("YXBOARD", "YXSTOP", "YXSHOWFORBID", "YXHASHCLEAR"),
    )
)


@dataclass(frozen=True)
class Stone:
    """A line of `BOARD`: a cell, as an action, and `OWN`, `OPPONENT` or `MARK`."""

    action: int
    owner: int


@dataclass(frozen=True)
class Reply:
    """A line that a program sent.

    Attributes:
        kind: what it is; "other" is none of the protocol's words.
        text: what follows the word, or the whole line.
        action: the cell of a move or suggestion.
    """

    kind: Literal["move", "suggestion", "ok", "remark", "error", "unknown", "other"]
    text: str
    action: int | None = None


def split_command(line: str) -> tuple[str, str]:
    r"""The command's word in capitals, and the rest of the line.

    >>> split_command("turn 7,8\r\n")
    ('TURN', '7,8')
    """
    word, _, rest = line.strip().partition(" ")
    return word.upper(), rest.strip()


def parse_cell(text: str, size: int) -> int:
    """The action of `x,y`.

    >>> parse_cell("2,1", 15)
    17

    Raises:
        UsageError: the text is not a cell of a board of this size.
    """
    numbers = _integers(text, 2)
    if numbers is None or not all(0 <= number < size for number in numbers):
        raise UsageError(
            f"{text[:40]!r} is not a cell; cells are 0,0 to {size - 1},{size - 1}"
        )
    return numbers[1] * size + numbers[0]


def parse_stone(text: str, size: int) -> Stone:
    """The stone of `x,y,field`.

    Raises:
        UsageError: the text is not a stone on a board of this size.
    """
    cell, _, owner = text.strip().rpartition(",")
    if owner.strip() not in ("1", "2", "3"):
        raise UsageError(f"{text[:40]!r} is not a stone; stones are x,y,1 or x,y,2")
    return Stone(parse_cell(cell, size), int(owner))


def format_cell(action: int, size: int) -> str:
    """The `x,y` of an action."""
    return f"{action % size},{action // size}"


def format_about(**values: str) -> str:
    """The answer to `ABOUT`.

    >>> format_about(name="Playout", version="1.0")
    'name="Playout", version="1.0"'
    """
    return ", ".join(f'{key}="{value}"' for key, value in values.items())


def parse_about(line: str) -> dict[str, str]:
    """The values of an answer to `ABOUT`; none where the line is something else.

    >>> parse_about('name = "Wine", version ="2.1"')
    {'name': 'Wine', 'version': '2.1'}
    """
    return dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', line))


def rule_number(rule: str) -> int:
    """The value of `INFO rule` for one of our rules."""
    return {name: number for number, name in RULES.items()}[rule]


def arrange(
    game: Gomoku, stones: Sequence[Stone], known: Position | None = None
) -> Position:
    """The position of a `BOARD`, whose owner is to move.

    Stones that alternate and end with the opponent's become moves, if they are few or
    most are known already, so that the history is kept; others are put on the board.
    Equal numbers make the owner Black.

    Args:
        game: the board and rule.
        stones: the lines of the `BOARD`.
        known: the position before.

    Raises:
        PositionError: two stones share a cell, or both players have won.
    """
    placed = [stone for stone in stones if stone.owner in (OWN, OPPONENT)]
    if len({stone.action for stone in placed}) < len(placed):
        raise PositionError("two stones are on one cell")
    if _alternate(placed):
        actions = [stone.action for stone in placed]
        start = _base(game, actions, known)
        if len(actions) - len(start.actions) <= MOST_MOVES:
            try:
                for action in actions[len(start.actions) :]:
                    start.play(action)
                return start
            except UsageError:  # such as a foul of renju, by this definition of it
                pass
    return _put(game, placed)


def stones_of(position: Position) -> list[Stone]:
    """The stones of a position for `BOARD`, in the order of play where it is known."""
    mover = position.current_player
    owners = (OWN, OPPONENT) if mover == 0 else (OPPONENT, OWN)
    if position.start_text is None:
        actions = position.actions
        return [Stone(action, owners[i % 2]) for i, action in enumerate(actions)]
    cells = position.to_text().partition(" ")[0].replace("/", "")
    return [
        Stone(action, owners["XO".index(mark)])
        for action, mark in enumerate(cells)
        if mark != "."
    ]


def read_reply(line: str, size: int) -> Reply:
    """What a program said.

    A move is one comma between two integers and nothing else, as the judges read it;
    one outside of the board has an action of None.

    >>> read_reply("MESSAGE depth 12", 15)
    Reply(kind='remark', text='depth 12', action=None)
    >>> read_reply("7,7", 15).action
    112
    """
    word, rest = split_command(line)
    if word in ("MESSAGE", "DEBUG"):
        return Reply("remark", rest)
    if word == "ERROR":
        return Reply("error", rest)
    if word == "UNKNOWN":
        return Reply("unknown", rest)
    if line.strip() == "OK":
        return Reply("ok", "")
    if word == "SUGGEST" and _integers(rest, 2):
        return Reply("suggestion", rest, _action(rest, size))
    if _integers(line, 2):
        return Reply("move", line.strip(), _action(line, size))
    return Reply("other", line.strip())


def _alternate(stones: Sequence[Stone]) -> bool:
    """Whether stones are in the order of play, the opponent's last."""
    owners = [stone.owner for stone in reversed(stones)]
    return all(owner == (OPPONENT, OWN)[i % 2] for i, owner in enumerate(owners))


def _base(game: Gomoku, actions: list[int], known: Position | None) -> Position:
    """The position before where these actions go on from it, else the start."""
    follows = (
        known is not None
        and known.game == game
        and known.start_text is None
        and known.actions == actions[: len(known.actions)]
    )
    return known.copy() if known is not None and follows else Position(game)


def _put(game: Gomoku, stones: Iterable[Stone]) -> Position:
    """A position without a history; the player with more stones moved first."""
    owned = {stone.action: stone.owner for stone in stones}
    count = {who: sum(o == who for o in owned.values()) for who in (OWN, OPPONENT)}
    marks = "XO" if count[OWN] >= count[OPPONENT] else "OX"
    cells = "".join(
        marks[owned[action] - 1] if action in owned else "."
        for action in range(game.size * game.size)
    )
    rows = [cells[i : i + game.size] for i in range(0, len(cells), game.size)]
    return Position(game, f"{'/'.join(rows)} {marks[0]}")


def _action(text: str, size: int) -> int | None:
    try:
        return parse_cell(text, size)
    except UsageError:
        return None


def _integers(text: str, count: int) -> tuple[int, ...] | None:
    """So many plain numbers with commas between, or None."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != count or not all(re.fullmatch(r"-?[0-9]{1,6}", p) for p in parts):
        return None
    return tuple(map(int, parts))

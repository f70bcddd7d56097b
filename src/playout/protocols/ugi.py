"""UGI, the Universal Game Interface: UCI for any game of two players.

Source: kz04px's cutegames. Times are in milliseconds; p1 is the player who begins.
Moves are written as the game writes them (`Game.action_name`). One whose name has a
blank in it is written `#` and its number, which is understood for every move.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.errors import PositionError, UsageError
from ..games.contract.game import Game
from ..games.positions.position import Position

__all__ = [
    "NO_MOVE",
    "Go",
    "format_go",
    "format_move",
    "format_position",
    "parse_best_move",
    "parse_go",
    "parse_move",
    "parse_option",
    "parse_position",
]

#: What `bestmove` says where there is none.
NO_MOVE = "0000"


@dataclass(frozen=True)
class Go:
    """The limits of a `go`; what is None was not said.

    Attributes:
        clocks: `[2]` milliseconds left to each player.
        increments: `[2]` milliseconds that each is given after a move.
        movetime: milliseconds for this move.
        nodes: simulations.
        depth: of the deepest node, in moves from the root.
        infinite: go on until `stop`.
    """

    clocks: tuple[int | None, int | None] = (None, None)
    increments: tuple[int, int] = (0, 0)
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False


def parse_go(text: str) -> Go:
    """The limits that follow `go`.

    >>> parse_go("p1time 1000 p2time 2000 p1inc 10 p2inc 10").clocks
    (1000, 2000)

    Raises:
        UsageError: a word is unknown or lacks its number.
    """
    numbers: dict[str, int] = {}
    words = text.split()
    infinite = "infinite" in words
    words = [word for word in words if word != "infinite"]
    for name, value in zip(words[::2], [*words[1::2], ""], strict=False):
        if name not in _GO_WORDS or not re.fullmatch(r"-?[0-9]{1,15}", value):
            raise UsageError(
                f"go: {name[:40]} {value[:40]!r} is not a limit; limits are "
                f"{', '.join(_GO_WORDS)}, each with a number, and infinite"
            )
        numbers[name] = int(value)
    return Go(
        clocks=(numbers.get("p1time"), numbers.get("p2time")),
        increments=(max(0, numbers.get("p1inc", 0)), max(0, numbers.get("p2inc", 0))),
        movetime=numbers.get("movetime"),
        nodes=numbers.get("nodes"),
        depth=numbers.get("depth"),
        infinite=infinite,
    )


_GO_WORDS = ("p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes", "depth")


def format_go(go: Go) -> str:
    """The line that says these limits.

    >>> format_go(Go(movetime=500))
    'go movetime 500'
    """
    words = ["go"]
    for player, clock in enumerate(go.clocks, start=1):
        if clock is not None:
            words += [f"p{player}time {clock}"]
    if go.clocks != (None, None):
        words += [f"p{i}inc {value}" for i, value in enumerate(go.increments, start=1)]
    for name in ("movetime", "nodes", "depth"):
        if (value := getattr(go, name)) is not None:
            words.append(f"{name} {value}")
    return " ".join(words + ["infinite"] * go.infinite)


def parse_position(game: Game, text: str) -> Position:
    """The position that follows the word `position`.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> parse_position(TicTacToe(), "startpos moves b2 a1").moves
    ['b2', 'a1']

    Raises:
        UsageError: it is not a position, or a move is not legal.
    """
    words = text.split()
    cut = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:cut], words[cut + 1 :]
    if start[:1] == ["fen"] and len(start) > 1:
        position = Position(game, " ".join(start[1:]))
    elif start == ["startpos"]:
        position = Position(game)
    else:
        raise PositionError("position needs startpos, or fen and a text")
    for count, move in enumerate(moves, start=1):
        try:
            number = _numbered(move)
            position.play(move if number is None else number)
        except UsageError as error:
            raise type(error)(f"move {count}: {error}") from None
    return position


def format_position(position: Position) -> str:
    """The line that sets a position up."""
    start = position.start_text
    words = ["position", *(["startpos"] if start is None else ["fen", start])]
    if position.actions:
        words.append("moves")
        words += [format_move(position.game, action) for action in position.actions]
    return " ".join(words)


def format_move(game: Game, action: int) -> str:
    """An action as one word."""
    name = game.action_name(action)
    return name if name and not re.search(r"[\s#]", name) else f"#{action}"


def parse_move(game: Game, text: str) -> int:
    """The action of a word.

    Raises:
        UsageError: it is not a move of this game.
    """
    number = _numbered(text)
    return game.parse_action(text) if number is None else number


def _numbered(text: str) -> int | None:
    """The number of `#12`, None for other words."""
    return int(text[1:]) if re.fullmatch(r"#[0-9]{1,9}", text) else None


def parse_option(text: str) -> tuple[str, str]:
    """The name and value that follow `setoption`.

    >>> parse_option("name Move Overhead value 50")
    ('Move Overhead', '50')

    Raises:
        UsageError: it is not of the form `name N value V`.
    """
    match = re.fullmatch(r"name\s+(.+?)(?:\s+value(?:\s+(.*))?)?", text.strip())
    if match is None:
        raise UsageError("setoption needs name N value V")
    return match[1], (match[2] or "").strip()


def parse_best_move(line: str) -> str | None:
    """The move of a `bestmove` line, None where the line is another one."""
    words = line.split()
    return words[1] if words[:1] == ["bestmove"] and len(words) >= 2 else None

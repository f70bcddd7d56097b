"""What faces say about a game: who plays, and how it ended."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping, Sequence

from ...arena.record import GameRecord
from ...arena.table import Table
from ...games.contract.game import Game
from ...games.contract.units import units_of
from ...games.drawing.board import Board
from ...games.positions.position import Position

__all__ = [
    "about",
    "ending_of",
    "fault_of",
    "faults",
    "label_of",
    "meanings",
    "movers",
    "name_of",
    "names_of",
    "result_of",
    "seen_moves",
    "winner_of",
]

#: A move that gives away so much of the points, from 0 to 1, is called this.
FAULTS = (("blunder", 0.25), ("mistake", 0.12))


def name_of(game: Game, seat: int) -> str:
    """How people call a player.

    >>> from playout.games.gomoku.rules import Gomoku
    >>> name_of(Gomoku(), 0), name_of(Gomoku(), 2)
    ('Black', 'Player 3')
    """
    names = game.player_names
    if names == Game.player_names and game.num_players() != 2:  # nobody has named them
        names = ()
    return names[seat] if seat < len(names) else f"Player {seat + 1}"


def names_of(game: Game) -> list[str]:
    """How people call the players, by seat."""
    return [name_of(game, seat) for seat in range(game.num_players())]


def label_of(position: Position, seat: int) -> str:
    """A player's name, and the mark on the board if that is another.

    >>> from playout.games.gomoku.rules import Gomoku
    >>> label_of(Position(Gomoku()), 0)
    'Black, X'
    """
    name = name_of(position.game, seat)
    board = position.game.board(position.state, None)
    marks = board.marks if isinstance(board, Board) else ()
    belong = len(marks) == position.game.num_players()  # else they are tiles, cities
    mark = marks[seat] if belong else name
    return name if mark == name else f"{name}, {mark}"


def meanings(described: type) -> dict[str, str]:
    """What the fields of a class mean, as its docstring's `Attributes` say.

    >>> from playout.games.gomoku.rules import Gomoku
    >>> meanings(Gomoku)["size"]
    'rows and columns, 5 to 22.'
    """
    _, _, section = (inspect.getdoc(described) or "").partition("Attributes:\n")
    section = re.split(r"\n\S|\n\n", section)[0]
    entries = re.split(r"^ {4}(\w+): ", section, flags=re.MULTILINE)[1:]
    return {
        name: " ".join(text.replace("`", "").split())
        for name, text in zip(entries[::2], entries[1::2], strict=True)
    }


def result_of(
    game: Game,
    returns: Sequence[float],
    people: Sequence[int],
    names: Sequence[str] = (),
) -> str:
    """The result of a game as a sentence.

    Args:
        game: the rules.
        returns: by player.
        people: the seats of those who read it.
        names: of the players; the game's own by default.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> result_of(TicTacToe(), (1.0, -1.0), [0]), result_of(TicTacToe(), (0, 0), [])
    ('You win!', 'Draw.')
    """
    names = names or names_of(game)
    together = len(returns) > 1 and len({*returns}) == 1
    if not units_of(game).are_points:
        if together:
            return f"Result: {returns[0]:.10g} for everybody."
        return f"Result: {_in_own_units(names, returns)}."
    winners = [seat for seat, value in enumerate(returns) if value > 0]
    if len(returns) > 1 and len(winners) == 1:
        return "You win!" if winners == list(people) else f"{names[winners[0]]} wins."
    if not any(returns):
        return "Draw."
    if together:
        shared = f"Result: {returns[0]:+.2f} for everybody."
        return {1.0: "Everybody wins.", -1.0: "Everybody loses."}.get(
            returns[0], shared
        )
    shown = (f"{names[seat]} {value:+.2f}" for seat, value in enumerate(returns))
    return "Result: " + ", ".join(shown) + "."


def winner_of(game: Game, returns: Sequence[float]) -> int | None:
    """The seat that has won: it alone got the most, and in games for points a gain.

    What is counted in other units may be below 0 for everybody, as costs are. Who plays
    alone wins by a gain.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> winner_of(TicTacToe(), (-1.0, 1.0)), winner_of(TicTacToe(), (0.0, 0.0))
    (1, None)
    """
    best = max(returns)
    gained = best > 0 or (len(returns) > 1 and not units_of(game).are_points)
    return list(returns).index(best) if gained and returns.count(best) == 1 else None


def _in_own_units(names: Sequence[str], returns: Sequence[float]) -> str:
    if len(returns) == 1:
        return f"{returns[0]:.10g}"
    pairs = zip(names, returns, strict=False)
    return ", ".join(f"{name} {value:+.10g}" for name, value in pairs)


def movers(position: Position) -> list[int]:
    """Who made each move; -1 where chance did."""
    start = position.copy()
    found: list[int] = []
    while start.actions:
        start.undo()
        found.append(start.current_player)
    return found[::-1]


def seen_moves(table: Table) -> list[str]:
    """The moves as whoever looks may see them: what is hidden is a question mark."""
    position = table.position
    if not table.hides:
        return position.moves
    made = zip(position.actions, position.moves, movers(position), strict=True)
    return [
        name if seat == table.viewer or table.game.is_public(action) else "?"
        for action, name, seat in made
    ]


def ending_of(
    game: Game, record: GameRecord, people: Sequence[int], names: Sequence[str] = ()
) -> str:
    """As `result_of`, and what else is to say where the rules did not end the game."""
    names = names or names_of(game)
    result = result_of(game, record.returns, people, names)
    if record.forfeit is None:
        return result
    why = ", ".join(part for part in (record.reason, record.detail) if part)
    return f"{result} ({names[record.forfeit]}: {why})"


def fault_of(loss: float) -> str:
    """What a move is called that gives away so much of the points; "" for nothing.

    >>> fault_of(0.25), fault_of(0.2), fault_of(0.1)
    ('blunder', 'mistake', '')
    """
    return next((word for word, least in FAULTS if loss >= least), "")


def faults(rates: Mapping[int, float], movers: Sequence[int]) -> dict[int, str]:
    """The moves that gave much away, by how many moves were played with them.

    Args:
        rates: win rates of the first of two players after so many moves, where known.
        movers: who made each move; -1 where chance did.

    >>> faults({0: 0.5, 1: 0.2, 2: 0.35}, [0, 1])
    {1: 'blunder', 2: 'mistake'}
    """
    found = {}
    for ply, mover in enumerate(movers, start=1):
        if mover in (0, 1) and ply in rates and ply - 1 in rates:
            gain = rates[ply] - rates[ply - 1]
            found[ply] = fault_of(-gain if mover == 0 else gain)
    return {ply: word for ply, word in found.items() if word}


def about(cls: type) -> str:
    """The first line of a class's description, else of its file's.

    >>> from playout import TicTacToe
    >>> about(TicTacToe)
    'Three rows, three columns, three in a row.'
    """
    written = inspect.getdoc(cls) or ""
    if written.startswith(f"{cls.__name__}("):  # by `dataclass`, where nobody did
        written = inspect.getdoc(sys.modules.get(cls.__module__)) or ""
    return written.partition("\n")[0]

"""Tournaments: who plays whom, read from a TOML file.

| kind | pairings |
|---|---|
| `round-robin` | everyone against everyone |
| `gauntlet` | the first player against each of the others |
| `ladder` | each player against the next |

Where a game has more than two seats, these are groups of as many players as there are
seats, or of all where they are fewer. A game for one player is played by all of them in
a single match, or with `gauntlet` and `ladder` by two at a time.
"""

from __future__ import annotations

import difflib
import itertools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..core.errors import UsageError
from ..core.files import expect_file_name, read_bytes
from ..core.text.fields import expect_at_most
from ..games.registry import make_game
from .adjudication import Adjudication
from .clock import TimeControl
from .match import MOST_GAMES, Match, MatchSettings
from .session import Conduct

__all__ = ["KINDS", "Tournament", "read_tournament"]

#: The largest file that is read.
MOST_BYTES = 1 << 20
KINDS = ("round-robin", "gauntlet", "ladder")
#: What a key's value must be, in words and in types.
_TYPES: dict[str, tuple[str, tuple[type, ...]]] = {
    "str": ("a text", (str,)),
    "str | None": ("a text", (str,)),
    "int": ("a whole number", (int,)),
    "int | None": ("a whole number", (int,)),
    "float": ("a number", (int, float)),
    "float | None": ("a number", (int, float)),
    "tuple[str, ...]": ("a list of texts", (list,)),
}


@dataclass(frozen=True)
class Tournament:
    """A tournament; the fields are the keys of its file.

    Attributes:
        game: the game, as on the command line.
        players: two or more, or one for a game of one seat; all different, as on the
            command line.
        kind: one of `KINDS`.
        games: of every pairing, at least 1.
        time: a clock for the game, as in "1+0.1".
        seconds: for each move.
        simulations: of each search.
        openings: "random:plies=N" or a file; the same for every pairing.
        seed: of openings and players.
        vary: what of the board is drawn anew for every round; see `MatchSettings`.
        tolerance: seconds by which an answer may be late.
        adjudicate: rules such as "draw:moves=8,score=0.05,after=30".
        concurrency: games at once, unless the command line says it.
        save: the file of games, unless the command line says it.

    Raises:
        UsageError: names the key whose value is not accepted.

    >>> ladder = Tournament("tic-tac-toe", ("random", "greedy", "mcts"), "ladder", 2)
    >>> [match.settings.players for match in ladder.matches()]
    [('random', 'greedy'), ('greedy', 'mcts')]
    """

    game: str
    players: tuple[str, ...]
    kind: str = "round-robin"
    games: int = 20
    time: str | None = None
    seconds: float | None = None
    simulations: int | None = None
    openings: str | None = None
    seed: int = 0
    vary: str | None = None
    tolerance: float = 0.2
    adjudicate: tuple[str, ...] = ()
    concurrency: int = 1
    save: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"kind must be {', '.join(KINDS)}, not {self.kind!r}")
        if not self.players:
            raise UsageError(
                "players: a tournament needs two or more, or one for a game of one seat"
            )
        twice = [name for name in self.players if self.players.count(name) > 1]
        if twice:
            raise UsageError(f"players: {twice[0]!r} is there twice")
        if self.games < 1:
            raise UsageError(f"games must be at least 1, not {self.games}")
        if self.concurrency < 1:
            raise UsageError(f"concurrency must be at least 1, not {self.concurrency}")
        expect_at_most("games", self.games, MOST_GAMES)

    def pairings(self, seats: int = 2) -> list[tuple[str, ...]]:
        """Who plays whom, in order.

        >>> players = ("a", "b", "c", "d")
        >>> Tournament("nim", players, "ladder").pairings(seats=3)
        [('a', 'b', 'c'), ('b', 'c', 'd')]
        """
        count = len(self.players)
        size = min(max(seats, 2), count)
        if self.kind == "gauntlet":
            others = itertools.combinations(self.players[1:], size - 1)
            return [(self.players[0], *group) for group in others]
        if self.kind == "ladder":
            starts = range(count - size + 1)
            return [self.players[start : start + size] for start in starts]
        if seats == 1:
            return [self.players]
        return list(itertools.combinations(self.players, size))

    def matches(self) -> list[Match]:
        """A match for every pairing."""
        time = TimeControl.parse(self.time, self.seconds, self.simulations)
        rules = Adjudication.parse(self.adjudicate)
        conduct = Conduct(tolerance=self.tolerance, adjudication=rules)
        seats = make_game(self.game).num_players()
        if seats > 1 and len(self.players) < 2:
            raise UsageError("players: a tournament needs two or more")
        return [
            Match(
                MatchSettings(
                    self.game,
                    each,
                    time,
                    conduct,
                    self.openings,
                    self.seed,
                    self.vary,
                ),
                self.games,
                label=" - ".join(each),
            )
            for each in self.pairings(seats)
        ]


def read_tournament(path: str | Path) -> Tournament:
    """The tournament that a file describes.

    Raises:
        UsageError: says which key of the file is wrong, and what is accepted.
    """
    content = read_bytes(path, MOST_BYTES)
    try:
        values = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path} is not TOML: {error}") from None
    try:
        return Tournament(**_checked(values))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by key, each of its type."""
    known = {field.name: str(field.type) for field in fields(Tournament)}
    for key in values:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f", did you mean {close[0]}?" if close else ";"
            raise UsageError(f"unknown key {key!r}{hint} known are {', '.join(known)}")
    for key in ("game", "players"):
        if key not in values:
            raise UsageError(f"the key {key} is missing")
    return {key: _converted(key, value, known[key]) for key, value in values.items()}


def _converted(key: str, value: Any, kind: str) -> Any:
    if key == "time" and type(value) in (int, float):
        return f"{value}"  # a clock without an increment
    words, types = _TYPES[kind]
    accepted = isinstance(value, types) and not isinstance(value, bool)
    if isinstance(value, list):
        accepted = accepted and all(isinstance(item, str) for item in value)
    if not accepted:
        raise UsageError(f"{key} must be {words}, not {value!r}")
    if "\0" in "".join(value if isinstance(value, list) else f"{value}"):
        raise UsageError(f"{key} must not hold the character NUL")
    if key == "save":
        expect_file_name(value, key)
    return tuple(value) if isinstance(value, list) else value

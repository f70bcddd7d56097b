"""Openings: the moves that are given, so that games of a match differ.

    random:plies=4       drawn from the match's seed: distinct, undecided positions
    openings.txt         a file with one opening a line; `#` begins a comment
    offset:openings.txt  the same, the format said instead of recognised

A line of a file is read in one of three ways:

| format | a line | for |
|---|---|---|
| `moves` | `b2 a1`, `take two`, or run together `4455`, `b2a1` | every game |
| `offset` | `0,0, 1,-1`: dx,dy from the centre, as Gomocup writes them | Gomoku |
| `pos` | `h8i9`: column, then row counted from the *top* | Gomoku |
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from ..core.errors import UsageError, counted, quote
from ..core.files import read_text
from ..core.rng import make_rng
from ..core.text.fields import expect_at_most
from ..games.contract.game import Game, has_own
from ..games.gomoku.rules import Gomoku
from ..games.positions.position import Position
from ..games.registry import game_spec
from ..players.baselines import urgent_actions, wins

__all__ = ["Book", "FileBook", "Moves", "RandomBook", "book_file", "make_book"]

Moves = tuple[str, ...]
#: A move as a file has it, and as the game reads it.
Word = tuple[str, str]

#: After so many draws without a new opening it is assumed that there are no more.
GIVE_UP = 300
#: So many are counted to see whether there are enough.
MOST_COUNTED = 100
#: The stream of random openings, apart from those of searches.
OPENINGS_STREAM = 0x6F70
_FORMATS = ("moves", "offset", "pos")


class Book:
    """Openings by the number of the round of games that uses them (see `seating`).

    Attributes:
        identity: equal for equal openings, wherever their file lies.
    """

    identity = ""

    def opening(self, round_: int) -> Moves:
        """The given moves of the games of a round; none, here."""
        return ()

    def advice(self, game: Game, rounds: int) -> str:
        """What would give so many rounds of games more variety; "" if nothing would."""
        return _random_advice(game, 0, 1, rounds)


class FileBook(Book):
    """The openings of a list, again from its beginning after the last."""

    def __init__(self, lines: list[Moves]) -> None:
        self.lines = lines
        text = "\n".join(" ".join(moves) for moves in lines)
        self.identity = "file:" + hashlib.sha256(text.encode()).hexdigest()[:16]

    def opening(self, round_: int) -> Moves:
        return self.lines[round_ % len(self.lines)]

    def advice(self, game: Game, rounds: int) -> str:
        count = len(set(self.lines))
        if count >= rounds:
            return ""
        return f"the file holds {count} different openings; more give more variety"


class RandomBook(Book):
    """Random moves from the start to positions that are distinct and undecided.

    A position is left out if its mover can win at once or, where the game's
    `urgent_actions` tell it, is forced to block. When there are no more, the openings
    begin again.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> book = RandomBook(TicTacToe(), plies=2, seed=1)
    >>> book.opening(0), book.opening(1)
    (('b3', 'b2'), ('a1', 'b1'))
    """

    def __init__(self, game: Game, plies: int, seed: int) -> None:
        if plies < 1:
            raise UsageError(f"openings: plies must be at least 1, not {plies}")
        expect_at_most("openings: plies", plies, game.max_game_length())
        self.game, self.plies = game, plies
        self.identity = f"random:plies={plies}"
        self._rng = make_rng(seed, OPENINGS_STREAM)
        self._drawn: list[Moves] = []
        self._source = self._distinct()

    def opening(self, round_: int) -> Moves:
        while round_ >= len(self._drawn):
            if (found := next(self._source, None)) is None:
                return self._drawn[round_ % len(self._drawn)]
            self._drawn.append(found)
        return self._drawn[round_]

    def advice(self, game: Game, rounds: int) -> str:
        if self.count(rounds) >= rounds:
            return ""
        return _random_advice(game, self.plies, len(self._drawn), rounds)

    def count(self, most: int) -> int:
        """How many openings there are; counted up to so many."""
        while len(self._drawn) < most and (found := next(self._source, None)):
            self._drawn.append(found)
        return min(len(self._drawn), most)

    def _distinct(self) -> Iterator[Moves]:
        seen: set[bytes] = set()
        in_vain = 0
        while in_vain < GIVE_UP:
            position = self._draw()
            key = position.array.tobytes() if position is not None else b""
            if position is None or key in seen:
                in_vain += 1
                continue
            seen.add(key)
            in_vain = 0
            yield tuple(position.moves)
        if not seen:
            raise UsageError(
                f"openings: random games of {game_spec(self.game)} are decided after "
                f"{counted(self.plies, 'move')}; "
                + ("take fewer" if self.plies > 1 else "begin at the start")
            )

    def _draw(self) -> Position | None:
        """The position after random moves; None if it is decided."""
        position = Position(self.game)
        for _ in range(self.plies):
            legal = position.play_chance(self._rng).legal_actions()
            if not legal:
                return None
            position.play(legal[self._below(len(legal))])
        return position if _is_quiet(position.play_chance(self._rng)) else None

    def _below(self, n: int) -> int:
        import numpy as np

        with np.errstate(over="ignore"):
            return int(self._rng.below(n))


def make_book(spec: str | None, game: Game, seed: int) -> Book:
    """The openings that a text names; see the module's docstring.

    Raises:
        UsageError: what the text or the file's first wrong line says is not accepted.
    """
    if spec is None:
        return Book()
    kind, _, rest = spec.partition(":")
    path = book_file(spec)
    if path is not None:
        return _read(path, game, kind if kind in _FORMATS else None)
    name, _, value = rest.partition("=")
    if name != "plies" or not re.fullmatch("[0-9]{1,15}", value):
        raise UsageError(f"openings: {quote(spec)}: expected random:plies=N")
    return RandomBook(game, int(value), seed)


def book_file(spec: str | None) -> Path | None:
    """The file that a text of openings names; None if it names none.

    >>> book_file("offset:four.txt"), book_file("random:plies=4")
    (PosixPath('four.txt'), None)
    """
    if spec is None:
        return None
    kind, colon, rest = spec.partition(":")
    if kind == "random":
        return None
    return Path(rest if colon and kind in _FORMATS else spec)


def _random_advice(game: Game, plies: int, known: int, rounds: int) -> str:
    """Advice about random openings of `plies` plies, of which `known` were found."""
    wanted = min(rounds, MOST_COUNTED)
    counts = {more: _count(game, more, wanted) for more in (plies + 2, plies + 1)}
    best = max(counts, key=lambda more: counts[more])
    if counts[best] > known:
        return f"--openings random:plies={best} gives more variety"
    return f"there are only {known} openings of {plies} moves" if plies else ""


def _count(game: Game, plies: int, most: int) -> int:
    try:
        return RandomBook(game, plies, seed=0).count(most)
    except UsageError:  # all games are decided by then
        return 0


def _is_quiet(position: Position) -> bool:
    """Whether the game is not over and no move is forced or wins at once."""
    legal = position.legal_actions()
    if not legal:
        return False
    if has_own(position.game, "urgent_actions"):
        return not urgent_actions(position)
    return not wins(position, legal)


def _read(path: Path, game: Game, kind: str | None) -> FileBook:
    try:
        text = read_text(path, encoding="utf-8-sig")
    except UsageError as error:
        raise UsageError(f"openings: {error}") from None
    lines = {
        number: line.strip()
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    }
    if not lines:
        raise UsageError(f"openings: {path} holds no opening")
    read = _reader(kind or _recognise(game, list(lines.values())), game)
    return FileBook(
        [_opening(f"{path}, line {n}", read, game, line) for n, line in lines.items()]
    )


def _opening(
    place: str, read: Callable[[str], list[Word]], game: Game, line: str
) -> Moves:
    try:
        position = _played(game, read(line))
    except UsageError as error:
        raise UsageError(f"openings: {place}: {error}") from None
    if position.is_terminal:
        raise UsageError(f"openings: {place}: the game is over after these moves")
    return tuple(position.moves)


def _played(game: Game, words: list[Word]) -> Position:
    if all(written == move for written, move in words):
        return Position.from_moves(game, [move for _, move in words])
    position = Position(game)
    for number, (written, move) in enumerate(words, start=1):
        try:
            position.play(move)
        except UsageError:  # which names a move that is not in the file
            what = f"{written!r} is no cell that is free here"
            raise UsageError(f"move {number}: {what}") from None
    return position


def _recognise(game: Game, lines: list[str]) -> str:
    """The format of a file, from all of its lines."""
    if not isinstance(game, Gomoku):
        return "moves"
    if any(re.search(r"-|,\s+-?\d|\d,-?\d+,", line) for line in lines):
        return "offset"
    glued = all(re.fullmatch(r"([A-Za-z]\d+)+", line) for line in lines)
    several = any(len(re.findall("[A-Za-z]", line)) > 1 for line in lines)
    return "pos" if glued and several else "moves"


def _reader(kind: str, game: Game) -> Callable[[str], list[Word]]:
    if kind == "moves":
        return lambda line: [(word, word) for word in _split(game, line)]
    if not isinstance(game, Gomoku):
        raise UsageError(f"openings: the format {kind} is for gomoku")
    if kind == "pos":
        return _pos
    middle = game.width // 2, game.height // 2
    return lambda line: _offsets(line, *middle)


def _split(game: Game, line: str) -> list[str]:
    """Moves with blanks between, or run together where that can be read."""
    words = line.split()
    if len(words) > 1:
        return words
    try:
        game.parse_action(words[0])
    except UsageError:
        parts = re.findall(r"[A-Za-z]+\d+|\d", words[0])
        if "".join(parts) == words[0]:
            return parts
    return words


def _offsets(line: str, right: int, down: int) -> list[Word]:
    numbers = re.findall(r"-?\d+", line)
    if re.sub(r"[-\d,\s]", "", line) or len(numbers) % 2:
        raise UsageError(f"{line!r} is not a list dx,dy, dx,dy, ...")
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return [(f"{x},{y}", f"{right + int(x)},{down + int(y)}") for x, y in pairs]


def _pos(line: str) -> list[Word]:
    cells = re.findall(r"([A-Za-z])(\d+)", line)
    if "".join(letter + number for letter, number in cells) != "".join(line.split()):
        raise UsageError(f"{line!r} is not a list of cells such as h8i9")
    return [(f"{x}{y}", f"{ord(x.lower()) - ord('a')},{int(y) - 1}") for x, y in cells]

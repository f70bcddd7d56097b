"""Checks of what a search is given; errors say what to write."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from ..core.errors import UsageError, quote
from ..core.text.fields import expect_at_most, is_number, is_whole
from ..core.text.signatures import expect_signatures
from ..games.contract.game import Game
from ..games.contract.names import in_a_row
from ..games.positions.position import Position
from .choice import Choice, MostVisits
from .limit import Limit
from .selection.base import Selection

__all__ = [
    "at_least_one",
    "at_least_zero",
    "before_compiling",
    "expect",
    "expect_actions",
    "expect_choice",
    "expect_early_stop",
    "expect_limit",
    "expect_position",
    "expect_threads",
    "expect_workers",
    "policy",
]

T = TypeVar("T")

#: What a node's counters of children can hold.
MAX_ACTIONS = 2**15 - 1
#: Every thread has buffers of its own; more than any machine has processors.
MOST_THREADS = 1024
#: What the tables of all threads may take together, in bytes.
MOST_TABLES = 2 << 30

#: The phases for which the methods of a policy's class were looked at.
_seen_as: weakref.WeakKeyDictionary[type, set[type]] = weakref.WeakKeyDictionary()


def expect(name: str, value: object, kind: type[T], example: str) -> T:
    """The value, if it is of this kind.

    >>> expect("limit", 5, str, "a text")
    Traceback (most recent call last):
    playout.core.errors.UsageError: limit must be a text, not 5

    Raises:
        UsageError: it is of another kind, or a class where an instance is wanted.
    """
    if isinstance(value, type) and issubclass(value, kind):
        raise UsageError(f"{name} must be an instance: write {value.__name__}(...)")
    if not isinstance(value, kind):
        raise UsageError(f"{name} must be {example}, not {quote(value)}")
    return value


def policy(name: str, value: T | None, kind: type[T], default: T) -> T:
    """The policy for a phase, or the default where none is given.

    Raises:
        UsageError: it is no policy of this phase.
        RulesError: a method of it takes other parameters than the contract says.
    """
    if value is None:
        return default
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    example = f"{article} {kind.__name__} policy, such as {type(default).__name__}()"
    expect(name, value, kind, example)
    seen = _seen_as.setdefault(type(value), set())
    if kind not in seen:
        for base in kind.__mro__[:2]:  # the phase's own methods, and those of all
            expect_signatures(type(value), base)
        seen.add(kind)
    return value


def at_least_one(name: str, value: int) -> int:
    """The value, if it is a whole number above 0.

    >>> at_least_one("trees", 0)
    Traceback (most recent call last):
    playout.core.errors.UsageError: trees must be a whole number of at least 1, not 0

    Raises:
        UsageError: it is not.
    """
    if not is_whole(value) or value < 1:
        raise UsageError(
            f"{name} must be a whole number of at least 1, not {quote(value)}"
        )
    return int(value)


def at_least_zero(name: str, value: float) -> float:
    """The value, if it is a finite number of at least 0.

    Raises:
        UsageError: it is not.
    """
    if not is_number(value) or not 0 <= value < math.inf:
        raise UsageError(f"{name} must be a number of at least 0, not {quote(value)}")
    return float(value)


def expect_actions(game: Game) -> None:
    """Complain of a game with more actions than a search can tell apart.

    Raises:
        UsageError: it has.
    """
    if game.num_actions() > MAX_ACTIONS:
        raise UsageError(
            f"num_actions is {game.num_actions():,}; a search can tell at most "
            f"{MAX_ACTIONS:,} apart: play a move in parts, as from where, then to where"
        )


def expect_early_stop(value: bool, choice: Choice) -> bool:
    """The value, if visits decide which move is played.

    Raises:
        UsageError: they do not.
    """
    if not isinstance(value, bool):
        raise UsageError(f"early_stop must be True or False, not {quote(value)}")
    if value and (not isinstance(choice, MostVisits) or choice.follows_line):
        raise UsageError(
            "early_stop is for the choice MostVisits: only there do visits decide"
        )
    return bool(value)


def expect_threads(value: int, game: Game, transpositions: bool = False) -> int:
    """The value, if so many threads can search one tree, or graph, of this game.

    Raises:
        UsageError: they cannot.
    """
    if at_least_one("threads", value) > MOST_THREADS:
        raise UsageError(f"threads must be at most {MOST_THREADS}, not {value}")
    if value > 1 and game.has_hidden:
        raise UsageError(
            "threads cannot share a tree where information is hidden; several "
            "trees can be searched side by side (MCTS(..., trees=2) in Python)"
        )
    if value > 1 and transpositions:
        raise UsageError(
            "threads cannot share a graph; MCTS(..., trees=2) searches several"
        )
    return int(value)


def expect_workers(trees: int, threads: int, table_bytes: int) -> None:
    """Complain of more than a machine can hold.

    Args:
        trees: how many there are.
        threads: how many search each of them.
        table_bytes: what the policies keep for every thread.

    Raises:
        UsageError: there are too many threads, or their tables are too large.
    """
    expect_at_most("trees", trees, MOST_THREADS)
    workers = trees * threads
    if workers > MOST_THREADS:
        raise UsageError(
            f"trees={trees} of threads={threads} each is more than "
            f"{MOST_THREADS:,} threads"
        )
    if workers * table_bytes > MOST_TABLES:
        raise UsageError(
            f"the tables of {workers:,} threads would take "
            f"{workers * table_bytes:,} bytes, more than {MOST_TABLES:,}: lower "
            "table_bits, trees or threads"
        )


def expect_limit(limit: Limit | None, selection: Selection, example: str) -> Limit:
    """The limit, if a selection can search by it; one second where none is given.

    Raises:
        UsageError: it is no limit, or lacks what the selection has to know.
    """
    limit = Limit(seconds=1.0) if limit is None else limit
    expect("limit", limit, Limit, f"a Limit, such as {example}")
    selection.expect_limit(limit.simulations)
    return limit


def expect_position(position: Position, game: Game) -> Position:
    """The position, if it is one of this game.

    Raises:
        UsageError: it is not.
    """
    example = "a Position, such as Position.from_moves(game, moves)"
    expect("position", position, Position, example)
    if position.game != game:
        raise UsageError(f"the position is of {position.game}, the search of {game}")
    return position


@contextmanager
def before_compiling() -> Iterator[None]:
    """Here what is asked wrongly is told; rules that fail are not.

    Compiling looks at these, and says more of them: the method, the line, the advice.
    """
    try:
        yield
    except UsageError:
        raise
    except Exception:  # whatever rules raise
        return


def expect_choice(position: Position) -> None:
    """Complain where a player has nothing to choose.

    Raises:
        UsageError: the game is over, or chance moves; names some outcomes to play.
    """
    if position.is_terminal:
        raise UsageError("there is no move to search for: the game is over")
    if position.is_chance:
        names = [position.game.action_name(a) for a in position.legal_actions()]
        shown = in_a_row(names[:12]) + (" ..." if len(names) > 12 else "")
        raise UsageError(f"chance moves here: play one of its outcomes first ({shown})")

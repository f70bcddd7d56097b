"""The exceptions Playout raises for its users' mistakes.

    PlayoutError (ValueError)
    ├── UsageError        a value from outside is wrong: a name, a limit, a file
    │   ├── IllegalMoveError   the move is well formed but not legal here
    │   └── PositionError      a position or a list of moves cannot be read
    ├── CompileError      rules or a policy that Numba cannot compile
    │   └── UncompilableError  perhaps good Python, but beyond Numba
    ├── RulesError        rules or a policy that break their contract
    └── EvaluatorError    an evaluator that failed, or gave what cannot be used

Every message says what is wrong, where, and what is accepted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = [
    "CompileError",
    "EvaluatorError",
    "IllegalMoveError",
    "Obstacle",
    "PlayoutError",
    "PositionError",
    "RulesError",
    "UncompilableError",
    "UsageError",
    "counted",
    "quote",
]

#: Longer values are cut in messages.
LONGEST_QUOTE = 60


class PlayoutError(ValueError):
    """Base of all errors that Playout raises on purpose."""


class UsageError(PlayoutError):
    """A value given by the user is not accepted."""


class IllegalMoveError(UsageError):
    """A move that cannot be played in this position."""


class PositionError(UsageError):
    """A text that does not describe a position of this game."""


class Obstacle(NamedTuple):
    """One thing that keeps code from being compiled.

    Attributes:
        where: the method, the file, the line and its text, as far as they are known.
        reason: what Numba says; empty if it says nothing.
        advice: what to write instead; empty if nothing is known.
        wrong: whether it is a mistake, and no limit of Numba's.
        place: the file and the line, for programs; None if they are not known.
    """

    where: str
    reason: str
    advice: str
    wrong: bool
    place: tuple[str, int] | None


class CompileError(PlayoutError):
    """Rules or a policy that cannot be compiled; names the user's method and line."""

    #: What it tells of, where it comes from the compiler.
    obstacles: tuple[Obstacle, ...] = ()


class UncompilableError(CompileError):
    """Code that is good Python, perhaps, but beyond Numba; `short` is one line of it.

    Args:
        message: what cannot be compiled, why, and what to write instead.
        short: the same in a line.
    """

    def __init__(self, message: str, short: str = "") -> None:
        super().__init__(message)
        self.short = short or message


class EvaluatorError(PlayoutError):
    """An evaluator that failed, or gave what cannot be used; names the state.

    The tree is as it was before the evaluator was asked.
    """


class RulesError(PlayoutError):
    """Rules that break a law of the `Game` contract, or a policy its own contract."""


def quote(value: Any) -> str:
    """A value as a message shows it: like `repr`, but never long.

    >>> quote("left=3"), quote("x" * 1000)
    ("'left=3'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'... (1000 characters)")
    """
    if isinstance(value, str) and len(value) > LONGEST_QUOTE:
        return f"{value[:40]!r}... ({len(value)} characters)"
    if isinstance(value, int) and abs(value) >> 200:  # Python may refuse to write it
        return f"a number of {value.bit_length()} bits"
    try:
        shown = repr(value)
    except Exception:  # of a method of the value's own
        shown = f"<{type(value).__name__}>"
    return shown if len(shown) <= 2 * LONGEST_QUOTE else shown[:LONGEST_QUOTE] + "..."


def counted(number: int, what: str) -> str:
    """A number with its noun.

    >>> counted(1, "simulation"), counted(2000, "simulation")
    ('1 simulation', '2,000 simulations')
    """
    return f"{number:,} {what}{'s' * (number != 1)}"

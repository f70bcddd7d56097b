"""The exceptions Playout raises for its users' mistakes.

    PlayoutError (ValueError)
    ├── UsageError        a value from outside is wrong: a name, a limit, a file
    │   ├── IllegalMoveError   the move is well formed but not legal here
    │   └── PositionError      a position or a list of moves cannot be read
    ├── CompileError      rules or a policy that Numba cannot compile
    └── RulesError        rules that break a law of the contract

Every message says what is wrong, where, and what is accepted.
"""

from __future__ import annotations

__all__ = [
    "CompileError",
    "IllegalMoveError",
    "PlayoutError",
    "PositionError",
    "RulesError",
    "UsageError",
]


class PlayoutError(ValueError):
    """Base of all errors that Playout raises on purpose."""


class UsageError(PlayoutError):
    """A value given by the user is not accepted."""


class IllegalMoveError(UsageError):
    """A move that cannot be played in this position."""


class PositionError(UsageError):
    """A text that does not describe a position of this game."""


class CompileError(PlayoutError):
    """Rules or a policy that cannot be compiled; names the user's method and line."""


class RulesError(PlayoutError):
    """Rules that break a law of the `Game` contract."""

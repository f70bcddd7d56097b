"""What comes from the threads on which players and searches think."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event
from typing import TypeAlias

from textual.message import Message

from ...arena.turn import Answer
from ...players.player import Decision
from ...search.result.result import Result

__all__ = [
    "Answered",
    "Compiling",
    "Failed",
    "FromThread",
    "Hanging",
    "Hinted",
    "Moment",
    "Prepared",
    "Thought",
]

#: The number of the game, and the version of its table: what thoughts are about.
Moment: TypeAlias = tuple[int, int]


class FromThread(Message):
    """Whatever comes from a thread."""


@dataclass
class Compiling(FromThread):
    """Something is compiled for the first time; "" when that is done."""

    sentence: str


@dataclass
class Hanging(FromThread):
    """A method of the rules has not come back for seconds.

    Attributes:
        sentence: says which.
        taken: set when the screen has taken the message.
    """

    sentence: str
    taken: Event = field(default_factory=Event)


@dataclass
class Prepared(FromThread):
    """The program to move can be asked."""

    moment: Moment


@dataclass
class Thought(FromThread):
    """What a search has found so far; None for a player that is no search."""

    moment: Moment
    result: Result | None


@dataclass
class Answered(FromThread):
    """A program has moved, or failed."""

    moment: Moment
    answer: Answer


@dataclass
class Hinted(FromThread):
    """A move is suggested."""

    moment: Moment
    decision: Decision


@dataclass
class Failed(FromThread):
    """Something could not be done, for a reason that a person can read."""

    reason: str

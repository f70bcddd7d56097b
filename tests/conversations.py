"""Conversations as text: what is said to an engine, and what it answers.

    # a remark
    ! game connect-four          what holds for the conversation
    > BEGIN                      said to the engine
    < 7,7                        its answer
    = seconds 0.85               (engine) what its player was allowed for that answer
    ? choose seconds=1 moves=    (manager) what the manager is asked for
    = H8                         (manager) what came of it
    + 0.5                        (manager) the engine is silent so long; `end`: it ends

An engine's answers must be exactly those shown: a line more or less is an error.
"""

from dataclasses import dataclass
from pathlib import Path

DIRECTORY = Path(__file__).parent / "data" / "conversations"


@dataclass(frozen=True)
class Step:
    """A line of a conversation: its sign, its text, and its place for messages."""

    sign: str
    text: str
    place: str


def read(path: Path) -> tuple[dict[str, str], list[Step]]:
    """The settings of a conversation, and its steps in order."""
    settings, steps = {}, []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        sign, text = line[:1], line[2:]
        if sign == "!":
            name, _, value = text.partition(" ")
            settings[name] = value
        elif sign in ("<", ">", "?", "=", "+"):
            steps.append(Step(sign, text, f"{path.name}:{number}"))
        else:
            assert sign in ("", "#"), f"{path.name}:{number}: {line}"
    return settings, steps


def find(role: str) -> list[Path]:
    """The conversations of a role, `engine` or `manager`."""
    found = sorted((DIRECTORY / role).glob("*.txt"))
    assert found
    return found

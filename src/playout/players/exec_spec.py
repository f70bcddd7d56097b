"""What `exec:` is told of an engine: its command, its protocol, its limits."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.errors import UsageError
from .dialogues import PROTOCOLS

__all__ = ["ExecSpec", "parse_exec"]


@dataclass(frozen=True)
class ExecSpec:
    """What `exec:` is told.

    Attributes:
        command: how to start the engine, as on a command line.
        protocol: what it speaks, if that is said.
        memory: bytes that it may hold, if that is said.
    """

    command: str
    protocol: str | None = None
    memory: int | None = None


def parse_exec(text: str) -> ExecSpec:
    """What follows `exec:` in a spec: perhaps options and a colon, then the command.

    Options are a protocol and `memory=SIZE`, in bytes or as 350K, 350M, 2G, each 1024
    times the one before; a comma is between them.

    >>> parse_exec("ugi,memory=1K:./engine --fast")
    ExecSpec(command='./engine --fast', protocol='ugi', memory=1024)
    >>> parse_exec("./engine").protocol is None
    True

    Raises:
        UsageError: an option is not known, or the size is none.
    """
    head, colon, rest = text.partition(":")
    options = [part.strip() for part in head.split(",")]
    if not colon or not any(map(_is_option, options)):
        return ExecSpec(text.strip())
    protocol = memory = None
    for option in options:
        if option in PROTOCOLS and protocol is None:
            protocol = option
        elif option.startswith("memory=") and memory is None:
            memory = _size(option.removeprefix("memory="))
        else:
            raise UsageError(
                f"exec: {option!r} is not an option, or there twice; before the "
                f"command may stand one of {', '.join(PROTOCOLS)}, and memory=SIZE"
            )
    return ExecSpec(rest.strip(), protocol, memory)


def _is_option(text: str) -> bool:
    return text in PROTOCOLS or text.startswith("memory=")


def _size(text: str) -> int:
    """The bytes of a size such as 350M."""
    match = re.fullmatch(r"([0-9]{1,15})([KMG]?)", text.upper())
    if match is None or not int(match[1]):
        raise UsageError(f"exec: memory={text[:20]}: expected bytes, or as in 350M")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]

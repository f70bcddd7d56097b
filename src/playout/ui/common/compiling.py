"""What faces say while something is compiled; imports nothing, to be told at once."""

from __future__ import annotations

__all__ = ["compiling_sentence"]


def compiling_sentence(label: str) -> str:
    """What to tell a person while this is compiled.

    What is compiled checked is new, so that nobody knows yet whether it can be compiled
    at all, and kept.

    >>> compiling_sentence("Nim")
    "Compiling Nim's rules for the first time (then kept on disk) ..."
    >>> compiling_sentence("Nim with every index checked")
    "Compiling Nim's rules with every index checked ..."
    """
    name, how, checked = label.partition(" with ")
    what = "a part of the search" if name in ("Tree", "kernel") else f"{name}'s rules"
    kept = "" if checked else " for the first time (then kept on disk)"
    return f"Compiling {what}{how}{checked}{kept} ..."

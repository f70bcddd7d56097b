"""What faces say while something is compiled; imports nothing, to be told at once."""

from __future__ import annotations

__all__ = ["IN_BACKGROUND", "compiling_sentence"]

#: What the label of rules ends with that another process compiles.
IN_BACKGROUND = " in the background"
#: Labels of what is no game; "kernel" searches rules that stay in Python, the last
#: games of other libraries.
_PARTS = ("Tree", "kernel", "ForeignGame")


def compiling_sentence(label: str) -> str:
    """What to tell a person while this is compiled.

    What is compiled checked is new, so that nobody knows yet whether it can be compiled
    at all, and kept.

    >>> compiling_sentence("Nim")
    "Compiling Nim's rules for the first time (then kept on disk) ..."
    >>> compiling_sentence("kernel")
    'Compiling a part of the search for the first time (then kept on disk) ...'
    >>> compiling_sentence("Nim with every index checked")
    "Compiling Nim's rules with every index checked ..."
    >>> compiling_sentence("Nim in the background")
    "Compiling Nim's rules in the background: the first moves are searched more slowly"
    """
    if label.endswith(IN_BACKGROUND):
        name = label.removesuffix(IN_BACKGROUND)
        slowly = "the first moves are searched more slowly"
        return f"Compiling {name}'s rules{IN_BACKGROUND}: {slowly}"
    name, how, checked = label.partition(" with ")
    what = "a part of the search" if name in _PARTS else f"{name}'s rules"
    kept = "" if checked else " for the first time (then kept on disk)"
    return f"Compiling {what}{how}{checked}{kept} ..."

"""What a network sees of a game's states."""

from __future__ import annotations

from ...core.jit.compiled import Compiled
from .symmetry import Symmetry
from .words import Parts, Planes, State

__all__ = ["Observing"]


class Observing(Compiled):
    """A part of `Game`."""

    def observation_shape(self) -> tuple[int, ...]:
        """The shape of what `observe` writes, such as (planes, rows, columns)."""
        return ()

    def observe(self, state: State, planes: Planes) -> None:
        """Write what an evaluator is to see of a state, as a network's input.

        `planes` is of `observation_shape` and comes zeroed. As the value it is asked
        for is that of the player to move, that player's pieces mostly come first.
        """
        return

    def parts_shape(self) -> tuple[int, int]:
        """How many parts `observe_parts` writes, and of how many kinds each may be."""
        return 0, 0

    def observe_parts(self, state: State, parts: Parts) -> None:
        """Write of what kind each part of a state is, such as each of its rows.

        `parts` has a whole number for each part, from 0 to below the number of kinds.
        A network in the search looks kinds up in a table that it has learnt.
        """
        return

    def symmetries(self) -> list[Symmetry]:
        """Ways to turn the board round that networks learn; see `board_symmetries`."""
        return []

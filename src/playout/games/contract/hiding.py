"""What players of a game do not know."""

from __future__ import annotations

from typing import Any

from ...core.jit.compiled import Compiled
from .words import State

__all__ = ["Hiding"]


class Hiding(Compiled):
    """The part of `Game` about what is hidden, where `has_hidden` is true."""

    def hide(self, state: State, player: int) -> None:
        """Write over what a player does not know. Modified in place.

        The player is never shown more than what is left: on the board, as a position,
        as the root of its search. Two states that look the same to a player must become
        the same, byte for byte. If earlier knowledge matters, the state must hold it.
        """
        raise NotImplementedError

    def determinize(self, state: State, player: int, rng: Any) -> None:
        """Draw what a player does not know, as it may be. Modified in place.

        The state may be hidden already; it is asked of states that are not terminal.
        Usually all states that look the same to the player are equally likely.
        """
        raise NotImplementedError

    def is_public(self, action: int) -> bool:
        """Whether everybody sees that this action was played, as a bet.

        Lists of moves then name it to all players; others are a question mark to all
        but who played them. Only ever called from Python.
        """
        return False

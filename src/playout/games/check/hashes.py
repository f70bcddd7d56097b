"""Law 17: states of the same hash go on alike, as far as can be seen of each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.errors import quote
from ...core.jit.rows import Rows
from ...core.text.fields import is_whole
from ..contract.game import Game, has_own
from .side_by_side import Side
from .soundness import expect_answer

__all__ = ["HashCheck"]

#: So many states are remembered.
MOST = 20_000


class _Met(NamedTuple):
    state: np.ndarray
    over: bool
    says: tuple[Any, ...]


class HashCheck:
    """The states that a game with a `hash` of its own came to, by their hashes."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._asks = has_own(game, "hash")
        self._met: dict[int, _Met] = {}

    def fault(self, side: Side) -> tuple[int, str] | None:
        """A law that the state which a side has come to breaks, and how."""
        if not self._asks:
            return None
        state, over = side.states[1:2], bool(side.seen[2])
        with np.errstate(over="ignore"):
            found = self.game.hash(Rows(state)[0])
        found = expect_answer(self.game, "hash", found)
        if not is_whole(found):
            return 17, f"hash gives {quote(found)}; it must be a whole number"
        says = (*side.returns,) if over else (side.seen[3], *side.legal)
        known = self._met.get(int(found))
        if known is None:
            if len(self._met) < MOST:
                self._met[int(found)] = _Met(state.copy(), over, says)
            return None
        if (known.over, known.says) == (over, says):
            return None
        what = "returns" if over and known.over else "player to move or legal actions"
        other = self.game.state_to_text(Rows(known.state)[0])
        return 17, (
            f"hash gives {found} here and in {quote(other)}, a state with other "
            f"{what}: a search with transpositions, and alpha-beta, would take one for "
            "the other"
        )

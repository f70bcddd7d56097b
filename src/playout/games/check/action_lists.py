"""Law 2, of urgent actions and of the legal ones by index."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import quote
from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ..contract.game import Game
from .side_by_side import SENTINEL
from .soundness import expect_answer

__all__ = ["IndexCheck", "indices_hold", "urgent_fault"]


def urgent_fault(game: Game, states: NDArray[np.void], legal: list[int]) -> str | None:
    """What is wrong with the urgent actions of the middle state; None if nothing is."""
    actions = np.full(max(1, game.num_actions()), SENTINEL, dtype=np.int32)
    count = game.urgent_actions(Rows(states)[1], actions)
    urgent = [int(action) for action in actions[:count]]
    if set(urgent) <= set(legal) and sorted(set(urgent)) == urgent:
        return None
    return (
        f"urgent actions {quote(urgent)} are not ascending among the legal "
        f"{quote(legal)}"
    )


class IndexCheck:
    """Whether `count_legal`, `nth_legal` and `index_of` say what the list says."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.native: Any = None

    def compile(self) -> None:
        """From now on, run them compiled as well, where the game has its own."""
        if self.game.has_indices:
            states = np.zeros(3, dtype=self.game.state_dtype())
            self.native = ask_indices.compile(*self._arguments(states, []))

    def fault(
        self, states: NDArray[np.void], legal: list[int]
    ) -> tuple[int, str] | None:
        """The law that they break in the middle state, and how; None if they keep all.

        Raises:
            RulesError: one of them gave no number; names it.
        """
        if not self.game.has_indices:
            return None
        self._expect_answers(states.copy(), legal)
        for run in (ask_indices.function, self.native):
            if run is None:
                continue
            arguments = self._arguments(states, legal)
            count = int(run(*arguments))
            _, asked, *_, found = arguments
            if asked.array[1] != states[1]:
                return 3, "count_legal, nth_legal or index_of changed the state"
            if count != len(legal):
                return 2, f"count_legal says {count}, legal actions are {quote(legal)}"
            for name, said, right in (
                ("nth_legal", found[0], legal),
                ("index_of", found[1], list(range(count))),
            ):
                if said[:count].tolist() != right:
                    said = quote(said[:count].tolist())
                    return 2, f"{name} says {said} for the legal {quote(legal)}"
        return None

    def _expect_answers(self, states: NDArray[np.void], legal: list[int]) -> None:
        game, state = self.game, Rows(states)[1]
        buffer = np.zeros(max(1, game.num_actions()), np.int32)
        expect_answer(game, "count_legal", game.count_legal(state, buffer))
        if legal:
            count, first = len(legal), legal[0]
            expect_answer(game, "nth_legal", game.nth_legal(state, buffer, 0))
            index = game.index_of(state, buffer, count, first)
            expect_answer(game, "index_of", index)

    def _arguments(
        self, states: NDArray[np.void], legal: list[int]
    ) -> tuple[Any, Any, Any, Any, Any]:
        size = max(1, self.game.num_actions())
        listed = np.array(legal, dtype=np.int32)
        buffer, found = np.zeros(size, np.int32), np.zeros((2, size), np.int64)
        return self.game, Rows(states.copy()), buffer, listed, found


# -- compiled --------------------------------------------------------------------------


@kernel
def ask_indices(game: Any, states: Any, buffer: Any, listed: Any, found: Any) -> int:
    """Write the n-th action, and the index of each that is listed; returns the count.

    Nothing is written where that is not how many are listed.
    """
    state = states[1]
    count = int(game.count_legal(state, buffer))
    if count == len(listed):
        for n in range(count):
            found[0, n] = game.nth_legal(state, buffer, n)
            found[1, n] = game.index_of(state, buffer, count, int(listed[n]))
    return count


def indices_hold(game: Any, state: Any, buffer: Any, listed: Any, count: int) -> bool:
    """Whether they say of a state what was listed, of which the first ones count."""
    if game.count_legal(state, buffer) != count:
        return False
    for n in range(count):
        action = int(listed[n])
        if game.nth_legal(state, buffer, n) != action:
            return False
        if game.index_of(state, buffer, count, action) != n:
            return False
    return True

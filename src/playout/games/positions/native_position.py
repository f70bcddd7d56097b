"""`NativePosition`: a `Position` whose rules run compiled, for playing many games.

Interpreted rules take some milliseconds a move on large boards: little for a person,
much for a match of fast searches. The answers are the same, by law 8.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...core.jit.native import kernel
from ...core.jit.rows import Rows, copy_rows
from ..check.bounds import expect_bounds
from ..contract.game import Game
from .position import Position

__all__ = ["NativePosition"]

#: What the rules say of a state: its legal actions, who moves, whether it is over.
_Facts = tuple[tuple[int, ...], int, bool]


class NativePosition(Position):
    """See the module's docstring; only for rules that keep the laws of games.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> position = NativePosition(TicTacToe()).play("b2").play("a1")
    >>> len(position.legal_actions()), position.current_player, position.is_terminal
    (7, 0, False)
    """

    def __init__(self, game: Game, text: str | None = None) -> None:
        super().__init__(game, text)
        self._look = _native(game)
        self._facts = [self._ask(self._states[-1], -1)]

    @classmethod
    def at(cls, game: Game, array: NDArray[np.void]) -> Self:
        position = super().at(game, array)
        position._facts = [position._ask(position._states[-1], -1)]
        return position

    @property
    def current_player(self) -> int:
        _, mover, over = self._facts[-1]
        return super().current_player if over else mover

    @property
    def is_terminal(self) -> bool:
        return self._facts[-1][2]

    def legal_actions(self) -> list[int]:
        return list(self._facts[-1][0])

    def play(self, move: str | int) -> Position:
        action = self.find(move)
        state = copy_rows(self._states[-1])
        self._facts.append(self._ask(state, action))
        self._states.append(state)
        self.actions.append(action)
        return self

    def undo(self) -> Position:
        super().undo()
        self._facts.pop()
        return self

    def copy(self) -> NativePosition:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.actions, other._facts = list(self.actions), list(self._facts)
        other._states = [*self._states[:-1], copy_rows(self._states[-1])]
        other._buffer = self._buffer.copy()
        return other

    def _ask(self, state: np.ndarray, action: int) -> _Facts:
        """Play an action in the state, unless it is negative, and look at it."""
        facts = np.zeros(2, dtype=np.int64)
        count = self._look(self.game, Rows(state), action, self._buffer, facts)
        mover, over = facts.tolist()
        return tuple(self._buffer[:count].tolist()), mover, bool(over)


@functools.lru_cache(maxsize=64)
def _native(game: Game) -> Callable[..., int]:
    expect_bounds(game)
    states = Rows(np.zeros(1, dtype=game.state_dtype()))
    buffer = np.zeros(max(1, game.num_actions()), dtype=np.int32)
    return _advance.compile(game, states, 0, buffer, np.zeros(2, dtype=np.int64))


@kernel
def _advance(game: Any, states: Any, action: int, actions: Any, facts: Any) -> int:
    """Play an action unless it is negative; then what the rules say of the state."""
    state = states[0]
    if action >= 0:
        game.apply(state, action)
    over = game.is_terminal(state)
    facts[1] = 1 if over else 0
    facts[0] = -1 if over else game.current_player(state)
    return game.legal_actions(state, actions)

"""Three players, three colours, one line: tic-tac-toe for three.

Cells, bits and lines are those of `tic_tac_toe.rules`, in one word a player.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.jit.bits import lowest
from ...core.jit.compiled import static
from ..contract.game import Actions, Game, State, uniform_rollout
from ..tic_tac_toe.rules import MNK

__all__ = ["LineThree"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@dataclass(frozen=True)
class LineThree(MNK):
    """X, O and Z put stones in turn; the first line of k wins, and both others lose.

    A longer line wins as well. A full board without a line is a draw.

    Attributes:
        m: rows, 1 or more; `m * n` is 64 at most.
        n: columns, 1 to 26.
        k: how many in a row win (or more), 1 to the longer side.

    >>> from playout.games.positions.position import Position
    >>> print(Position.from_moves(LineThree(), ["b2", "c3", "b3"]).render())
    4  .  .  .  .
    3  . [Z] O  .
    2  .  X  .  .
    1  .  .  .  .
       a  b  c  d
    """

    name = "line-three"
    title = "Three in a row for three"
    player_names = ("X", "O", "Z")
    marks = "XOZ"
    zero_sum = False

    m: int = static(4)
    n: int = static(4)
    k: int = static(3)

    def empty(self, state: State) -> Any:
        return self.cells & ~(state.stones[0] | state.stones[1] | state.stones[2])

    # -- the rules ---------------------------------------------------------------------

    def num_players(self) -> int:
        return 3

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("stones", "u8", (3,)),
                ("player", "i1"),
                ("winner", "i1"),  # -1 while nobody has won
            ]
        )

    def apply(self, state: State, action: int) -> None:
        player = state.player
        stones = state.stones[player] | _ONE << np.uint64(action)
        state.stones[player] = stones
        if self.has_line(stones):
            state.winner = player
        state.player = (player + 1) % 3

    # -- for the search ----------------------------------------------------------------

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """The first cell that wins now.

        Blocking is not forced: a player that has lost anyway may choose who wins.
        """
        wins = self.completing(state.stones[state.player]) & self.empty(state)
        if state.winner >= 0 or wins == _ZERO:
            return 0
        actions[0] = lowest(wins)
        return 1

    evaluate = Game.evaluate  # open lines are counted for two

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        return uniform_rollout(self, state, actions, rng)

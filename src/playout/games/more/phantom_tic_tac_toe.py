"""Phantom tic-tac-toe: nobody sees the other's stones.

Cells, bits and notation are those of `tic_tac_toe.rules`. Each player has one word of
stones, and one of those stones of the other that it has found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, quote
from ...core.jit.bits import lowest, nth_bit, popcount
from ..contract.game import Actions, Game, State, uniform_rollout
from ..drawing.board import EMPTY, Board, line_cells, read_grid
from ..tic_tac_toe.rules import TicTacToe

__all__ = ["PhantomTicTacToe"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_MARKS = "XOxo"
#: Attempts to draw stones without a line; no position needs as many.
_DRAWS = 10_000


@dataclass(frozen=True)
class PhantomTicTacToe(TicTacToe):
    """Tic-tac-toe in which each player sees its own stones alone.

    Whoever tries a cell that the other has taken is told so, and tries again. The other
    is not told which cell it was, nor by its position that there was a try; boards that
    count moves count tries too.

    Lanctot, Lisy, Bosansky, "Search in Imperfect Information Games Using Online Monte
    Carlo Counterfactual Regret Minimization", AAAI workshop 2014, among others who
    test on it.

    >>> from playout.games.positions.position import Position
    >>> position = Position.from_moves(PhantomTicTacToe(), ["b2", "a1", "a1"])
    >>> position.current_player  # X has tried a1 and may try again
    0
    >>> print(position.seen_by(0).render())
    3  .  .  .
    2  .  X  .
    1  o  .  .
       a  b  c
    >>> print(position.seen_by(1).render())
    3  .  .  .
    2  .  .  .
    1  O  .  .
       a  b  c
    """

    name = "phantom-tic-tac-toe"
    title = "Phantom tic-tac-toe"
    has_hidden = True

    # -- the rules ---------------------------------------------------------------------

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("stones", "u8", (2,)),
                ("found", "u8", (2,)),  # by each player, of the other's stones
                ("player", "i1"),
                ("winner", "i1"),  # -1 while nobody has won
            ]
        )

    def max_game_length(self) -> int:
        """Every stone is put once, and found once at most."""
        return 18

    def fills(self) -> bool:
        return False

    def legal_actions(self, state: State, actions: Actions) -> int:
        if self.is_terminal(state):
            return 0
        player = state.player
        known = state.stones[player] | state.found[player]
        return self.list_actions(self.cells & ~known, actions)

    def apply(self, state: State, action: int) -> None:
        player = state.player
        stone = _ONE << np.uint64(action)
        if state.stones[1 - player] & stone != _ZERO:
            state.found[player] |= stone
            return
        stones = state.stones[player] | stone
        state.stones[player] = stones
        if self.has_line(stones):
            state.winner = player
        state.player = 1 - player

    # -- what a player knows -----------------------------------------------------------

    def hide(self, state: State, player: int) -> None:
        """Leave a player's own stones and those it has found; at the end, all."""
        if self.is_terminal(state):
            return
        other = 1 - player
        state.stones[other] = state.stones[other] & state.found[player]
        state.found[other] = _ZERO

    def determinize(self, state: State, player: int, rng: Any) -> None:
        """Put the other's stones where they may be, without a line.

        How many there are follows from whose turn it is. Which of the player's stones
        were found is drawn too.
        """
        self.hide(state, player)
        other = 1 - player
        own, found = state.stones[player], state.stones[other]
        total = popcount(own) + (state.player if player == 1 else -state.player)
        stones = found
        for _ in range(_DRAWS):
            stones = self.draw_stones(found, self.cells & ~own, total, rng)
            if not self.has_line(stones):
                break
        state.stones[other] = stones
        state.found[other] = own & rng.next()

    def draw_stones(self, stones: Any, cells: Any, total: int, rng: Any) -> Any:
        """Some stones and others on cells drawn uniformly, so many in all."""
        for _ in range(total - popcount(stones)):
            left = cells & ~stones
            if left != _ZERO:
                stones |= nth_bit(left, rng.below(popcount(left)))
        return stones

    # -- for the search ----------------------------------------------------------------

    evaluate = Game.evaluate  # what is hidden closes lines

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """The first cell that wins: one that is known, or may be, to be empty.

        To try it costs nothing: a player that finds it taken tries again.
        """
        player = state.player
        known = state.stones[player] | state.found[player]
        wins = self.completing(state.stones[player]) & self.cells & ~known
        if self.is_terminal(state) or wins == _ZERO:
            return 0
        actions[0] = lowest(wins)
        return 1

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        return uniform_rollout(self, state, actions, rng)

    # -- for people --------------------------------------------------------------------

    def board(self, state: State, last_action: int | None = None) -> Board:
        grid = self._grid(state)
        plain = [row.upper() for row in grid]
        return Board(
            cells=tuple(grid),
            marks=tuple(self.marks),
            row_labels=("3", "2", "1"),
            column_labels=("a", "b", "c"),
            last=None if last_action is None else self.cell(last_action),
            winning=line_cells(plain, state.winner, self.k, self.marks),
        )

    def _grid(self, state: State) -> list[str]:
        """Rows from the top; small letters are stones that the other has found."""
        rows = super()._grid(state)
        cells = list("".join(rows))
        for action, mark in enumerate(cells):
            finder = 1 - self.marks.index(mark) if mark != EMPTY else 0
            if mark != EMPTY and int(state.found[finder]) >> action & 1:
                cells[action] = mark.lower()
        return ["".join(cells[row : row + 3]) for row in range(0, 9, 3)]

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form: `.../.x./O.. X`. Modified in place.

        A small letter is a stone that the other has found. Stones that were not seen
        may be missing.

        Raises:
            PositionError: the text is no board, or both have a line.
        """
        grid, mover = read_grid(text, 3, 3, EMPTY + _MARKS, movers=self.marks)
        self.initial_state(state)
        for action, mark in enumerate("".join(grid)):
            if mark == EMPTY:
                continue
            player = self.marks.index(mark.upper())
            state.stones[player] |= _ONE << np.uint64(action)
            if mark.islower():
                state.found[1 - player] |= _ONE << np.uint64(action)
        lines = [player for player in (0, 1) if self.has_line(state.stones[player])]
        if len(lines) > 1:
            raise PositionError(f"{quote(text)}: both players have a line")
        state.winner = lines[0] if lines else -1
        state.player = mover

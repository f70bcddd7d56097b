"""Othello (Reversi): outflank stones of the other colour to turn them over.

Actions number the cells by rows from the top left, and 64 is to pass. A bit of a word
is the cell of that number. Shifting all stones at once follows all lines at once: up
to six stones of the other colour are passed in four steps, the last two of which go
two cells at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import UsageError
from ...core.jit.bits import list_bits, nth_bit, popcount
from ...core.rng import draw_from, draws_per_number
from ..contract.game import Actions, Game, State, decided, leader_of
from ..drawing.board import EMPTY, Board, Cell, read_grid
from ..drawing.names import letters, name_cell, numbers, read_cell

__all__ = ["Othello"]

PASS = 64

_ZERO, _ONE = np.uint64(0), np.uint64(1)
#: All columns but the outer two: no line of stones in between runs over the edge.
_INNER = np.uint64(0x7E7E7E7E7E7E7E7E)
_ROW, _RISING, _COLUMN, _FALLING = (np.uint64(n) for n in (1, 7, 8, 9))
_DRAWS = draws_per_number(PASS)


@dataclass(frozen=True)
class Othello(Game):
    """Put stones that close in others between two of yours; most stones win.

    All stones closed in, along any line, change their colour. A player without such a
    move passes; when neither has one, the game is over.

    Source: the rules of the World Othello Federation.

    >>> from playout.games.positions.counting import perft
    >>> perft(Othello(), 5)
    1396
    """

    name = "othello"
    title = "Othello"
    player_names = ("Black", "White")

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return PASS + 1

    def max_game_length(self) -> int:
        """Sixty stones, and no two passes follow each other."""
        return 120

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("stones", "u8", (2,)),
                ("moves", "u8"),  # where the player to move may put a stone
                ("player", "i1"),
                ("over", "i1"),
            ]
        )

    def initial_state(self, state: State) -> None:
        state.stones[0] = np.uint64(1 << 28 | 1 << 35)
        state.stones[1] = np.uint64(1 << 27 | 1 << 36)
        state.player = 0
        self.look(state)

    def look(self, state: State) -> None:
        """Find where the player to move may play, and whether the game is over."""
        mine, theirs = state.stones[state.player], state.stones[1 - state.player]
        state.moves = _moves(mine, theirs)
        stuck = state.moves == _ZERO and _moves(theirs, mine) == _ZERO
        state.over = 1 if stuck else 0

    def current_player(self, state: State) -> int:
        return state.player

    def legal_actions(self, state: State, actions: Actions) -> int:
        if state.over == 1:
            return 0
        if state.moves == _ZERO:
            actions[0] = PASS
            return 1
        return list_bits(state.moves, 0, actions, 0)

    def apply(self, state: State, action: int) -> None:
        player = state.player
        if action != PASS:
            stone = _ONE << np.uint64(action)
            turned = _turned(stone, state.stones[player], state.stones[1 - player])
            state.stones[player] |= stone | turned
            state.stones[1 - player] ^= turned
        state.player = 1 - player
        self.look(state)

    def is_terminal(self, state: State) -> bool:
        return state.over == 1

    def returns(self, state: State, player: int) -> float:
        lead = popcount(state.stones[0]) - popcount(state.stones[1])
        return decided(leader_of(lead), player)

    # -- for the search ----------------------------------------------------------------

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play uniformly random moves to the end; returns how many."""
        mover = int(state.player)
        mine, theirs, moves = state.stones[mover], state.stones[1 - mover], state.moves
        plies, stones, bits = 0, 0, _ZERO
        over = state.over == 1
        while not over:
            if moves != _ZERO:
                if stones % _DRAWS == 0:
                    bits = rng.next()
                drawn, bits = draw_from(bits, popcount(moves))
                stone = nth_bit(moves, drawn)
                turned = _turned(stone, mine, theirs)
                mine |= stone | turned
                theirs ^= turned
                stones += 1
            mine, theirs = theirs, mine
            plies += 1
            moves = _moves(mine, theirs)
            over = moves == _ZERO and _moves(theirs, mine) == _ZERO
        mover ^= plies & 1
        state.stones[mover], state.stones[1 - mover] = mine, theirs
        state.moves = moves
        state.player = mover
        state.over = 1
        return plies

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """Column letter and row number from the top: `d3`; or `pass`."""
        return "pass" if action == PASS else name_cell(divmod(int(action), 8))

    def parse_action(self, text: str) -> int:
        if text.strip().lower() == "pass":
            return PASS
        try:
            row, column = read_cell(text, 8, 8)
        except UsageError as error:
            raise UsageError(f"{error}, or pass") from None
        return row * 8 + column

    def cell(self, action: int) -> Cell | None:
        return None if action == PASS else divmod(int(action), 8)

    def board(self, state: State, last_action: int | None = None) -> Board:
        moves = 0 if state.over else int(state.moves)
        black, white = (popcount(state.stones[player]) for player in (0, 1))
        return Board(
            cells=tuple(self._grid(state)),
            row_labels=numbers(8),
            column_labels=letters(8),
            last=None if last_action is None else self.cell(last_action),
            playable=frozenset(divmod(n, 8) for n in range(64) if moves >> n & 1),
            labels_below=False,
            caption=f"Black (X) {black}, White (O) {white}",
            style="counters",
        )

    def _grid(self, state: State) -> list[str]:
        """Rows from the top; X is Black."""
        black, white = int(state.stones[0]), int(state.stones[1])
        marks = "".join(
            "X" if black >> n & 1 else "O" if white >> n & 1 else EMPTY
            for n in range(64)
        )
        return [marks[row : row + 8] for row in range(0, 64, 8)]

    def state_to_text(self, state: State) -> str:
        """Rows from the top joined by "/", then who moves; X is Black."""
        return f"{'/'.join(self._grid(state))} {'XO'[state.player]}"

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no such board.
        """
        grid, mover = read_grid(text, 8, 8)
        marks = "".join(grid)
        for player, mark in enumerate("XO"):
            stones = sum(1 << n for n in range(64) if marks[n] == mark)
            state.stones[player] = np.uint64(stones)
        state.player = mover
        with np.errstate(over="ignore"):
            self.look(state)


def _reached(start: Any, through: Any, shift: Any) -> tuple[Any, Any]:
    """The stones that follow each other from beside the start, ahead and behind.

    Six stones at most: as many as lie between two others.
    """
    twice = shift + shift
    ahead = through & start << shift
    behind = through & start >> shift
    ahead |= through & ahead << shift
    behind |= through & behind >> shift
    pairs = through & through << shift
    pairs_behind = pairs >> shift
    ahead |= pairs & ahead << twice
    behind |= pairs_behind & behind >> twice
    ahead |= pairs & ahead << twice
    behind |= pairs_behind & behind >> twice
    return ahead, behind


def _beyond(mine: Any, through: Any, shift: Any) -> Any:
    """The cells behind lines of the other's stones that begin beside one's own."""
    ahead, behind = _reached(mine, through, shift)
    return ahead << shift | behind >> shift


def _moves(mine: Any, theirs: Any) -> Any:
    """The empty cells from which stones are closed in."""
    inner = theirs & _INNER
    found = (
        _beyond(mine, inner, _ROW)
        | _beyond(mine, theirs, _COLUMN)
        | _beyond(mine, inner, _RISING)
        | _beyond(mine, inner, _FALLING)
    )
    return found & ~(mine | theirs)


def _closed(stone: Any, mine: Any, through: Any, shift: Any) -> Any:
    """The stones that a stone closes in along one line, ahead and behind."""
    ahead, behind = _reached(stone, through, shift)
    found = ahead if mine & ahead << shift != _ZERO else _ZERO
    return found | (behind if mine & behind >> shift != _ZERO else _ZERO)


def _turned(stone: Any, mine: Any, theirs: Any) -> Any:
    """The stones that change their colour."""
    inner = theirs & _INNER
    return (
        _closed(stone, mine, inner, _ROW)
        | _closed(stone, mine, theirs, _COLUMN)
        | _closed(stone, mine, inner, _RISING)
        | _closed(stone, mine, inner, _FALLING)
    )

"""Go on boards of 2 x 2 to 19 x 19; see `chains` for how the stones are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.compiled import constant, static
from ...core.jit.hashing import mix
from ...core.rng import draw_from, draws_per_number
from ..contract.game import Actions, Game, State, decided, leader_of
from ..drawing.board import EMPTY, Board, Cell, read_grid
from ..drawing.names import letters, name_cell, numbers, read_cell
from .chains import BORDER, FREE, can_play, is_eye, lead_of_black, put_stone

__all__ = ["GoGame"]

_ZERO = np.uint64(0)
#: Columns have no I, which looks like a J or a 1.
_ALPHABET = "abcdefghjklmnopqrst"
_PASS = "pass"


@dataclass(frozen=True)
class GoGame(Game):
    """Surround more of the board than the other; chains without liberties are taken.

    Suicide is forbidden, and so is every move that leaves the stones as they lay after
    any move before (positional superko). The game is over after two passes, or after
    two moves for each point. Then stones count, and free points that only one colour
    reaches (area scoring, without taking dead stones away: take them before you pass).

    Source: the Tromp-Taylor rules, 1995, without suicide.

    Attributes:
        size: rows and columns, 2 to 19.
        komi: points that White is given.

    >>> from playout.games.positions.position import Position
    >>> print(Position.from_moves(GoGame(size=3), ["a2", "a1", "b1"]).render())
    3  .  .  .
    2  X  .  .
    1  . [X] .
       A  B  C
    """

    name = "go"
    title = "Go"
    player_names = ("Black", "White")

    size: int = static(9)
    komi: float = 7.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.size <= 19:
            raise UsageError(f"size must be 2 to 19, not {self.size}")
        if not -400 <= self.komi <= 400:
            raise UsageError(f"komi must be -400 to 400, not {self.komi}")

    # -- layout ------------------------------------------------------------------------

    @constant
    def wide(self) -> int:
        """From a point to the one below it."""
        return self.size + 1

    @constant
    def points(self) -> np.ndarray:
        """`[size * size]` the point of every action."""
        cells = np.arange(self.size**2)
        wide = self.size + 1
        return ((cells // self.size + 1) * wide + cells % self.size).astype(np.int64)

    @constant
    def action_of(self) -> np.ndarray:
        """`[places]` the action of every point; 0 for the border."""
        wide = self.size + 1
        found = np.zeros((self.size + 2) * wide + 1, dtype=np.int64)
        cells = np.arange(self.size**2)
        found[(cells // self.size + 1) * wide + cells % self.size] = cells
        return found

    @constant
    def steps(self) -> tuple[int, int, int, int]:
        """From a point to its neighbours."""
        return (-self.size - 1, -1, 1, self.size + 1)

    @constant
    def corners(self) -> tuple[int, int, int, int]:
        """From a point to those beside it diagonally."""
        return (-self.size - 2, -self.size, self.size, self.size + 2)

    @constant
    def keys(self) -> np.ndarray:
        """`[2, places]` a random number for every stone (Zobrist, 1970)."""
        with np.errstate(over="ignore"):
            numbers = np.arange(2 * ((self.size + 2) * (self.size + 1) + 1))
            found = mix((numbers + 1).astype(np.uint64))
        return found.reshape(2, -1)

    @constant
    def draws(self) -> int:
        """Points of a rollout that one random number draws."""
        return draws_per_number(self.size**2)

    @constant
    def longest(self) -> int:
        """Two moves for each point."""
        return 2 * self.size**2

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return self.size * self.size + 1

    def max_game_length(self) -> int:
        return self.longest

    def state_dtype(self) -> np.dtype[Any]:
        places = len(self.action_of)
        return np.dtype(
            [
                ("hash", "u8"),  # of all stones
                ("past", "u8", (self.longest + 1,)),  # hashes, one after each move
                ("chain_keys", "u8", (places,)),  # the stones of a chain, by its name
                ("liberties", "i2", (places,)),  # of a chain, by its name
                ("chain", "i2", (places,)),  # that a stone belongs to
                ("color", "i1", (places,)),
                ("vacated", "i1", (places,)),  # 1 where a stone was taken from
                ("start", "i1", (places,)),  # what lay there before the first move
                ("moves", "i2", (self.longest,)),
                ("count", "i2"),  # of moves
                ("lead", "i2"),  # Black's, once the game is over
                ("passes", "i1"),  # at the end of the moves
                ("player", "i1"),
            ]
        )

    def initial_state(self, state: State) -> None:
        state.hash = 0
        state.past[:] = 0
        state.chain_keys[:] = 0
        state.liberties[:] = 0
        state.chain[:] = 0
        state.color[:] = BORDER
        for point in self.points:
            state.color[point] = FREE
        for place in range(len(self.action_of)):
            state.start[place] = state.color[place]
        state.vacated[:] = 0
        state.moves[:] = 0
        state.count = 0
        state.lead = 0
        state.passes = 0
        state.player = 0

    def current_player(self, state: State) -> int:
        return state.player

    def legal_actions(self, state: State, actions: Actions) -> int:
        if self.is_terminal(state):
            return 0
        count = 0
        for action in range(self.size * self.size):
            point = self.points[action]
            if state.color[point] == FREE:
                if can_play(self, state, point, state.player):
                    actions[count] = action
                    count += 1
        actions[count] = self.size * self.size
        return count + 1

    def apply(self, state: State, action: int) -> None:
        self.move(state, action)
        if self.is_terminal(state):
            state.lead = lead_of_black(self, state)

    def move(self, state: State, action: int) -> int:
        """Put a stone or pass; returns how many stones were taken."""
        taken = 0
        if action == self.size * self.size:
            state.passes += 1
        else:
            state.passes = 0
            taken = put_stone(self, state, self.points[action], state.player)
        state.moves[state.count] = action
        state.count += 1
        state.past[state.count] = state.hash
        state.player = 1 - state.player
        return taken

    def is_terminal(self, state: State) -> bool:
        return bool(state.passes == 2 or state.count == self.longest)

    def returns(self, state: State, player: int) -> float:
        return decided(leader_of(state.lead - self.komi), player)

    # -- for the search ----------------------------------------------------------------

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play random moves that fill no eye of one's own; returns how many.

        Who has no such move passes. Free points are kept in a list; those that were
        drawn and cannot be played lie behind the others.
        """
        if self.is_terminal(state):
            return 0
        free = self.list_free(state, actions)
        plies, drawn, bits = 0, 0, _ZERO
        while not self.is_terminal(state):
            action, left = self.size * self.size, free
            while left > 0 and action == self.size * self.size:
                if drawn % self.draws == 0:
                    bits = rng.next()
                drawn += 1
                index, bits = draw_from(bits, left)
                left -= 1
                tried = actions[index]
                actions[index] = actions[left]
                actions[left] = tried
                point = self.points[tried]
                if not is_eye(self, state, point, state.player):
                    if can_play(self, state, point, state.player):
                        action = int(tried)
            if action < self.size * self.size:
                free -= 1
                actions[left] = actions[free]
            if self.move(state, action) > 0:
                free = self.list_free(state, actions)
            plies += 1
        state.lead = lead_of_black(self, state)
        return plies

    def list_free(self, state: State, actions: Actions) -> int:
        """Write the free points; returns how many."""
        free = 0
        for action in range(self.size * self.size):
            actions[free] = action  # counted only if it is free
            free += 1 if state.color[self.points[action]] == FREE else 0
        return free

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """Column letter, without i, and row number from the bottom; or `pass`."""
        if action == self.size**2:
            return _PASS
        return name_cell(divmod(int(action), self.size), self.size, _ALPHABET)

    def parse_action(self, text: str) -> int:
        if text.strip().lower() == _PASS:
            return self.size**2
        try:
            row, column = read_cell(text, self.size, self.size, True, _ALPHABET)
        except UsageError as error:
            raise UsageError(f"{error} (there is no column i), or pass") from None
        return row * self.size + column

    def cell(self, action: int) -> Cell | None:
        return None if action == self.size**2 else divmod(int(action), self.size)

    def board(self, state: State, last_action: int | None = None) -> Board:
        caption = ""
        if self.is_terminal(state):
            lead = float(state.lead - self.komi)
            caption = f"{self.player_names[lead < 0]} leads by {abs(lead):g}"
        elif state.passes:
            caption = f"{self.player_names[1 - state.player]} has passed"
        return Board(
            cells=tuple(self._grid(state.color)),
            row_labels=numbers(self.size, from_bottom=True),
            column_labels=letters(self.size, _ALPHABET.upper()),
            last=None if last_action is None else self.cell(last_action),
            caption=caption,
            style="stones",
        )

    def _grid(self, color: Any) -> list[str]:
        """Rows from the top; X is Black."""
        signs = {FREE: EMPTY, 0: "X", 1: "O"}
        marks = "".join(signs[int(color[point])] for point in self.points)
        return [marks[i : i + self.size] for i in range(0, len(marks), self.size)]

    def state_to_text(self, state: State) -> str:
        """Where the game began, who moved first, and all moves: `../.. X a1 b2 pass`.

        Moves are part of the position, as none may bring back what was before.
        """
        first = (state.player + state.count) % 2
        moves = [self.action_name(int(state.moves[i])) for i in range(state.count)]
        return " ".join(["/".join(self._grid(state.start)), "XO"[first], *moves])

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no board of this size, a chain has no liberties,
                or a move is not legal.
        """
        words = text.split()
        grid, mover = read_grid(" ".join(words[:2]), self.size, self.size)
        self.initial_state(state)
        for action, mark in enumerate("".join(grid)):
            if mark != EMPTY:
                put_stone(self, state, int(self.points[action]), "XO".index(mark))
        stones = [point for point in self.points if state.color[point] != FREE]
        choked = [p for p in stones if state.liberties[state.chain[p]] == 0]
        if choked or self._grid(state.color) != grid:
            raise PositionError(f"{quote(text)}: a chain has no liberties")
        for place in range(len(self.action_of)):
            state.start[place] = state.color[place]
        state.past[0] = state.hash
        state.player = mover
        buffer = np.zeros(self.num_actions(), dtype=np.int32)
        for move in words[2:]:
            action = self.parse_action(move)
            if action not in buffer[: self.legal_actions(state, buffer)]:
                raise PositionError(f"{quote(text)}: {move} cannot be played")
            self.apply(state, action)

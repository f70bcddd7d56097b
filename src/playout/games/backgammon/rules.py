"""Backgammon: a race with dice in which single checkers are hit.

Each player counts the points from its own side: 25 is the bar, 24 to 1 the points on
the way, 0 is off the board. A player's point p is the other's point 25 - p. (People
count as White does, see `text`.)

| action | name | |
|---|---|---|
| 26 (d - 1) + p | `24/18`, `bar/20`, `6/off` | White moves from its point p by a d |
| 156 + 26 (d - 1) + p | `1/7`, `bar/5`, `19/off` | Black does |
| 312 | `pass` | where no checker can move |
| 313 to 348 | `1-1` to `6-6` | the dice; chance's |

One checker is moved at a time. Beside the numbers of checkers stand words with a bit
for each point, so that all points from which a checker can move are found at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...core.errors import UsageError, quote
from ...core.jit.bits import highest, list_bits, lowest, nth, popcount
from ...core.jit.compiled import static
from ..contract.game import CHANCE, Actions, Game, State
from ..drawing.board import Board, Cell
from .text import cells_of, draw, name_move, read_move, read_state, state_text

__all__ = ["SCORINGS", "Backgammon"]

#: The names of the scorings; see `Backgammon`.
SCORINGS = ("win", "gammon", "full")

BAR, OFF = 25, 0
_POINTS = 26
#: Moves of a player; those of Black follow White's.
_MOVES = 6 * _POINTS
PASS, FIRST_ROLL = 2 * _MOVES, 2 * _MOVES + 1
_ZERO, _ONE = np.uint64(0), np.uint64(1)
#: All points outside the last quarter, the bar among them.
_OUTSIDE = np.uint64((1 << 26) - (1 << 7))
_BAR_BIT, _TWICE = np.uint64(1 << BAR), np.uint64(2)
_START = ((24, 2), (13, 5), (8, 3), (6, 5))


@dataclass(frozen=True)
class Backgammon(Game):
    """Bring fifteen checkers home and off, past the other's.

    White begins where the first roll is higher for White. There is no doubling cube.

    - `win`: a game counts 1.
    - `gammon`: it counts 2 if the loser has no checker off.
    - `full`: and 3 if it also has one on the bar or in the winner's last quarter.

    Source: the rules of the US Backgammon Federation.

    Attributes:
        scoring: win, gammon or full.

    >>> from playout.games.positions.position import Position
    >>> position = Position.from_moves(Backgammon(), ["3-1", "8/5", "6/5"])
    >>> position.is_chance, position.to_text()
    (True, '24x2,13x5,8x2,6x4,5x2 24x2,13x5,8x3,6x5 B')
    """

    name = "backgammon"
    title = "Backgammon"
    player_names = ("White", "Black")
    has_chance = True

    scoring: str = static("win")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scoring not in SCORINGS:
            raise UsageError(
                f"scoring must be one of {', '.join(SCORINGS)}, not "
                f"{quote(self.scoring)}"
            )

    def _counts(self) -> tuple[float, float]:
        """What a game counts at least and at most, by the scoring."""
        most = 1.0 + SCORINGS.index(self.scoring)
        return -most, most

    return_range: ClassVar[Any] = property(_counts)

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return FIRST_ROLL + 36

    def max_game_length(self) -> int:
        """Never reached: random games take some hundred actions."""
        return 20_000

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("held", "u8", (2,)),  # points with checkers of the player's own
                ("closed", "u8", (2,)),  # with two or more of the other's
                ("checkers", "i1", (2, _POINTS)),
                ("dice", "i1", (2,)),  # to be used, the larger first; else 0
                ("left", "i1"),  # checkers to move with these dice
                ("player", "i1"),  # -1 before the first roll
            ]
        )

    def initial_state(self, state: State) -> None:
        state.held[:] = 0
        state.closed[:] = 0
        state.checkers[:] = 0
        for player in range(2):
            for point, count in _START:
                for _ in range(count):
                    self.put(state, player, point)
        state.dice[:] = 0
        state.left = 0
        state.player = -1

    def put(self, state: State, player: int, point: int) -> None:
        """Put a checker on a point."""
        count = state.checkers[player, point] + 1
        state.checkers[player, point] = count
        if point != OFF:
            state.held[player] |= _ONE << np.uint64(point)
            if count > 1 and point != BAR:
                state.closed[1 - player] |= _ONE << np.uint64(BAR - point)

    def take(self, state: State, player: int, point: int) -> None:
        """Take a checker from a point."""
        count = state.checkers[player, point] - 1
        state.checkers[player, point] = count
        if count == 0:
            state.held[player] &= ~(_ONE << np.uint64(point))
        if count == 1 and point != BAR:
            state.closed[1 - player] &= ~(_ONE << np.uint64(BAR - point))

    def current_player(self, state: State) -> int:
        return CHANCE if state.left == 0 else int(state.player)

    def legal_actions(self, state: State, actions: Actions) -> int:
        if self.is_terminal(state):
            return 0
        if state.left == 0:
            return self.list_rolls(state, actions)
        high, low = self.movable(state)
        first = _MOVES * state.player - _POINTS
        count = list_bits(low, first + _POINTS * state.dice[1], actions, 0)
        count = list_bits(high, first + _POINTS * state.dice[0], actions, count)
        if count == 0:
            actions[0] = PASS
            return 1
        return count

    def list_rolls(self, state: State, actions: Actions) -> int:
        """The dice: at first no doubles, White's before Black's; then without order."""
        count = 0
        for one in range(6):
            for other in range(6):
                if one != other if state.player < 0 else one >= other:
                    actions[count] = FIRST_ROLL + 6 * one + other
                    count += 1
        return count

    def movable(self, state: State) -> tuple[Any, Any]:
        """The points from which a checker can move, by the larger and smaller die.

        Both dice must be used if that is possible, else the larger one if it is. Equal
        dice are one: how many can be used does not depend on what is moved first.
        """
        player, high, low = state.player, state.dice[0], state.dice[1]
        held, closed = state.held[player], state.closed[player]
        by_high = _movable(held, closed, high)
        if high == low or low == 0:
            return by_high, _ZERO
        by_low = _movable(held, closed, low)
        first_high = self.followed(state, by_high, high, low)
        first_low = self.followed(state, by_low, low, high)
        if (first_high | first_low) != _ZERO:
            return first_high, first_low
        return by_high, by_low if by_high == _ZERO else _ZERO

    def followed(self, state: State, points: Any, die: int, other: int) -> Any:
        """Those of the points from which a move leaves the other die a move."""
        player = state.player
        held, closed = state.held[player], state.closed[player]
        found = _ZERO
        while points != _ZERO:
            point = lowest(points)
            bit = _ONE << np.uint64(point)
            points ^= bit
            after = held
            if state.checkers[player, point] == 1:
                after ^= bit
            if point > die:
                after |= bit >> np.uint64(die)
            if _movable(after, closed, other) != _ZERO:
                found |= bit
        return found

    def apply(self, state: State, action: int) -> None:
        if action >= FIRST_ROLL:
            self.roll(state, action - FIRST_ROLL)
        elif action == PASS:
            state.left = 0
            self.end_turn(state)
        else:
            move = action % _MOVES
            self.move(state, move % _POINTS, move // _POINTS + 1)

    def roll(self, state: State, roll: int) -> None:
        one, other = roll // 6 + 1, roll % 6 + 1
        if state.player < 0:
            state.player = 0 if one > other else 1
        state.dice[0] = max(one, other)
        state.dice[1] = min(one, other)
        state.left = 4 if one == other else 2

    def move(self, state: State, point: int, die: int) -> None:
        """Move a checker, hit another, and see whether the turn goes on."""
        player, to = int(state.player), max(point - die, OFF)
        self.take(state, player, point)
        self.put(state, player, to)
        if to != OFF and state.checkers[1 - player, BAR - to] == 1:
            self.take(state, 1 - player, BAR - to)
            self.put(state, 1 - player, BAR)
        state.left -= 1
        if state.dice[0] != state.dice[1]:
            state.dice[0] += state.dice[1] - die  # the one that is left
            state.dice[1] = 0
        high, low = _ZERO, _ZERO
        if state.left > 0:
            high, low = self.movable(state)
        if (high | low) == _ZERO or self.is_terminal(state):
            self.end_turn(state)

    def end_turn(self, state: State) -> None:
        state.left = 0
        state.dice[0] = 0
        state.dice[1] = 0
        state.player = 1 - state.player

    def is_terminal(self, state: State) -> bool:
        return state.held[0] == _ZERO or state.held[1] == _ZERO

    def returns(self, state: State, player: int) -> float:
        winner = 0 if state.held[0] == _ZERO else 1
        points = self.worth(state, 1 - winner)
        return points if player == winner else -points

    def worth(self, state: State, loser: int) -> float:
        """What a game counts."""
        if self.scoring == "win" or state.checkers[loser, OFF] > 0:
            return 1.0
        behind = state.held[loser] >> np.uint64(BAR - 6) != _ZERO
        return 3.0 if self.scoring == "full" and behind else 2.0

    def chance_probability(self, state: State, action: int) -> float:
        if state.player < 0:
            return 1.0 / 30
        roll = action - FIRST_ROLL
        return 1.0 / 36 if roll // 6 == roll % 6 else 1.0 / 18

    def sample_chance(self, state: State, actions: Actions, rng: Any) -> int:
        one, other = _dice(rng.below(36))
        while state.player < 0 and one == other:
            one, other = _dice(rng.below(36))
        if state.player >= 0:
            one, other = max(one, other), min(one, other)
        return FIRST_ROLL + 6 * one + other

    # -- for the search ----------------------------------------------------------------

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play uniformly random checkers to the end; returns how many actions."""
        plies = 0
        while not self.is_terminal(state):
            plies += 1
            if state.left == 0:
                self.apply(state, self.sample_chance(state, actions, rng))
                continue
            high, low = self.movable(state)
            large, small = popcount(high), popcount(low)
            if large + small == 0:
                self.apply(state, PASS)
                continue
            drawn = rng.below(large + small)
            if drawn < large:
                self.move(state, nth(high, drawn), int(state.dice[0]))
            else:
                self.move(state, nth(low, drawn - large), int(state.dice[1]))
        return plies

    def evaluate(self, state: State, player: int) -> float:
        """By the pips that are left to go."""
        lead = self.pips(state, 1 - player) - self.pips(state, player)
        return max(-1.0, min(1.0, lead / 150.0))

    def pips(self, state: State, player: int) -> int:
        """How far the player's checkers have to go, all together."""
        pips = 0
        for point in range(1, _POINTS):
            pips += point * state.checkers[player, point]
        return pips

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """From and to, as White counts the points: `24/18`, `bar/20`, `6/off`."""
        if action == PASS:
            return "pass"
        if action >= FIRST_ROLL:
            one, other = divmod(int(action) - FIRST_ROLL, 6)
            return f"{one + 1}-{other + 1}"
        return name_move(*self.parts(action))

    def parts(self, action: int) -> tuple[int, int, int]:
        """The player, the point as the player counts, and the die of a move."""
        player, move = divmod(int(action), _MOVES)
        return player, move % _POINTS, move // _POINTS + 1

    def parse_action(self, text: str) -> int:
        """Read `24/18`, `bar/20`, `6/off`, `4/off:6` (by a 6), `pass`, `6-5`."""
        word = text.strip().lower()
        if word == "pass":
            return PASS
        if len(word) == 3 and word[1] == "-" and set(word) <= set("-123456"):
            return FIRST_ROLL + 6 * (int(word[0]) - 1) + int(word[2]) - 1
        if (found := read_move(word)) is not None:
            player, point, die = found
            return _MOVES * player + _POINTS * (die - 1) + point
        raise UsageError(
            f"{quote(text)} is not a move; moves are from one point to another, as in "
            "24/18, bar/20 and 6/off (4/off:6 by a 6), or pass; dice are 1-1 to 6-6"
        )

    def action_cells(self, action: int) -> tuple[Cell, ...]:
        return () if action >= PASS else cells_of(*self.parts(action))

    def board(self, state: State, last_action: int | None = None) -> Board:
        cells = () if last_action is None else self.action_cells(last_action)
        return draw(state, cells[-1] if cells else None, self.player_names)

    def state_to_text(self, state: State) -> str:
        """White's checkers, Black's, who moves, what dice: `6x2 bar,5x2 W 6-5`.

        Each counts the points from its own side. `off` stands for no checkers, `-` for
        nobody before the first roll; `4x3` is a 4 to be used three times.
        """
        return state_text(state)

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is not of this form, or no game comes to it.
        """
        with np.errstate(over="ignore"):
            checkers, dice, left, player = read_state(text)
            self.initial_state(state)
            state.held[:] = 0
            state.closed[:] = 0
            state.checkers[:] = 0
            for owner, points in enumerate(checkers):
                for point in points:
                    self.put(state, owner, point)
        state.dice[0], state.dice[1] = dice
        state.left = left
        state.player = player


def _dice(roll: Any) -> tuple[Any, Any]:
    return roll // 6, roll % 6


def _movable(held: Any, closed: Any, die: int) -> Any:
    """The points from which a checker can move by a die; the bar comes first.

    Checkers may leave the board when none is outside the last quarter: from the point
    that the die says, or from the highest if that is lower.
    """
    shift = np.uint64(die)
    ahead = held & ~(closed << shift) & ~((_TWICE << shift) - _ONE)
    if held & _BAR_BIT != _ZERO:
        return ahead & _BAR_BIT
    if held & _OUTSIDE == _ZERO and held != _ZERO:
        top = highest(held)
        if top <= die:
            ahead |= _ONE << np.uint64(top)
        ahead |= held & _ONE << shift
    return ahead

"""Pig: roll a die as often as you dare, then take what it has shown.

The actions and the outcomes of the die share one numbering:

| action | name | |
|---|---|---|
| 0 | `roll` | throw the die |
| 1 | `hold` | add the turn's total to the score; the other player is next |
| 2 to 7 | `1` to `6` | what the die shows; chance's |

    Scarne, "Scarne on Dice", 1945; Neller and Presser, "Optimal Play of the Dice Game
    Pig", The UMAP Journal 25 (2004), for how to play it best.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ..contract.game import CHANCE, Actions, Game, State

__all__ = ["Pig"]

ROLL, HOLD, FIRST_FACE = 0, 1, 2
_FACES = 6
_NAMES = ("roll", "hold", *(str(face) for face in range(1, _FACES + 1)))
_POSITION = re.compile(r"(\d+),(\d+) (\d+) ([AB])(\?)?", re.ASCII)


@dataclass(frozen=True)
class Pig(Game):
    """Roll a die and add up; a 1 loses the turn's total; hold to keep it.

    Whoever holds with `target` points or more has won. A turn begins with a roll.

    Attributes:
        target: points that win, 1 to 10,000.

    >>> from playout.games.positions.position import Position
    >>> print(Position.from_moves(Pig(), ["roll", "5", "roll", "4"]).render())
    A   0 of 100, this turn 9
    B   0 of 100
    """

    name = "pig"
    title = "Pig"
    player_names = ("A", "B")
    has_chance = True

    target: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.target <= 10_000:
            raise UsageError(f"target must be 1 to 10000 points, not {self.target}")

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return FIRST_FACE + _FACES

    def max_game_length(self) -> int:
        """As good as never reached: random games take about three actions a point."""
        return 1000 + 50 * self.target

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("scores", "i4", (2,)),
                ("total", "i4"),  # of this turn
                ("player", "i1"),
                ("rolling", "i1"),  # 1 while the die is in the air
            ]
        )

    def initial_state(self, state: State) -> None:
        state.scores[:] = 0
        state.total = 0
        state.player = 0
        state.rolling = 0

    def current_player(self, state: State) -> int:
        return CHANCE if state.rolling == 1 else int(state.player)

    def legal_actions(self, state: State, actions: Actions) -> int:
        if self.is_terminal(state):
            return 0
        if state.rolling == 1:
            for face in range(_FACES):
                actions[face] = FIRST_FACE + face
            return _FACES
        actions[0] = ROLL
        actions[1] = HOLD
        return 2 if state.total > 0 else 1

    def apply(self, state: State, action: int) -> None:
        if action == ROLL:
            state.rolling = 1
            return
        state.rolling = 0
        if action > FIRST_FACE:
            state.total += action - FIRST_FACE + 1
            return
        if action == HOLD:
            state.scores[state.player] += state.total
        state.total = 0
        state.player = 1 - state.player

    def is_terminal(self, state: State) -> bool:
        return bool(state.scores[0] >= self.target or state.scores[1] >= self.target)

    def returns(self, state: State, player: int) -> float:
        return 1.0 if state.scores[player] >= self.target else -1.0

    def chance_probability(self, state: State, action: int) -> float:
        return 1.0 / _FACES

    def sample_chance(self, state: State, actions: Actions, rng: Any) -> int:
        return FIRST_FACE + int(rng.below(_FACES))

    # -- for the search ----------------------------------------------------------------

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """Hold where that wins."""
        if state.total > 0 and state.scores[state.player] + state.total >= self.target:
            actions[0] = HOLD
            return 1
        return 0

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        return _NAMES[action]

    def parse_action(self, text: str) -> int:
        word = text.strip().lower()
        words = [name for name in _NAMES if word and name.startswith(word)]
        if len(words) != 1:
            raise UsageError(
                f"{quote(text)} is not a move; moves are roll and hold, and what the "
                "die shows is 1 to 6"
            )
        return _NAMES.index(words[0])

    def render(
        self, state: State, last_action: int | None = None, color: bool = False
    ) -> str:
        """A line a player."""
        lines = []
        width = len(str(self.target))
        for player, name in enumerate(self.player_names):
            line = f"{name} {int(state.scores[player]):>{width}} of {self.target}"
            if player == state.player and not self.is_terminal(state):
                line += f", this turn {state.total}"
                line += ", rolling" if state.rolling else ""
            lines.append(line)
        return "\n".join(lines)

    def state_to_text(self, state: State) -> str:
        """Scores, the turn's total, who moves, "?" for a rolling die: `34,58 12 A?`."""
        first, second = int(state.scores[0]), int(state.scores[1])
        rolling = "?" if state.rolling else ""
        return f"{first},{second} {state.total} {'AB'[state.player]}{rolling}"

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is not of this form, or both players have won.
        """
        found = _POSITION.fullmatch(text.strip())
        numbers = [int(found[i][:9]) for i in (1, 2, 3)] if found else []
        if found is None or max(numbers) > self.target + 1_000_000:
            raise PositionError(
                f"not a position: {quote(text)}; expected scores, the turn's total and "
                "who moves, as in 34,58 12 A, and a ? at the end for a rolling die"
            )
        if min(numbers[:2]) >= self.target:
            raise PositionError(f"{quote(text)}: both players have won")
        state.scores[0], state.scores[1] = numbers[:2]
        state.total = numbers[2]
        state.player = "AB".index(found[4])
        state.rolling = 1 if found[5] else 0

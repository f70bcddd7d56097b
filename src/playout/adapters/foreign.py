"""`Foreign`: other people's rules, whatever their interface, as adapters give them.

Any number of players, chance, hidden information, rewards before the end. A state is an
object that nothing else looks into.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..games.contract.at_random import CHANCE

__all__ = [
    "FACTOR",
    "MASK",
    "SHIFT",
    "TERM",
    "UNIT",
    "Choices",
    "Foreign",
    "draw_action",
    "next_bits",
]

#: Random numbers within a rollout: 63 bits, of which those above `SHIFT` are drawn from
#: (Knuth's MMIX), times `UNIT`. They are the same here and compiled.
FACTOR, TERM, MASK, SHIFT = 6364136223846793005, 1442695040888963407, 2**63 - 1, 31
UNIT = 2.0**-32


class Choices(NamedTuple):
    """Who may do what in a state.

    Attributes:
        mover: the player to move, or `CHANCE`.
        actions: those that may be played, ascending; empty where the game is over.
        odds: of each outcome, where chance moves.
    """

    mover: int
    actions: Sequence[int]
    odds: Sequence[float] = ()


class Foreign:
    """Base: rules of one game of others that are asked in Python.

    Attributes:
        name: of the game, as it is typed.
        title: for people.
        reading: what was found out about it, in a sentence; "" if nothing was.
        players: how many.
        num_actions: one more than the largest action; chance's outcomes are actions.
        most_plies: after so many actions a game is cut off and counts as it stands.
        zero_sum, return_range, has_chance, has_hidden, has_rewards: as in `Game`.
    """

    name: str = ""
    title: str = ""
    reading: str = ""
    players: int = 1
    num_actions: int = 1
    most_plies: int = 1000
    zero_sum: bool = False
    return_range: tuple[float, float] | None = None
    has_chance: bool = False
    has_hidden: bool = False
    has_rewards: bool = False

    # -- the rules ---------------------------------------------------------------------

    def start(self) -> Any:
        """The state that games begin with."""
        raise NotImplementedError

    def copy(self, state: Any) -> Any:
        """Another state that is the same, to be played on from."""
        raise NotImplementedError

    def play(self, state: Any, action: int) -> None:
        """Play a legal action. Modified in place."""
        raise NotImplementedError

    def turn(self, state: Any) -> Choices:
        """Who may do what."""
        raise NotImplementedError

    def returns(self, state: Any) -> Sequence[float]:
        """What every player has got until now; at the end, the result."""
        raise NotImplementedError

    def rewards(self, state: Any) -> Sequence[float]:
        """What the last action has brought every player, where `has_rewards`."""
        raise NotImplementedError

    def play_out(self, state: Any, bits: int, most: int) -> int:
        """Play at random to the end, or `most` actions. Modified in place.

        Args:
            state: to begin with.
            bits: random ones, of which `next_bits` makes more.
            most: actions.

        Returns:
            How many actions were played.
        """
        plies = 0
        turn = self.turn(state)
        while turn.actions and plies < most:
            bits = next_bits(bits)
            self.play(state, draw_action(turn, (bits >> SHIFT) * UNIT))
            plies += 1
            turn = self.turn(state)
        return plies

    # -- hidden information, where `has_hidden` ----------------------------------------

    def known(self, state: Any, player: int) -> str:
        """All that a player knows of a state, as text."""
        raise NotImplementedError

    def resample(self, state: Any, player: int, uniform: Callable[[], float]) -> Any:
        """A state that is drawn from those that look the same to a player."""
        raise NotImplementedError

    def history(self, state: Any) -> Sequence[int]:
        """The actions that led to a state that was drawn."""
        raise NotImplementedError

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """How people write an action; without spaces, each another."""
        return str(action)

    def text(self, state: Any) -> str:
        """What people are shown of a state."""
        return str(state)


def next_bits(bits: int) -> int:
    """The random bits that follow."""
    return bits * FACTOR + TERM & MASK


def draw_action(turn: Choices, drawn: float) -> int:
    """The action for a number from 0 to 1: outcomes by their odds, others uniformly."""
    if turn.mover != CHANCE:
        return turn.actions[int(drawn * len(turn.actions))]
    for action, odds in zip(turn.actions[:-1], turn.odds, strict=False):
        drawn -= odds
        if drawn < 0:
            return action
    return turn.actions[-1]

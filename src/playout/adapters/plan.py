"""`Plan`: how the states of an object are asked, copied and judged."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..core.errors import RulesError, quote
from .conventions import Rules
from .copies import Moves
from .rewards import Reward
from .trial import code_of

__all__ = ["Plan"]


@dataclass(frozen=True)
class Plan:
    """What random games have found out about an object; made by `from_object`.

    Attributes:
        name: of the object's class, for messages.
        rules: what to ask.
        moves: how to play on.
        reward: how to read the number that a finished game gives.
        codes: of the two players, as the object calls them; the first one begins.
        most_plies: the moves after which a game is a draw.
    """

    name: str
    rules: Rules
    moves: Moves
    reward: Reward
    codes: tuple[Hashable, ...]
    most_plies: int

    @cached_property
    def asks_for_last(self) -> bool:
        """Whether the object has to be asked who has moved last."""
        tells = self.rules.mover or self.rules.convention.moved
        return self.reward.view == "moved" and bool(tells)

    @cached_property
    def sign(self) -> float:
        """-1 where the number is the result of the player who moves second."""
        view = self.reward.view
        other = view == "second" or (view == "player" and self.codes[0] != 1)
        return -1.0 if other else 1.0

    def mover(self, state: Any, in_turn: int) -> int:
        """The index of the player to move; `in_turn` where nobody says."""
        code = code_of(self.rules, state, self.codes)
        if code is None:
            return in_turn
        if code not in self.codes:
            both = " and ".join(map(quote, self.codes))
            raise RulesError(f"it is the turn of {quote(code)}; players are {both}")
        return self.codes.index(code)

    def value(self, state: Any, last: int) -> float:
        """The first player's return at the end of a game."""
        reward, rules = self.reward, self.rules
        view = reward.view
        if view == "each":
            given = rules.result(state, self.codes[0])
        else:
            given = rules.result(state)
        try:
            value = reward.scaled(given)
        except RulesError as error:
            raise RulesError(f"{rules.convention.result} gives {error}") from None
        if view == "moved":
            return value if last == 0 else -value
        if view == "to_move":
            return value if self.mover(state, 1 - last) == 0 else -value
        return value * self.sign

    def expect_end(self, over: bool) -> None:
        """Complain where no action is left, and the game is not said to be over."""
        convention = self.rules.convention
        if not over and convention.over:
            raise RulesError(
                f"{convention.legal} gives no action, where {convention.over} says "
                "that the game is not over"
            )

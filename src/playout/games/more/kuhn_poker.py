"""Kuhn poker: three cards, one bet, and everything that poker is about.

The actions and the cards share one numbering:

| action | name | |
|---|---|---|
| 0 | `pass` | check; or fold, where the other has bet |
| 1 | `bet` | bet one chip; or call |
| 2 to 4 | `J`, `Q`, `K` | the card that is dealt; chance's |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, quote
from ..contract.game import CHANCE, Actions, Game, State

__all__ = ["KuhnPoker"]

PASS, BET, FIRST_CARD = 0, 1, 2
_CARDS = 3
_NAMES = ("pass", "bet", "J", "Q", "K")
#: What stands for a card: undealt, not known, and the cards themselves.
_UNDEALT, _HIDDEN = -1, -2
_SIGNS = {_UNDEALT: ".", _HIDDEN: "?", 0: "J", 1: "Q", 2: "K"}
#: A position as text: two cards, then what was done.
_POSITION = re.compile(r"([.?JQK])([.?JQK])((?: (?:pass|bet))*)", re.ASCII)


@dataclass(frozen=True)
class KuhnPoker(Game):
    """Each puts in a chip and gets one of three cards; bet, call or fold; high wins.

    After two passes, or a bet that is called, the higher card takes the pot. Results
    are chips won or lost.

    H. W. Kuhn, "A Simplified Two-Person Poker", Contributions to the Theory of Games I
    (1950): with best play the first player loses 1/18 of a chip a game.

    >>> from playout.games.positions.position import Position
    >>> position = Position.from_moves(KuhnPoker(), ["K", "Q", "bet", "bet"])
    >>> position.to_text(), position.is_terminal
    ('KQ bet bet', True)
    """

    name = "kuhn-poker"
    title = "Kuhn poker"
    player_names = ("A", "B")
    has_chance = True
    has_hidden = True
    return_range = (-2.0, 2.0)

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return FIRST_CARD + _CARDS

    def max_game_length(self) -> int:
        """Two cards, and at most pass, bet, and the answer."""
        return 5

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("cards", "i1", (2,)),  # a player each; -1 undealt, -2 not known
                ("bets", "i1", (3,)),  # what was done, 0 or 1
                ("count", "i1"),  # of it
            ]
        )

    def initial_state(self, state: State) -> None:
        state.cards[:] = _UNDEALT
        state.bets[:] = 0
        state.count = 0

    def current_player(self, state: State) -> int:
        return CHANCE if state.cards[1] == _UNDEALT else state.count % 2

    def legal_actions(self, state: State, actions: Actions) -> int:
        if self.is_terminal(state):
            return 0
        if state.cards[1] != _UNDEALT:
            actions[0] = PASS
            actions[1] = BET
            return 2
        count = 0
        for card in range(_CARDS):
            if card != state.cards[0]:
                actions[count] = FIRST_CARD + card
                count += 1
        return count

    def apply(self, state: State, action: int) -> None:
        if action < FIRST_CARD:
            state.bets[state.count] = action
            state.count += 1
        elif state.cards[0] == _UNDEALT:
            state.cards[0] = action - FIRST_CARD
        else:
            state.cards[1] = action - FIRST_CARD

    def is_terminal(self, state: State) -> bool:
        """Two passes, or an answer to a bet: all but pass-bet end with two actions."""
        first_passed_to_bet = state.bets[0] == PASS and state.bets[1] == BET
        return bool(state.count == 3 or (state.count == 2 and not first_passed_to_bet))

    def returns(self, state: State, player: int) -> float:
        last, before = state.bets[state.count - 1], state.bets[state.count - 2]
        if last != before and before == BET:  # the last one has folded
            winner, chips = state.count % 2, 1.0
        else:
            winner = 0 if state.cards[0] > state.cards[1] else 1
            chips = 2.0 if last == BET else 1.0
        return chips if player == winner else -chips

    def chance_probability(self, state: State, action: int) -> float:
        return 1.0 / _CARDS if state.cards[0] == _UNDEALT else 1.0 / (_CARDS - 1)

    # -- what a player knows -----------------------------------------------------------

    def hide(self, state: State, player: int) -> None:
        """Leave a player's own card; at the end, both."""
        if not self.is_terminal(state) and state.cards[1 - player] != _UNDEALT:
            state.cards[1 - player] = _HIDDEN

    def determinize(self, state: State, player: int, rng: Any) -> None:
        """Draw the other's card from those that are not the player's own."""
        other = 1 - player
        if state.cards[other] == _UNDEALT:
            return
        if state.cards[player] < 0:  # not dealt yet
            state.cards[other] = rng.below(_CARDS)
            return
        drawn = rng.below(_CARDS - 1)
        state.cards[other] = drawn + (1 if drawn >= state.cards[player] else 0)

    # -- for people --------------------------------------------------------------------

    def is_public(self, action: int) -> bool:
        return action < FIRST_CARD

    def action_name(self, action: int) -> str:
        return _NAMES[action]

    def render(
        self, state: State, last_action: int | None = None, color: bool = False
    ) -> str:
        """A line a player: its card and what it did; then what is in the pot."""
        done = [_NAMES[state.bets[i]] for i in range(state.count)]
        lines = [
            f"{name}  {_SIGNS[int(state.cards[player])]}  {' '.join(done[player::2])}"
            for player, name in enumerate(self.player_names)
        ]
        return "\n".join([*map(str.rstrip, lines), f"pot {2 + done.count('bet')}"])

    def state_to_text(self, state: State) -> str:
        """Both cards, then what was done: `KQ pass bet`, `K? pass` as A sees it."""
        cards = "".join(_SIGNS[int(state.cards[player])] for player in (0, 1))
        return " ".join([cards, *(_NAMES[state.bets[i]] for i in range(state.count))])

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is not of this form, or no game goes so.
        """
        self.initial_state(state)
        found = _POSITION.fullmatch(text.strip())
        if found is None or found[1] + found[2] in ("JJ", "QQ", "KK"):
            raise PositionError(
                f"not a position: {quote(text)}; expected the cards of both, each J, "
                "Q, K, ? if not known or . if not dealt, and what was done: KQ pass bet"
            )
        known = {sign: card for card, sign in _SIGNS.items()}
        state.cards[0], state.cards[1] = known[found[1]], known[found[2]]
        for word in found[3].split():
            if "." in found[1] + found[2] or self.is_terminal(state):
                raise PositionError(f"{quote(text)}: nobody may {word} here")
            self.apply(state, _NAMES.index(word))

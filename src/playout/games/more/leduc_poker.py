"""Leduc poker: six cards, two rounds of bets, a card for both in between.

The actions and the cards share one numbering:

| action | name | |
|---|---|---|
| 0 | `fold` | where the other has bet more |
| 1 | `call` | put in as much as the other; or check |
| 2 | `raise` | put in 2 chips more than the other, 4 in the second round |
| 3 to 8 | `Js`, `Jh`, `Qs`, `Qh`, `Ks`, `Kh` | the card that is dealt; chance's |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, quote
from ..contract.game import CHANCE, Actions, Game, State

__all__ = ["LeducPoker"]

FOLD, CALL, RAISE, FIRST_CARD = 0, 1, 2, 3
_CARDS, _MOST_RAISES, _LONGEST = 6, 2, 8
_SHARED = 2  # the place of the card that counts for both
_NAMES = ("fold", "call", "raise", "Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_UNDEALT, _HIDDEN = -1, -2
_SIGNS = {_UNDEALT: "..", _HIDDEN: "??"} | dict(enumerate(_NAMES[FIRST_CARD:]))
_CARD = r"(\.\.|\?\?|[JQK][sh])"
_POSITION = re.compile(rf"{_CARD} {_CARD} {_CARD}((?: (?:fold|call|raise))*)", re.ASCII)


@dataclass(frozen=True)
class LeducPoker(Game):
    """Each puts in a chip and gets a card; bet; see a third card; bet again.

    A card of the rank that lies open wins, else the higher rank; equal ranks share.
    There are two raises a round at most. Results are chips won or lost.

    Southey, Bowling, Larson, Piccione, Burch, Billings, Rayner, "Bayes' Bluff: Opponent
    Modelling in Poker", UAI 2005.

    >>> from playout.games.positions.position import Position
    >>> moves = ["Kh", "Qs", "raise", "call", "Qh", "call", "call"]
    >>> [Position.from_moves(LeducPoker(), moves).returns(player) for player in (0, 1)]
    [-3.0, 3.0]
    """

    name = "leduc-poker"
    title = "Leduc poker"
    player_names = ("A", "B")
    has_chance = True
    has_hidden = True
    return_range = (-13.0, 13.0)

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return FIRST_CARD + _CARDS

    def max_game_length(self) -> int:
        """Three cards, and twice call, raise, raise, call."""
        return 3 + _LONGEST

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("cards", "i1", (3,)),  # A's, B's, for both; -1 undealt, -2 not known
                ("bets", "i1", (_LONGEST,)),  # what was done
                ("count", "i1"),  # of it
                ("chips", "i1", (2,)),  # that each has put in
                ("raises", "i1"),  # in this round
                ("called", "i1"),  # in this round; two end it, or one after a raise
                ("round", "i1"),
                ("player", "i1"),
                ("over", "i1"),
                ("folded", "i1"),  # who has; -1 nobody
            ]
        )

    def initial_state(self, state: State) -> None:
        state.cards[:] = _UNDEALT
        state.bets[:] = 0
        state.count = 0
        state.chips[:] = 1
        state.raises = 0
        state.called = 0
        state.round = 0
        state.player = 0
        state.over = 0
        state.folded = -1

    def is_dealing(self, state: State) -> bool:
        shared = state.round == 1 and state.cards[_SHARED] == _UNDEALT
        return bool(state.cards[1] == _UNDEALT or shared)

    def current_player(self, state: State) -> int:
        return CHANCE if self.is_dealing(state) else int(state.player)

    def legal_actions(self, state: State, actions: Actions) -> int:
        if state.over == 1:
            return 0
        count = 0
        if self.is_dealing(state):
            for card in range(_CARDS):
                if card != state.cards[0] and card != state.cards[1]:
                    actions[count] = FIRST_CARD + card
                    count += 1
            return count
        if state.chips[state.player] < state.chips[1 - state.player]:
            actions[count] = FOLD
            count += 1
        actions[count] = CALL
        count += 1
        if state.raises < _MOST_RAISES:
            actions[count] = RAISE
            count += 1
        return count

    def apply(self, state: State, action: int) -> None:
        if action >= FIRST_CARD:
            place = 0
            while state.cards[place] != _UNDEALT:
                place += 1
            state.cards[place] = action - FIRST_CARD
            return
        state.bets[state.count] = action
        state.count += 1
        player = state.player
        if action == FOLD:
            state.folded = player
            state.over = 1
            return
        state.chips[player] = state.chips[1 - player]
        state.player = 1 - player
        if action == RAISE:
            state.chips[player] += 2 + 2 * state.round
            state.raises += 1
            return
        state.called += 1
        if state.called == 2 or state.raises > 0:
            self.end_round(state)

    def end_round(self, state: State) -> None:
        if state.round == 1:
            state.over = 1
            return
        state.round = 1
        state.raises = 0
        state.called = 0
        state.player = 0

    def is_terminal(self, state: State) -> bool:
        return state.over == 1

    def returns(self, state: State, player: int) -> float:
        other = 1 - player
        if state.folded >= 0:
            winner = 1 - state.folded
        else:
            mine, theirs = self.strength(state, player), self.strength(state, other)
            if mine == theirs:
                return 0.0
            winner = player if mine > theirs else other
        return float(state.chips[other] if winner == player else -state.chips[player])

    def strength(self, state: State, player: int) -> int:
        """The rank of a player's card; a pair is above all."""
        rank = state.cards[player] // 2
        return rank + 3 if rank == state.cards[_SHARED] // 2 else rank

    def chance_probability(self, state: State, action: int) -> float:
        dealt = 0
        for player in range(2):
            dealt += 1 if state.cards[player] != _UNDEALT else 0
        return 1.0 / (_CARDS - dealt)

    # -- what a player knows -----------------------------------------------------------

    def hide(self, state: State, player: int) -> None:
        """Leave a player's own card and the open one; at the end, all."""
        if state.over == 0 and state.cards[1 - player] != _UNDEALT:
            state.cards[1 - player] = _HIDDEN

    def determinize(self, state: State, player: int, rng: Any) -> None:
        """Draw the other's card from those that the player does not see."""
        other = 1 - player
        if state.cards[other] == _UNDEALT:
            return
        mine, shared = state.cards[player], state.cards[_SHARED]
        drawn = mine
        while drawn in (mine, shared) or drawn < 0:
            drawn = rng.below(_CARDS)
        state.cards[other] = drawn

    # -- for people --------------------------------------------------------------------

    def is_public(self, action: int) -> bool:
        return action < FIRST_CARD

    def action_name(self, action: int) -> str:
        return _NAMES[action]

    def render(
        self, state: State, last_action: int | None = None, color: bool = False
    ) -> str:
        """A line a player: its card and its chips; then the open card."""
        lines = []
        for player, name in enumerate(self.player_names):
            sign, chips = _SIGNS[int(state.cards[player])], int(state.chips[player])
            many = "chip" if chips == 1 else "chips"
            folds = " folds" if state.folded == player else ""
            lines.append(f"{name}  {sign}  {chips:>2} {many}{folds}")
        open_card = _SIGNS[int(state.cards[_SHARED])]
        return "\n".join([*lines, f"open {open_card}, round {state.round + 1}"])

    def state_to_text(self, state: State) -> str:
        """A's card, B's, the open one, then what was done: `Kh ?? .. call raise`."""
        cards = [_SIGNS[int(state.cards[place])] for place in range(3)]
        return " ".join([*cards, *(_NAMES[state.bets[i]] for i in range(state.count))])

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is not of this form, or no game goes so.
        """
        self.initial_state(state)
        found = _POSITION.fullmatch(text.strip())
        known = (
            [card for card in found.groups()[:3] if card[0] in "JQK"] if found else []
        )
        if found is None or len(set(known)) < len(known):
            raise PositionError(
                f"not a position: {quote(text)}; expected A's card, B's and the open "
                f"one, each of {' '.join(_NAMES[FIRST_CARD:])}, ?? if not known, or .. "
                "if not dealt, and what was done: Kh ?? .. call raise"
            )
        cards = {sign: card for card, sign in _SIGNS.items()}
        for place in range(3):
            state.cards[place] = cards[found[place + 1]]
        buffer = np.zeros(self.num_actions(), dtype=np.int32)
        for word in found[4].split():
            action = _NAMES.index(word)
            legal = buffer[: self.legal_actions(state, buffer)].tolist()
            if action not in legal:
                raise PositionError(f"{quote(text)}: nobody may {word} here")
            self.apply(state, action)
        if state.round == 0 and state.cards[_SHARED] != _UNDEALT:
            raise PositionError(f"{quote(text)}: the open card is dealt too early")

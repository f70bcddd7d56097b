"""Hearts with sixteen cards: tricks for four, each of whom sees its own hand.

What was hard: `determinize` must give the same from what `hide` leaves, so a card in
the deck and one in another hand look alike; and keep to what was seen: who does not
follow suit has none of it. `playout check` found both.
"""

from dataclasses import dataclass

import numpy as np

from playout import CHANCE, Game, static

SUITS = "cdsh"
RANKS = "23456789TJQKA"
UNKNOWN = 6


@dataclass(frozen=True)
class Hearts(Game):
    """A heart costs a point, the queen of spades four; fewest points win."""

    zero_sum = False
    has_chance = True
    has_hidden = True
    player_names = ("North", "East", "South", "West")

    ranks: int = static(4)  # the highest of each suit
    queen: int = 4

    @property
    def return_range(self):
        return (-(self.ranks + self.queen), 0)

    def num_players(self):
        return 4

    def num_actions(self):
        return 8 * self.ranks  # a card each: dealt, and played

    def max_game_length(self):
        return 8 * self.ranks

    def state_dtype(self):
        return np.dtype(
            [
                ("where", "i1", (4 * self.ranks,)),  # 0 in the deck, 1-4 held, 5 played
                ("dealt", "i1"),
                ("hand", "i1", (4,)),  # how many cards each holds
                ("trick", "i1", (4,)),  # card + 1 of each player
                ("turn", "i1"),
                ("leader", "i1"),
                ("tricks", "i1"),
                ("points", "i1", (4,)),
                ("void", "?", (4, 4)),  # who has shown to have none of a suit
            ]
        )

    def initial_state(self, state):
        state.where[:] = 0

    def cards(self):
        return 4 * self.ranks

    def current_player(self, state):
        return CHANCE if state.dealt < self.cards() else state.turn

    def legal_actions(self, state, actions):
        count = 0
        if state.dealt < self.cards():
            for card in range(self.cards()):
                if state.where[card] == 0:
                    actions[count] = card
                    count += 1
            return count
        me = state.turn + 1
        lead = state.trick[state.leader]
        if lead > 0:
            suit = (lead - 1) // self.ranks
            for card in range(suit * self.ranks, (suit + 1) * self.ranks):
                if state.where[card] == me:
                    actions[count] = self.cards() + card
                    count += 1
        if count == 0:
            for card in np.flatnonzero(state.where == me):
                actions[count] = self.cards() + card
                count += 1
        return count

    def chance_probability(self, state, action):
        return 1 / (self.cards() - state.dealt)

    def cost(self, card):
        if card // self.ranks == 3:
            return 1
        if card == 2 * self.ranks + self.ranks - 3:
            return self.queen
        return 0

    def apply(self, state, action):
        if state.dealt < self.cards():
            state.where[action] = 1 + state.dealt % 4
            state.hand[state.dealt % 4] += 1
            state.dealt += 1
            return
        card = action - self.cards()
        lead = state.trick[state.leader]
        if lead > 0 and (lead - 1) // self.ranks != card // self.ranks:
            state.void[state.turn, (lead - 1) // self.ranks] = True
        state.where[card] = 5
        state.hand[state.turn] -= 1
        state.trick[state.turn] = card + 1
        state.turn = (state.turn + 1) % 4
        if state.turn == state.leader:
            best = state.leader
            suit = (state.trick[best] - 1) // self.ranks
            points = 0
            for player in range(4):
                played = state.trick[player] - 1
                points += self.cost(played)
                if played // self.ranks == suit and played > state.trick[best] - 1:
                    best = player
            state.points[best] += points
            state.leader = best
            state.turn = best
            state.trick[:] = 0
            state.tricks += 1

    def is_terminal(self, state):
        return state.tricks == self.ranks

    def returns(self, state, player):
        return -state.points[player]

    def hide(self, state, player):
        for card in range(self.cards()):
            if state.where[card] != 5 and state.where[card] != player + 1:
                state.where[card] = UNKNOWN

    def determinize(self, state, player, rng):
        unseen = [
            card
            for card in range(self.cards())
            if state.where[card] != 5 and state.where[card] != player + 1
        ]
        for _ in range(1000):  # all deals that fit are equally likely
            self.shuffle(unseen, rng)
            if self.deal(state, player, unseen):
                return

    def shuffle(self, cards, rng):
        for i in range(len(cards) - 1, 0, -1):
            j = rng.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]

    def deal(self, state, player, unseen):
        """Whether nobody has got a suit that it is known not to have."""
        fits = True
        at = 0
        for other in range(4):
            for _ in range(state.hand[other] if other != player else 0):
                card = unseen[at]
                state.where[card] = other + 1
                at += 1
                if state.void[other, card // self.ranks]:
                    fits = False
        for card in unseen[at:]:
            state.where[card] = 0
        return fits

    def action_name(self, action):
        card = action % self.cards()
        suit, rank = divmod(card, self.ranks)
        name = RANKS[-self.ranks :][rank] + SUITS[suit]
        return f"deal-{name}" if action < self.cards() else name

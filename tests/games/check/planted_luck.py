"""Faults of chance and of hidden information, planted beside those of `planted`."""

from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from tests.games.check.planted import FAULTS, HINTS, planted
from tests.games.check.poker import UNKNOWN, Kuhn, Race

__all__ = ["FAULTS", "HINTS"]

# -- law 10: chance ------------------------------------------------------------------


@planted(r"law 10: probabilities \[0.5, 0.25, 0.2\] do not add up to 1; .*: \d\n")
class LosesProbability(Race):
    def chance_probability(self, state, action):
        return (0.5, 0.25, 0.2)[action - 2]


@planted(r"law 10: the outcomes \[2, 3, 4\] have probabilities \[1.0, 0.0, 0.0\]")
class NeverHappens(Race):
    def chance_probability(self, state, action):
        return 1.0 if action == 2 else 0.0


@planted(r"law 10: sample_chance drew [01]; the outcomes are \[2, 3, 4\]")
class DrawsAnotherFace(Race):
    def sample_chance(self, state, actions, rng):
        return rng.below(2)


@planted("sample_chance drew 2: .* in 400 times, which chance_probability makes", HINTS)
class LoadedDie(Race):
    """Its die is fair; the rules say that a 1 comes every other time."""

    def sample_chance(self, state, actions, rng):
        return 2 + rng.below(3)


# -- law 11: what is hidden ----------------------------------------------------------


@planted("law 11: for player ., determinize gives cards=.* in the true state and ca")
class Peeks(Kuhn):
    def determinize(self, state, player, rng):
        if state.cards[1 - player] == UNKNOWN:
            super().determinize(state, player, rng)


@planted("law 11: for player ., determinize gives c.*, of which cards=.* is known, b")
class DealsOwnCard(Kuhn):
    def determinize(self, state, player, rng):
        if state.cards[0] != 0:
            state.cards[0] = rng.below(3) + 1


@planted("law 11: for player .*, hide changes who moves, whether the game is over")
class HidesTheTurn(Kuhn):
    def hide(self, state, player):
        super().hide(state, player)
        state.bets = 0 if state.bets < 4 else state.bets

    def determinize(self, state, player, rng):
        self.hide(state, player)
        super().determinize(state, player, rng)


@planted("law 11: for player .*, hide gives cards=.,., and hiding that gives cards=")
class HidesMoreEachTime(Kuhn):
    def hide(self, state, player):
        if state.bets < 4 and state.cards[1 - player] != 0:
            state.cards[1 - player] += 4

    def determinize(self, state, player, rng):
        while state.cards[1 - player] > 3:
            state.cards[1 - player] -= 4


@planted("law 11: determinize deals player 0 `cards=(1,1|2,2|3,3) dealt=2 bets=0`, to")
class DealsOneCardTwice(Kuhn):
    def draw_card(self, own, rng):
        return rng.below(3) + 1


@planted("law 11: determinize deals player 1 `cards=0,[12] dealt=1|law 11: determin")
class DealsTooManyCards(Kuhn):
    """A card that was not dealt yet is dealt, too."""

    def hide(self, state, player):
        if state.bets < 4:
            state.cards[1 - player] = UNKNOWN

    def determinize(self, state, player, rng):
        state.cards[1 - player] = self.draw_card(state.cards[player], rng)


@planted("determinize is biased: of . deals that are possible for player ., one", HINTS)
class DealsHighCards(Kuhn):
    def draw_card(self, own, rng):
        return max(super().draw_card(own, rng), super().draw_card(own, rng))


@planted("hide took nothing away, from no player in 30 positions", HINTS)
class HidesNothing(Kuhn):
    def hide(self, state, player):
        pass

    def determinize(self, state, player, rng):
        pass


@planted("law 11: for player ., determinize leaves cards=.* and cards=.*, which is k")
class DealsNothing(Kuhn):
    def determinize(self, state, player, rng):
        pass


@planted("law 11: determinize deals .*: what is hidden is not drawn; after .*: .\\n")
class OnlyHides(Kuhn):
    def determinize(self, state, player, rng):
        self.hide(state, player)


@planted("determinize changed nothing in [0-9]+ states of which something was", HINTS)
class OnlyHidesStones(PhantomTicTacToe):
    def determinize(self, state, player, rng):
        self.hide(state, player)

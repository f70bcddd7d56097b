"""Faults planted in correct rules, each with the sentence that must be said of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from playout import Game, UsageError
from tests.toys import Nim, ThreeWays, TwiceNim

__all__ = ["FAULTS", "HINTS", "planted"]

#: A game whose rules break a law, and what is said of it.
FAULTS: list[tuple[Game, str]] = []
#: A game of which something is pointed out.
HINTS: list[tuple[Game, str]] = []


def planted(sentence: str, to: Any = None, **fields: Any) -> Any:
    """Make the class a frozen dataclass, and keep a game of it with the sentence."""

    def keep(cls: type) -> type:
        made = dataclass(frozen=True)(cls)
        (FAULTS if to is None else to).append((made(**fields), sentence))
        return made

    return keep


# -- law 1 and 2: the legal actions --------------------------------------------------


@planted("law 1: is_terminal says True, legal_actions returned 1; after the moves: 2 3")
class EndsTooEarly(Nim):
    def is_terminal(self, state):
        return state.left <= 1


@planted(r"law 1: is_terminal says False, legal_actions returned 0; after .*: 3 3 3")
class NeverOver(Nim):
    def is_terminal(self, state):
        return False


@planted(r"law 1: is_terminal says False, .* returned 0; after the moves: 3 3\n")
class Stuck(Nim):
    """Where four stones are left nothing can be played."""

    stones: int = 10

    def legal_actions(self, state, actions):
        return 0 if state.left == 4 else super().legal_actions(state, actions)


@planted(r"law 2: legal actions \[3, 2, 1\] are not ascending .*: \(none\)\n")
class Descends(Nim):
    def legal_actions(self, state, actions):
        count = min(3, state.left)
        for i in range(count):
            actions[i] = count - i
        return count


@planted(r"law 2: legal actions \[1, 1\] are not ascending and distinct")
class Repeats(Nim):
    def legal_actions(self, state, actions):
        actions[0] = actions[1] = 1
        return min(2, state.left)


@planted(r"law 2: legal actions \[1, 2, 3\] are not all in 0 .. 2; .*: \(none\)\n")
class CountsOneTooFew(Nim):
    def num_actions(self):
        return 3


@planted(r"law 2: legal_actions returned -1; num_actions is 4; after the moves: 3 3 3")
class CountsBelowZero(Nim):
    stones: int = 10

    def legal_actions(self, state, actions):
        return super().legal_actions(state, actions) - (state.left == 1) * 2


@planted(
    r"law 2: legal_actions returned 5; num_actions is 4; after the moves: \(none\)"
)
class CountsTooMany(Nim):
    def legal_actions(self, state, actions):
        return super().legal_actions(state, actions) + (2 if state.left > 9 else 0)


@planted(r"law 2: urgent actions \[0\] are not ascending among the legal \[1, 2, 3\]")
class UrgesNonsense(Nim):
    def urgent_actions(self, state, actions):
        actions[0] = 0
        return 1


@planted(
    r"law 2: urgent actions \[2, 1\] are not ascending among the legal \[1, 2, 3\]"
)
class UrgesInDisorder(Nim):
    def urgent_actions(self, state, actions):
        actions[0], actions[1] = 2, 1
        return 2 if state.left > 2 else 0


# -- laws 3 to 6: apply, returns, whose turn it is, the end --------------------------


@planted(r"law 3: applying \d twice to one state gave two results", calls=[0])
class Remembers(Nim):
    calls: Any = None

    def apply(self, state, action):
        super().apply(state, action)
        self.calls[0] += 1
        state.player = self.calls[0] % 2


@planted(r"law 3: legal_actions changed the state")
class TakesOneAsItLooks(Nim):
    def legal_actions(self, state, actions):
        count = super().legal_actions(state, actions)
        state.left -= state.left == 7
        return count


@planted(r"law 3: after applying \d to a copy of it a state has another player", on=[0])
class KeepsTheTurnToItself(Nim):
    on: Any = None

    def current_player(self, state):
        return self.on[0]

    def apply(self, state, action):
        state.left -= action
        self.on[0] = 1 - self.on[0]


@planted(r"law 4: returns \[1.0, 1.0\] of a zero-sum game do not add up to 0")
class BothWin(Nim):
    def returns(self, state, player):
        return 1.0


@planted(r"law 4: returns \[.*\] are not all in \[-1, 1\]: .*; after .*: 1 3 3 3\n")
class WinsStones(Nim):
    stones: int = 10

    def returns(self, state, player):
        return 10.0 if state.player != player else -10.0


@planted(r"law 4: returns \[nan, nan\] are not all in \[-1, 1\]")
class DividesNothing(Nim):
    def returns(self, state, player):
        return float("nan")


@planted(r"SaysNothing.returns returned nothing; is there a `return` on every path")
class SaysNothing(Nim):
    def returns(self, state, player):  # noqa: RET503
        if state.player == 3:
            return 1.0


@planted(r"law 5: current_player is 2 with 2 players; after the moves: \d\n")
class CountsFromOne(Nim):
    def current_player(self, state):
        return state.player + 1


@planted(
    r"law 5: current_player is -1 with 2 players: where chance moves, write "
    r"`has_chance = True`; after the moves: 3 3 3\n"
)
class RollsUndeclared(Nim):
    """Chance moves though has_chance is false."""

    stones: int = 12

    def current_player(self, state):
        return -1 if state.left == 3 else state.player


@planted("law 6: no end after 20 actions")
class GoesRound(Nim):
    def max_game_length(self):
        return 20

    def apply(self, state, action):
        state.left = (state.left - action) % 21 + 1
        state.player = 1 - state.player

    def is_terminal(self, state):
        return False


@planted("law 6: no end after 5 actions; after the moves: ")
class LongerThanItSays(Nim):
    def max_game_length(self):
        return 5


# -- law 7: texts --------------------------------------------------------------------


@planted(r"law 7: the text 'left=.. player=0' reads back as .*; after the moves: \d\n")
class TextForgetsThePlayer(Nim):
    def state_to_text(self, state):
        return f"left={state.left} player=0"


@planted(r"law 7: state_from_text rejects '21/0': .*; after the moves: \(none\)")
class TextIsNotRead(Nim):
    def state_to_text(self, state):
        return f"{state.left}/{state.player}"


@planted("law 7: action 1 is called '0', which parse_action rejects: '0' is not")
class NameIsAnothers(Nim):
    def action_name(self, action):
        return str(action - 1)

    def parse_action(self, text):
        if text == "0":
            raise UsageError("'0' is not a move")
        return int(text) + 1


@planted("law 7: action 2 is called 2, which is no text")
class NameIsNoText(Nim):
    def action_name(self, action):
        return action if action == 2 else str(action)


@planted("law 7: action 1 is called 'take', as another action is: people could not say")
class NamesAreAlike(Nim):
    def action_name(self, action):
        return "take"


@planted("law 7: action 3 is called 'three', which parse_action rejects: what")
class NameIsNotRead(Nim):
    def action_name(self, action):
        return "three" if action == 3 else str(action)

    def parse_action(self, text):
        if text == "three":
            raise UsageError("what?")
        return int(text)


# -- laws 9, 12, 13: what a game says of itself --------------------------------------


@planted(r"law 9: legal are \[1, 2, 3\], not what is left, \[.*\]; after .*: \d\n")
class DoesNotFill(Nim):
    def fills(self):
        return True


@planted(r"law 12: evaluate says \[0.5, 0.5\], which do not add up to 0")
class LikesBoth(Nim):
    def evaluate(self, state, player):
        return 0.5


@planted(r"law 12: evaluate says \[.*\], which are not all in \[-1, 1\]")
class IsTooSure(Nim):
    def evaluate(self, state, player):
        return 2.0 if player == state.player else -2.0


@planted(r"law 12: prior says \[0.0, .*\], which must be 0 or more, and not all 0")
class SeesNoPromise(Nim):
    def prior(self, state, action):
        return 0.0


@planted("law 12: evaluate or prior changed the state")
class TriesItOut(Nim):
    def prior(self, state, action):
        self.apply(state, action)
        return 1.0


@planted("law 13: rollout played 3 actions, and the game goes on; after the moves: ")
class StopsEarly(Nim):
    def rollout(self, state, actions, rng):
        return 3


@planted("law 13: rollout says it played 0 actions")
class CountsNoPlies(Nim):
    def rollout(self, state, actions, rng):
        state.left = 0
        return 0


# -- rules that fail -----------------------------------------------------------------


@planted(r"WritesOutside.legal_actions, .*: IndexError: index 4 .*: \(none\)\n")
class WritesOutside(Nim):
    def legal_actions(self, state, actions):
        for i in range(6):
            actions[i] = i
        return 6


@planted(r"FailsLate.apply, .*: ZeroDivisionError: .*after the moves: 3 3 3 .*\n")
class FailsLate(Nim):
    stones: int = 12

    def apply(self, state, action):
        state.left -= action
        state.player = 1 - state.player
        assert 1 // state.left if state.left <= 0 else True


@planted(r"DrawsNothing.render returned None, which is not a text")
class DrawsNothing(Nim):
    def render(self, state, last_action=None, color=False):
        return None


@planted("NeverSays.is_terminal returned nothing; is there a `return` on every path")
class NeverSays(Nim):
    def is_terminal(self, state):
        state.left == 0  # noqa: B015


@planted("300 does not fit the field 'left', which holds -128 to 127", stones=300)
class TooNarrow(Nim):
    def state_dtype(self):
        return np.dtype([("left", "i1"), ("player", "i1")])


# -- hints ---------------------------------------------------------------------------


@planted("nobody moved in 20 random games: is_terminal holds of the state", HINTS)
class OverAtTheStart(Nim):
    stones: int = 0


@planted("player 1 never moved in 60 random games", HINTS)
class NeverSwitches(Nim):
    def apply(self, state, action):
        state.left -= action


@planted("player 2 never moved in 20 random games", HINTS)
class SkipsTheThird(ThreeWays):
    def current_player(self, state):
        return state.count % 2


@planted(r"a player moved \d+ times in a row; if the rules mean it, say so by", HINTS)
class StaysAfterOne(Nim):
    stones: int = 60

    def apply(self, state, action):
        state.left -= action
        if action == 3:
            state.player = 1 - state.player


@planted("a player moved 2 times in a row; moves_in_a_row says 1 ", HINTS)
class MovesTwice(TwiceNim):
    moves_in_a_row = 1


@planted(r"whoever made the last move never won, in 60 decided games", HINTS)
class MistakesTheTurn(Nim):
    """Who is to move after the last stone was taken has not taken it."""

    def returns(self, state, player):
        return 1.0 if state.player == player else -1.0


@planted(r"all 60 random games ended with the returns \[0.0, 0.0\]", HINTS)
class AlwaysDrawn(Nim):
    def returns(self, state, player):
        return 0.0


@planted(r"all 60 random games ended with the returns \[1.0, -1.0\]", HINTS)
class FirstAlwaysWins(Nim):
    def returns(self, state, player):
        return 1.0 if player == 0 else -1.0


@planted("player_names has 1 of 2 players: the others are called Player 2", HINTS)
class HalfNamed(Nim):
    player_names = ("First",)

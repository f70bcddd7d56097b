"""Small games with known answers, for the tests."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from playout import Game, TicTacToe, constant


@dataclass(frozen=True)
class Nim(Game):
    """Take one to `most` stones; whoever takes the last stone wins."""

    stones: int = 21
    most: int = 3
    first: int = 0

    def num_actions(self):
        return 4

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1")])

    def initial_state(self, state):
        state.left = self.stones
        state.player = self.first

    def current_player(self, state):
        return state.player

    def legal_actions(self, state, actions):
        count = min(self.most, state.left)
        for i in range(count):
            actions[i] = i + 1
        return count

    def apply(self, state, action):
        state.left -= action
        state.player = 1 - state.player

    def is_terminal(self, state):
        return state.left == 0

    def returns(self, state, player):
        return 1.0 if state.player != player else -1.0


@dataclass(frozen=True)
class TwiceNim(Nim):
    """Every player moves twice in a row; whoever takes the last stone wins."""

    stones: int = 9
    most: int = 2

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1"), ("moved", "i1")])

    def apply(self, state, action):
        state.left -= action
        state.moved = 1 - state.moved
        if state.moved == 0 and state.left > 0:
            state.player = 1 - state.player

    def returns(self, state, player):
        return 1.0 if state.player == player else -1.0


@dataclass(frozen=True)
class PassNim(Nim):
    """Action 0 passes; each player may do it once."""

    stones: int = 6
    most: int = 2

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1"), ("passed", "i1", 2)])

    def legal_actions(self, state, actions):
        count = 0
        if state.left > 0 and state.passed[state.player] == 0:
            actions[0] = 0
            count = 1
        for i in range(min(self.most, state.left)):
            actions[count] = i + 1
            count += 1
        return count

    def apply(self, state, action):
        if action == 0:
            state.passed[state.player] = 1
        state.left -= action
        state.player = 1 - state.player


@dataclass(frozen=True)
class Wheel(Game):
    """A token walks round a ring for ever; nobody ever wins."""

    size: int = 5
    most: int = 50

    def num_actions(self):
        return 2

    def max_game_length(self):
        return self.most

    def state_dtype(self):
        return np.dtype([("at", "i4"), ("player", "i1")])

    def initial_state(self, state):
        state.at = 0
        state.player = 0

    def current_player(self, state):
        return state.player

    def legal_actions(self, state, actions):
        actions[0] = 0
        actions[1] = 1
        return 2

    def apply(self, state, action):
        state.at = (state.at + 1 + action) % self.size
        state.player = 1 - state.player

    def is_terminal(self, state):
        return False

    def returns(self, state, player):
        return 1.0  # must never be asked


@dataclass(frozen=True)
class Corridor(Game):
    """One move at a time, `length` of them; then the first player has won."""

    length: int = 10_000
    choices: int = 1

    def num_actions(self):
        return 2

    def max_game_length(self):
        return self.length

    def state_dtype(self):
        return np.dtype([("at", "i4")])

    def initial_state(self, state):
        state.at = 0

    def current_player(self, state):
        return state.at % 2

    def legal_actions(self, state, actions):
        if state.at == self.length:
            return 0
        for i in range(self.choices):
            actions[i] = i
        return self.choices

    def apply(self, state, action):
        state.at += 1

    def is_terminal(self, state):
        return state.at == self.length

    def returns(self, state, player):
        return 1.0 if player == 0 else -1.0


@dataclass(frozen=True)
class ThreeWays(Game):
    """Three players pick 0 or 1 in turn; each wants its own pick to be the rare one."""

    zero_sum = False

    def num_actions(self):
        return 2

    def num_players(self):
        return 3

    def max_game_length(self):
        return 3

    def state_dtype(self):
        return np.dtype([("picks", "i1", 3), ("count", "i1")])

    def initial_state(self, state):
        state.count = 0

    def current_player(self, state):
        return state.count

    def legal_actions(self, state, actions):
        if state.count == 3:
            return 0
        actions[0] = 0
        actions[1] = 1
        return 2

    def apply(self, state, action):
        state.picks[state.count] = action
        state.count += 1

    def is_terminal(self, state):
        return state.count == 3

    def returns(self, state, player):
        ones = state.picks[0] + state.picks[1] + state.picks[2]
        alike = ones if state.picks[player] == 1 else 3 - ones
        return 1.0 if alike == 1 else -1.0


_PAYOFFS = np.array(
    [
        [[[0.8, -0.8, 0.6], [-1.0, 1.0, -0.6]], [[-0.6, -0.2, 0.5], [1.0, 0.9, -0.9]]],
        [[[0.9, -0.9, -0.1], [0.2, 0.4, 0.9]], [[1.0, -0.4, -0.9], [-0.9, -0.5, 0.1]]],
    ]
)


@dataclass(frozen=True)
class Payoffs(Game):
    """Three players pick 0 or 1 in turn, and a table says what each gets.

    Every player takes what is best for its own seat (max^n; Luckhardt and Irani, AAAI
    1986): the third picks 0, 0, 1, 1 after 00, 01, 10, 11, so the second compares -0.8
    with -0.2 after 0 and 0.4 with -0.5 after 1, and the first -0.6 with 0.2. The best
    line is 1 0 1.
    """

    zero_sum = False

    @constant
    def table(self):
        return _PAYOFFS.ravel()

    def num_actions(self):
        return 2

    def num_players(self):
        return 3

    def max_game_length(self):
        return 3

    def state_dtype(self):
        return np.dtype([("picks", "i4"), ("count", "i1")])

    def initial_state(self, state):
        state.picks = 0
        state.count = 0

    def current_player(self, state):
        return state.count

    def legal_actions(self, state, actions):
        if state.count == 3:
            return 0
        actions[0] = 0
        actions[1] = 1
        return 2

    def apply(self, state, action):
        state.picks = 2 * state.picks + action
        state.count += 1

    def is_terminal(self, state):
        return state.count == 3

    def returns(self, state, player):
        return self.table[3 * state.picks + player]


def nim_moves(game: Nim, left: int) -> list[int]:
    """The winning moves by theory: leave a multiple of `most + 1`."""
    return [
        take
        for take in range(1, game.most + 1)
        if (left - take) % (game.most + 1) == 0 and take <= left
    ]


def solve(position: Any) -> float:
    """The value for the player to move, by brute force over a `Position`."""
    game, mover = position.game, position.current_player
    best = -2.0
    for action in position.legal_actions():
        position.play(action)
        if position.is_terminal:
            value = position.returns(mover)
        else:
            value = solve(position)
            if position.current_player != mover:
                value = -value
        position.undo()
        best = max(best, value)
        if best == 1.0:
            break
    assert game.zero_sum
    return best


@dataclass(frozen=True)
class Coins(Game):
    """Bet 0, 1 or 2 on a throw of a loaded coin; then the next player bets.

    Bet 0 is safe and wins nothing; a lost bet of 1 costs the game with probability
    `1 - heads`, a won one wins it. Bet 2 is action 2, thrown with a coin whose chances
    are the other way round. Whoever bets 0 passes the turn; after `turns` it is a draw.
    """

    has_chance = True

    heads: float = 0.3
    turns: int = 2

    def num_actions(self):
        return 3

    def max_game_length(self):
        return 2 * self.turns

    def state_dtype(self):
        return np.dtype([("turn", "i4"), ("bet", "i1"), ("winner", "i1")])

    def initial_state(self, state):
        state.winner = -1

    def current_player(self, state):
        return -1 if state.bet > 0 else state.turn % 2

    def legal_actions(self, state, actions):
        if self.is_terminal(state):
            return 0
        count = 2 if state.bet > 0 else 3
        for i in range(count):
            actions[i] = i
        return count

    def apply(self, state, action):
        if state.bet == 0:
            state.bet = action
            state.turn += 1 if action == 0 else 0
        else:
            mover = state.turn % 2
            state.winner = mover if action == 1 else 1 - mover
            state.bet = 0

    def chance_probability(self, state, action):
        wins = self.heads if state.bet == 1 else 1.0 - self.heads
        return wins if action == 1 else 1.0 - wins

    def is_terminal(self, state):
        return state.winner >= 0 or state.turn >= self.turns

    def returns(self, state, player):
        if state.winner < 0:
            return 0.0
        return 1.0 if state.winner == player else -1.0


@dataclass(frozen=True)
class Knowing(TicTacToe):
    """Tic-tac-toe with priors and an evaluation: the centre counts most, then corners.

    `evaluate` is half the lead in the weights 3 (centre), 2 (corner), 1 (side), over
    their sum of 15. Evaluators are shown its states.
    """

    observe = Game.observe

    def prior(self, state, action):
        return weight_of(action)

    def evaluate(self, state, player):
        lead = 0.0
        for action in range(9):
            bit = np.uint64(1) << np.uint64(action)
            if state.stones[player] & bit != np.uint64(0):
                lead += weight_of(action)
            if state.stones[1 - player] & bit != np.uint64(0):
                lead -= weight_of(action)
        return lead / 30.0


def weight_of(action):
    if action == 4:
        return 3.0
    return 2.0 if action % 2 == 0 else 1.0

"""`GamesAtOnce`: games side by side, a move in each by one call of compiled rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.jit.native import kernel
from ..core.jit.rows import Rows, copy_rows
from ..core.rng import Rng
from ..games.check.bounds import expect_bounds
from ..games.contract.game import CHANCE, Game, State
from ..games.positions.position import Position

__all__ = ["GamesAtOnce"]

FACTS_DTYPE = np.dtype(
    [
        ("length", "i8"),  # moves and outcomes of chance since the start
        ("player", "i8"),  # to move; once the game is over, who moved last
        ("over", "i1"),  # 1 if no move can be played any more
        ("returned", "f8", 2),  # what each player got; 0 where it is not over
    ]
)


class GamesAtOnce:
    """Games of two players; all are at their start.

    Args:
        game: the rules, which keep the laws of games.
        count: how many are played side by side.
        dice: for what chance draws.

    Attributes:
        facts: `[B]` rows of `FACTS_DTYPE`, how each game stands.

    >>> from playout.core.rng import make_rng
    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> games = GamesAtOnce(TicTacToe(), 2, make_rng(1))
    >>> games.play([4, 0])
    >>> games.moves(0), games.moves(1), games.facts["player"].tolist()
    (('b2',), ('a3',), [1, 1])
    """

    def __init__(self, game: Game, count: int, dice: Rng) -> None:
        expect_bounds(game)
        self.game = game
        self.facts = np.zeros(count, FACTS_DTYPE)
        self._states = np.zeros(count, game.state_dtype())
        self._actions = np.zeros((count, game.max_game_length() + 1), np.int32)
        buffer = np.zeros(max(1, game.num_actions()), np.int32)
        self._rest = Rows(self._states), Rows(self.facts), self._actions, buffer, dice
        start = Position(game)
        for index in range(count):
            self.put(index, start)
        played = np.zeros(count, np.int64)
        self._play: Any = play_all.compile(game, played, *self._rest)

    def put(self, index: int, position: Position) -> None:
        """Have a game stand as a position does, at which a player is to move."""
        played, facts = position.actions, self.facts
        Rows(self._states)[index] = position.state
        self._actions[index, : len(played)] = played
        facts[index] = len(played), position.current_player, 0, (0.0, 0.0)

    def states(self) -> NDArray[np.void]:
        """A copy of the `[B]` states."""
        return copy_rows(self._states)

    def play(self, actions: Any) -> None:
        """Play `[B]` actions, and what chance draws after each.

        Each is legal in its game, and no game is over: `put` one there that is not.
        """
        self._play(self.game, np.asarray(actions, np.int64), *self._rest)

    def moves(self, index: int) -> tuple[str, ...]:
        """The moves of a game since its start, as people write them."""
        played = self._actions[index, : self.facts["length"][index]]
        return tuple(map(self.game.action_name, played.tolist()))


# -- compiled --------------------------------------------------------------------------


@kernel
def play_all(
    game: Game,
    chosen: NDArray[np.int64],
    states: Rows,
    facts: Rows,
    actions: NDArray[np.int32],
    buffer: NDArray[np.int32],
    dice: Rng,
) -> None:
    """Play an action in every game, and what chance draws after it.

    A game that is longer than games can be is over, and nobody got anything.

    Args:
        game: the rules.
        chosen: `[B]` the actions.
        states: `[B]` rows of the game's dtype, modified in place.
        facts: `[B]` rows of `FACTS_DTYPE`, modified in place.
        actions: `[B, L + 1]` what was played, L the longest a game can be; written.
        buffer: `[A]` for the outcomes of chance.
        dice: for what chance draws.
    """
    for index in range(len(states)):
        state, fact, played = states[index], facts[index], actions[index]
        play_one(game, state, fact, played, chosen[index])
        if game.has_chance:
            while fact.over == 0 and game.current_player(state) == CHANCE:
                drawn = game.sample_chance(state, buffer, dice)
                play_one(game, state, fact, played, drawn)
        if fact.over == 0:
            fact.player = game.current_player(state)


def play_one(game: Game, state: State, fact: Any, played: Any, action: int) -> None:
    """Play an action, note it, and see whether the game is over."""
    game.apply(state, action)
    played[fact.length] = action
    fact.length += 1
    if game.is_terminal(state):
        fact.over = 1
        for player in range(2):
            fact.returned[player] = game.returns(state, player)
    elif fact.length >= len(played):
        fact.over = 1
